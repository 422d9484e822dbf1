"""Third-party estimators fitted to the rows of each class. They are not additive."""

from dataclasses import dataclass, field, replace
from typing import ClassVar

import numpy as np

from suffice.errors import NotAdditiveError
from suffice.numerics.arrays import CodeArray, FloatArray, IntArray
from suffice.statistics.base import Statistic


@dataclass(frozen=True, eq=False)
class Fitted(Statistic):
    """``weight`` (classes, 1) of the rows and one fitted object per class; None for a class without rows.

    If densities are given rather than fitted, there are no objects, and the weights are additive.
    """

    weight: FloatArray
    objects: tuple[object, ...] = field(default=())

    extensive_fields: ClassVar[tuple[str, ...]] = ("weight",)

    @classmethod
    def _array_names(cls) -> list[str]:
        return ["weight"]

    def _not_additive(self, verb: str) -> NotAdditiveError:
        fitted = next((type(o).__name__ for o in self.objects if o is not None), "estimator")
        return NotAdditiveError(
            f"Density({fitted}) has a fitted {fitted}, not a sum over rows, so it cannot {verb}",
            "only additive statistics can",
            "Fit on all rows at once, or give that column a family with an additive statistic",
        )

    def __add__(self, other: "Fitted") -> "Fitted":
        if not (self.objects or other.objects):
            return Fitted(self.weight + other.weight)
        mine, theirs = (any(o is not None for o in s.objects) for s in (self, other))
        if mine and theirs:
            raise self._not_additive("be merged or learn more rows")
        return replace(self if mine else other, weight=self.weight + other.weight)

    def __sub__(self, other: "Fitted") -> "Fitted":
        if self.objects or other.objects:
            raise self._not_additive("forget")
        return Fitted(np.maximum(self.weight - other.weight, 0.0))

    def reindex_classes(self, index: IntArray, n_classes: int) -> "Fitted":
        weight = np.zeros((n_classes, 1))
        weight[index] = self.weight
        objects: list[object] = [None] * n_classes if self.objects else []
        for i, one in zip(index, self.objects, strict=False):
            objects[i] = one
        return Fitted(weight, tuple(objects))

    def select_classes(self, index: IntArray | CodeArray) -> "Fitted":
        return Fitted(self.weight[index], tuple(self.objects[i] for i in index) if self.objects else ())

    def reindex_columns(self, index: IntArray, n_columns: int) -> "Fitted":
        if list(index) != list(range(n_columns)):
            raise self._not_additive("be reordered by columns")
        return self
