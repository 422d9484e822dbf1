"""A block of columns that vary together."""

from suffice.families.multivariate_normal.family import MultivariateNormal
from suffice.families.multivariate_normal.normals import Normals

__all__ = ["MultivariateNormal", "Normals"]
