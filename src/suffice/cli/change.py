"""The change of a saved model: rows of each class before and after."""

from typing import TYPE_CHECKING, Any

import msgspec

if TYPE_CHECKING:
    from suffice.cli.show import Page


class Change(msgspec.Struct, frozen=True, kw_only=True):
    out: str
    rows: int
    """Added or removed."""
    classes: list[Any]
    before: list[float]
    """Rows of each class."""
    after: list[float]
    stale: bool


def weights(estimator: Any, classes: list[Any]) -> list[float]:
    """The rows of each class that an estimator has learned."""
    tally = estimator.model_.tally
    known = dict(zip(tally.classes, tally.weight.tolist(), strict=True))
    return [float(known.get(label, 0.0)) for label in classes]


def changed(before: Any, after: Any, rows: int, out: str) -> Change:
    """The change from one fitted estimator to another."""
    classes = sorted({*before.model_.classes, *after.model_.classes}, key=str)
    return Change(
        out=out,
        rows=rows,
        classes=classes,
        before=weights(before, classes),
        after=weights(after, classes),
        stale=bool(after.model_.is_stale),
    )


def draw_change(page: "Page", change: Change) -> None:
    page.table(
        ["class", "rows before", "rows now"],
        [
            (label, f"{before:,.6g}", f"{after:,.6g}")
            for label, before, after in zip(change.classes, change.before, change.after, strict=True)
        ],
        right=(1, 2),
    )
    if change.stale:
        page.warning("Fitted weights are out of date; run `suffice train` again.")
    page.line(f"{change.out} is written")
