"""Weights of all scores, and the plan of the joint counts, from rows that were kept: each row is left out of what scores it."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

import numpy as np

from suffice.blend import discriminant, pairs
from suffice.blend.blending import Blending, Calibrate
from suffice.blend.cell_correction import correct_cells
from suffice.blend.coding import Coding
from suffice.blend.discriminant import Discriminant
from suffice.blend.joint_counts import Recount
from suffice.blend.normal_scores import NormalScores
from suffice.blend.pairs import Pairs, PairTables
from suffice.blend.weights import Weights, fit_weights
from suffice.columns.labels import Label
from suffice.families.histogram import Bins
from suffice.families.pooled_categorical import PooledTable
from suffice.numerics.arrays import CodeArray, FloatArray
from suffice.numerics.cell_sweeps import CellRows
from suffice.numerics.lanes import by_lane
from suffice.numerics.tables import Residuals
from suffice.numerics.weighing import ScoredRows
from suffice.posterior import posterior

if TYPE_CHECKING:
    from suffice.columns.documents import Documents
    from suffice.families.text.discounted import Discounted

_FEWEST, _MOST = 4_000, 16_000  # rows that weights are fitted on …
_SCORES = 32_000  # … or as many as have so many scores of one kind …
_CELLS = 20_000_000  # … or of all kinds
_LOOKED_AT = 2_000  # of these rows, to choose pairs
_COLUMN_RIDGE, _TEXT_RIDGE = 10.0, 1.0

_DISCRIMINANT_RIDGE = 0.02  # of the spread of what it adds …
_FAR = 200.0  # … unless that is beyond measure, as where a level has one class only


@dataclass(frozen=True, eq=False)
class KeptRows:
    """Rows in an order that says nothing, with their classes and weights, as blocks of tables and blocks of text read them."""

    tables: Sequence[Any]
    texts: "Sequence[Documents]"
    y: CodeArray
    weight: FloatArray

    @property
    def count(self) -> int:
        return len(self.y)

    def first(self, most: int) -> "KeptRows":
        if most >= self.count:
            return self
        few = slice(0, most)
        tables, texts = [block.take(few) for block in self.tables], [block.take(few) for block in self.texts]
        return KeptRows(tables, texts, self.y[few], self.weight[few])


@dataclass(frozen=True, eq=False)
class Scores:
    """What is weighed: densities over columns, and those over texts (with whether their words are corrected)."""

    tables: Sequence[Bins | PooledTable]
    texts: "Sequence[Discounted]"
    corrected: Sequence[bool]
    classes: tuple[Label, ...]
    log_prior: FloatArray

    @property
    def columns(self) -> int:
        return sum(len(d.columns) for d in self.tables)

    @property
    def text_scores(self) -> int:
        return sum(2 * len(d.views) for d in self.texts)


def fit(
    scores: Scores, kept: KeptRows, unit: float, seen: FloatArray, calibrate: Calibrate, threads: int,
    recount: Recount | None = None, known: Blending | None = None,
) -> Blending:  # fmt: skip
    """``kept`` are rows that the densities were made of, all or a sample; weights are in units. Joint counts are those of
    the kept rows, or what ``recount`` counts over rows that weigh ``seen``; or the plan and the joint counts are ``known``."""
    n_classes, columns, texts = len(scores.classes), scores.columns, scores.text_scores
    most = _most(n_classes, columns + texts)
    # words are corrected on all rows, as far as their scores fit
    rows = kept.first(max(most, _CELLS // (n_classes * (columns + texts + 1))) if texts else most)
    few = slice(0, most)
    room = columns + texts + 1 + pairs.most(columns) if calibrate == "weights" else columns + texts
    alone = ScoredRows.empty(rows.y, rows.weight, n_classes, columns + texts, room)
    _put_left_out(alone, scores, rows, threads)
    ridge: FloatArray = np.repeat([_COLUMN_RIDGE, _TEXT_RIDGE], [columns, texts]).astype(np.float64)
    if recount is None and known is None:
        seen = (np.bincount(kept.y, kept.weight, n_classes) * unit).astype(np.float64)
    planned = _Planned(NormalScores(()), None, Coding.of(scores.tables), _no_pairs(n_classes), None)
    if calibrate == "weights" and columns:
        if known is not None:
            alone, ridge, planned = _known_plan(known, rows, alone, ridge, threads)
        else:
            alone, ridge, planned = _plan(scores, kept, rows, alone, ridge, few, threads, recount)
        everything, ridge = _with_pairs(alone, ridge, planned, threads)
    elif calibrate == "temperature" and columns:
        everything, ridge = _one_temperature(alone, scores, ridge)
    else:
        everything = alone
    alike = np.arange(len(ridge)) < (1 if calibrate == "temperature" and columns else columns)
    found = fit_weights(_some(everything, few), ridge, alike, scores.log_prior, planned.start, threads)
    left_out = scores_of(everything, found, scores.log_prior)
    more: FloatArray | None = None
    if planned.tables is not None and planned.cells is not None:
        rest = CellRows(planned.cells[few], planned.tables.start, rows.y[few], rows.weight[few], left_out[few])
        more, added = correct_cells(rest, scores.log_prior, threads)
        left_out[few] += added
    bias = found.bias
    own = np.repeat(found.scores[:1], columns) if calibrate == "temperature" and columns else found.scores[:columns]
    after = 1 if calibrate == "temperature" and columns else columns
    weights = _text_weights(scores, found.scores[after : after + texts])
    # a text that adds nothing to the others is not corrected either
    corrected = [yes and bool(w.temperatures.any()) for yes, w in zip(scores.corrected, weights, strict=True)]
    if any(corrected):
        from suffice.blend.word_correction import correct_words  # for text alone

        corrections, shift = correct_words(replace(scores, corrected=corrected), rows, left_out, threads)
        weights = [replace(w, correction=c) for w, c in zip(weights, corrections, strict=True)]
        bias = bias + shift
    if weights and not columns:  # where there is no text, nothing is said
        weights[0] = replace(weights[0], bias=bias)
        bias = np.zeros(n_classes)
    made = planned.discriminant
    rest_of = found.scores[after + texts :]
    worth, of_pairs = (float(rest_of[0]), rest_of[1:]) if made is not None else (0.0, rest_of)
    # what counts for nothing need not be looked at again
    counted = np.flatnonzero(of_pairs > 0) if more is None else np.arange(len(of_pairs))
    return Blending(
        classes=scores.classes,
        seen=seen,
        unit=unit,
        column_weights=own,
        bias=bias,
        texts=tuple(weights),
        scores=planned.scores,
        discriminant=made if worth > 0 else None,
        discriminant_weight=worth,
        coding=planned.coding,
        pairs=planned.pairs.only(planned.coding, counted),
        pair_weights=of_pairs[counted],
        correction=np.zeros((0, n_classes)) if more is None else more,
    )


def scores_of(scored: ScoredRows, found: Weights, log_prior: FloatArray) -> FloatArray:
    """The log joint of the rows, up to a number each."""
    return scored.joint(found.scores, by_lane(log_prior + found.bias))


@dataclass(frozen=True, eq=False)
class _Planned:
    """How columns are looked at together, with what was counted so."""

    scores: NormalScores
    discriminant: Discriminant | None
    coding: Coding
    pairs: Pairs
    start: Weights | None
    tables: PairTables | None = None
    cells: CodeArray | None = None
    """Of the rows, in the tables of the pairs; None if there are none."""


def _put_left_out(into: ScoredRows, scores: Scores, rows: KeptRows, threads: int) -> None:
    first = 0
    for density, block in zip(scores.tables, rows.tables, strict=True):
        density.put_left_out(block, into, first, threads)
        first += len(density.columns)
    for text, documents in zip(scores.texts, rows.texts, strict=True):
        for part in text.parts(documents, rows.y, rows.weight, threads):
            into.put(first, part)
            first += 1


def _plan(
    scores: Scores, kept: KeptRows, rows: KeptRows, alone: ScoredRows, ridge: FloatArray, few: slice, threads: int,
    recount: Recount | None,
) -> tuple[ScoredRows, FloatArray, _Planned]:  # fmt: skip
    """Normal scores, codes and pairs, chosen on the kept rows."""
    n_classes, columns = len(scores.classes), scores.columns
    coding = Coding.of(scores.tables)
    normal = NormalScores.of(scores.tables, n_classes, float(kept.weight.sum()))
    made: Discriminant | None = None
    z = None
    if normal.width and kept.count > n_classes:
        z = normal.scores(rows.tables, threads)
        all_of_them = z if len(z) == kept.count else None
        scatter = normal.scatter(kept.tables, kept.y, n_classes, kept.weight, threads, all_of_them)
        made = discriminant.choose(scatter, z, rows.y, rows.weight, scores.log_prior, threads)
        alone, ridge = _with_normals(alone, ridge, made.left_out(z, rows.y), rows)
    # a part of these rows tells which pairs may help
    count = len(rows.y[few])
    some = slice(0, count, max(1, -(-count // _LOOKED_AT)))
    first_rows = alone.some(some)
    found = fit_weights(first_rows, ridge, np.arange(alone.parts) < columns, scores.log_prior, None, threads, tol=1e-2)
    p = posterior(scores_of(first_rows, found, scores.log_prior), scores.log_prior)
    heavier = rows.weight[few].sum() / max(first_rows.weight.sum(), 1e-300)
    left = Residuals(first_rows.y, p, first_rows.weight * heavier)
    codes = coding.codes(kept.tables, threads)
    loss = np.array([c.loss for d in scores.tables for c in d.columns])
    unit = np.ones(n_classes)
    chosen = pairs.choose(coding, loss, codes, kept.y, kept.weight, codes[some], left, unit, threads)
    if recount is not None:
        joint = recount(normal, coding, chosen)
        chosen = replace(chosen, counts=joint.pairs)
        if made is not None and z is not None and joint.scatter is not None:
            made = replace(made, scatter=joint.scatter)
            alone.put(alone.parts - 1, made.left_out(z, rows.y))
    tables = chosen.tables(coding, unit, threads)
    cells = tables.cells(codes[: rows.count], threads) if len(chosen.columns) else None
    return alone, ridge, _Planned(normal, made, coding, chosen, found, tables, cells)


def _known_plan(
    known: Blending, rows: KeptRows, alone: ScoredRows, ridge: FloatArray, threads: int
) -> tuple[ScoredRows, FloatArray, _Planned]:
    made = known.discriminant
    if made is not None:
        z = known.scores.scores(rows.tables, threads)
        alone, ridge = _with_normals(alone, ridge, made.left_out(z, rows.y), rows)
    tables = known.pairs.tables(known.coding, np.ones(len(known.classes)), threads)
    there = len(known.pairs.columns) > 0
    cells = tables.cells(known.coding.codes(rows.tables, threads), threads) if there else None
    return alone, ridge, _Planned(known.scores, made, known.coding, known.pairs, None, tables, cells)


def _with_normals(
    alone: ScoredRows, ridge: FloatArray, left_out: FloatArray, rows: KeptRows
) -> tuple[ScoredRows, FloatArray]:
    # a few rows that lie far apart must not make it sure of everything: what is drawn to zero is what it adds
    spread = min(float(rows.weight @ left_out.var(axis=1) / rows.weight.sum()), _FAR)
    alone = alone.widened(1)
    alone.put(alone.parts - 1, left_out)
    return alone, np.append(ridge, max(1.0, _DISCRIMINANT_RIDGE * spread))


def _with_pairs(alone: ScoredRows, ridge: FloatArray, planned: _Planned, threads: int) -> tuple[ScoredRows, FloatArray]:
    tables, cells = planned.tables, planned.cells
    if tables is None or cells is None:
        return alone, ridge
    everything = alone.widened(cells.shape[1])
    everything.put_left_out(alone.parts, cells, tables.start, tables.tables, threads)
    return everything, np.append(ridge, np.full(cells.shape[1], pairs.RIDGE))


def _one_temperature(alone: ScoredRows, scores: Scores, ridge: FloatArray) -> tuple[ScoredRows, FloatArray]:
    """The columns as one score."""
    columns = scores.columns
    groups = [np.arange(alone.parts) < columns, *(np.arange(alone.parts) == j for j in range(columns, alone.parts))]
    parts = [alone.joint(group.astype(np.float64), np.zeros(alone.lanes)) for group in groups]
    return ScoredRows.of(parts, alone.y, alone.weight, alone.classes), np.append(1.0, ridge[columns:])


def _text_weights(scores: Scores, found: FloatArray) -> "list[Any]":
    if not scores.texts:
        return []
    from suffice.families.text.discounted import TextWeights

    ends = np.cumsum([2 * len(d.views) for d in scores.texts])
    nothing = np.zeros(len(scores.classes))
    return [TextWeights(each.copy(), nothing) for each in np.split(found, ends[:-1])]


def _some(scored: ScoredRows, few: slice) -> ScoredRows:
    return scored if len(scored.y) <= few.stop else scored.some(few)


def _no_pairs(n_classes: int) -> Pairs:
    return Pairs(np.zeros((0, 2), np.int64), np.zeros(0, np.int64), np.zeros((n_classes, 0)))


def _most(n_classes: int, parts: int) -> int:
    """How many rows weights are fitted on."""
    most = int(np.clip(_SCORES // n_classes, _FEWEST, _MOST))
    return min(most, max(_CELLS // (n_classes * (parts + pairs.most(parts))), 100))
