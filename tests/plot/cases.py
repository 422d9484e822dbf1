"""One way to make each picture, so that every one is held against the same rules."""

from collections.abc import Callable
from functools import cache
from typing import Any

import numpy as np
from sklearn.datasets import load_digits, load_iris
from sklearn.linear_model import LogisticRegression

from suffice import BayesClassifier, GaussianNB, QuadraticDiscriminantAnalysis, Text, plot

DOCUMENTS = ["cheap pills now", "cheap prize now", "lunch on tuesday", "tuesday meeting", "cheap lunch", "prize pills"]
KINDS = ["spam", "spam", "ham", "ham", "ham", "spam"]


@cache
def iris() -> tuple[Any, Any]:
    data = load_iris(as_frame=True)
    return data.data, data.target_names[data.target]


@cache
def digits() -> tuple[Any, Any]:
    return load_digits(return_X_y=True)


@cache
def naive() -> GaussianNB:
    return GaussianNB().fit(*iris())


@cache
def bayes() -> BayesClassifier:
    return BayesClassifier(model="naive", estimate="mle").fit(*iris())


@cache
def default() -> BayesClassifier:
    return BayesClassifier().fit(*iris())


@cache
def spotted() -> BayesClassifier:
    rng = np.random.default_rng(0)
    rows = {"length": rng.normal(size=600), "colour": rng.choice(["red", "green", "blue"], size=600)}
    ripe = rows["length"] * np.where(rows["colour"] == "red", 2, -1) + rng.logistic(size=600) > 0
    return BayesClassifier().fit(rows, np.where(ripe, "ripe", "not yet"))


@cache
def full() -> QuadraticDiscriminantAnalysis:
    return QuadraticDiscriminantAnalysis().fit(*iris())


@cache
def reader() -> GaussianNB:
    X, y = digits()
    return GaussianNB(var_smoothing=1e-2).fit(X[:900], y[:900])


def _unseen() -> tuple[Any, Any]:
    X, y = digits()
    return X[900:], y[900:]


def _regions_of_any(ax: Any) -> Any:
    X, y = iris()
    two = X.iloc[:, :2]
    return plot.RegionsDisplay.from_estimator(LogisticRegression().fit(two, y), two, y, points=60, ax=ax)


def _learning(ax: Any) -> Any:
    models = {"naive": GaussianNB(), "full": QuadraticDiscriminantAnalysis()}
    return plot.LearningCurveDisplay.from_estimators(
        models, *iris(), sizes=[30, 60, 100], repeats=2, random_state=0, ax=ax
    )


PETAL = "petal length (cm)"
SEPALS = ("sepal length (cm)", "sepal width (cm)")

CASES: dict[str, Callable[[Any], Any]] = {
    "densities": lambda ax: plot.DensityDisplay.from_estimator(naive(), *iris(), column=PETAL, ax=ax),
    "posterior": lambda ax: plot.CurvesDisplay.from_estimator(naive(), *iris(), column=PETAL, ax=ax),
    "joint": lambda ax: plot.CurvesDisplay.from_estimator(naive(), *iris(), column=PETAL, kind="joint", ax=ax),
    "log joint": lambda ax: plot.CurvesDisplay.from_estimator(naive(), *iris(), column=PETAL, kind="log_joint", ax=ax),
    "regions": lambda ax: plot.RegionsDisplay.from_estimator(full(), *iris(), columns=SEPALS, points=60, ax=ax),
    "regions of any classifier": _regions_of_any,
    "ellipses": lambda ax: plot.EllipsesDisplay.from_estimator(full(), *iris(), columns=SEPALS, ax=ax),
    "spy": lambda ax: plot.SpyDisplay.from_data(DOCUMENTS, KINDS, ax=ax),
    "words": lambda ax: plot.WordsDisplay.from_estimator(
        BayesClassifier(Text("bernoulli")).fit(DOCUMENTS, KINDS), ax=ax
    ),
    "images": lambda ax: plot.ImagesDisplay.from_estimator(reader(), shape=(8, 8), ax=ax),
    "evidence": lambda ax: plot.EvidenceDisplay.from_estimator(naive(), iris()[0], row=70, ax=ax),
    "effect": lambda ax: plot.EffectDisplay.from_estimator(default(), column=PETAL, ax=ax),
    "effect of levels": lambda ax: plot.EffectDisplay.from_estimator(spotted(), column="colour", ax=ax),
    "effect of two": lambda ax: plot.EffectDisplay.from_estimator(spotted(), column=("length", "colour"), ax=ax),
    "nomogram": lambda ax: plot.NomogramDisplay.from_estimator(bayes(), iris()[0], row=70, ax=ax),
    "reliability": lambda ax: plot.ReliabilityDisplay.from_estimator(reader(), *_unseen(), ax=ax),
    "confusion": lambda ax: plot.ConfusionDisplay.from_estimator(reader(), *_unseen(), ax=ax),
    "risk and coverage": lambda ax: plot.RiskCoverageDisplay.from_estimator(reader(), *_unseen(), ax=ax),
    "costs": lambda ax: plot.CostCurveDisplay.from_estimator(reader(), *_unseen(), of=8, ax=ax),
    "roc": lambda ax: plot.RankingDisplay.from_estimator(reader(), *_unseen(), of=8, ax=ax),
    "precision and recall": lambda ax: plot.RankingDisplay.from_estimator(
        reader(), *_unseen(), of=8, curve="precision-recall", ax=ax
    ),
    "lift": lambda ax: plot.RankingDisplay.from_estimator(reader(), *_unseen(), of=8, curve="lift", ax=ax),
    "roc of ten": lambda ax: plot.RankingDisplay.from_estimator(reader(), *_unseen(), ax=ax),
    "lift of ten": lambda ax: plot.RankingDisplay.from_estimator(reader(), *_unseen(), curve="lift", ax=ax),
    "prior shift": lambda ax: plot.PriorShiftDisplay.from_estimator(reader(), *_unseen(), of=8, ax=ax),
    "learning": _learning,
}


def pixels(figure: Any) -> np.ndarray:
    """(height, width, 3), from 0 to 255."""
    figure.canvas.draw()
    return np.asarray(figure.canvas.buffer_rgba())[..., :3].astype(int)
