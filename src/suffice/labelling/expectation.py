"""Expectation-maximisation: unlabelled rows are counted in every class, weighted by their posterior probability."""

import warnings
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from suffice import posterior
from suffice.columns.blocks import BlockData
from suffice.columns.labelled import Labelled
from suffice.columns.labels import Labels
from suffice.columns.table import Table
from suffice.evaluate.cross_validation import models_without_folds, scores_by_fold
from suffice.evaluate.folds import stratified_folds
from suffice.evaluate.losses import log_losses
from suffice.families.text import Text
from suffice.families.weights import ColumnWeights
from suffice.model import Model
from suffice.numerics.arrays import CodeArray, FloatArray, IntArray
from suffice.parts.shrinkage import shrinkage
from suffice.parts.weighted_parts import WeightedParts
from suffice.statistics import Tally, TextCounts

_FOLDS = 5
_WEIGHTS = (0.1, 1.0)  # candidate weights of unlabelled rows


@dataclass(frozen=True, eq=False)
class UnlabelledFit:
    """A model of labelled and unlabelled rows."""

    model: Model
    weight: float
    """The weight of an unlabelled row; 0 if the model is that of the labelled rows."""
    log_likelihood: list[float]
    """The objective after each iteration."""


@dataclass(frozen=True, eq=False)
class ExpectationMaximisation:
    """The objective of the iterations, and their stopping rule."""

    known: list[BlockData]
    y: CodeArray
    known_weight: FloatArray
    unknown: list[BlockData]
    max_iter: int
    tol: float
    threads: int

    @classmethod
    def of(
        cls, model: Model, known: Labelled, table: Table, max_iter: int, tol: float, threads: int
    ) -> "ExpectationMaximisation":
        weight = np.ones(known.table.rows) if known.weight is None else known.weight
        read = model.read(known.table, threads), model.places(known.labels), weight, model.read(table, threads)
        return cls(*read, max_iter, tol, threads)

    def from_labels(self, start: Model, rows: IntArray, weight: float) -> UnlabelledFit:
        """The model of the best iteration, started from the model of the labelled ``rows``.

        The objective is log p(labelled rows, their classes) + ``weight`` · log p(unlabelled rows) + the log prior density of
        the parameters. It never decreases if estimates maximise it: under maximum likelihood, and under the pseudo-counts of
        the multinomial and Bernoulli models of text.
        """
        shares, _ = self._expected(start)
        best = current = start
        trace: list[float] = []
        for _ in range(self.max_iter):
            current = replace(current, tally=start.tally + self._counted(start, weight * shares))
            if not trace:  # pseudo-counts are tuned once, since the objective depends on them
                current = _with_pseudo_counts(current)
            shares, log_p = self._expected(current)
            trace.append(self._likelihood(current, rows) + weight * log_p)
            if trace[-1] == max(trace):
                best = current
            if len(trace) > 1 and trace[-1] - trace[-2] <= self.tol * max(1.0, abs(trace[-2])):
                break
        return UnlabelledFit(best, weight, trace)

    def _expected(self, model: Model) -> tuple[FloatArray, float]:
        """p(class | row) of each unlabelled row, and Σ log p(row)."""
        joint = np.empty((self.unknown[0].rows, len(model.classes)))
        model.score(self.unknown, joint, self.threads)
        total = float(posterior.log_sum_exp(joint, self.threads).sum())
        return posterior.posterior(joint, model.log_prior, self.threads), total

    def _counted(self, model: Model, shares: FloatArray) -> Tally:
        """The tally of rows that belong to the classes in given shares."""
        rows, codes = np.nonzero(shares)
        labels = Labels.of(model.classes, codes.astype(np.int32), self.threads)
        return model.count_read([cells.take(rows) for cells in self.unknown], labels, shares[rows, codes], self.threads)

    def _likelihood(self, model: Model, rows: IntArray) -> float:
        """log p(labelled rows, their classes) + the log prior density of the parameters, up to a constant."""
        joint = np.empty((len(rows), len(model.classes)))
        model.score([cells.take(rows) for cells in self.known], joint, self.threads)
        total = model.prior.log_density(model.log_prior, model.classes, model.rule)
        total += sum(density.log_prior_density for density in model.densities)
        return total + float(joint[np.arange(len(rows)), self.y[rows]] @ self.known_weight[rows])


def learn_unlabelled(
    model: Model,
    textbook: Model,
    known: Labelled,
    table: Table,
    weight: float | None,
    max_iter: int,
    tol: float,
    random_state: Any,
    threads: int,
) -> UnlabelledFit:
    """The ``textbook`` model of the labelled rows with unlabelled rows added, or ``model`` if that is better.

    The weight of unlabelled rows is selected by cross-validation on the labelled rows, in folds shuffled by ``random_state``:
    the gain in log-loss over ``model`` must exceed a standard error, otherwise it is 0. A given ``weight`` is used as it is. If
    ``model`` fits weights, the log densities of the textbook model have a weight fitted to the same held-out rows.
    """
    chosen, helps = UnlabelledFit(model, 0.0, []), False
    if known.table.rows > 1:
        em = ExpectationMaximisation.of(textbook, known, table, max_iter, tol, threads)
        fold = stratified_folds(known.labels.codes, min(_FOLDS, known.table.rows), random_state)
        folds = _Folds(known, fold, threads)
        labels_alone = lowest = folds.losses(models_without_folds(model, known, fold, threads))
        without = models_without_folds(textbook, known, fold, threads)
        for candidate in _WEIGHTS if weight is None else (weight,):
            models = [
                em.from_labels(start, np.flatnonzero(fold != k), candidate).model for k, start in enumerate(without)
            ]
            found = em.from_labels(textbook, np.arange(len(fold)), candidate)
            factor = folds.factor(models, found.model) if model.fits_weights else None
            losses = folds.losses(models, factor)
            gain = labels_alone - losses
            better = losses.sum() < lowest.sum() and gain.sum() > gain.std() * np.sqrt(len(gain))
            if better or weight is not None:
                lowest, helps = losses, bool(better)
                chosen = found if factor is None else replace(found, model=_tempered(found.model, factor))
    if not helps:
        of = "the labelled rows" if not chosen.weight else "all rows, as weight is given"
        warnings.warn(
            f"The unlabelled rows do not improve held-out predictions of labelled rows; the model is that of {of}.",
            stacklevel=3,
        )
    return chosen


@dataclass(frozen=True, eq=False)
class _Folds:
    """Labelled rows, each predicted by a model of the other folds."""

    known: Labelled
    fold: CodeArray
    threads: int

    def losses(self, models: list[Model], factor: float | None = None) -> FloatArray:
        """The weighted log-loss of each row; ``factor`` multiplies the scores added to the log prior."""
        log_p, codes = scores_by_fold(models, self.known, self.fold, self.threads)
        if factor is not None:
            log_prior = np.array([m.log_prior for m in models])[self.fold]
            log_p = posterior.log_posterior(log_prior + factor * (log_p - log_prior), models[0].log_prior)
        return self._weight * log_losses(codes, log_p)

    def factor(self, models: list[Model], whole: Model) -> float:
        """The factor on the scores added to the log prior that maximises the likelihood of left-out rows."""
        log_p, codes = scores_by_fold(models, self.known, self.fold, self.threads)
        added = log_p - np.array([m.log_prior for m in models])[self.fold]
        return shrinkage(whole.log_prior, added, codes, self._weight)

    @property
    def _weight(self) -> FloatArray:
        return np.ones(len(self.fold)) if self.known.weight is None else self.known.weight


def _tempered(model: Model, factor: float) -> Model:
    """The model with every log density multiplied by a factor."""
    weighted = replace(model, weighing="weighted")
    weights = tuple(ColumnWeights(np.array([factor])) for yes in weighted.is_weighted if yes)
    n = len(model.classes)
    return replace(
        weighted, fitted=WeightedParts(model.classes, model.tally.weight.copy(), np.ones(n), np.zeros(n), weights, ())
    )


def _with_pseudo_counts(model: Model) -> Model:
    """The model with tuned pseudo-counts fixed at their present values."""
    blocks = tuple(
        replace(block, family=block.family.fixed(statistic))
        if isinstance(block.family, Text) and isinstance(statistic, TextCounts)
        else block
        for block, statistic in zip(model.blocks, model.tally.statistics, strict=True)
    )
    return replace(model, blocks=blocks)
