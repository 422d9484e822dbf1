"""A covariance matrix in which only named pairs of columns are correlated."""

from collections.abc import Iterable, Sequence

import numpy as np
import scipy.sparse as sp

from suffice.columns.kinds import Name
from suffice.errors import ParameterError
from suffice.numerics.arrays import BoolArray, FloatArray
from suffice.numerics.covariances import Covariance, FullCovariance

_MAX_ITERATIONS = 500


def checked(pairs: Iterable[tuple[Name, Name]]) -> tuple[tuple[Name, Name], ...]:
    """The pairs as tuples of two different columns."""
    made: list[tuple[Name, Name]] = []
    for pair in [pairs] if isinstance(pairs, str) else pairs:
        two = tuple(pair) if isinstance(pair, Iterable) and not isinstance(pair, str) else ()
        if len(two) != 2:
            raise ParameterError(f"The pattern has {pair!r}", "it must be a list of pairs of columns")
        if two[0] == two[1]:
            raise ParameterError(f"The pattern pairs column {two[0]!r} with itself", "a pair needs two columns")
        made.append((two[0], two[1]))
    return tuple(made)


def only(covariance: Covariance, places: Iterable[tuple[int, int]]) -> FullCovariance:
    """The maximum-likelihood matrix with zeros everywhere but on the diagonal and at ``places``.

    Where every two of some connected columns are paired it is the covariance itself. Elsewhere it is found by iterative
    conditional fitting (Chaudhuri, Drton and Richardson 2007), each step of which leaves a positive definite matrix.
    """
    whole = covariance.full()
    out = np.diag(np.diagonal(whole)).copy()
    paired = np.zeros(whole.shape, dtype=bool)
    for a, b in places:
        paired[a, b] = paired[b, a] = covariance.variances[a] > 0 and covariance.variances[b] > 0
    _, group = sp.csgraph.connected_components(sp.coo_array(paired))
    for g in np.unique(group[paired.any(axis=1)]):
        members = np.flatnonzero(group == g)
        at = np.ix_(members, members)
        edges = paired[at] | np.eye(len(members), dtype=bool)
        out[at] = whole[at] if edges.all() else _fitted(whole[at], edges)
    return FullCovariance(out)


def entry_variances(covariance: FloatArray, entries: Sequence[tuple[int, int]]) -> FloatArray:
    """The variance, for one row, of the entries of a matrix with zeros elsewhere: the diagonal of the inverse of their
    Fisher information, ½ tr(Σ⁻¹ E_a Σ⁻¹ E_b)."""
    live = np.diagonal(covariance) > 0
    precision = np.zeros(covariance.shape)
    precision[np.ix_(live, live)] = np.linalg.inv(covariance[np.ix_(live, live)])
    first, second = np.array(entries).T
    some = np.flatnonzero(live[first] & live[second])
    i, j = first[some], second[some]
    half = np.where(i == j, 0.5, 1.0)
    information = precision[np.ix_(i, i)] * precision[np.ix_(j, j)] + precision[np.ix_(i, j)] * precision[np.ix_(j, i)]
    out = np.zeros(len(entries))
    out[some] = np.diagonal(np.linalg.inv(information * np.outer(half, half)))
    return out


def _fitted(covariance: FloatArray, edges: BoolArray) -> FloatArray:
    deviation = np.sqrt(np.diagonal(covariance))
    seen = covariance / np.outer(deviation, deviation)
    fit = np.eye(len(seen))
    columns = np.arange(len(seen))
    neighbours = [np.flatnonzero(np.delete(edges[i], i)) for i in columns]  # indices among the others
    others = [np.delete(columns, i) for i in columns]
    for _ in range(_MAX_ITERATIONS):
        before = fit.copy()
        for i, (near, rest) in enumerate(zip(neighbours, others, strict=True)):
            inverse = np.linalg.inv(fit[rest[:, None], rest])
            # regress column i on the combinations of the others that its pairs allow
            mix = inverse[near]
            square = mix @ seen[rest[:, None], rest] @ mix.T
            cross = mix @ seen[rest, i]
            slope = np.linalg.lstsq(square, cross)[0]
            left = max(float(seen[i, i] - slope @ cross), 1e-12)
            fit[i, rest[near]] = fit[rest[near], i] = slope
            fit[i, i] = left + slope @ inverse[near[:, None], near] @ slope
        if np.abs(fit - before).max() < 1e-12:
            break
    return np.asarray(fit * np.outer(deviation, deviation))
