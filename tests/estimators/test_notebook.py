"""Estimators in notebooks."""

import warnings

import numpy as np
import pandas as pd
import pytest
from sklearn.neighbors import KernelDensity
from sklearn.pipeline import make_pipeline

import suffice
from suffice import BayesClassifier, BayesDecision, Categorical, Density, Dirichlet, Gaussian, Given
from suffice.decision import Chow, Workload
from suffice.text import CountVectorizer
from versions import since_scikit_learn_1_9

COSTS = pd.DataFrame([[0.0, 1.0], [5.0, 0.0]], index=["<kbd>", "v"], columns=["<kbd>", "v"])
TABLES = [
    BayesClassifier(),
    BayesClassifier(
        {"<mark>": Gaussian(variance=2.0), "a & b": Categorical({"<samp>": 2.0, "x": 1.0})}, prior=Dirichlet(2.0)
    ),
    BayesClassifier({"<mark>": Density(KernelDensity())}, prior=Given({"<kbd>": 0.3, "v": 0.7})),
    BayesClassifier(model="naive", prior=np.array([0.3, 0.7]), class_weight={"<kbd>": 1.0, "v": 2.0}),
    BayesDecision(BayesClassifier(Density(KernelDensity())), costs=COSTS, reject=Chow(0.3)),
    BayesDecision(BayesClassifier(), costs={("<kbd>", "v"): 1.0, ("v", "<kbd>"): 3.0}, priors={"<kbd>": 0.2, "v": 0.8}),
    BayesDecision(BayesClassifier(model="naive"), reject=[Workload(0.1)], calibrate="temperature", random_state=0),
]
DROP_INS = [
    getattr(suffice, name)()
    for name in suffice.__all__
    if isinstance(getattr(suffice, name), type)
    and hasattr(getattr(suffice, name), "predict")
    and not name.startswith("Bayes")
]


def shown(estimator) -> str:
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        bundle = estimator._repr_mimebundle_()
    assert bundle["text/plain"] == repr(estimator)
    assert type(estimator).__name__ in bundle["text/html"]
    for markup in ("<mark>", "<kbd>", "<samp>"):
        assert markup not in bundle["text/html"]
    return bundle["text/html"]


@since_scikit_learn_1_9  # whose pages list the fitted attributes
@pytest.mark.parametrize("estimator", TABLES, ids=lambda estimator: type(estimator).__name__)
def test_on_tables(estimator, rng):
    shown(estimator)
    rows = pd.DataFrame({"<mark>": rng.normal(size=1000), "a & b": rng.choice(["x", "<samp>"], 1000)})
    if "Density" in repr(estimator) and isinstance(estimator, BayesDecision):
        rows = rows[["<mark>"]]
    fitted = shown(estimator.fit(rows, np.where(rows["<mark>"] + rng.normal(size=1000) > 0, "<kbd>", "v")))
    assert "&lt;kbd&gt;" in fitted


@since_scikit_learn_1_9
@pytest.mark.parametrize("estimator", DROP_INS, ids=lambda estimator: type(estimator).__name__)
def test_drop_ins(estimator, rng):
    shown(estimator)
    X = rng.poisson(3.0, (1000, 4))
    assert "n_features_in_" in shown(estimator.fit(X, np.where(X[:, 0] > 3, 1, 0)))


def test_in_a_pipeline():
    shown(make_pipeline(CountVectorizer(), BayesClassifier()))
