"""The command line: ``suffice train``, ``predict``, ``evaluate`` … Verbs are in ``verbs``, one file each.

Only what is needed to read the arguments is imported at the top of these files; what a verb works with is imported when it
runs, so that ``--help`` and shell completion answer at once.
"""

from suffice.cli.app import main

__all__ = ["main"]
