"""Correlated normals: a Gaussian discriminant of the normal scores of all columns, as one score."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Self

import numpy as np

from suffice.columns.blocks import TableBlock
from suffice.columns.class_codes import ClassCodes
from suffice.numerics.arrays import FloatArray
from suffice.numerics.scored_rows import ScoredRows
from suffice.parts import discriminant
from suffice.parts.discriminant import Discriminant
from suffice.parts.normal_scores import NormalScores
from suffice.parts.normal_shares import shapley_values
from suffice.parts.part import Candidate, ColumnEvidence, PlannedPart
from suffice.statistics import Scatter

if TYPE_CHECKING:
    from suffice.parts.fitting import Fitting

CORRELATED = "(correlated normals)"
"""The name of their evidence."""
_RIDGE_PER_SPREAD = 0.02  # relative to the spread of the added score
_MAX_SPREAD = 200.0  # of the score; large if, for example, a level occurs in one class only


@dataclass(frozen=True, eq=False)
class NormalsPart(PlannedPart[Scatter]):
    """The log density of the normals of each class, times a weight."""

    scores: NormalScores
    discriminant: Discriminant
    weight: float

    @staticmethod
    def most(fitting: "Fitting") -> int:
        return 1

    @classmethod
    def planned(cls, fitting: "Fitting") -> "Self | None":
        kept, n_classes, scores = fitting.kept, len(fitting.classes), fitting.column_scores
        if not scores.width or kept.count <= n_classes:
            return None
        z, rows = fitting.normal_scores(scores), fitting.rows
        whole = z if len(z) == kept.count else None
        scatter = scores.scatter(kept.tables, kept.class_codes(n_classes), fitting.threads, whole)
        made = discriminant.choose(scatter, z, rows, fitting.log_prior, fitting.threads)
        return cls(scores, made, 0.0)

    def candidate(self, fitting: "Fitting") -> Candidate:
        rows = fitting.rows
        left_out = self.discriminant.left_out(fitting.normal_scores(self.scores), rows.y, rows.left_out_weight)
        # the ridge applies to the added score, so that a few outlying rows cannot make it overconfident
        spread = min(float(rows.weight @ left_out.var(axis=1) / rows.weight.sum()), _MAX_SPREAD)

        def write(into: ScoredRows, first: int) -> None:
            into.set_score(first, left_out)

        return Candidate(np.array([max(1.0, _RIDGE_PER_SPREAD * spread)]), shared=False, write=write)

    def weighted(self, weights: FloatArray, fitting: "Fitting", left_out: FloatArray) -> "Self | None":
        return replace(self, weight=float(weights[0])) if weights[0] > 0 else None

    def count(self, read: Sequence[TableBlock], y: ClassCodes, threads: int) -> Scatter:
        return self.scores.scatter(read, y, threads)

    def with_counts(self, counts: Scatter) -> Self:
        return replace(self, discriminant=replace(self.discriminant, scatter=counts))

    def changed(self, counts: Scatter, sign: int) -> Self:
        scatter = self.discriminant.scatter
        return self.with_counts(scatter + counts if sign > 0 else scatter - counts)

    @property
    def n_classes(self) -> int:
        return len(self.discriminant.scatter.weight)

    def fits(self, columns: int) -> bool:
        return self.scores.columns == columns

    def tempered(self, factor: float) -> Self:
        return replace(self, weight=factor * self.weight)

    def add_to(self, joint: FloatArray, read: Sequence[TableBlock], threads: int) -> None:
        joint += self._weighted(read, threads)

    def evidence(self, read: Sequence[TableBlock], columns: Sequence[str]) -> tuple[list[str], FloatArray]:
        return [CORRELATED], self._weighted(read, 1)[:, None]

    def by_column(self, read: Sequence[TableBlock], columns: Sequence[str], seen: float) -> ColumnEvidence:
        base, shares = shapley_values(self.discriminant, self.scores.scores(read), self.scores.owners)
        return ColumnEvidence(self.weight * base, self.weight * shares)

    def linear_terms(self, columns: Sequence[str]) -> tuple[list[str], FloatArray]:
        """Linear in normal scores z and, where each class has a covariance, in their products."""
        z = [f"z({name})" for name in self.scores.spelled(columns)]
        products = (
            [f"{a} · {b}" for k, a in enumerate(z) for b in z[k:]] if self.discriminant.pooling is not None else []
        )
        return ["1[all together]", *z, *products], self.weight * self.discriminant.linear_terms()

    def linear_features(self, read: Sequence[TableBlock]) -> FloatArray:
        return self.discriminant.linear_features(self.scores.scores(read))

    def _weighted(self, read: Sequence[TableBlock], threads: int) -> FloatArray:
        return self.weight * self.discriminant.log_odds(self.scores.scores(read, threads), threads)
