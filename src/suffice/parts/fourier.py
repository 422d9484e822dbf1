"""Random Fourier features: a smooth joint score of all columns, as a sum of cosines and sines of their normal
scores."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Self

import numpy as np

from suffice.columns.blocks import TableBlock
from suffice.numerics.arrays import FloatArray, SingleArray
from suffice.numerics.fourier_sums import FourierSum
from suffice.parts.gain import Gain
from suffice.parts.normal_scores import NormalScores
from suffice.parts.part import CALIBRATION, SampledPart


@dataclass(frozen=True, eq=False)
class Fourier(SampledPart):
    """Σ a cos(ω · z) + b sin(ω · z) over the frequencies ω, z being the normal scores of a row."""

    scores: NormalScores
    frequencies: SingleArray
    """(scores, waves)"""
    coefficients: FloatArray
    """Coefficients (2 · waves, classes): of the cosines, then of the sines."""
    gain: Gain

    @property
    def n_classes(self) -> int:
        return int(self.coefficients.shape[1])

    def fits(self, columns: int) -> bool:
        return self.scores.columns == columns

    # — scores —

    def tempered(self, factor: float) -> Self:
        return replace(self, coefficients=factor * self.coefficients)

    def add_to(self, joint: FloatArray, read: Sequence[TableBlock], threads: int) -> None:
        joint += self._waves.scores(self.scores.scores(read, threads), threads)

    @cached_property
    def _waves(self) -> FourierSum:
        return FourierSum(self.frequencies, self.coefficients)

    def evidence(self, read: Sequence[TableBlock], columns: Sequence[str]) -> tuple[list[str], FloatArray]:
        """Evidence by column: integrated gradients along the straight path from zero to the scores of the row.

        The integral has a closed form: ω_j z_j (cos a − 1) / a of cos a and ω_j z_j sin a / a of sin a, where a = ω · z.
        """
        z, frequencies = self.scores.scores(read).astype(np.float64), self.frequencies.astype(np.float64)
        half = z @ frequencies / 2
        cosines, sines = np.split(self.coefficients, 2)
        mean = np.sinc(half / np.pi)  # sin(a / 2) / (a / 2)
        # (rows, waves, classes), per unit of the angle
        each = (-half * mean**2)[..., None] * cosines + np.sinc(2 * half / np.pi)[..., None] * sines
        by_score = z[:, :, None] * np.einsum("jk,rkc->rjc", frequencies, each, optimize=True)
        by_column = self.scores.by_column(by_score.swapaxes(0, 1)).swapaxes(0, 1)
        in_the_middle = np.broadcast_to(cosines.sum(axis=0), (len(z), 1, self.n_classes))
        return [CALIBRATION, *columns], np.concatenate([in_the_middle, by_column], axis=1)
