"""The peers as the benchmarks call them: mixed columns, missing cells, levels that training did not have."""

import numpy as np
import pandas as pd
import pytest
from benchmarks.peer_models import EarlyStoppedLightGBM, LightGBM, forest, logistic

MAKES = {"LightGBM": LightGBM, "stopped early": EarlyStoppedLightGBM, "forest": forest, "logistic": logistic}


def mixed(rows, seed):
    rng = np.random.default_rng(seed)
    y = rng.choice(["a", "b", "c"], rows)
    number = np.where(rng.random(rows) < 0.1, np.nan, rng.normal(size=rows) + 2 * (y == "b"))
    level = np.where(rng.random(rows) < 0.1, None, np.where(y == "c", "high", rng.choice(["low", "high"], rows)))
    return pd.DataFrame({"a number, {odd}": number, "level": level, "empty": np.nan}), y


@pytest.mark.parametrize("make", MAKES.values(), ids=MAKES)
def test_probabilities_of_mixed_rows(make):
    rows, y = mixed(300, seed=0)
    test, truth = mixed(200, seed=1)
    test.loc[0, "level"] = "unseen"
    model = make().fit(rows, y)
    p = model.predict_proba(test)
    assert list(model.classes_) == ["a", "b", "c"]
    np.testing.assert_allclose(p.sum(axis=1), 1)
    assert (model.classes_[p.argmax(axis=1)] == truth).mean() > 0.45


def test_early_stopping_uses_fewer_trees_than_it_may():
    model = EarlyStoppedLightGBM().fit(*mixed(300, seed=0))
    assert 1 <= model.model.best_iteration_ < 500
