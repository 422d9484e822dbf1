"""Messages of electronic mail as rows of a table."""

from suffice.sources.mail.boxes import read_folder, read_labelled, read_mbox
from suffice.sources.mail.caps import Caps
from suffice.sources.mail.fields import Mail
from suffice.sources.mail.message import read_mail

__all__ = ["Caps", "Mail", "read_folder", "read_labelled", "read_mail", "read_mbox"]
