"""Output of the table of word scores to a file."""

from collections.abc import Sequence
from typing import BinaryIO

from suffice.cli.output_files import write_whole
from suffice.model import Model
from suffice.sources.files.writing import write_tables
from suffice.sql import WORD_KEY, script, word_scores


def write_words(model: Model, path: str, name: Sequence[str], dialect: str) -> None:
    """Write the table in the format of the file name; a .sql file has statements that create and fill it."""
    table = word_scores(model)
    if not path.lower().endswith(".sql"):
        write_tables([table], path)
        return

    def write(file: BinaryIO) -> None:
        for statement in script(table, name, dialect, WORD_KEY):
            file.write(f"{statement}\n".encode())

    write_whole(path, write)
