"""Expectation-maximisation: unlabelled rows are counted in every class, as much as the model thinks they belong there."""

from dataclasses import replace

import numpy as np

from suffice import posterior
from suffice.columns.labelled import Labelled
from suffice.columns.labels import Label, Labels
from suffice.columns.table import Table
from suffice.model import Model
from suffice.numerics.arrays import CodeArray, FloatArray
from suffice.statistics import Tally


def learn_unlabelled(
    model: Model, known: Labelled, table: Table, weight: float, max_iter: int, tol: float, threads: int
) -> tuple[Model, list[float]]:
    """The model with rows added that have no label, each split over the classes; and the log-likelihood after each round.

    What is climbed is log p(labelled rows, their classes) + ``weight`` · log p(unlabelled rows) + the log prior density of
    the parameters. It never falls where an estimate is the maximum of that: under maximum likelihood, and under the
    pseudo-counts of the multinomial and Bernoulli models of text.
    """
    plain = replace(model, refinements=(), blending=None)
    shares, _ = _expected(plain, table, threads)
    trace: list[float] = []
    for _ in range(max_iter):
        soft = _counted(plain, table, weight * shares, threads)
        current = replace(plain, tally=plain.tally + soft, is_stale=plain.is_stale or bool(model.refinements))
        shares, log_p = _expected(current, table, threads)
        trace.append(_likelihood(current, known, threads) + weight * log_p)
        if len(trace) > 1 and trace[-1] - trace[-2] <= tol * max(1.0, abs(trace[-2])):
            break
    return current, trace


def _expected(model: Model, table: Table, threads: int) -> tuple[FloatArray, float]:
    """p(class | row) of each row, and Σ log p(row)."""
    joint = np.empty((table.rows, len(model.classes)))
    total = 0.0
    for _, part in model.log_joints(table, joint, threads):
        total += float(posterior.log_sum_exp(part, threads).sum())
        posterior.posterior(part, model.log_prior, threads)
    return joint, total


def _counted(model: Model, table: Table, shares: FloatArray, threads: int) -> Tally:
    """The tally of rows that belong to every class a little."""
    codes = np.zeros(table.rows, dtype=np.int32)
    parts = [
        model.count(table, _all_in(label, codes), np.ascontiguousarray(shares[:, c]), threads)
        for c, label in enumerate(model.classes)
        if shares[:, c].any()
    ]
    total = parts[0]
    for part in parts[1:]:
        total = total + part
    return total.spread(model.classes)


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
