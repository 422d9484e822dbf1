"""The command line: ``suffice train``, ``predict``, ``evaluate`` … Verbs are in ``verbs``, one file each.

These files import at the top only the modules that parse arguments. A verb imports its other modules when it runs, so
that ``--help`` and shell completion are fast.
"""

from suffice.cli.app import main

__all__ = ["main"]
