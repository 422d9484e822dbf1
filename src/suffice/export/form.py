"""The scoring form: a fitted model as final tables and a few functions of cells.

    log p(class | row) = offset + Σ weight · term(row), up to a constant per row

A cell is read once, as a number or as the index of a level. A *coding* maps it to a small integer, −1 for no code; terms
look codes up in tables, or are functions of the numbers. Missing cells add nothing unless a coding has a code for them. Every
export uses this form, so none of them depends on densities or parts.
"""

from dataclasses import dataclass, fields, replace
from typing import TypeVar

import numpy as np

from suffice.columns.labels import Label
from suffice.export.cells import Coding, Column, Scores
from suffice.numerics.arrays import CodeArray, FloatArray, SingleArray


@dataclass(frozen=True, kw_only=True, eq=False)
class Term:
    """A summand of the log joint of each class."""

    weight: float = 1.0


T = TypeVar("T", bound=Term)


def weighted(term: T, weight: float) -> T:
    return replace(term, weight=weight * term.weight)


@dataclass(frozen=True, kw_only=True, eq=False)
class CodeTable(Term):
    """``values`` (codes, classes) of one coding."""

    coding: int
    values: FloatArray


@dataclass(frozen=True, kw_only=True, eq=False)
class PairTable(Term):
    """``values`` (cells, classes) at ``left_steps[left code] + right_steps[right code]``."""

    left: int
    right: int
    left_steps: CodeArray
    right_steps: CodeArray
    values: FloatArray


@dataclass(frozen=True, kw_only=True, eq=False)
class OfColumns(Term):
    """A sum over the present cells of ``columns``, with parameters (classes, columns)."""

    columns: CodeArray


@dataclass(frozen=True, kw_only=True, eq=False)
class Linear(OfColumns):
    """constant + slope · x, where −∞ · 0 is 0"""

    constant: FloatArray
    slope: FloatArray


@dataclass(frozen=True, kw_only=True, eq=False)
class Quadratic(OfColumns):
    """constant − curvature · (x − centre)², of log x if ``of_log``"""

    constant: FloatArray
    centre: FloatArray
    curvature: FloatArray
    of_log: bool = False


@dataclass(frozen=True, kw_only=True, eq=False)
class Student(OfColumns):
    """constant − power · log(1 + curvature · (x − centre)²), of log x if ``of_log``"""

    constant: FloatArray
    centre: FloatArray
    curvature: FloatArray
    power: FloatArray
    of_log: bool = False


@dataclass(frozen=True, kw_only=True, eq=False)
class Amounts(OfColumns):
    """constant + slope · x + log_slope · log x − tail · log(1 + x / scale)"""

    constant: FloatArray
    slope: FloatArray
    log_slope: FloatArray
    tail: FloatArray
    scale: FloatArray


@dataclass(frozen=True, kw_only=True, eq=False)
class LogGamma(OfColumns):
    """constant + slope · x + log Γ(x + shape)"""

    constant: FloatArray
    slope: FloatArray
    shape: FloatArray


@dataclass(frozen=True, kw_only=True, eq=False)
class LogGammaOfSum(OfColumns):
    """constant − log Γ(Σ x + shape) over the present cells, parameters (classes)"""

    constant: FloatArray
    shape: FloatArray


@dataclass(frozen=True, kw_only=True, eq=False)
class Normals(OfColumns):
    """log N of correlated columns, or of Student's t with ``dof`` (classes); matrices are one for all classes or one each.

    Of a complete row: ``constant`` − d²/2, or ``constant`` − (dof + rank)/2 · log(1 + d²/dof), d² = |root (x − mean)|². Where
    cells are missing, the matrix of the present columns is inverted anew, if it ``sums_out``: if none is close to
    singular.
    """

    mean: FloatArray
    root: FloatArray
    constant: FloatArray
    rank: CodeArray
    covariance: FloatArray
    dof: FloatArray | None
    sums_out: bool


@dataclass(frozen=True, kw_only=True, eq=False)
class LinearOfScores(Term):
    """constant + slope · (z − centre) of normal scores z."""

    scores: Scores
    centre: FloatArray
    slope: FloatArray
    constant: FloatArray


@dataclass(frozen=True, kw_only=True, eq=False)
class NormalsOfScores(Term):
    """constant − |root (z − mean)|² / 2 of normal scores z, one matrix per class."""

    scores: Scores
    mean: FloatArray
    root: FloatArray
    constant: FloatArray


@dataclass(frozen=True, kw_only=True, eq=False)
class Waves(Term):
    """Σ a cos(ω · z) + b sin(ω · z) of normal scores z, with ``frequencies`` ω (waves, scores) and ``coefficients`` (classes,
    2 · waves), those of the cosines first."""

    scores: Scores
    frequencies: FloatArray
    coefficients: FloatArray


@dataclass(frozen=True, eq=False)
class Axes:
    """Linear combinations ``vectors`` (axes, scores) of normal scores, each with its sorted cuts."""

    scores: Scores
    vectors: FloatArray
    cuts: tuple[FloatArray, ...]


@dataclass(frozen=True, kw_only=True, eq=False)
class Forest(Term):
    """log((sure · share + prior) / (sure + 1)) − log prior of the mean ``share`` over trees.

    Trees read one byte a column, its code + 1, then one an axis, the interval + 1. ``nodes`` (nodes, 4 words): column,
    cut << 16 and shift << 24; a set of codes; the left and the right child, ~i for leaf i. Where there is a set, codes in it
    go left; elsewhere those with (code − shift) mod 256 ≤ cut. ``shares`` (leaves, classes), of two classes those of the
    second alone.
    """

    codings: CodeArray
    axes: Axes | None
    nodes: CodeArray
    roots: CodeArray
    shares: SingleArray
    prior: FloatArray
    sure: float


@dataclass(frozen=True, eq=False)
class ScoringForm:
    """Columns, codings and terms that refer to them by place."""

    classes: tuple[Label, ...]
    prior: FloatArray
    """p(class): the posterior of a row that has zero probability under every class."""
    offset: FloatArray
    marginalise: bool
    """Whether rows may lack a column."""
    columns: tuple[Column, ...]
    codings: tuple[Coding, ...]
    terms: tuple[Term, ...]


def values_of(record: object) -> dict[str, object]:
    """The fields of a component of the form."""
    return {f.name: getattr(record, f.name) for f in fields(record)}  # type: ignore[arg-type]


def extended(values: FloatArray) -> FloatArray:
    """A table with a row of zeros appended for code −1."""
    return np.concatenate([values, np.zeros((1, values.shape[1]))])
