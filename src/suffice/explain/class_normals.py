"""Class means and covariances of some columns, from the Gaussian blocks that contain them."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from scipy import stats

from suffice.columns.kinds import Name
from suffice.errors import ParameterError, quoted
from suffice.families.base import AnyDensities
from suffice.families.gaussian import Normal
from suffice.families.multivariate_normal import NormalDensities
from suffice.model import Model
from suffice.numerics.arrays import FloatArray


@dataclass(frozen=True, eq=False)
class ClassNormals:
    """N(mean, covariance) of each class, or Student t with ``dof`` and ``covariance`` for its scale."""

    mean: FloatArray
    """(classes, columns)"""
    covariance: FloatArray
    """(classes, columns, columns)"""
    dof: FloatArray | None

    def radius(self, klass: int, share: float) -> float:
        """The Mahalanobis distance from the mean that contains a share of the class."""
        size = self.mean.shape[1]
        if self.dof is None:
            return float(np.sqrt(stats.chi2.ppf(share, size)))
        return float(np.sqrt(size * stats.f.ppf(share, size, self.dof[klass])))


def class_normals(model: Model, columns: Sequence[Name]) -> ClassNormals:
    """Class normals of the named columns, with the others marginalised."""
    width = len(columns)
    mean, covariance = np.zeros((len(model.classes), width)), np.zeros((len(model.classes), width, width))
    dof = None
    for block, density in zip(model.blocks, model.densities, strict=True):
        to = [i for i, name in enumerate(columns) if name in block.columns]
        if not to:
            continue
        place = [list(block.columns).index(columns[i]) for i in to]
        if isinstance(density, NormalDensities) and (density.dof is None or len(to) == width):
            mean[:, to], dof = density.mean[:, place], density.dof
            for c in range(len(mean)):
                covariance[c][np.ix_(to, to)] = density.covariance(c).columns(np.array(place)).full()
        elif isinstance(density, Normal):
            mean[:, to] = density.centre[:, place]
            covariance[:, to, to] = density.variance[:, place]
        else:
            raise _not_normal([columns[i] for i in to], density)
    return ClassNormals(mean, covariance, dof)


def _not_normal(columns: Sequence[Name], density: AnyDensities) -> ParameterError:
    return ParameterError(
        f"Column {quoted(list(columns))} has a density that is {type(density).__name__}",
        "ellipses are those of normal distributions",
        "Give the columns Gaussian() or MultivariateNormal(), and a rule other than 'predictive' for separate blocks",
    )
