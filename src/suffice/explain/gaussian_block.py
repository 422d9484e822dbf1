"""Mahalanobis distances, correlations and outlier scores of a block of correlated columns."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from scipy import stats

from suffice.columns.inputs import TableLike
from suffice.columns.kinds import Name
from suffice.columns.labels import Label
from suffice.columns.table import Table
from suffice.errors import NotLinearError, ParameterError, quoted
from suffice.families.multivariate_normal import NormalDensities
from suffice.families.multivariate_normal.axes import discriminant_axes
from suffice.model import Model
from suffice.numerics.arrays import AnyArray, FloatArray
from suffice.numerics.covariances import Covariance


@dataclass(frozen=True)
class GaussianBlock:
    """A fitted ``MultivariateNormal`` and its columns.

    >>> from suffice import BayesClassifier, MultivariateNormal
    >>> model = BayesClassifier(MultivariateNormal("tied_spherical", floor=0), estimate="mle")
    >>> block = model.fit([[-1, 0], [1, 0], [9, 0], [11, 0]], [0, 0, 1, 1]).gaussian_block()
    >>> block.mahalanobis([[0, 0]]).round(3).tolist()
    [[0.0, 10.0]]
    """

    classes: AnyArray
    columns: tuple[Name, ...]
    density: NormalDensities = field(repr=False)
    prior: FloatArray = field(repr=False)
    _open: Callable[[TableLike], Table] = field(repr=False)

    def mahalanobis(self, rows: TableLike) -> FloatArray:
        """Mahalanobis distance of each row from each class mean, (rows, classes), with missing cells marginalised."""
        return np.asarray(np.sqrt(self._distances(rows)[0]))

    def outlier_score(self, rows: TableLike) -> FloatArray:
        """Score from 0 to 1: the probability mass of the nearest class within the row's Mahalanobis distance."""
        distances, patterns = self._distances(rows)
        nearer = np.empty_like(distances)
        for columns, index in patterns:
            for c in range(len(self.classes)):
                covariance = self.density.covariance(c)
                size = (covariance if columns is None else covariance.columns(columns)).rank
                nearer[index, c] = self._share_within(distances[index, c], size, c)
        return np.asarray(nearer.min(axis=1))

    def _share_within(self, distance: FloatArray, size: int, klass: int) -> FloatArray:
        if size == 0:
            return np.zeros_like(distance)
        if self.density.dof is None:
            return np.asarray(stats.chi2.cdf(distance, size))
        return np.asarray(stats.f.cdf(distance / size, size, self.density.dof[klass]))

    def _distances(self, rows: TableLike) -> Any:
        return self.density.distances(self._open(rows).numbers(self.columns))

    def correlations(self) -> FloatArray:
        """Correlations of the columns in each class, (classes, columns, columns)."""
        made = [c.correlations() for c in self.density.covariances]
        return np.stack(made * len(self.classes) if len(made) == 1 else made)

    def axes(self) -> FloatArray:
        """Discriminant directions, strongest first, (columns, directions); for a shared covariance.

        Along them, each class has unit variance and no correlations.
        """
        return self._axes()[1]

    def transform(self, rows: TableLike) -> FloatArray:
        """The rows projected on ``axes``, centred at the overall mean."""
        centre, axes = self._axes()
        return np.asarray((self._open(rows).numbers(self.columns).dense - centre) @ axes)

    def hyperplane(self, of: Label, against: Label) -> tuple[FloatArray, float]:
        """w and b of the boundary w · x + b = 0 between two classes, in a model with this block only.

        w · x + b is positive on the side of ``of``.
        """
        covariance = self._shared()
        one, other = (self._place(label) for label in (of, against))
        mean = self.density.mean
        weights = covariance.solved((mean[one] - mean[other])[None])[0]
        with np.errstate(divide="ignore"):
            odds = np.log(self.prior[one]) - np.log(self.prior[other])
        return weights, float(odds - weights @ (mean[one] + mean[other]) / 2)

    def _place(self, label: Label) -> int:
        known = self.classes.tolist()
        if label not in known:
            raise ParameterError(f"There is no class {label!r}", f"the classes are {quoted(known)}")
        return int(known.index(label))

    def _axes(self) -> tuple[FloatArray, FloatArray]:
        centre, axes, _ = discriminant_axes(self.density.mean, self.prior, self._shared())
        return centre, axes

    def _shared(self) -> Covariance:
        if not self.density.is_shared:
            raise NotLinearError(
                "Each class has its own covariance",
                "axes and hyperplanes need a shared covariance",
                "Use MultivariateNormal('tied') with a rule other than 'predictive'",
            )
        return self.density.covariances[0]


def gaussian_block(
    model: Model, classes: AnyArray, columns: Sequence[Name] | None, open_rows: Callable[[TableLike], Table]
) -> GaussianBlock:
    """The only block of correlated columns of a model, or the block of the named columns."""
    found = {
        tuple(block.columns): density
        for block, density in zip(model.blocks, model.unweighted.densities, strict=True)
        if isinstance(density, NormalDensities)
    }
    wanted = [c for c in found if columns is None or set(c) == set(columns)]
    if len(wanted) != 1:
        have = f"the blocks are {quoted(list(found))}" if found else "give some columns MultivariateNormal()"
        beside = ""
        if model.has_parts and not found:
            beside = "; the correlated normals of the default are over ranks and are no density of the columns"
        raise ParameterError(
            f"The model has {len(wanted)} such blocks of correlated columns", f"one is needed; {have}{beside}"
        )
    prior = np.exp(model.log_prior)
    return GaussianBlock(classes, wanted[0], found[wanted[0]], prior, open_rows)
