"""Output files: renamed into place when complete; existing files are overwritten only with ``--force``."""

from collections.abc import Callable
from pathlib import Path
from typing import BinaryIO

from suffice.errors import OutputError, ParameterError
from suffice.persist.atomic import write_atomically


def check_free(path: str, force: bool) -> None:
    """Raise an error if a file exists; called before any other work."""
    if Path(path).exists() and not force:
        raise ParameterError(f"{path!r} exists", "it is not overwritten", "Give another name, or add --force")
    if not Path(path).absolute().parent.is_dir():
        raise OutputError(f"There is no folder {str(Path(path).parent)!r} to write {path!r} to", "create it first")


def changed_model_path(model: str, out: str | None, in_place: bool, force: bool) -> str:
    """The output file of a changed model."""
    if (out is None) == (not in_place):
        raise ParameterError(
            "Both --out and --in-place were given" if in_place else "No output file was given for the changed model",
            "one of two is needed: --out FILE, or --in-place to change the model itself",
        )
    if out is None:
        return model
    check_free(out, force)
    return out


def print_written(rows: int, out: str, what: str, as_json: bool) -> None:
    """Print that rows were written to a file."""
    if as_json:
        from suffice.cli.json_output import Written, as_json_text

        print(as_json_text(Written(rows=rows, out=out)))
    else:
        print(f"{rows:,} rows {what}: {out}")


def write_whole(path: str, write: Callable[[BinaryIO], object]) -> None:
    """Write to a temporary file and rename it."""
    write_atomically(Path(path), write)
