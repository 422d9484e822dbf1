"""Expectation-maximisation: unlabelled rows are counted in every class, weighted by their posterior."""

import warnings
from collections.abc import Iterator
from dataclasses import replace
from itertools import islice
from typing import Any

import numpy as np

from suffice import posterior
from suffice.columns.labelled import Labelled
from suffice.columns.labels import Label, Labels
from suffice.columns.table import Table
from suffice.evaluate.cross_validation import models_without_folds, scores_by_fold
from suffice.evaluate.folds import dealt_out
from suffice.evaluate.losses import log_losses
from suffice.model import Model
from suffice.numerics.arrays import CodeArray, FloatArray
from suffice.statistics import Tally

_FOLDS = 5
_PATIENCE = 2  # rounds that are tried after the best


def learn_unlabelled(
    model: Model,
    known: Labelled,
    table: Table,
    weight: float,
    max_iter: int,
    tol: float,
    random_state: Any,
    threads: int,
) -> tuple[Model, list[float]]:
    """The model with rows added that have no label, each split over the classes; and the log-likelihood after each round.

    The objective is log p(labelled rows, their classes) + ``weight`` · log p(unlabelled rows) + the log prior density of
    the parameters. It never falls where an estimate is the maximum of that: under maximum likelihood, and under the
    pseudo-counts of the multinomial and Bernoulli models of text. The default has fitted weights and no likelihood to maximise:
    cross-validation of the labelled rows, shuffled by ``random_state``, chooses the number of rounds, which may be none.
    """
    if model.fits_weights:
        max_iter, tol = _best_round(model, known, table, weight, max_iter, random_state, threads), -np.inf
        if max_iter == 0:
            warnings.warn(
                "The unlabelled rows do not help to predict labelled rows left out; the model is that of the labelled rows.",
                stacklevel=3,
            )
            return model, []
    trace: list[float] = []
    for current, log_p in islice(_rounds(model, table, weight, threads), max_iter):
        trace.append(_likelihood(current, known, threads) + weight * log_p)
        if len(trace) > 1 and trace[-1] - trace[-2] <= tol * max(1.0, abs(trace[-2])):
            break
    return current, trace


def _rounds(model: Model, table: Table, weight: float, threads: int) -> Iterator[tuple[Model, float]]:
    """The model after each round, and Σ log p(unlabelled row) under it."""
    plain = model.unweighed
    shares, _ = _expected(plain, table, threads)
    while True:
        soft = _counted(plain, table, weight * shares, threads)
        current = replace(plain, tally=plain.tally + soft)
        shares, log_p = _expected(current, table, threads)
        yield current, log_p


def _best_round(
    model: Model, known: Labelled, table: Table, weight: float, most: int, random_state: Any, threads: int
) -> int:
    """The number of rounds of least cross-validated log-loss on labelled rows; 0 unless the gain exceeds its error."""
    if known.table.rows < 2:
        return 0
    fold = dealt_out(known.labels.codes, min(_FOLDS, known.table.rows), random_state)
    without = models_without_folds(model, known, fold, threads)
    row_weight = np.ones(known.table.rows) if known.weight is None else known.weight

    def losses(models: list[Model]) -> FloatArray:
        log_p, codes = scores_by_fold(models, known, fold, threads)
        return row_weight * log_losses(codes, log_p)

    labels_alone = best = losses(without)
    chosen = 0
    together = zip(*(_rounds(m, table, weight, threads) for m in without), strict=True)
    for done, found in enumerate(islice(together, most), start=1):
        now = losses([current for current, _ in found])
        if now.sum() < best.sum():
            best, chosen = now, done
        elif done >= chosen + _PATIENCE:
            break
    gain = labels_alone - best
    return chosen if gain.sum() > gain.std() * np.sqrt(len(gain)) else 0


def _expected(model: Model, table: Table, threads: int) -> tuple[FloatArray, float]:
    """p(class | row) of each row, and Σ log p(row)."""
    joint = np.empty((table.rows, len(model.classes)))
    total = 0.0
    for _, part in model.log_joints(table, joint, threads):
        total += float(posterior.log_sum_exp(part, threads).sum())
        posterior.posterior(part, model.log_prior, threads)
    return joint, total


def _counted(model: Model, table: Table, shares: FloatArray, threads: int) -> Tally:
    """The tally of rows weighted by their posterior."""
    codes = np.zeros(table.rows, dtype=np.int32)
    parts = [
        model.count(table, _all_in(label, codes), np.ascontiguousarray(shares[:, c]), threads)
        for c, label in enumerate(model.classes)
        if shares[:, c].any()
    ]
    total = parts[0]
    for part in parts[1:]:
        total = total + part
    return total.reindex_classes(model.classes)


def _all_in(label: Label, codes: CodeArray) -> Labels:
    return Labels((label,), codes, np.array([float(len(codes))]))


def _likelihood(model: Model, known: Labelled, threads: int) -> float:
    """log p(labelled rows, their classes) + the log prior density of the parameters, up to a constant."""
    place = np.array([model.classes.index(c) for c in known.labels.classes])
    own = place[known.labels.codes]
    total = model.prior.log_density(model.log_prior, model.classes, model.rule)
    total += sum(density.log_prior_density for density in model.densities)
    for rows, joint in model.log_joints(known.table, None, threads):
        scores = joint[np.arange(len(joint)), own[rows]]
        total += float(scores.sum() if known.weight is None else scores @ known.weight[rows])
    return total
