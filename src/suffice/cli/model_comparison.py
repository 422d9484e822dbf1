"""Comparison of models on the same folds."""

import shlex
from collections.abc import Callable, Sequence

import msgspec
import numpy as np

from suffice.cli.declarations import declared_options
from suffice.cli.loaded_rows import load_rows, target_of
from suffice.cli.model_fit import fit_loaded
from suffice.columns.schema import Declared
from suffice.compare import Entry, check_known, contestants, leaderboard
from suffice.compare.contestants import OURS
from suffice.estimators.bayes import BayesClassifier
from suffice.report.judging import Judging
from suffice.report.subject import Subject
from suffice.sources.source import LocalSource


class ModelLine(msgspec.Struct, frozen=True, kw_only=True):
    """One model, with times for one fold in seconds."""

    name: str
    log_loss: tuple[float, float] | None
    brier: tuple[float, float] | None
    accuracy: tuple[float, float] | None
    fit_seconds: float
    predict_seconds: float
    failed: str
    train: str | None
    """The command that trains it on all rows, for models of suffice train."""


class ModelComparison(msgspec.Struct, frozen=True, kw_only=True):
    source: str
    target: str
    rows: int
    judged_rows: int
    folds: int
    models: list[ModelLine]


def compare_models(
    source: LocalSource,
    target: str | None,
    names: Sequence[str],
    declaration: Declared,
    folds: int,
    seed: int,
    places: Sequence[str],
    show_step: Callable[[str], object],
) -> ModelComparison:
    """Score the named models on the same folds and columns, without identifiers."""
    check_known(names)  # before any row is read
    show_step("reading")
    found = load_rows(source, seed=seed)
    label = target_of(target, found.sample)
    learned = fit_loaded(BayesClassifier(), found, label, declaration.ignored)
    known, numbers = found.labelled(label)
    subject = Subject(learned, known, label, found.labels(label), " ".join(places), numbers=numbers)
    models = contestants(names, subject.kinds, seed)
    entries = leaderboard(models, subject.features, subject.labels, Judging(folds, seed).split(subject), show_step)
    return ModelComparison(
        source=" ".join(places),
        target=label,
        rows=subject.total,
        judged_rows=known.num_rows,
        folds=folds,
        models=[_line(entry, _command(entry.name, subject, places, declaration)) for entry in entries],
    )


def _command(name: str, subject: Subject, places: Sequence[str], declaration: Declared) -> str | None:
    ours = OURS[name](subject.kinds) if name in OURS else None
    if ours is None:
        return None
    return shlex.join(
        [
            "suffice",
            "train",
            *places,
            "--target",
            subject.target,
            *declared_options(declaration),
            *ours.options,
            "-o",
            "MODEL",
        ]
    )


def _line(entry: Entry, train: str | None) -> ModelLine:
    found = entry.assessment
    pairs = [None] * 3 if found is None else [found.log_loss, found.brier_score, found.accuracy]
    log_loss, brier, accuracy = (None if p is None else (float(p.value), float(p.error)) for p in pairs)
    return ModelLine(
        name=entry.name,
        log_loss=log_loss,
        brier=brier,
        accuracy=accuracy,
        fit_seconds=float(np.nan_to_num(entry.fit_seconds)),
        predict_seconds=float(np.nan_to_num(entry.predict_seconds)),
        failed=entry.failed,
        train=train,
    )
