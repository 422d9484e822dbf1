"""What a textbook model can be asked, asked of the additive and of the full default."""

import numpy as np
import pandas as pd
import pytest

from suffice import BayesClassifier, MultivariateNormal
from suffice.errors import NotLinearError, ParameterError


@pytest.fixture(scope="module")
def rows():
    """1,500 rows in which two columns tell something together, two are correlated and missing cells tell, too."""
    rng = np.random.default_rng(5)
    y = rng.integers(0, 3, 1500)
    frame = pd.DataFrame(
        {
            "a": rng.normal(size=1500) + y,
            "b": rng.choice(["x", "y", "z"], 1500),
            "c": rng.normal(size=1500) * (1 + y),
            "d": rng.normal(size=1500),
        }
    )
    frame["e"] = frame.a + 0.5 * rng.normal(size=1500)
    y = y + (frame.a * frame.d > 0.5)
    return frame.mask(rng.random(frame.shape) < 0.05 * (1 + y.to_numpy())[:, None]), y.to_numpy()


@pytest.mark.parametrize("two_classes", [False, True])
def test_an_additive_model_is_a_softmax_of_linear_scores(rows, two_classes):
    X, y = rows
    y = y > 1 if two_classes else y
    model = BayesClassifier(model="additive").fit(X, y)
    kinds = {type(part).__name__ for part in model.model_.weighted_parts.parts}
    assert {"Pairs", "NormalsPart"} <= kinds
    form = model.linear_form()
    assert len(form.names) == form.beta.shape[1] == form.phi(X[:5]).shape[1]
    scores = form.scores(X)
    p = np.exp(scores - scores.max(axis=1, keepdims=True))
    np.testing.assert_allclose(p / p.sum(axis=1, keepdims=True), model.predict_proba(X), atol=1e-9)


def test_indicators_mean_what_they_are_called(rows):
    X, y = rows
    form = BayesClassifier(model="additive").fit(X, y).linear_form()
    phi = form.phi(X)
    at = next(i for i, name in enumerate(form.names) if name.startswith("d [") and "× a [" in name)
    left, right = (part.split("[")[1].rstrip(")").split(", ") for part in form.names[at].split(" × "))
    inside = X.d.between(float(left[0]), float(left[1])) & X.a.between(float(right[0]), float(right[1]))
    assert np.mean(inside.to_numpy() == (phi[:, at] > 0)) > 0.995  # edges are spelled with six digits


def test_forests_are_refused_by_name(rows):
    model = BayesClassifier(model="full").fit(*rows)
    if any(type(part).__name__ == "ForestPart" for part in model.model_.weighted_parts.parts):
        with pytest.raises(NotLinearError, match=r"has a forest; .* Fit with model='additive'"):
            model.linear_form()
    else:
        model.linear_form()


@pytest.mark.parametrize("model", ["full", "additive", "weighted"])
def test_a_block_of_normals_in_a_weighed_model(rows, model):
    X, y = rows
    X, y = X.dropna(), y[X.notna().all(axis=1)]
    pair = {("a", "e"): MultivariateNormal()}
    block = BayesClassifier(pair, model=model).fit(X, y).gaussian_block()
    textbook = BayesClassifier(pair, model="naive").fit(X, y).gaussian_block(("a", "e"))
    np.testing.assert_allclose(block.mahalanobis(X), textbook.mahalanobis(X), rtol=1e-9)
    with pytest.raises(ParameterError, match=r"0 such blocks .* give some columns MultivariateNormal"):
        BayesClassifier(model=model).fit(X, y).gaussian_block()


@pytest.mark.parametrize("model", [None, "additive"])
def test_rows_are_drawn_from_what_each_column_is_alone(rows, model):
    X, y = rows
    drawn, labels = BayesClassifier(model=model).fit(X, y).sample(4000, 0)
    assert np.bincount(labels, minlength=4) / 4000 == pytest.approx(np.bincount(y) / 1500, abs=0.04)
    for c in np.unique(y):
        assert drawn.a[labels == c].mean() == pytest.approx(X.a[y == c].mean(), abs=0.25)


@pytest.mark.parametrize("model", [None, "additive"])
def test_class_weights_change_the_odds_by_their_ratio(rows, model):
    X, y = rows
    plain = BayesClassifier(model=model).fit(X, y).predict_log_proba(X)
    weighed = BayesClassifier(model=model, class_weight={2: 3.0}).fit(X, y).predict_log_proba(X)
    shift = (weighed[:, 2] - weighed[:, 0]) - (plain[:, 2] - plain[:, 0])
    np.testing.assert_allclose(shift, np.log(3), atol=0.01)  # Dirichlet(1) adds one row to each
