"""The kinds of all components of a model, by tag. Families and statistics are imported when a file contains them."""

import re
from functools import partial
from typing import TYPE_CHECKING, Any

import numpy as np

from suffice import families as f
from suffice import statistics as s
from suffice.columns.schema import BooleanFormat, DateFormat, Declared, NumberFormat, Schema, TextFormat
from suffice.families import text
from suffice.families.assignment import Block
from suffice.families.class_prior import Dirichlet, Empirical, Given, Uniform
from suffice.families.weights import ColumnWeights
from suffice.model import Model
from suffice.numerics.forest import Trees
from suffice.numerics.tables import MANTISSA, pair_starts
from suffice.parts.byte_codes import ByteCodes, NumberCuts, PrincipalAxes
from suffice.parts.coding import RESOLUTIONS, Coding, LevelCodes, NumberCodes
from suffice.parts.discriminant import Discriminant
from suffice.parts.forest import ForestPart
from suffice.parts.fourier import Fourier
from suffice.parts.gain import Gain
from suffice.parts.missing_indicators import MissingIndicators
from suffice.parts.normal_scores import LevelScores, NormalScores, NumberScores
from suffice.parts.normals import NormalsPart
from suffice.parts.pairs import Pairs
from suffice.parts.weighted_parts import WeightedParts
from suffice.persist.consistency import check_model
from suffice.persist.kinds import Kinds, SavedKind
from suffice.persist.packed_rows import LevelsKind, NumbersKind, SampleKind, TermsKind, TextsKind
from suffice.persist.packed_trees import TreesKind
from suffice.persist.shapes import Sizes, invalid_field

if TYPE_CHECKING:
    from suffice.columns.vocabulary import Vocabulary

_CHUNK_BYTES = 1 << 20  # of text checked at a time


def _vocabulary() -> type[Any]:
    from suffice.columns.vocabulary import Vocabulary

    return Vocabulary


def _stored_numbers() -> type[Any]:
    from suffice.columns.stored_cells import StoredNumbers

    return StoredNumbers


def _stored_levels() -> type[Any]:
    from suffice.columns.stored_cells import StoredLevels

    return StoredLevels


def _stored_texts() -> type[Any]:
    from suffice.columns.stored_cells import StoredTexts

    return StoredTexts


def _stored_terms() -> type[Any]:
    from suffice.columns.stored_cells import StoredTerms

    return StoredTerms


def _check_vocabulary(vocabulary: "Vocabulary", sizes: Sizes) -> None:
    ends, data = vocabulary.offsets, vocabulary.bytes
    if not len(ends) or ends[0] != 0 or ends[-1] != len(data) or (ends[1:] < ends[:-1]).any():
        raise invalid_field("vocabulary", "has token offsets that are not in order")
    if (data[ends[:-1][ends[:-1] < len(data)]] & 0xC0 == 0x80).any():
        raise invalid_field("vocabulary", "has tokens that start within a character")
    start = 0
    while start < len(data):  # a chunk ends with a token, so no character is split
        stop = int(ends[np.searchsorted(ends, start + _CHUNK_BYTES)]) if start + _CHUNK_BYTES < len(data) else len(data)
        data[start:stop].tobytes().decode("utf-8", "surrogatepass")
        start = stop


def _check_words(counts: "s.WordCounts", sizes: Sizes) -> None:
    if sizes.get("w", len(counts.vocabulary)) != len(counts.vocabulary):
        raise invalid_field("tables", f"have {sizes['w']} words, but the vocabulary {len(counts.vocabulary)}")


def _check_levels(counts: "s.Counts | s.PairCounts", sizes: Sizes) -> None:
    if sizes["l"] != sum(map(len, counts.levels)):
        raise invalid_field("levels", "do not match their table")


def _check_grid(counts: "s.GridCounts", sizes: Sizes) -> None:
    start, within = counts.start, np.ones(max(sizes["l"] - 1, 0), dtype=bool)
    if sizes["s"] != len(counts.bits) + 1 or start[0] != 0 or start[-1] != sizes["l"] or (start[1:] < start[:-1]).any():
        raise invalid_field("cells", "do not match their table")
    within[start[1:-1][(start[1:-1] > 0) & (start[1:-1] < sizes["l"])] - 1] = False
    if not all(0 <= b <= MANTISSA for b in counts.bits) or (np.diff(counts.cells) <= 0)[within].any():
        raise invalid_field("cells", "are not sorted")
    if not counts.table.any(axis=0).all():
        raise invalid_field("cells", "are empty")


def _check_weighted_parts(found: WeightedParts, sizes: Sizes) -> None:
    _check_classes(found, sizes)
    if any(part.n_classes != len(found.classes) for part in found.parts):
        raise invalid_field("parts", "have other classes")


def _check_indicators(found: MissingIndicators, sizes: Sizes) -> None:
    if found.counts.shape[1] != 2 * sizes["h"] or (sizes["h"] and found.columns.min() < 0):
        raise invalid_field("holes", "do not match their counts")


def _check_normals(found: NormalsPart, sizes: Sizes) -> None:
    if found.discriminant.scatter.mean.shape[1] != found.scores.width:
        raise invalid_field("normals", "have scores that do not match their scatter")


def _check_coding(found: Coding, sizes: Sizes) -> None:
    columns = sum(block.columns for block in found.blocks)
    if len(found.holes) and not 0 <= found.holes.min() <= found.holes.max() < columns:
        raise invalid_field("coding", "has codes for missing cells of unknown columns")


def _check_pairs(found: Pairs, sizes: Sizes) -> None:
    columns = len(found.coding.sizes)
    if len(found.columns) and not 0 <= found.columns.min() <= found.columns.max() < columns:
        raise invalid_field("pairs", "are of unknown columns")
    if not np.isin(found.resolution, RESOLUTIONS).all():
        raise invalid_field("pairs", "have an unknown resolution")
    if sizes["l"] != pair_starts(found.coding.sizes, found.columns)[-1]:
        raise invalid_field("pairs", "do not match their counts")
    if len(found.correction) not in (0, found.cell_count):
        raise invalid_field("pairs", "have a correction of another number of cells")


def _check_axes(found: PrincipalAxes, sizes: Sizes) -> None:
    if sizes["s"] != found.scores.width or not sizes["a"]:
        raise invalid_field("axes", "do not match their scores")


def _check_forest(found: ForestPart, sizes: Sizes) -> None:
    trees = found.trees
    if not np.array_equal(trees.is_level, found.codes.is_level):
        raise invalid_field("forest", "has trees over other columns")
    if len(found.holes) and not 0 <= found.holes.min() <= found.holes.max() < found.codes.columns:
        raise invalid_field("forest", "has missing cells in unknown columns")
    if trees.leaf_class.max(initial=0) >= len(found.prior) or not (found.prior > 0).all():
        raise invalid_field("forest", "has leaves of other classes")


def _check_fourier(found: Fourier, sizes: Sizes) -> None:
    if sizes["s"] != found.scores.width or sizes["w"] != 2 * sizes["f"]:
        raise invalid_field("fourier", "has frequencies that do not match their scores or coefficients")


def _check_classes(found: Any, sizes: Sizes) -> None:
    if sizes["g"] != len(found.classes):
        raise invalid_field("bias", f"is for {sizes['g']} classes, not {len(found.classes)}")


def _check_correction(found: "text.ViewCorrection", sizes: Sizes) -> None:
    if sizes["w"] != len(found.vocabulary):
        raise invalid_field("information", f"has {sizes['w']} words, but the vocabulary {len(found.vocabulary)}")


_CENTRED = {"weight": "ck", "mean": "ck", "m2": "ck", "mean_low": "ck", "m2_low": "ck"}
_MATRICES = {"weight": "c", "mean": "ck", "m2": "ckk", "mean_low": "ck", "m2_low": "ckk"}
_SUMS = {"weight": "ck", "total": "ck"}

_OTHER_TAGS = {"LogNormal": "log-normal"}
"""Tags other than the name of the family in words."""


def _tag(family: str) -> str:
    return _OTHER_TAGS.get(family) or re.sub("(?<=[a-z])(?=[A-Z])", " ", family).lower()


FAMILIES = {
    _tag(name): SavedKind(partial(getattr, f, name))
    for name in f.FAMILY_NAMES
    if name != "Density"  # which wraps estimators of other libraries
}

STATISTICS = {
    "counts": SavedKind(lambda: s.Counts, {"table": "cl"}, _check_levels),
    "count tables": SavedKind(lambda: s.CountTables, {"table": "ckv"}),
    "grid counts": SavedKind(lambda: s.GridCounts, {"table": "cl", "cells": "l:i8", "start": "s:i8"}, _check_grid),
    "log moments": SavedKind(lambda: s.LogMoments, {"weight": "ck", "mean": "ck", "log_mean": "ck"}),
    "moments": SavedKind(lambda: s.Moments, _CENTRED),
    "pair counts": SavedKind(lambda: s.PairCounts, {"table": "cll"}, _check_levels),
    "row sample": SampleKind(lambda: s.RowSample),
    "scatter": SavedKind(lambda: s.Scatter, _MATRICES),
    "successes": SavedKind(lambda: s.Successes, _SUMS),
    "sums": SavedKind(lambda: s.Sums, _SUMS),
    "text counts": SavedKind(lambda: s.TextCounts),
    "wide scatter": SavedKind(lambda: s.WideScatter, {"weight": "c", "mean": "ck", "factors": ("c", "_k")}),
    "word counts": SavedKind(lambda: s.WordCounts, {"documents": "c", "tables": ("_", "wc")}, _check_words),
}

ROWS = {
    "kept numbers": NumbersKind(_stored_numbers),
    "kept levels": LevelsKind(_stored_levels),
    "kept terms": TermsKind(_stored_terms),
    "kept texts": TextsKind(_stored_texts, {"bytes": "b:u1", "offsets": "o:i8", "codes": "r:i4"}),
}

PARTS = {
    "column weights": SavedKind(lambda: ColumnWeights, {"values": "w"}),
    "text weights": SavedKind(lambda: text.TextWeights, {"temperatures": "t", "bias": "g"}),
    "text correction": SavedKind(lambda: text.Correction),
    "view correction": SavedKind(lambda: text.ViewCorrection, {"information": "w", "weights": "wg"}, _check_correction),
    "blend": SavedKind(lambda: WeightedParts, {"seen": "g", "unit": "g", "bias": "g"}, _check_weighted_parts),
    "holes": SavedKind(
        lambda: MissingIndicators, {"columns": "h:i8", "counts": "c_", "weights": "h"}, _check_indicators
    ),
    "normals": SavedKind(lambda: NormalsPart, check=_check_normals),
    "normal scores": SavedKind(lambda: NormalScores),
    "number scores": SavedKind(lambda: NumberScores, {"knots": ("_", "__")}),
    "level scores": SavedKind(lambda: LevelScores, {"share": ("_", "_")}),
    "discriminant": SavedKind(lambda: Discriminant),
    "coding": SavedKind(lambda: Coding, {"holes": "_:i8"}, _check_coding),
    "number codes": SavedKind(lambda: NumberCodes, {"cuts": ("n", "_"), "mass": ("n", "_")}),
    "level codes": SavedKind(lambda: LevelCodes),
    "number cuts": SavedKind(lambda: NumberCuts, {"cuts": ("n", "_")}),
    "axes": SavedKind(lambda: PrincipalAxes, {"vectors": "sa:f4", "cuts": ("a", "_")}, _check_axes),
    "byte codes": SavedKind(lambda: ByteCodes),
    "trees": TreesKind(lambda: Trees),
    "forest": SavedKind(lambda: ForestPart, {"prior": "c", "holes": "_:i8"}, _check_forest),
    "fourier": SavedKind(lambda: Fourier, {"frequencies": "sf:f4", "coefficients": "wc"}, _check_fourier),
    "gain": SavedKind(lambda: Gain),
    "pairs": SavedKind(
        lambda: Pairs,
        {"columns": "pt:i8", "resolution": "p:i8", "counts": "cl", "weights": "p", "correction": "_c"},
        _check_pairs,
    ),
}


class ModelKind(SavedKind):
    """A model, with the weights fitted to its tally."""

    def to_fields(self, value: Model) -> dict[str, Any]:
        return super().to_fields(value.current)


def _check_model(model: Model, sizes: Sizes) -> None:
    check_model(model, Kinds(STATISTICS))


FORMATS = {
    "schema": SavedKind(lambda: Schema),
    "declared": SavedKind(lambda: Declared),
    "number format": SavedKind(lambda: NumberFormat),
    "date format": SavedKind(lambda: DateFormat),
    "truth format": SavedKind(lambda: BooleanFormat),
    "text format": SavedKind(lambda: TextFormat),
}

PRIORS = {
    "dirichlet": SavedKind(lambda: Dirichlet),
    "empirical": SavedKind(lambda: Empirical),
    "given": SavedKind(lambda: Given),
    "uniform": SavedKind(lambda: Uniform),
}

KINDS = Kinds(
    {
        **FAMILIES,
        **STATISTICS,
        **ROWS,
        **PARTS,
        **PRIORS,
        **FORMATS,
        "block": SavedKind(lambda: Block),
        "model": ModelKind(lambda: Model, check=_check_model),
        "tally": SavedKind(lambda: s.Tally, {"weight": "c"}),
        "vocabulary": SavedKind(_vocabulary, {"bytes": "b:u1", "offsets": "o:i8"}, _check_vocabulary),
    }
)
