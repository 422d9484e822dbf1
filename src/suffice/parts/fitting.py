"""Weights of all scores, and the plans of parts, fitted to left-out scores of the kept rows."""

from collections.abc import Iterator, Sequence
from copy import copy
from dataclasses import replace
from functools import cached_property
from typing import Any

import numpy as np

from suffice.columns.labels import Label
from suffice.families.histogram import Bins
from suffice.families.pooled_categorical import PooledTable
from suffice.numerics.arrays import BoolArray, CodeArray, FloatArray, IntArray, SingleArray
from suffice.numerics.contrasts import to_contrasts
from suffice.numerics.scored_rows import ScoredRows
from suffice.numerics.tables import Residuals
from suffice.parts.block_scores import BlockScores, TextScores
from suffice.parts.coding import Coding
from suffice.parts.kept_rows import KeptRows
from suffice.parts.normal_scores import NormalScores
from suffice.parts.part import AnyPlannedPart, Candidate, PlannedPart
from suffice.parts.recount import Recount
from suffice.parts.registry import PARTS
from suffice.parts.weighted_parts import WeightedParts
from suffice.parts.weights import MIN_LOG_PRIOR, Weights, fit_weights, without_folds
from suffice.posterior import log_posterior, posterior

_MIN_FITTED_ROWS, _MAX_FITTED_ROWS = 4_000, 16_000  # rows that weights are fitted to …
_MAX_ROW_CLASSES = 32_000  # … as limited by the number of rows × classes …
_MAX_SCORES = 20_000_000  # … and by that of rows × classes × scores
_MAX_PLANNING_ROWS = 2_000  # of these rows, for planning parts
_FOLDS = 5  # of cross-fitted weights
_MIN_FOLDED_ROWS = 50  # kept rows
_NOISE_LOSS, _NOISE_GAIN = 0.4, 1.5  # share of the loss of the class shares, and nats per score
_MIN_MISSING = 2.0  # missing cells of a column with a missing indicator
_MIN_CODED_MISSING = 100.0  # missing cells of a column in which they have a code in pairs


class Fitting:
    """Rows, blocks, and the left-out scores added so far: of the rows that weights are fitted to, or of ``every`` kept
    row."""

    def __init__(
        self, blocks: Sequence[BlockScores], kept: KeptRows, classes: tuple[Label, ...], log_prior: FloatArray,
        threads: int, *, joint: bool, ignores_missing: bool, every: bool = False,
    ) -> None:  # fmt: skip
        self.blocks, self.classes, self.log_prior, self.threads = blocks, classes, log_prior, threads
        self.ignores_missing, self.every = ignores_missing, every
        found = [(b, b.table(kept.y, kept.weight, threads)) for b in blocks] if joint else []
        self.tables: list[Bins | PooledTable] = [table for _, table in found if table is not None]
        self.kept = replace(kept, tables=[block.cells for block, table in found if table is not None])
        self.columns = sum(len(table.columns) for table in self.tables)
        own = sum(block.width for block in blocks)
        room = own + sum(kind.most(self) for kind in PARTS) if self.tables else own
        most = int(np.clip(_MAX_ROW_CLASSES // len(classes), _MIN_FITTED_ROWS, _MAX_FITTED_ROWS))
        most = min(most, max(_MAX_SCORES // (len(classes) * max(room, 1)), 100))
        # words are corrected on all rows, as far as their scores fit into memory
        texts = any(isinstance(block, TextScores) for block in blocks)
        enough = max(most, _MAX_SCORES // (len(classes) * (own + 1))) if texts else most
        self.rows = self.kept.first(self.kept.count if texts and every else enough)
        self.span = slice(0, self.rows.count)
        self.few = slice(0, most)
        self._scored = ScoredRows.empty(self.rows.y, self.rows.weight, len(classes), 0, room)
        self._candidates: list[tuple[Candidate, int]] = []
        self._start: Weights | None = None

    def add(self, candidate: Candidate) -> None:
        """Append the scores of a candidate."""
        first = self._scored.parts
        self._scored = self._scored.with_more(len(candidate.ridge))
        candidate.write(self._scored, first)
        self._candidates.append((candidate, first))

    def write_again(self, place: int, candidate: Candidate) -> None:
        """Replace the scores of a candidate by those of another one of equal width."""
        first = self._candidates[place][1]
        candidate.write(self._scored, first)
        self._candidates[place] = candidate, first

    @cached_property
    def fitted_weights(self) -> Weights:
        """The weights of all scores added so far."""
        some = self._scored.take(self.few) if self.rows.count > self.few.stop else self._scored
        return fit_weights(some, self._ridge, self._shared, self.log_prior, self._start, self.threads)

    def cross_fitted(self, left_out: FloatArray) -> FloatArray:
        """The ``left_out`` log joint of the rows that weights are fitted to, with cross-fitted weights."""
        out = left_out[self.few] - self.joint(self.fitted_weights)[self.few]  # corrections, which are cross-fitted
        some = self._scored.take(self.few)
        fold = self.rows.folds(_FOLDS)[self.few]
        found = without_folds(some, fold, self._ridge, self._shared, self.log_prior, self.fitted_weights, self.threads)
        for k, weights in enumerate(found):
            here = np.flatnonzero(fold == k)
            out[here] += some.take(here).joint(weights.scores, to_contrasts(self.log_prior + weights.bias))
        return out

    def split(self, found: FloatArray) -> list[FloatArray]:
        """The weights of each candidate."""
        return [found[first : first + len(candidate.ridge)] for candidate, first in self._candidates]

    def joint(self, found: Weights) -> FloatArray:
        """The left-out log joint of the rows, up to a constant per row."""
        return self._scored.joint(found.scores, to_contrasts(self.log_prior + found.bias))

    def joint_of_others(self, parts: Sequence[AnyPlannedPart], found: Weights) -> Iterator[FloatArray]:
        """The left-out log joint of the other kept rows, which weights are not fitted to, in batches."""
        step = max(1, _MAX_SCORES // (len(self.classes) * max(self.scores, 1)))
        for start in range(self.rows.count, self.kept.count, step):
            other = self._over(slice(start, min(start + step, self.kept.count)))
            for block in self.blocks:
                other.add(block.candidate(other))
            for part in parts:
                other.add(part.candidate(other))
            yield other.joint(found)

    def _over(self, span: slice) -> "Fitting":
        """A copy that scores other kept rows."""
        other = copy(self)
        other.span, other.rows, other._candidates, other._z = span, self.kept.take(span), [], None
        other._scored = ScoredRows.empty(other.rows.y, other.rows.weight, len(self.classes), 0, self.scores)
        return other

    def residuals(self) -> tuple[slice, Residuals]:
        """Residuals of the scores so far on some of the rows, reweighted to stand for all rows of the fit."""
        count = len(self.rows.y[self.few])
        some = slice(0, count, max(1, -(-count // _MAX_PLANNING_ROWS)))
        rows = self._scored.take(some)
        found = fit_weights(rows, self._ridge, self._shared, self.log_prior, None, self.threads, tol=1e-2)
        self._start = found
        p = posterior(rows.joint(found.scores, to_contrasts(self.log_prior + found.bias)), self.log_prior)
        heavier = self.rows.weight[self.few].sum() / max(rows.weight.sum(), 1e-300)
        return some, Residuals(rows.y, p, rows.weight * heavier)

    def is_doubtful(self, left_out: FloatArray) -> bool:
        """Whether the gain in log-loss is within what choosing parts and weights gains on random labels.

        Rows are left out of counts, but not of these choices. On shuffled labels the choices gain about a third of a
        nat per score and, where scores are fewer than rows, at most half of the loss. Very few rows are not
        folded.
        """
        if self.kept.count < _MIN_FOLDED_ROWS:
            return False
        y, weight = self.rows.y[self.few], self.rows.weight[self.few]
        before = -float(weight @ self.log_prior[y])
        after = -float(weight @ log_posterior(left_out[self.few].copy(), self.log_prior)[np.arange(len(y)), y])
        noise = before - after < _NOISE_GAIN * self.scores
        return noise and (after > _NOISE_LOSS * before or self.scores > weight.sum())

    @property
    def scored(self) -> int:
        """Number of kept rows with left-out scores."""
        return self.kept.count if self.every else self.rows.count

    @property
    def scores(self) -> int:
        """Number of scores."""
        return self._scored.parts

    @property
    def _ridge(self) -> FloatArray:
        return np.concatenate([np.zeros(0), *(candidate.ridge for candidate, _ in self._candidates)])

    @property
    def _shared(self) -> BoolArray:
        each = [np.full(len(candidate.ridge), candidate.shared) for candidate, _ in self._candidates]
        return np.concatenate([np.zeros(0, dtype=bool), *each])

    # — of the kept rows —

    def rows_of(self, block: BlockScores) -> Any:
        """The cells of the rows that weights are fitted to."""
        return block.cells if self.rows.count == self.kept.count else block.cells.take(self.span)

    def codes(self, coding: Coding) -> CodeArray:
        """The codes of all kept rows."""
        if self._codes is None or self._codes[0] is not coding:
            self._codes = coding, coding.codes(self.kept.tables, self.threads)
        return self._codes[1]

    _codes: tuple[Coding, CodeArray] | None = None

    @cached_property
    def column_scores(self) -> NormalScores:
        """All columns as normal scores."""
        return NormalScores.of(self.tables, len(self.classes), float(self.kept.weight.sum()))

    def normal_scores(self, scores: NormalScores) -> SingleArray:
        """The normal scores of the rows that weights are fitted to."""
        if self._z is None or self._z[0] is not scores:
            self._z = scores, scores.scores(self.rows.tables, self.threads)
        return self._z[1]

    _z: tuple[NormalScores, SingleArray] | None = None

    @cached_property
    def _missing(self) -> tuple[FloatArray, FloatArray]:
        """Number of missing cells, and of present cells, of each column."""
        if self.ignores_missing:
            return np.zeros(self.columns), np.zeros(self.columns)
        missingness = np.concatenate([block.missingness for block in self.kept.tables], axis=1)
        return self.kept.weight @ (missingness > 0), self.kept.weight @ (missingness == 0)

    @property
    def columns_with_missing(self) -> IntArray:
        """The columns with both missing and present cells."""
        missing, there = self._missing
        return np.flatnonzero((missing >= _MIN_MISSING) & (there >= _MIN_MISSING))

    @property
    def columns_with_missing_codes(self) -> IntArray:
        """The columns in which a missing cell has a code of its own in pairs."""
        missing, _ = self._missing
        return np.flatnonzero(missing >= _MIN_CODED_MISSING)


def fit(
    fitting: Fitting,
    unit: FloatArray,
    seen: FloatArray,
    recount: Recount | None = None,
    known: WeightedParts | None = None,
) -> tuple[WeightedParts, FloatArray]:
    """Weights and parts, and the left-out log joint of the rows that weights are fitted to, or of every kept row.

    ``seen`` is the weight of the rows that ``recount`` counts, or that the parts of ``known`` have counted: without
    either, parts are planned and counted on the kept rows.
    """
    for block in fitting.blocks:
        fitting.add(block.candidate(fitting))
    parts = _plan(fitting, recount) if known is None else _with_plan_of(known, fitting)
    if recount is None and known is None:
        kept = fitting.kept
        seen = (np.bincount(kept.y, kept.weight, len(unit)) * unit).astype(np.float64)
    found = fitting.fitted_weights
    left_out = fitting.joint(found)
    if fitting.every:
        left_out = np.concatenate([left_out, *fitting.joint_of_others(parts, found)])
    each = fitting.split(found.scores)
    weights: list[Any] = [block.weights(own) for block, own in zip(fitting.blocks, each, strict=False)]
    weighted = [part.weighted(w, fitting, left_out) for part, w in zip(parts, each[len(weights) :], strict=True)]
    used = tuple(part for part in weighted if part is not None)
    return WeightedParts(fitting.classes, seen, unit, found.bias, tuple(weights), used), left_out


def _plan(fitting: Fitting, recount: Recount | None) -> list[AnyPlannedPart]:
    """Parts, planned one after the other on the kept rows."""
    parts: list[AnyPlannedPart] = []
    for kind in PARTS if fitting.tables else ():
        part = kind.planned(fitting)
        if part is not None:
            parts.append(part)
            fitting.add(part.candidate(fitting))
    if recount is None or not parts:
        return parts
    parts = [part.with_counts(counts) for part, counts in zip(parts, recount(parts).each, strict=True)]
    for place, part in enumerate(parts, start=len(fitting.blocks)):
        fitting.write_again(place, part.candidate(fitting))
    return parts


def _with_plan_of(known: WeightedParts, fitting: Fitting) -> list[AnyPlannedPart]:
    parts = [part for part in known.parts if isinstance(part, PlannedPart)]
    for part in parts:
        fitting.add(part.candidate(fitting))
    return parts


def correct_texts(
    weighted_parts: WeightedParts, fitting: Fitting, left_out: FloatArray
) -> tuple[WeightedParts, FloatArray]:
    """Add corrections of words to the weights of texts and, if every row has scores, to the left-out log joint."""
    texts = {i: block for i, block in enumerate(fitting.blocks) if isinstance(block, TextScores)}
    # a text without weight is not corrected
    some = [i for i, block in texts.items() if block.corrected and not block.is_zero(weighted_parts.weights[i])]
    if some:
        from suffice.parts.word_correction import correct_words  # for text alone

        given = [(texts[i].density, fitting.rows_of(texts[i])) for i in some]
        found = correct_words(given, fitting.rows, left_out, fitting.threads, every=fitting.every)
        left_out = found.left_out
        weighted_parts = weighted_parts.tempered(found.offset)
        # tempering scaled the prior too
        weighted_parts = replace(
            weighted_parts,
            bias=weighted_parts.bias + found.bias + (found.offset - 1) * np.maximum(fitting.log_prior, MIN_LOG_PRIOR),
        )
        weights: list[Any] = list(weighted_parts.weights)
        for i, correction in zip(some, found.texts, strict=True):
            weights[i] = replace(weights[i], correction=correction)
        weighted_parts = replace(weighted_parts, weights=tuple(weights))
    if not texts or len(texts) < len(fitting.blocks):
        return weighted_parts, left_out
    all_: list[Any] = list(weighted_parts.weights)
    all_[0] = replace(all_[0], bias=weighted_parts.bias)  # a missing text contributes neither words nor bias
    return replace(weighted_parts, bias=np.zeros(len(weighted_parts.bias)), weights=tuple(all_)), left_out
