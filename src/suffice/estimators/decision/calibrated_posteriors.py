"""Calibrated posteriors of a classifier under the current prior."""

from dataclasses import dataclass, replace

import numpy as np

from suffice.decision import Isotonic, Scaling, calibrate, correct_priors
from suffice.decision.held_out import HeldOut
from suffice.numerics.arrays import AnyArray, FloatArray


@dataclass(frozen=True, eq=False)
class CalibratedPosteriors:
    """Calibration and prior correction of posteriors: ``trained`` is the prior of the classifier, ``prior`` that after
    calibration."""

    trained: FloatArray
    prior: FloatArray
    calibration: Scaling | Isotonic | None = None

    @classmethod
    def calibrated_on(
        cls, held: HeldOut, trained: FloatArray, method: str, classes: AnyArray, rng: np.random.RandomState
    ) -> tuple["CalibratedPosteriors", HeldOut]:
        """Calibrate on one half of the held-out rows; the other half, calibrated, is returned for limits."""
        first, second = held.halves(rng)
        # one more row of each class, so that no class has prior zero
        prior = (first.counts + 1.0) / (len(first.codes) + len(classes))
        before = correct_priors(first.posterior, trained, prior)
        beliefs = cls(trained, prior, calibrate(before, classes[first.codes], method, classes=classes))
        return beliefs, replace(second, posterior=beliefs.calibrated(second.posterior))

    def calibrated(self, posterior: FloatArray) -> FloatArray:
        if self.calibration is None:
            return posterior
        return self.calibration(correct_priors(posterior, self.trained, self.prior))

    def under(self, true: FloatArray | None, calibrated: FloatArray) -> FloatArray:
        return calibrated if true is None else correct_priors(calibrated, self.prior, true)
