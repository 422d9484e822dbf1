"""Random Fourier features: a smooth score of all columns together, as a sum of waves over their normal scores."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any, Self

import numpy as np

from suffice.numerics.arrays import CodeArray, FloatArray, SingleArray
from suffice.numerics.threads import at_once
from suffice.parts.gain import Gain
from suffice.parts.normal_scores import NormalScores
from suffice.parts.part import Part

_RUN = 1024  # rows whose waves stay in the cache


@dataclass(frozen=True, eq=False)
class Fourier(Part):
    """Σ a cos(ω · z) + b sin(ω · z) over the frequencies ω, z being the normal scores of a row."""

    scores: NormalScores
    frequencies: SingleArray
    """(scores, waves)"""
    coefficients: FloatArray
    """(2 · waves, classes): of the cosines, then of the sines."""
    gain: Gain

    # — counts: of the kept rows alone —

    def count(self, read: Sequence[Any], y: CodeArray, n_classes: int, weight: FloatArray, threads: int) -> FloatArray:
        return np.zeros(0)

    def having(self, counts: FloatArray) -> Self:
        return self

    def changed(self, counts: FloatArray, sign: int) -> Self:
        return self

    @property
    def n_classes(self) -> int:
        return int(self.coefficients.shape[1])

    def fits(self, columns: int) -> bool:
        return self.scores.columns == columns

    # — scores —

    def tempered(self, factor: float) -> Self:
        return replace(self, coefficients=factor * self.coefficients)

    def add_to(self, joint: FloatArray, read: Sequence[Any], threads: int) -> None:
        joint += scores_of(self.scores.scores(read, threads), self.frequencies, self.coefficients, threads)

    def evidence(self, read: Sequence[Any], columns: Sequence[str]) -> tuple[list[str], FloatArray]:
        """By column: the integral of its gradient along the straight path from the middle of all scores to those of the row.

        The integral has a closed form: ω_j z_j (cos a − 1) / a of cos a and ω_j z_j sin a / a of sin a, where a = ω · z.
        """
        z = self.scores.scores(read)
        half = angles(z, self.frequencies).astype(np.float64) / 2
        cosines, sines = np.split(self.coefficients, 2)
        mean = np.sinc(half / np.pi)  # sin(a / 2) / (a / 2)
        # (rows, waves, classes), of a unit of the angle
        each = (-half * mean**2)[..., None] * cosines + np.sinc(2 * half / np.pi)[..., None] * sines
        by_score = z[:, :, None] * np.einsum("jk,rkc->rjc", self.frequencies.astype(np.float64), each, optimize=True)
        by_column = self.scores.by_column(by_score.swapaxes(0, 1)).swapaxes(0, 1)
        # what there is in the middle, Σ a, and what waves in single precision are off by
        base = scores_of(z, self.frequencies, self.coefficients, 1) - by_column.sum(axis=1)
        return ["(calibration)", *columns], np.concatenate([base[:, None], by_column], axis=1)


def angles(z: SingleArray | FloatArray, frequencies: SingleArray | FloatArray) -> SingleArray:
    """ω · z, (rows, waves). Summed in double precision, so that neither the order of the columns nor the other rows of a
    batch show in the last digit that is kept."""
    found = np.asarray(z, dtype=np.float64) @ np.asarray(frequencies, dtype=np.float64)
    return found.astype(np.float32)


def waves(z: SingleArray, frequencies: SingleArray | FloatArray) -> SingleArray:
    """cos(ω · z), then sin(ω · z), (rows, 2 · waves)."""
    angle = angles(z, frequencies)
    out = np.empty((len(z), 2 * angle.shape[1]), dtype=np.float32)
    np.cos(angle, out=out[:, : angle.shape[1]])
    np.sin(angle, out=out[:, angle.shape[1] :])
    return out


def scores_of(z: SingleArray, frequencies: SingleArray, coefficients: FloatArray, threads: int) -> FloatArray:
    """Σ a cos(ω · z) + b sin(ω · z), (rows, classes)."""
    wide = frequencies.astype(np.float64)

    def run(first: int) -> FloatArray:
        return np.asarray(waves(z[first : first + _RUN], wide) @ coefficients)

    return np.concatenate([np.zeros((0, coefficients.shape[1])), *at_once(run, range(0, len(z), _RUN), threads)])
