"""The pictures of ``suffice plot``, by name, and their input."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cached_property, partial
from typing import TYPE_CHECKING, Any, TypeAlias

import pyarrow as pa

from suffice import plot
from suffice.cli.alignment import aligned
from suffice.cli.row_explanation import row_of
from suffice.cli.subjects import subject_of
from suffice.cli.texts import multinomial_todo
from suffice.columns.inputs import LabelsLike
from suffice.columns.kinds import Kind
from suffice.columns.labels import Label
from suffice.errors import ParameterError, SufficeError, quoted
from suffice.estimators.decision.trained_prior import trained_prior
from suffice.numerics.arrays import FloatArray
from suffice.plot.display import Display
from suffice.plot.ranking import CURVES as RANKINGS
from suffice.report.row_posteriors import row_posteriors
from suffice.report.subject import Subject
from suffice.sources.source import LocalSource

if TYPE_CHECKING:
    from matplotlib.figure import Figure

Classes: TypeAlias = Sequence[Label]


@dataclass(frozen=True)
class PictureOptions:
    """The options of a picture."""

    columns: Sequence[str] = ()
    row: int | None = None
    of: Label | None = None
    against: Label | None = None
    curve: Any = "posterior"
    shape: tuple[int, int] | None = None


@dataclass(frozen=True, eq=False)
class PictureSubject:
    """A model, and rows that are read on first use."""

    estimator: Any
    source: LocalSource
    target: str | None
    name: str

    @cached_property
    def subject(self) -> Subject:
        return subject_of(self.estimator, self.source, self.target, self.name)

    def row(self, number: int) -> Any:
        """One row of the source, from 1."""
        table = aligned(row_of(self.source, number), self.estimator.model_).table
        return table.select([str(name) for name in self.estimator.model_.names])


def _column(options: PictureOptions) -> str | None:
    if len(options.columns) > 1:
        raise ParameterError(
            f"{len(options.columns)} columns are given", "this picture shows one", "Give one: --columns A"
        )
    return options.columns[0] if options.columns else None


def _columns(options: PictureOptions) -> list[str] | None:
    return list(options.columns) or None


def _one_or_two(subject: Subject, options: PictureOptions) -> str | tuple[str, ...]:
    names = options.columns or subject.names[:1]
    return names[0] if len(names) == 1 else tuple(names)


def _of(subject: Subject, options: PictureOptions) -> Label:
    """The class given with ``--of``, by default the last class of the model."""
    classes = subject.estimator.classes_.tolist()
    return classes[-1] if options.of is None else options.of


def _texts(subject: Subject, options: PictureOptions) -> list[str]:
    name = _column(options) or next((n for n in subject.names if subject.kinds[n] == "text"), None)
    if name is None:
        raise ParameterError("There is no column of text", "this picture shows words")
    return ["" if v is None else str(v) for v in subject.features.column(name).to_pylist()]


def _image(subject: Subject, options: PictureOptions) -> tuple[int, int]:
    """Height and width: as given, or those of a square."""
    cells = len(subject.names)
    side = round(cells**0.5)
    if options.shape is None and side * side != cells:
        raise ParameterError(
            f"The rows have {cells} columns, which is not a square number",
            "an image has HEIGHTxWIDTH columns",
            "Add --shape 8x8",
        )
    shape = options.shape or (side, side)
    if shape[0] * shape[1] != cells:
        raise ParameterError(
            f"--shape is {shape[0]}x{shape[1]}, {shape[0] * shape[1]} cells",
            f"the model has {cells} columns",
            "Add --shape with as many cells",
        )
    return shape


_OF_MODEL: dict[str, Callable[[Subject, PictureOptions], Display]] = {
    "densities": lambda s, w: plot.DensityDisplay.from_estimator(s.estimator, s.features, s.labels, column=_column(w)),
    "curves": lambda s, w: plot.CurvesDisplay.from_estimator(
        s.estimator, s.features, s.labels, kind=w.curve, column=_column(w)
    ),
    "regions": lambda s, w: plot.RegionsDisplay.from_estimator(s.estimator, s.features, s.labels, columns=_columns(w)),
    "ellipses": lambda s, w: plot.EllipsesDisplay.from_estimator(
        s.estimator, s.features, s.labels, columns=_columns(w)
    ),
    "effect": lambda s, w: plot.EffectDisplay.from_estimator(
        s.estimator, s.features, column=_one_or_two(s, w), of=w.of, against=w.against
    ),
    "words": lambda s, w: plot.WordsDisplay.from_estimator(s.estimator),
    "spy": lambda s, w: plot.SpyDisplay.from_data(_texts(s, w), s.labels),
    "images": lambda s, w: plot.ImagesDisplay.from_estimator(s.estimator, shape=_image(s, w)),
}


def _ranking(
    y: LabelsLike, p: FloatArray, c: Classes, subject: Subject, options: PictureOptions, curve: Any
) -> Display:
    return plot.RankingDisplay.from_predictions(y, p, of=options.of, curve=curve, classes=c)


_OF_POSTERIORS: dict[str, Callable[[LabelsLike, FloatArray, Classes, Subject, PictureOptions], Display]] = {
    "reliability": lambda y, p, c, s, w: plot.ReliabilityDisplay.from_predictions(y, p, of=w.of, classes=c),
    "confusion": lambda y, p, c, s, w: plot.ConfusionDisplay.from_predictions(y, _best(p, c), classes=c),
    "risk-coverage": lambda y, p, c, s, w: plot.RiskCoverageDisplay.from_predictions(y, p, classes=c),
    "cost-curve": lambda y, p, c, s, w: plot.CostCurveDisplay.from_predictions(y, p, of=_of(s, w), classes=c),
    **{name: partial(_ranking, curve=name) for name in RANKINGS},
    "prior-shift": lambda y, p, c, s, w: plot.PriorShiftDisplay.from_predictions(
        y, p, of=_of(s, w), trained=trained_prior(s.estimator, s.labels, None), classes=c
    ),
}
_OF_ROW: dict[str, Callable[[PictureSubject, PictureOptions], Display]] = {
    "evidence": lambda d, w: plot.EvidenceDisplay.from_estimator(
        d.estimator, d.row(w.row or 1), of=w.of, against=w.against
    ),
    "nomogram": lambda d, w: _nomogram(d, w),
}
PICTURES = (*_OF_MODEL, *_OF_POSTERIORS, *_OF_ROW)


def _best(posterior: FloatArray, classes: Classes) -> list[Label]:
    return [classes[code] for code in posterior.argmax(axis=1)]


def _nomogram(drawn: PictureSubject, options: PictureOptions) -> Display:
    rows = drawn.subject.features
    if options.row is None:
        return plot.NomogramDisplay.from_estimator(drawn.estimator, rows, against=options.against)
    every = pa.concat_tables([drawn.row(options.row).cast(rows.schema), rows])
    return plot.NomogramDisplay.from_estimator(drawn.estimator, every, row=0, against=options.against)


_COLUMNS_OF_PICTURE = {"densities": 1, "effect": 1, "curves": 1, "regions": 2, "ellipses": 2}
_NOT_OF_TEXTS = (*_COLUMNS_OF_PICTURE, "images", "nomogram")
_NO_TEXT = "No column of the model is text: draw evidence or effect"
_INSTEAD = {
    "ellipses": "Train the model with --model naive",
    "nomogram": "Train the model with --model weighted or --model naive, or draw evidence",
    "images": "Train the model with --model naive",
}


def picture(name: str, drawn: PictureSubject, options: PictureOptions) -> "tuple[Figure, str]":
    """A matplotlib figure and its caption."""
    if name not in PICTURES:
        raise ParameterError(f"There is no picture {name!r}", f"there are {quoted(list(PICTURES), most=20)}")
    if name in _NOT_OF_TEXTS:
        _check_columns(name, drawn.subject, options)
    try:
        return _drawn(name, drawn, options)
    except SufficeError as error:
        todo = (multinomial_todo(drawn.estimator.model_) or _NO_TEXT) if name == "words" else _INSTEAD.get(name)
        if todo is None or error.todo.startswith("Add --"):
            raise
        # replaces advice for Python
        raise type(error)(error.found, error.allowed, todo) from error


def _drawn(name: str, drawn: PictureSubject, options: PictureOptions) -> "tuple[Figure, str]":
    if name in _OF_ROW:
        number = 1 if name == "evidence" and options.row is None else options.row
        return _OF_ROW[name](drawn, options).figure_, "" if number is None else f"row {number:,} of {drawn.name}"
    subject = drawn.subject
    if name in _OF_POSTERIORS:
        found = row_posteriors(subject)
        classes = list(found.assessment.classes)
        labels = [classes[code] for code in found.assessment.codes]
        shown = _OF_POSTERIORS[name](labels, found.assessment.posterior, classes, subject, options)
        sample = f" (a sample of {len(labels):,} of {subject.total:,})" if len(labels) < subject.total else ""
        return shown.figure_, f"{found.how}{sample}"
    return _OF_MODEL[name](subject, options).figure_, ""


def _check_columns(name: str, subject: Subject, options: PictureOptions) -> None:
    """Raise an error for texts in a picture of numbers and categories, or for too many columns."""
    shown = _COLUMNS_OF_PICTURE.get(name)
    texts = [one for one in options.columns or subject.names if subject.kinds.get(one) is Kind.TEXT]
    others = sorted(
        (one for one in subject.names if subject.kinds[one] is not Kind.TEXT),
        key=lambda one: subject.kinds[one] is not Kind.NUMBER,
    )[:shown]
    if texts and (options.columns or len(others) < (shown or len(subject.names))):
        raise ParameterError(
            f"Column {quoted(texts)} is text",
            f"suffice plot {name} shows numbers and categories",
            f"Add --columns {','.join(others)}" if len(others) == shown else "Draw evidence or spy",
        )
    if shown and not options.columns and len(subject.names) > shown:
        raise ParameterError(
            f"The rows have {len(subject.names)} columns",
            f"this picture shows {shown}",
            f"Add --columns {','.join(others)}",
        )
