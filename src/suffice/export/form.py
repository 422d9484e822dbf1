"""The scoring form: a fitted model as tables and functions of cells.

    log p(class | row) = offset + Σ weight · term(row), up to a constant per row

A cell is read once, as a number or as the index of a level. A *coding* maps it to a small integer, or to −1. A term is a table
indexed by codes, or a function of numbers. Missing cells contribute nothing unless a coding has a code for them. All exports
use this form, so they do not depend on densities or parts.
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


def with_weight(term: T, weight: float) -> T:
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
    """A sum over the present cells of ``columns``. Parameters are (classes, columns)."""

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
    """The log density of correlated columns, normal or Student's t with ``dof`` (classes). All classes share a matrix, or
    each has one.

    For a complete row: ``constant`` − d²/2, or ``constant`` − (dof + rank)/2 · log(1 + d²/dof), d² = |root (x − mean)|². With
    missing cells, the matrix of the present columns is inverted, if ``sums_out``, which means that no matrix is close to
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
    """Fourier features: Σ a cos(ω · z) + b sin(ω · z) of normal scores z, with ``frequencies`` ω (waves, scores) and
    ``coefficients`` (classes, 2 · waves), cosines first."""

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
    """log((sure · share + prior) / (sure + 1)) − log prior, for the mean ``share`` of classes over trees.

    Trees read one byte per column, its code + 1, then one per axis, its interval + 1. ``nodes`` (nodes, 4 words): column,
    cut << 16 and shift << 24; a set of codes; the left and the right child, ~i for leaf i. With a set, its codes go left;
    otherwise those with (code − shift) mod 256 ≤ cut. ``shares`` is (leaves, classes), with only the second of two classes.
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
    """Columns, codings and terms, which refer to each other by index."""

    classes: tuple[Label, ...]
    prior: FloatArray
    """p(class): the posterior of a row that has zero probability under every class."""
    offset: FloatArray
    marginalise: bool
    """Whether columns may be absent."""
    columns: tuple[Column, ...]
    codings: tuple[Coding, ...]
    terms: tuple[Term, ...]


def values_of(record: object) -> dict[str, object]:
    """The fields of a component of the form."""
    return {f.name: getattr(record, f.name) for f in fields(record)}  # type: ignore[arg-type]


def with_zero_row(values: FloatArray) -> FloatArray:
    """A table with a row of zeros appended for code −1."""
    return np.concatenate([values, np.zeros((1, values.shape[1]))])
