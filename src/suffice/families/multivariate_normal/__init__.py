"""A block of correlated numbers."""

from typing import TYPE_CHECKING

from suffice.lazy_names import lazy_names

if TYPE_CHECKING:
    from suffice.families.multivariate_normal.family import MultivariateNormal as MultivariateNormal
    from suffice.families.multivariate_normal.normals import NormalDensities as NormalDensities

_LAZY_IMPORTS = {
    "MultivariateNormal": "family",
    "NormalDensities": "normals",
}

if not TYPE_CHECKING:
    __all__ = list(_LAZY_IMPORTS)
    __getattr__, __dir__ = lazy_names(__name__, _LAZY_IMPORTS)
