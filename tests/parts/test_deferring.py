"""Counts that follow at once, and fitted weights that follow when they are asked to."""

import numpy as np
import pytest

from suffice import BayesClassifier, load
from suffice.columns.labels import encode_labels
from suffice.sources.memory import open_table


def rows(n, seed):
    rng = np.random.default_rng(seed)
    y = rng.choice(["a", "b", "c"], n, p=[0.5, 0.3, 0.2])
    shift = {"a": 0.0, "b": 1.0, "c": 2.0}
    x = rng.normal([shift[label] for label in y], 1.0)
    return {"x": x, "z": x + rng.normal(size=n), "level": rng.choice(["u", "v"], n)}, y


@pytest.mark.parametrize("weighing", ["weighted", "additive", "full"])
def test_followed_is_a_refit(weighing, tmp_path):
    first, labels = rows(1000, 0)
    more, more_labels = rows(500, 1)
    fitted = BayesClassifier(model=weighing).fit(first, labels)
    model = fitted.model_.deferring_weights
    table, encoded = open_table(more), encode_labels(more_labels)
    learned = model.learn(table, encoded, None, 1)
    assert (model.pending, learned.pending) == (0, 500)
    assert learned.weighted_parts.weights == model.weighted_parts.weights, "weights stay"
    both = {name: np.concatenate([first[name], more[name]]) for name in first}
    refit = BayesClassifier(model=weighing).fit(both, np.concatenate([labels, more_labels]))
    followed = learned.with_fitted_weights(1)
    assert followed.pending == 0
    asked = open_table(rows(300, 2)[0])
    np.testing.assert_allclose(followed.log_joint(asked), refit.model_.log_joint(asked), rtol=1e-7, atol=1e-9)
    # and back: what was learned is forgotten in the counts, and in the weights when they follow
    back = followed.forget(table, encoded, None, 1)
    assert back.pending == 500
    np.testing.assert_allclose(
        back.with_fitted_weights(1).log_joint(asked), fitted.model_.log_joint(asked), rtol=1e-7, atol=1e-9
    )
    # deferring is no part of the file
    fitted.model_ = learned
    fitted.save(tmp_path / "m")
    assert load(tmp_path / "m").model_._deferred is False


def test_models_without_weights_have_nothing_to_follow():
    table, labels = rows(200, 0)
    model = BayesClassifier(model="naive").fit(table, labels).model_.deferring_weights
    learned = model.learn(open_table(table), encode_labels(labels), None, 1)
    assert learned.pending == 0
    assert learned.with_fitted_weights(1) is learned
