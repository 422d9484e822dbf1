"""Word counts of several views of one text: words, pairs of words, character n-grams."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import ClassVar

from suffice.numerics.arrays import CodeArray, FloatArray, IntArray
from suffice.statistics.base import Statistic
from suffice.statistics.word_counts import WordCounts


@dataclass(frozen=True, eq=False)
class TextCounts(Statistic):
    """One ``WordCounts`` per view."""

    views: tuple[WordCounts, ...]

    extensive_fields: ClassVar[tuple[str, ...]] = ()

    @classmethod
    def _array_names(cls) -> list[str]:
        return []

    @property
    def n_classes(self) -> int:
        return self.views[0].n_classes

    def _map(self, change: Callable[[WordCounts], WordCounts]) -> "TextCounts":
        return TextCounts(tuple(change(view) for view in self.views))

    def __add__(self, other: "TextCounts") -> "TextCounts":
        """The sum over the views of both; other views are dropped."""
        return TextCounts(tuple(a + b for a, b in zip(self.views, other.views, strict=False)))

    def __sub__(self, other: "TextCounts") -> "TextCounts":
        return TextCounts(tuple(a - b for a, b in zip(self.views, other.views, strict=True)))

    def scaled(self, factor: float | FloatArray) -> "TextCounts":
        return self._map(lambda view: view.scaled(factor))

    def reindex_classes(self, index: IntArray, n_classes: int) -> "TextCounts":
        return self._map(lambda view: view.reindex_classes(index, n_classes))

    def select_classes(self, index: IntArray | CodeArray) -> "TextCounts":
        return self._map(lambda view: view.select_classes(index))

    def reindex_columns(self, index: IntArray, n_columns: int) -> "TextCounts":
        return self

    def __eq__(self, other: object) -> bool:
        return isinstance(other, TextCounts) and self.views == other.views

    __hash__ = None
