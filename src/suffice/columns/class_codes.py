"""Class codes and weights of rows."""

from dataclasses import dataclass

import numpy as np

from suffice.numerics.arrays import CodeArray, FloatArray, IntArray


@dataclass(frozen=True, slots=True)
class ClassCodes:
    """The class of each row as a code, the number of classes, and the weight of each row (``None``: one each)."""

    codes: CodeArray
    n_classes: int
    weight: FloatArray | None = None

    def __getitem__(self, rows: "slice | IntArray") -> "ClassCodes":
        weight = None if self.weight is None else self.weight[rows]
        return ClassCodes(self.codes[rows], self.n_classes, weight)

    @property
    def weights(self) -> FloatArray:
        """The weight of each row; ones by default."""
        return np.ones(len(self.codes)) if self.weight is None else self.weight

    @property
    def is_weighted(self) -> bool:
        """Whether any weight differs from one."""
        return self.weight is not None and bool((self.weight != 1).any())
