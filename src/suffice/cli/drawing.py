"""A picture to a file."""

import io
from collections.abc import Sequence
from pathlib import Path

from suffice.cli.columns import unknown_column
from suffice.cli.pictures import PICTURES, Wish, picture
from suffice.cli.reasons import class_named
from suffice.cli.subjects import subject_of
from suffice.cli.writing import check_free, write_whole
from suffice.errors import ParameterError, quoted
from suffice.plot.style import toolkit

_FORMATS = (".png", ".svg", ".pdf")
_DOTS = 150


def draw_to(
    kind: str,
    model: str,
    rows: Sequence[str],
    target: str | None,
    out: str,
    columns: str | None,
    row: int | None,
    of: str | None,
    against: str | None,
    curve: str,
    force: bool,
) -> int:
    """The number of bytes written."""
    check_free(out, force)
    ending = Path(out).suffix.lower()
    if ending not in _FORMATS:
        raise ParameterError(f"The picture is to be written to {out!r}", f"the name must end in {', '.join(_FORMATS)}")
    if kind not in PICTURES:
        raise ParameterError(f"There is no picture {kind!r}", f"there are {quoted(list(PICTURES), most=20)}")
    toolkit().switch_backend("agg")  # a file needs no screen
    subject = subject_of(model, rows, target)
    chosen = [name for name in (columns or "").split(",") if name]
    for name in chosen:
        if name not in subject.names:
            raise unknown_column(name, subject.names)
    classes = subject.model.classes
    wish = Wish(chosen, row, class_named(classes, of), class_named(classes, against), curve)
    made = io.BytesIO()
    picture(kind, subject, wish).savefig(made, format=ending[1:], dpi=_DOTS)
    write_whole(out, lambda file: file.write(made.getvalue()))
    return len(made.getvalue())
