"""Output of a picture to a file."""

import io
from collections.abc import Sequence
from pathlib import Path

from suffice.cli.class_numbers import label_named
from suffice.cli.columns import unknown_column
from suffice.cli.output_files import check_free, write_whole
from suffice.cli.pictures import PICTURES, PictureOptions, PictureSubject, picture
from suffice.cli.rows import open_rows
from suffice.cli.subjects import estimator_of
from suffice.errors import ParameterError, quoted
from suffice.plot.style import toolkit

_FORMATS = (".png", ".svg", ".pdf")
_DOTS_PER_INCH = 150


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
    shape: str | None,
    force: bool,
) -> tuple[int, str]:
    """Draw a picture to a file; returns the number of bytes and the caption."""
    check_free(out, force)
    ending = Path(out).suffix.lower()
    if ending not in _FORMATS:
        raise ParameterError(f"The output file is {out!r}", f"the name must end in {', '.join(_FORMATS)}")
    if kind not in PICTURES:
        raise ParameterError(f"There is no picture {kind!r}", f"there are {quoted(list(PICTURES), most=20)}")
    toolkit().switch_backend("agg")  # a file needs no screen
    estimator, name = estimator_of(model), " ".join(rows)
    source = open_rows(rows, schema=estimator.model_.schema)
    names = [str(one) for one in estimator.model_.names]
    chosen = [one for one in (columns or "").split(",") if one]
    for one in chosen:
        if one not in names:
            raise unknown_column(one, names)
    first, second = (None if one is None else label_named(one, estimator.model_.classes) for one in (of, against))
    options = PictureOptions(chosen, row, first, second, curve, None if shape is None else _sides(shape))
    figure, how = picture(kind, PictureSubject(estimator, source, target, name), options)
    if how:
        figure.supxlabel(how, fontsize="small")
    made = io.BytesIO()
    figure.savefig(made, format=ending[1:], dpi=_DOTS_PER_INCH)
    write_whole(out, lambda file: file.write(made.getvalue()))
    return len(made.getvalue()), how


def _sides(typed: str) -> tuple[int, int]:
    """``8x8``: height and width."""
    sides = typed.lower().split("x")
    if len(sides) != 2 or not all(side.isdigit() and int(side) for side in sides):
        raise ParameterError(f"--shape is {typed!r}", "HEIGHTxWIDTH is needed, such as 8x8")
    return int(sides[0]), int(sides[1])
