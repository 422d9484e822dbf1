"""The change of a saved model: number of rows by class before and after."""

from typing import TYPE_CHECKING, Any

import msgspec

if TYPE_CHECKING:
    from suffice.cli.show import Page
    from suffice.model import Model


class Change(msgspec.Struct, frozen=True, kw_only=True):
    out: str
    rows: int
    """Added or removed."""
    classes: list[Any]
    before: list[float]
    """Rows of each class."""
    after: list[float]
    stale: bool
    exact: str
    """How far it equals a model trained on all of its rows, as a sentence."""


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
        exact=_exact(after.model_.current),
    )


def _exact(model: "Model") -> str:
    rows, sample = float(model.tally.weight.sum()), model.tally.sample
    every = f"{rows:,.6g} rows"
    if not model.fits_weights:
        return f"It equals the model trained on these {every}, up to rounding."
    if sample is None:
        return f"It keeps no rows: counts include all {every}, weights are unchanged."
    if not sample.is_complete:
        return (
            f"It keeps {sample.weight.sum():,.6g} of {every}: counts of columns include all of them; weights, pairs and forests"
            " are estimated from the kept rows, so a model trained on all rows may differ slightly."
        )
    if model.fitted is not None and model.fitted.learned > 0:
        return (
            f"It keeps all {every}: counts include all of them; weights do not include {model.fitted.learned:,.6g} of them yet,"
            " and are refitted when more than a thousandth is new."
        )
    return f"It keeps all {every} and equals the model trained on them."


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
    page.line(change.exact)
    page.line(f"{change.out} is written")
