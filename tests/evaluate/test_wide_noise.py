"""Ten times as many columns as rows: the default does not answer worse than the class shares."""

import numpy as np
import pytest

from suffice import BayesClassifier


@pytest.mark.slow
@pytest.mark.parametrize("telling", [False, True])
def test_not_worse_than_the_prior(telling):
    rng = np.random.default_rng(0)
    y = rng.integers(0, 2, 300)
    x = rng.normal(size=(300, 3_000))
    if telling:
        x[:, 7] += 3 * y
    learned, asked = slice(0, 200), slice(200, 300)
    p = BayesClassifier().fit(x[learned], y[learned]).predict_proba(x[asked])
    share = np.bincount(y[learned]) / 200
    gain = np.log(p[np.arange(100), y[asked]]) - np.log(share[y[asked]])
    error = gain.std() / 10
    assert gain.mean() > (3 * error if telling else -2 * error)
