"""Files, databases and queries, streamed."""

from suffice.sources.files.locate import open_files

__all__ = ["open_files"]
