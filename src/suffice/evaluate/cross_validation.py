"""Cross-validation from statistics: rows are counted once by fold, and scored once by the sum of the other folds."""

from collections.abc import Sequence
from typing import Any

import numpy as np

from suffice.columns.blocks import BlockData
from suffice.columns.inputs import LabelsLike, TableLike, WeightsLike
from suffice.columns.labelled import Labelled
from suffice.columns.labels import Labels
from suffice.errors import NotAdditiveError
from suffice.evaluate import folds as assignments
from suffice.evaluate.assessment import Assessment
from suffice.evaluate.learners import Learner, as_learner, threads_of
from suffice.model import Model
from suffice.numerics.arrays import CodeArray, FloatArray
from suffice.numerics.random_state import RandomState
from suffice.numerics.threads import parallel_map
from suffice.posterior import log_posterior
from suffice.statistics import Tally

_SORTED_CELLS = 1 << 20  # 8 MiB of doubles: rows that are sorted by fold at a time


def cross_validate(
    X: TableLike,
    y: LabelsLike,
    *,
    k: int = 10,
    estimator: Any = None,
    folds: Any = None,
    groups: Any = None,
    time: Any = None,
    sample_weight: WeightsLike = None,
    random_state: RandomState = 0,
) -> Assessment:
    """Cross-validate: the posterior of every row under a model of the other folds, and its scores.

    The statistics of each fold are counted in one pass, and the model of a fold is the sum of the others. So the rows are
    read twice for any ``k``, and the result equals ``k`` fits. Weights of the default are fitted for each fold, on the kept
    rows outside it.

    ``estimator`` is any classifier of suffice with additive statistics (by default ``BayesClassifier()``); it is not modified.
    Folds are stratified by class and shuffled by ``random_state`` (by default, every call has the same folds). ``groups``, one
    per row, keeps each group in one fold; ``folds`` gives the fold of each row. ``time``, one per row, splits the rows into
    k + 1 periods: each except the first is scored by a model of the earlier ones, and ``rows`` of the result has the positions
    of the scored rows. Every model has every class, even one with rows in a single fold; families are chosen once, from all
    rows.

    Parameters
    ----------
    X : table or array-like of shape (n_rows, n_features)
        The rows.
    y : array-like or column name
        The classes.
    k : int, default=10
        Number of folds.
    estimator : classifier or None, default=None
        A classifier with additive statistics; None is ``BayesClassifier()``.
    folds : array-like of shape (n_rows,) or None, default=None
        The fold of each row.
    groups : array-like of shape (n_rows,) or None, default=None
        Groups that stay in one fold.
    time : array-like of shape (n_rows,) or None, default=None
        Times, for folds that are predicted from earlier ones.
    sample_weight : array-like of shape (n_rows,) or None, default=None
        Weights of the rows.
    random_state : int or Generator, default=0
        Seed of the shuffle.

    Returns
    -------
    Assessment
        Out-of-fold posteriors and scores.

    Examples
    --------
    >>> from suffice import GaussianNB
    >>> from sklearn.datasets import load_iris
    >>> result = cross_validate(*load_iris(return_X_y=True), estimator=GaussianNB())
    >>> print(result)
    150 rows of 3 classes: log-loss 0.1367 ± 0.0492, Brier score 0.0753 ± 0.0262, accuracy 0.9533 ± 0.0172
    """
    learner = as_learner(estimator)
    rows = learner.labelled(X, y, sample_weight)
    assignments.check_one_assignment(folds=folds, groups=groups, time=time)
    if folds is not None:
        fold = assignments.given_folds(folds, rows.table.rows)
    elif groups is not None:
        fold = assignments.group_folds(groups, rows.table.rows, k)
    elif time is not None:
        fold = assignments.time_folds(time, rows.table.rows, k)
    else:
        fold = assignments.stratified_folds(rows.labels.codes, k, random_state)
    return cross_validated_posteriors(learner, rows, assignments.FoldSplit(fold, is_ordered=time is not None))[0]


def cross_validated_posteriors(
    learner: Learner, rows: Labelled, split: assignments.FoldSplit
) -> tuple[Assessment, list[Model]]:
    """The posterior of every held-out row of a split, and the model of each fold."""
    blank, threads, fold = learner.blank_model(rows.table).keeping, threads_of(learner), split.fold
    if not split.is_ordered:
        models = models_without_folds(blank, rows, fold, threads)
        log_p, codes = scores_by_fold(models, rows, fold, threads)
        return Assessment(models[0].classes, log_p, codes, rows.weight, fold), models
    before = list(_running(fold_tallies(blank, rows, fold, threads)[:-1]))
    earlier = [_with_weights(blank, tally, rows, threads) for tally in before]
    log_p, codes = scores_by_fold(earlier, rows, fold - 1, threads)
    here = split.held_out_rows
    weight = None if rows.weight is None else rows.weight[here]
    found = Assessment(earlier[0].classes, log_p[here], codes[here], weight, fold[here], here)
    return found, [earlier[0], *earlier]  # the first run is not predicted


def models_without_folds(blank: Model, rows: Labelled, fold: CodeArray, threads: int) -> list[Model]:
    """For each fold, the model of the others."""
    return [_with_weights(blank, tally, rows, threads) for tally in outside(fold_tallies(blank, rows, fold, threads))]


def _with_weights(blank: Model, tally: Tally, rows: Labelled, threads: int) -> Model:
    return blank.with_tally(tally).declaring(rows.labels.classes).with_due_weights(threads)


def fold_tallies(blank: Model, rows: Labelled, fold: CodeArray, threads: int) -> list[Tally]:
    """The tally of each fold, from one pass in which every pair of fold and class is a class."""
    whole = [block.family for block in blank.blocks if block.family.needs_all_rows]
    if whole:
        raise NotAdditiveError(
            f"{whole[0]} has no additive statistic",
            "it is needed to cross-validate from statistics",
            "Use scikit-learn's cross_validate",
        )
    n, k = len(rows.labels.classes), int(fold.max()) + 1
    pairs = Labels.of(range(n * k), (fold * n + rows.labels.codes).astype(np.int32), threads)
    counted = blank.count(rows.table, pairs, rows.weight, threads)
    return [counted.select_classes(own, rows.labels.classes) for own in np.arange(n * k).reshape(k, n)]


def outside(tallies: list[Tally]) -> list[Tally]:
    """For each tally, the sum of the others, from prefix and suffix sums, without subtraction."""
    before = list(_running(tallies[:-1]))
    after = list(_running(tallies[:0:-1]))[::-1]
    return [after[0], *(a + b for a, b in zip(before, after[1:], strict=False)), before[-1]]


def _running(tallies: list[Tally]) -> list[Tally]:
    sums = tallies[:1]
    for tally in tallies[1:]:
        sums.append(sums[-1] + tally)
    return sums


def scores_by_fold(models: list[Model], rows: Labelled, fold: CodeArray, threads: int) -> tuple[FloatArray, CodeArray]:
    """log p(class | row) under the model of each row's fold, and class codes."""
    classes = models[0].classes
    out = np.empty((rows.table.rows, len(classes)))
    start = 0
    for batch in rows.table.batches(_SORTED_CELLS):
        here = slice(start, start + batch.rows)
        _score_folds(models, models[0].read(batch, threads), fold[here], out[here], threads)
        start = here.stop
    return out, np.array([classes.index(c) for c in rows.labels.classes], dtype=np.int32)[rows.labels.codes]


def _score_folds(
    models: list[Model], blocks: Sequence[BlockData], fold: CodeArray, out: FloatArray, threads: int
) -> None:
    """Score the folds in parallel, since copying their rows takes as long as scoring them."""
    each = max(1, threads // len(models))

    def score(k: int) -> None:
        of_fold = np.flatnonzero(fold == k)
        if len(of_fold):
            joint = np.empty((len(of_fold), out.shape[1]))
            models[k].score((block.take(of_fold) for block in blocks), joint, each)
            out[of_fold] = log_posterior(joint, models[k].log_prior, each)

    parallel_map(score, range(len(models)), threads)
