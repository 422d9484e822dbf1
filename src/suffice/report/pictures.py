"""Pictures of the page, embedded as data addresses."""

import base64
import io
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from typing import Any

from suffice import plot
from suffice.errors import MissingPackageError, SufficeError
from suffice.evaluate import Assessment
from suffice.explain import effects, pair_effect
from suffice.plot.style import toolkit
from suffice.report.subject import Subject
from suffice.report.summary import Summary

_DOTS_PER_INCH = 80
_HALF_PAGE = 6.5  # inches
_MAX_DENSITIES, _MAX_EFFECTS = 12, 6
_RANKING_CURVES = (("ROC", "roc"), ("Precision and recall", "precision-recall"), ("Lift", "lift"))
_NAME_CHARACTERS = 60  # shown in a picture


@dataclass(frozen=True)
class Picture:
    """A PNG as a data address, so that the page needs no other file."""

    title: str
    address: str
    description: str
    """Alternative text: axes and legend."""
    wide: bool = False
    """Whether it is wider than half of the page."""


@dataclass(frozen=True)
class Pictures:
    """The pictures of each part of the page."""

    ranking: tuple[Picture, ...] = ()
    calibration: tuple[Picture, ...] = ()
    confusion: tuple[Picture, ...] = ()
    decisions: tuple[Picture, ...] = ()
    drivers: tuple[Picture, ...] = ()
    columns: tuple[Picture, ...] = ()
    missing: str = ""
    """The reason if there are none."""


def pictures(subject: Subject, assessment: Assessment, summary: Summary) -> Pictures:
    """Draw the pictures that apply to the model; none if matplotlib is not installed.

    Parameters
    ----------
    subject : Subject
        The model and its rows.
    assessment : Assessment
        Of ``summarise``.
    summary : Summary
        Of ``summarise``.

    Returns
    -------
    Pictures
        PNG pictures with alternative text.
    """
    try:
        toolkit().switch_backend("agg")
    except MissingPackageError as error:
        return Pictures(missing=str(error))
    classes = list(assessment.classes)
    labels = [classes[code] for code in assessment.codes]
    p = assessment.posterior
    predictions = [classes[code] for code in p.argmax(axis=1)]
    priced = summary.decisions.prices[0].of if summary.decisions.prices else classes[-1]
    ranking = _drawn(
        *(
            (title, partial(plot.RankingDisplay.from_predictions, labels, p, classes=classes, curve=curve))
            for title, curve in _RANKING_CURVES
        )
    )
    calibration = _drawn(("Reliability", lambda: plot.ReliabilityDisplay.from_predictions(labels, p, classes=classes)))
    confusions = _drawn(
        (
            "Confusion matrix",
            lambda: plot.ConfusionDisplay.from_predictions(labels, predictions, classes=classes),
        )
    )
    decisions = _drawn(
        ("Risk and coverage", lambda: plot.RiskCoverageDisplay.from_predictions(labels, p, classes=classes)),
        (
            f"Costs of errors about {str(priced)[:_NAME_CHARACTERS]}",
            lambda: plot.CostCurveDisplay.from_predictions(labels, p, of=priced, classes=classes),
        ),
    )
    model, rows, truth = subject.estimator, subject.features, subject.labels
    drivers = _drawn(
        ("Nomogram", lambda: plot.NomogramDisplay.from_estimator(model, rows)), *_effects(subject, summary, priced)
    )
    densities = [(name[:_NAME_CHARACTERS], _density(model, rows, truth, name)) for name in _by_importance(summary)]
    return Pictures(ranking, calibration, confusions, decisions, drivers, _drawn(*densities))


def _by_importance(summary: Summary) -> list[str]:
    """Columns in order of importance."""
    known = [c.name for c in summary.columns if c.kind != "text"]
    first = [d.name for d in summary.drivers if d.name in set(known)]
    return [*first, *(name for name in known if name not in set(first))][:_MAX_DENSITIES]


def _effects(subject: Subject, summary: Summary, of: Any) -> list[tuple[str, Callable[[], Any]]]:
    """Effects of the most important columns, and of the first two as a map, averaged over the evaluated rows."""
    columns = [name for name in _by_importance(summary) if name in {d.name for d in summary.drivers}][:_MAX_EFFECTS]
    try:
        found: list[Any] = effects(subject.estimator, columns, subject.features)
        found += (
            [pair_effect(subject.estimator, (columns[0], columns[1]), subject.features, of=of)]
            if len(columns) > 1
            else []
        )
    except (SufficeError, ValueError, TypeError):
        return []
    titles = [f"Effect of {name[:_NAME_CHARACTERS]}" for name in columns] + [
        f"Effect of {' and '.join(columns[:2])[:_NAME_CHARACTERS]}"
    ]
    return [(title, _effect(each)) for title, each in zip(titles, found, strict=False)]


def _effect(found: Any) -> Callable[[], Any]:
    return lambda: plot.EffectDisplay.from_effect(found)


def _density(model: Any, rows: Any, labels: Any, name: str) -> Callable[[], Any]:
    return lambda: plot.DensityDisplay.from_estimator(model, rows, labels, column=name)


def _drawn(*wanted: tuple[str, Callable[[], Any]]) -> tuple[Picture, ...]:
    """Draw each picture, skipping those that do not apply to the model."""
    found = []
    for title, draw in wanted:
        try:
            figure = draw().figure_
        except (SufficeError, ValueError, TypeError):
            continue
        made = io.BytesIO()
        figure.savefig(made, format="png", dpi=_DOTS_PER_INCH)
        toolkit().close(figure)
        address = f"data:image/png;base64,{base64.b64encode(made.getvalue()).decode()}"
        found.append(Picture(title, address, _described(title, figure), wide=figure.get_figwidth() > _HALF_PAGE))
    return tuple(found)


def _described(title: str, figure: Any) -> str:
    """Alternative text: title, axis labels, titles of the axes and legend entries."""
    axes = [one for frame in figure.axes for one in (frame, *frame.child_axes) if one.get_xlabel() and one.get_ylabel()]
    sentences = [f"{one.get_ylabel()} by {one.get_xlabel()}" for one in axes]
    sentences += [" ".join(frame.get_title().split()) for frame in figure.axes if frame.get_title()]
    sentences += [", ".join(t.get_text() for t in f.get_legend().get_texts()) for f in figure.axes if f.get_legend()]
    return f"{title}: {'; '.join(sentences)}" if sentences else title
