"""Pseudo-counts: the α of Dirichlet and Beta priors, one for all, or per column, or per level."""

from collections.abc import Hashable, Mapping, Sequence
from typing import TypeAlias

import numpy as np
from scipy import special

from suffice.columns.kinds import Level
from suffice.errors import ParameterError
from suffice.families.base import Rule
from suffice.numerics.arrays import AnyArray, FloatArray

Alpha: TypeAlias = float | Sequence[float] | AnyArray
PerLevel: TypeAlias = Alpha | Mapping[Level, float] | tuple[tuple[Level, float], ...]


def as_alpha(value: object, name: str = "alpha") -> float | tuple[float, ...]:
    """A checked, hashable α."""
    try:
        alpha = np.asarray(value, dtype=np.float64)
    except (TypeError, ValueError):
        alpha = np.array(np.nan)
    if alpha.ndim > 1 or not ((alpha >= 0) & (alpha <= 1e300)).all():
        raise ParameterError(f"{name} is {value!r}", "it must be a number ≥ 0, or one such number per column")
    return float(alpha) if alpha.ndim == 0 else tuple(alpha.tolist())


def as_level_alpha(value: object) -> "float | tuple[float, ...] | tuple[tuple[Hashable, float], ...]":
    """As ``as_alpha``; a mapping from levels is stored as pairs."""
    if isinstance(value, Mapping):
        value = tuple(value.items())
    if isinstance(value, tuple) and value and isinstance(value[0], tuple):
        return tuple((level, _single(a, f"alpha for level {level!r}")) for level, a in value)
    return as_alpha(value)


def _single(value: object, name: str) -> float:
    alpha = as_alpha(value, name)
    if isinstance(alpha, tuple):
        raise ParameterError(f"{name} is {value!r}", "it must be a number ≥ 0")
    return alpha


def per_column(alpha: object, n_columns: int, name: str = "alpha") -> FloatArray:
    """One α per column, from a number or one number per column."""
    values = np.asarray(alpha, dtype=np.float64)
    if values.ndim and len(values) != n_columns:
        raise ParameterError(
            f"{name} has {len(values)} entries", f"it must be one number, or one for each of the {n_columns} columns"
        )
    return np.broadcast_to(values, (n_columns,)).copy()


def estimated(counts: FloatArray, pooled: FloatArray, alpha: FloatArray | float, rule: Rule) -> FloatArray:
    """θ of each level along the last axis; ``pooled`` are the counts of all classes together."""
    if rule == "mle":
        return frequencies(counts, pooled)
    return mode(counts, alpha) if rule == "map" else mean(counts, alpha)


def strengths(counts: FloatArray, alpha: FloatArray | float, rule: Rule) -> FloatArray:
    """Unnormalised θ."""
    if rule == "mle":
        return counts
    return np.maximum(counts + alpha - 1, 0.0) if rule == "map" else counts + alpha


def mode(counts: FloatArray, alpha: FloatArray | float, axis: int = -1) -> FloatArray:
    """Mode of the Dirichlet posterior, (n + α − 1)⁺ normalised; the mean if all are zero."""
    raw = strengths(counts, alpha, "map")
    total = raw.sum(axis=axis, keepdims=True)
    return np.where(total > 0, raw / np.where(total > 0, total, 1.0), mean(counts, alpha, axis))


def mean(counts: FloatArray, alpha: FloatArray | float, axis: int = -1) -> FloatArray:
    """Mean of the Dirichlet posterior, (n + α) normalised; uniform if all are zero."""
    raw = strengths(counts, alpha, "mean")
    total = raw.sum(axis=axis, keepdims=True)
    return np.asarray(np.where(total > 0, raw / np.where(total > 0, total, 1.0), 1.0 / max(1, raw.shape[axis])))


def frequencies(counts: FloatArray, pooled: FloatArray, axis: int = -1) -> FloatArray:
    """Relative frequencies; the pooled ones for a class without cells."""
    total = counts.sum(axis=axis, keepdims=True)
    return np.where(total > 0, counts / np.where(total > 0, total, 1.0), mean(pooled, 0.0, axis))


def log_evidence(counts: FloatArray, alpha: FloatArray | float) -> FloatArray:
    """log p of draws with these counts along the last axis, in their order, θ ~ Dirichlet(α) integrated out. A level
    without pseudo-count has probability zero."""
    a = np.broadcast_to(alpha, counts.shape)
    some = np.maximum(a, 1e-300)
    each = np.where(counts > 0, special.gammaln(counts + some) - special.gammaln(some), 0.0).sum(axis=-1)
    total = some.sum(axis=-1)
    whole = each + special.gammaln(total) - special.gammaln(total + counts.sum(axis=-1))
    return np.where(((a <= 0) & (counts > 0)).any(axis=-1), -np.inf, whole)


def log(p: FloatArray) -> FloatArray:
    """log p with log 0 = −inf, without a warning."""
    with np.errstate(divide="ignore"):
        return np.log(p)
