"""NIST's numerical accuracy data sets for the standard deviation (Statistical Reference Datasets, univariate), generated.

NumAcc3: 1000000.2, then 1000000.1 and 1000000.3 in turn, 1001 values. NumAcc4: the same around 10000000.2. Both have the
exact sample standard deviation 0.1.
"""

import numpy as np
import pytest
from sklearn.base import clone

from suffice import BayesClassifier, Gaussian
from suffice.naive_bayes import GaussianNB


def values(centre: float) -> np.ndarray:
    return np.concatenate([[centre + 0.2], np.tile([centre + 0.1, centre + 0.3], 500)])[:, None]


def digits(statistic) -> float:
    """Correct digits of the sample standard deviation of a column, NIST's log relative error."""
    sd = np.sqrt(statistic.m2[0, 0] / (statistic.weight[0, 0] - 1))
    error = abs(sd - 0.1) / 0.1
    return 15.0 if error == 0 else -np.log10(error)


@pytest.mark.parametrize(("centre", "at_least"), [(1_000_000.0, 9.4), (10_000_000.0, 8.2)])
@pytest.mark.parametrize("partitions", [1, 7, 1000])
def test_standard_deviation(centre, at_least, partitions):
    parts = np.array_split(values(centre), partitions)
    streamed = BayesClassifier(Gaussian())
    for part in parts:
        streamed.partial_fit(part, np.zeros(len(part), int))
    merged = BayesClassifier(Gaussian()).fit(parts[0], np.zeros(len(parts[0]), int))
    for part in parts[1:]:
        merged.merge(BayesClassifier(Gaussian()).fit(part, np.zeros(len(part), int)))
    for model in (streamed, merged):
        assert digits(model.model_.tally.statistics[0]) >= at_least


@pytest.mark.parametrize("model", [BayesClassifier(Gaussian()), GaussianNB()], ids=lambda m: type(m).__name__)
def test_a_column_a_hundred_million_deviations_from_zero(model, rng):
    x = 1e8 + rng.normal(0, 1, (3000, 1))
    y = rng.integers(0, 2, 3000)
    whole = model.fit(x[:2000], y[:2000]).model_.tally.statistics[0]
    other = clone(model).fit(x[2000:], y[2000:])
    left = clone(model).fit(x[:2000], y[:2000]).merge(other).forget(x[2000:], y[2000:]).model_.tally.statistics[0]
    for c in range(2):
        exact = (x[:2000][y[:2000] == c] - 1e8).std()
        assert abs(np.sqrt(whole.m2[c, 0] / whole.weight[c, 0]) / exact - 1) < 1e-6
        assert abs(np.sqrt(left.m2[c, 0] / left.weight[c, 0]) / exact - 1) < 1e-6
