"""The verbs of the command line, one file each; their common code is in ``suffice.cli``."""
