"""Messages of electronic mail as rows of a table.

>>> from suffice import BayesClassifier
>>> from suffice.text.mail import read_mail
>>> rows = [read_mail(b"From: Ann <ann@example.org>\\n\\nhello"), read_mail(b"From: x@example.com\\n\\nhttp://example.net")]
>>> BayesClassifier().fit(rows, ["ham", "spam"]).predict([read_mail(b"From: <ann@example.org>\\n\\nlunch?")]).tolist()
['ham']
"""

from suffice.sources.mail import Caps, Mail, read_folder, read_labelled, read_mail, read_mbox

__all__ = ["Caps", "Mail", "read_folder", "read_labelled", "read_mail", "read_mbox"]
