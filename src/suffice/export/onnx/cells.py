"""Cells of rows in a graph: numbers, codes and normal scores."""

from collections.abc import Sequence

import numpy as np

from suffice.errors import NotExportableError
from suffice.export.cells import CodeScores, Cuts, Polyline, Prefixes, Scores
from suffice.export.form import ScoringForm
from suffice.export.onnx.graph import DOUBLE, INTEGER, SINGLE, TEXT, Graph, Tensor
from suffice.numerics.arrays import CodeArray, FloatArray

LABEL, PROBABILITIES = "predicted", "probabilities"
"""Names of the outputs."""


class OnnxInputs:
    """Inputs of the graph: (rows, 1) per column, or one X (rows, columns) if all columns are numeric and numbered.

    Missing numbers are NaN, missing texts are empty.
    """

    def __init__(self, graph: Graph, form: ScoringForm) -> None:
        self.graph, self._form = graph, form
        taken = [c.name for c in form.columns if c.name in (LABEL, PROBABILITIES)]
        if taken:
            raise NotExportableError(
                f"Column {taken[0]!r} has the name of an output", "names must be unique", "Rename it"
            )
        numbered = [c.name for c in form.columns] == [str(j) for j in range(len(form.columns))]
        if numbered and all(c.takes != "levels" for c in form.columns):
            matrix = graph.input("X", DOUBLE, len(form.columns))
            self._cells = [graph.add("Gather", matrix, graph.constant([j]), axis=1) for j in range(len(form.columns))]
            return
        kinds = [TEXT if _is_text(column.levels) else DOUBLE for column in form.columns]
        self._cells = [graph.input(c.name, kind, 1) for c, kind in zip(form.columns, kinds, strict=True)]

    @property
    def _rows(self) -> Tensor:
        """The number of rows, (1)."""
        return self.graph.add("Shape", self._cells[0], start=0, end=1)

    def broadcast(self, value: Tensor, width: int) -> Tensor:
        """A tensor (rows or 1, width) as (rows, width)."""
        shape = self.graph.add("Concat", self._rows, self.graph.constant([width]), axis=0)
        return self.graph.add("Expand", value, shape)

    def numbers(self, columns: CodeArray) -> tuple[Tensor, Tensor]:
        """Cells (rows, columns), with 1 in place of missing ones, and the mask of present ones."""
        graph = self.graph
        x = graph.concatenate([self._cells[j] for j in columns.tolist()])
        missing = graph.add("IsNaN", x)
        return graph.add("Where", missing, graph.constant(1.0), x), graph.add("Not", missing)

    def code(self, at: int) -> Tensor:
        """The code of each row, (rows); −1 if it has none."""
        graph, coding = self.graph, self._form.codings[at]
        cell = self._cells[coding.column]
        if isinstance(coding, Cuts):
            found = self._interval(cell, coding.cuts)
            missing = graph.add("Squeeze", graph.add("IsNaN", cell), graph.constant([1]))
            return graph.add("Where", missing, graph.constant(np.int64(coding.missing)), found)
        if isinstance(coding, Prefixes):
            column = self._form.columns[coding.column].name
            raise NotExportableError(
                f"Column {column!r} scores unknown levels by their prefixes",
                "ONNX has no operator for that",
                f"Use another family for it: families={{{column!r}: Categorical()}}",
            )
        codes = np.array([*coding.codes, coding.unknown, coding.missing], dtype=np.int64)
        return graph.gather(codes, self._level_index(coding.column))

    def _interval(self, cell: Tensor, ordered: FloatArray) -> Tensor:
        """The number of sorted cuts ≤ the cell, (rows)."""
        if not len(ordered):
            return self.graph.add("Expand", self.graph.constant([0]), self._rows)
        above = self.graph.add("GreaterOrEqual", cell, self.graph.constant(ordered[None]))
        return self.graph.reduce_sum(self.graph.cast(above, INTEGER), 1)

    def _level_index(self, column: int) -> Tensor:
        """The index of the level, (rows); −1 for a missing cell, −2 for an unknown level."""
        graph, levels, cell = self.graph, self._form.columns[column].levels, self._cells[column]
        if _is_text(levels):
            known = {"": -1} | {str(level): i for i, level in enumerate(levels)}
            found = graph.add(
                "LabelEncoder", cell, domain="ai.onnx.ml", default_int64=-2, keys_strings=list(known),
                values_int64s=list(known.values()),
            )  # fmt: skip
            return graph.add("Squeeze", found, graph.constant([1]))
        values = np.array([float(level) for level in levels], dtype=np.float64)[None]  # type: ignore[arg-type]
        equal = graph.cast(graph.add("Equal", cell, graph.constant(values)), INTEGER)
        known_at = graph.add("Mul", equal, graph.constant(np.arange(2, 2 + len(levels))[None]))
        found = graph.add("Sub", graph.reduce_sum(known_at, 1), graph.constant(np.int64(2)))
        missing = graph.add("Squeeze", graph.add("IsNaN", cell), graph.constant([1]))
        return graph.add("Where", missing, graph.constant(np.int64(-1)), found)

    def normal_scores(self, scores: Scores) -> Tensor:
        """Normal scores (rows, scores), rounded to single precision as in Python."""
        return self.graph.cast(self.graph.concatenate([self._score(each) for each in scores]), DOUBLE)

    def _score(self, score: "Polyline | CodeScores") -> Tensor:
        graph = self.graph
        if isinstance(score, CodeScores):
            return graph.gather(score.rows, self.code(score.coding))
        cell, last = self._cells[score.column], len(score.at) - 1
        found = self._interval(cell, score.at)
        right = graph.add("Min", graph.add("Max", found, graph.constant(np.int64(1))), graph.constant(np.int64(last)))
        left = graph.add("Sub", right, graph.constant(np.int64(1)))
        x = graph.add("Squeeze", cell, graph.constant([1]))
        start, end = graph.gather(score.at, left), graph.gather(score.at, right)
        low, high = graph.gather(score.height, left), graph.gather(score.height, right)
        share = graph.add("Div", graph.add("Sub", x, start), graph.add("Sub", end, start))
        share = graph.add("Clip", share, graph.constant(0.0), graph.constant(1.0))
        height = graph.add("Add", low, graph.add("Mul", share, graph.add("Sub", high, low)))
        height = graph.add("Where", graph.add("IsNaN", x), graph.constant(0.0), height)
        return graph.unsqueeze(graph.cast(height, SINGLE), 1)


def _is_text(levels: Sequence[object]) -> bool:
    return any(isinstance(level, str) for level in levels)
