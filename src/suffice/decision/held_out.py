"""Held-out posteriors with their labels."""

from dataclasses import dataclass

import numpy as np

from suffice.errors import DataError, quoted
from suffice.numerics.arrays import AnyArray, BoolArray, CodeArray, FloatArray, IntArray


@dataclass(frozen=True, eq=False)
class HeldOut:
    """Posteriors, codes of the true classes, log p(x) if the classifier has it, and a random number per row."""

    posterior: FloatArray
    codes: CodeArray
    log_density: FloatArray | None
    chance: FloatArray

    @property
    def counts(self) -> IntArray:
        """Number of rows of each class."""
        return np.bincount(self.codes, minlength=self.posterior.shape[1])

    def take(self, rows: BoolArray) -> "HeldOut":
        density = None if self.log_density is None else self.log_density[rows]
        return HeldOut(self.posterior[rows], self.codes[rows], density, self.chance[rows])

    def halves(self, rng: "np.random.RandomState") -> tuple["HeldOut", "HeldOut"]:
        """Two random halves, for fitting and for evaluation."""
        first = rng.permutation(len(self.codes)) < len(self.codes) / 2
        return self.take(first), self.take(~first)

    def resampled(self, prior: FloatArray, classes: AnyArray) -> "HeldOut":
        """A random subset with another class prior, as if sampled from a population with that prior."""
        counts = self.counts
        unseen = (counts == 0) & (prior > 0)
        if unseen.any():
            raise DataError(
                f"No held-out row has class {quoted(classes[unseen].tolist())}, whose prior is positive",
                "rows of all classes are needed to fit a limit",
            )
        ratio = np.divide(prior, counts, out=np.zeros_like(prior), where=counts > 0)
        return self.take(self.chance < (ratio / ratio.max())[self.codes])
