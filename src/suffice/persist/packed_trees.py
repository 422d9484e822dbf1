"""Packed trees of a forest: nodes of one or two bytes, and codes for classes and weights of leaves."""

from collections.abc import Mapping
from typing import Any

import numpy as np

from suffice.errors import ModelFileError
from suffice.numerics.forest import LEAF, MISSING_RIGHT
from suffice.persist.kinds import SavedKind
from suffice.persist.packed_rows import narrowest, vector
from suffice.persist.shapes import invalid_field

_ARRAYS = ("is_level", "column", "cut", "sets", "leaf_size", "leaf_class", "weights", "leaf_weight")


class TreesKind(SavedKind):
    """``Trees``: a node is 0 for a leaf, otherwise 1 + 2 · column, plus 1 if missing cells go right; cuts are stored only for
    splits of numbers."""

    def to_fields(self, value: Any) -> dict[str, Any]:
        inner = value.column != LEAF
        column = (value.column & (MISSING_RIGHT - 1)).astype(np.int64)
        node = np.where(inner, 1 + 2 * column + (value.column >= MISSING_RIGHT), 0)
        weights, code = np.unique(value.leaf_weight, return_inverse=True)
        return {
            "count": value.count,
            "is_level": value.is_level,
            "column": narrowest(node),
            "cut": value.cut[self._numbers(value.column, value.is_level)],
            "sets": value.sets,
            "leaf_size": narrowest(value.leaf_size),
            "leaf_class": narrowest(value.leaf_class),
            "weights": weights,
            "leaf_weight": narrowest(code),
        }

    def from_fields(self, parts: Mapping[str, Any]) -> Any:
        found = {name: vector(parts, name) for name in _ARRAYS}
        if set(parts) != {"count", *_ARRAYS} or any(part is None for part in found.values()):
            raise invalid_field("trees", f"has {sorted(parts)}")
        for name, part in found.items():
            if name != "weights" and part.dtype.kind != "u":  # type: ignore[union-attr]
                raise invalid_field("trees", f"has {name} of another type than codes")
        is_level, node, cut, sets, leaf_size, leaf_class, weights, code = (np.asarray(found[name]) for name in _ARRAYS)
        column = (node.astype(np.int64) - 1) >> 1
        if column.max(initial=0) >= len(is_level) or weights.dtype != np.float32 or not (weights > 0).all():
            raise invalid_field("trees", "has nodes of unknown columns, or empty leaves")
        if (
            code.max(initial=0) >= max(len(weights), 1)
            or max(leaf_size.max(initial=0), leaf_class.max(initial=0)) >= LEAF
        ):
            raise invalid_field("trees", "has leaves without a weight")
        packed = np.where(node == 0, LEAF, column | np.where(node & 1, 0, MISSING_RIGHT)).astype(np.uint16)
        cuts = np.zeros(len(packed), dtype=np.uint8)
        numbers = self._numbers(packed, is_level)
        if cut.dtype != np.uint8 or numbers.sum() != len(cut) or sets.dtype != np.uint32 or is_level.dtype != np.uint8:
            raise invalid_field("trees", "has cuts that do not match its nodes")
        cuts[numbers] = cut
        trees = self.type(
            parts["count"], is_level, packed, cuts, sets, leaf_size.astype(np.uint16), leaf_class.astype(np.uint16),
            weights[code] if len(code) else np.zeros(0, np.float32),
        )  # fmt: skip
        try:
            trees.check()
        except ValueError as error:
            raise ModelFileError(str(error), "it is damaged, or was not written by suffice") from error
        return trees

    @staticmethod
    def _numbers(column: Any, is_level: Any) -> Any:
        """Mask of the nodes that split on a number."""
        inner = column != LEAF
        out = np.zeros(len(column), dtype=bool)
        out[inner] = is_level[column[inner] & (MISSING_RIGHT - 1)] == 0
        return out
