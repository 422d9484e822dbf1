"""Class means of the columns."""

import numpy as np

from suffice.errors import ParameterError, quoted
from suffice.model import Model
from suffice.numerics.arrays import FloatArray
from suffice.statistics import Statistic, Sums


def class_means(model: Model) -> FloatArray:
    """Means (classes, columns), in the order of the model's columns; NaN for a class without rows."""
    place = {name: j for j, name in enumerate(model.names)}
    out = np.empty((len(model.classes), len(place)))
    for block, statistic in zip(model.blocks, model.tally.statistics, strict=True):
        mean = _mean(statistic)
        if mean is None:
            raise ParameterError(
                f"Columns {quoted(list(block.columns))} are modelled by {type(block.family).__name__}, which has no means",
                "Gaussian, MultivariateNormal, Gamma, Exponential, Poisson, Bernoulli and Multinomial have",
            )
        out[:, [place[name] for name in block.columns]] = mean
    return out


def _mean(statistic: Statistic) -> FloatArray | None:
    if isinstance(statistic, Sums):
        seen = statistic.weight > 0
        return np.asarray(statistic.total / np.where(seen, statistic.weight, np.nan))
    mean: FloatArray | None = getattr(statistic, "mean", None)
    weight: FloatArray | None = getattr(statistic, "weight", None)
    if mean is None or weight is None:
        return None
    return np.where(weight.reshape(len(weight), -1) > 0, mean, np.nan)
