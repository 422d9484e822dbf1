"""The pictures that can be asked for by name, and what each needs."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

from suffice import plot
from suffice.columns.kinds import Kind
from suffice.errors import ParameterError, SufficeError, quoted
from suffice.report.subject import Subject


@dataclass(frozen=True)
class Wish:
    """What was said about a picture."""

    columns: Sequence[str] = ()
    row: int | None = None
    of: Any = None
    against: Any = None
    curve: Any = "posterior"


def _column(wish: Wish) -> str | None:
    if len(wish.columns) > 1:
        raise ParameterError(
            f"{len(wish.columns)} columns are named", "this picture shows one", "Name one: --columns A"
        )
    return wish.columns[0] if wish.columns else None


def _columns(wish: Wish) -> list[str] | None:
    return list(wish.columns) or None


def _one_or_two(subject: Subject, wish: Wish) -> Any:
    names = wish.columns or subject.names[:1]
    return names[0] if len(names) == 1 else tuple(names)


def _of(subject: Subject, wish: Wish) -> Any:
    """The class that is meant, by default the rarer of two or the first of many."""
    classes = subject.estimator.classes_.tolist()
    return classes[-1] if wish.of is None else wish.of


def _texts(subject: Subject, wish: Wish) -> list[str]:
    name = _column(wish) or next((n for n in subject.names if subject.kinds[n] == "text"), None)
    if name is None:
        raise ParameterError("There is no column of text", "this picture shows words")
    return ["" if v is None else str(v) for v in subject.features.column(name).to_pylist()]


PICTURES: dict[str, Callable[[Subject, Wish], Any]] = {
    "densities": lambda s, w: plot.DensityDisplay.from_estimator(s.estimator, s.features, s.labels, column=_column(w)),
    "curves": lambda s, w: plot.CurvesDisplay.from_estimator(
        s.estimator, s.features, s.labels, kind=w.curve, column=_column(w)
    ),
    "regions": lambda s, w: plot.RegionsDisplay.from_estimator(s.estimator, s.features, s.labels, columns=_columns(w)),
    "ellipses": lambda s, w: plot.EllipsesDisplay.from_estimator(
        s.estimator, s.features, s.labels, columns=_columns(w)
    ),
    "evidence": lambda s, w: plot.EvidenceDisplay.from_estimator(
        s.estimator, s.features, row=(w.row or 1) - 1, of=w.of, against=w.against
    ),
    "effect": lambda s, w: plot.EffectDisplay.from_estimator(
        s.estimator, s.features, column=_one_or_two(s, w), of=w.of, against=w.against
    ),
    "nomogram": lambda s, w: plot.NomogramDisplay.from_estimator(
        s.estimator, s.features, row=None if w.row is None else w.row - 1, against=w.against
    ),
    "reliability": lambda s, w: plot.ReliabilityDisplay.from_estimator(s.estimator, s.features, s.labels, of=w.of),
    "confusion": lambda s, w: plot.ConfusionDisplay.from_estimator(s.estimator, s.features, s.labels),
    "risk-coverage": lambda s, w: plot.RiskCoverageDisplay.from_estimator(s.estimator, s.features, s.labels),
    "cost-curve": lambda s, w: plot.CostCurveDisplay.from_estimator(s.estimator, s.features, s.labels, of=_of(s, w)),
    "prior-shift": lambda s, w: plot.PriorShiftDisplay.from_estimator(s.estimator, s.features, s.labels, of=_of(s, w)),
    "words": lambda s, w: plot.WordsDisplay.from_estimator(s.estimator),
    "spy": lambda s, w: plot.SpyDisplay.from_data(_texts(s, w), s.labels),
    "images": lambda s, w: plot.ImagesDisplay.from_estimator(s.estimator),
}

_COLUMNS = {"densities": 1, "effect": 1, "curves": 1, "regions": 2, "ellipses": 2}
_INSTEAD = {
    "ellipses": "Train the model with --model naive",
    "nomogram": "Train the model with --model weighted or --model naive, or draw evidence",
    "words": "Draw spy, or look at suffice inspect",
    "images": "Train the model with --model naive",
}


def picture(name: str, subject: Subject, wish: Wish) -> Any:
    """A figure of matplotlib."""
    if name not in PICTURES:
        raise ParameterError(f"There is no picture {name!r}", f"there are {quoted(list(PICTURES), most=20)}")
    shown = _COLUMNS.get(name, 0)
    if shown and not wish.columns and len(subject.names) > shown:
        some = sorted(subject.names, key=lambda n: subject.kinds[n] != Kind.NUMBER)[:shown]
        raise ParameterError(
            f"The rows have {len(subject.names)} columns",
            f"this picture shows {shown}",
            f"Say which, such as --columns {','.join(some)}",
        )
    try:
        return PICTURES[name](subject, wish).figure_
    except SufficeError as error:
        if name not in _INSTEAD:
            raise
        # what to do is said in words of Python there
        raise type(error)(error.found, error.allowed, _INSTEAD[name]) from error
