"""Fitted models of every sort that a file may hold, with rows to ask them about."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
import scipy.sparse as sp

from families.cases import CASES, rules
from suffice import BayesClassifier, Categorical, Gaussian, MultivariateNormal, Terms, Text
from suffice.decision.held_out import HeldOut
from suffice.discriminant_analysis import LinearDiscriminantAnalysis, QuadraticDiscriminantAnalysis
from suffice.estimators.designed import DesignMatrixClassifier
from suffice.linear_model import LeastSquaresClassifier, LinearGaussianRegressor, LogisticRegression
from suffice.naive_bayes import BernoulliNB, CategoricalNB, ComplementNB, GaussianNB, MultinomialNB, PoissonNB


@dataclass(frozen=True)
class Saved:
    """An estimator, and two lots of rows for it."""

    name: str
    new: Callable[[], Any]
    rows: Callable[[np.random.Generator], tuple[Any, Any]]

    def __repr__(self) -> str:
        return self.name

    def fitted(self, seed: int = 1) -> Any:
        return self.new().fit(*self.rows(np.random.default_rng(seed)))

    @property
    def adds(self) -> bool:
        return hasattr(self.new(), "partial_fit") and getattr(self.new(), "shrinkage", None) != "auto"


def numbers(rng: np.random.Generator) -> tuple[Any, Any]:
    y = rng.integers(0, 3, 80)
    return rng.normal(size=(80, 3)) + y[:, None], y


def counts(rng: np.random.Generator) -> tuple[Any, Any]:
    x, y = numbers(rng)
    return np.abs(x).astype(int), y


def target(rng: np.random.Generator) -> tuple[Any, Any]:
    x, _ = numbers(rng)
    return x, x @ [1.0, 2.0, 3.0] + rng.normal(size=len(x))


def mixed(rng: np.random.Generator) -> tuple[Any, Any]:
    """Names of columns, levels and labels of all sorts, holes, and text."""
    words = ["tea", "sea", "naïve", "茶", "blue"]
    rows = [
        {
            "größe": float(rng.normal()) if rng.random() > 0.1 else None,
            "ok?": bool(rng.integers(2)),
            "n": int(rng.integers(4)),
            "job 'x' \"y\"": str(rng.choice(["a", "ä", "", "\u2028"])) if rng.random() > 0.1 else None,
            "body": " ".join(rng.choice(words, 12)) + " and so on, and on",
        }
        for _ in range(60)
    ]
    return rows, [("ham", "späm")[int(rng.integers(2))] for _ in rows]


def texts(rng: np.random.Generator) -> tuple[Any, Any]:
    y = rng.integers(0, 3, 60)
    topics = [["tea", "cup", "hot", "leaves"], ["sea", "wave", "cold", "salt"], ["sky", "blue", "wide", "cloud"]]
    common = ["the", "is", "and", "a", "naïve"]
    docs = [" ".join([*rng.choice(topics[c], 4), *rng.choice(common, 4), f"w{rng.integers(40)}"]) for c in y]
    return {"text": docs}, y


def terms(rng: np.random.Generator) -> tuple[Any, Any]:
    y = rng.integers(0, 3, 80)
    shares = 1.0 + 2.0 * (np.arange(30) % 3 == y[:, None])
    return sp.csr_array(rng.poisson(0.3 * shares)), y


def drawn(case: Any) -> Callable[[np.random.Generator], tuple[Any, Any]]:
    return lambda rng: case.rows(rng, case.enough)


def judged(rows: int = 40, classes: int = 2) -> HeldOut:
    """Answers to held-out rows."""
    rng = np.random.default_rng(5)
    posterior = rng.dirichlet(np.ones(classes), rows)
    return HeldOut(posterior, rng.integers(0, classes, rows).astype(np.int32), None, rng.random(rows))


DROP_INS = [
    Saved("GaussianNB", GaussianNB, numbers),
    Saved("GaussianNB-priors", lambda: GaussianNB(priors=[0.2, 0.3, 0.5], var_smoothing=1e-3), numbers),
    Saved("BernoulliNB", lambda: BernoulliNB(alpha=[1.0, 0.5, 2.0]), counts),
    Saved("CategoricalNB", lambda: CategoricalNB(min_categories=9), counts),
    Saved("ComplementNB", lambda: ComplementNB(norm=True), counts),
    Saved("MultinomialNB", lambda: MultinomialNB(class_prior=[0.2, 0.3, 0.5]), counts),
    Saved("PoissonNB", PoissonNB, counts),
    Saved("LDA", LinearDiscriminantAnalysis, numbers),
    Saved("LDA-lsqr", lambda: LinearDiscriminantAnalysis(solver="lsqr", shrinkage=0.1), numbers),
    Saved("LDA-auto", lambda: LinearDiscriminantAnalysis(solver="eigen", shrinkage="auto"), numbers),
    Saved("QDA", lambda: QuadraticDiscriminantAnalysis(reg_param=0.1), numbers),
    Saved("LeastSquaresClassifier", lambda: LeastSquaresClassifier(alpha=0.5), numbers),
    Saved("LogisticRegression", lambda: LogisticRegression(C=np.inf, class_weight="balanced"), numbers),
    Saved("LinearGaussianRegressor", LinearGaussianRegressor, target),
]

TABLES = [
    Saved("mixed", BayesClassifier, mixed),
    Saved("mixed-settings", lambda: BayesClassifier(
        {"größe": Gaussian(mean=1.0), "job 'x' \"y\"": Categorical(alpha={"a": 2.0}, levels=["a", "ä", "", "\u2028", 3])},
        prior={"ham": 0.9, "späm": 0.1}, class_weight={"ham": 2.0}, missing_columns="marginalise", estimate="predictive",
    ), mixed),
    Saved("Designed", lambda: DesignMatrixClassifier(LogisticRegression(class_weight={"ham": 2.0})), mixed),
    Saved("pairs", lambda: BayesClassifier({(0, 1): MultivariateNormal(pattern=[(0, 1)])}, prior="uniform"), numbers),
    *[
        Saved(f"Text-{model}", lambda model=model: BayesClassifier(Text(model)), texts)
        for model in ("refined", "discounted", "multinomial", "bernoulli", "complement", "counts", "poisson")
    ],
    Saved("Terms", lambda: BayesClassifier(Terms()), terms),
    Saved("Text-normalised", lambda: BayesClassifier(
        Text("multinomial", stop_words=["the"], stem="english", vocabulary={"tea", "sea", "cup", "wave"}, unknown="?")
    ), texts),
]  # fmt: skip

FAMILIES = [
    Saved(f"{case}-{rule}", lambda case=case, rule=rule: BayesClassifier(case.family, estimate=rule), drawn(case))
    for case in CASES
    for rule in rules(case.family)
]

ALL = [*DROP_INS, *TABLES, *FAMILIES]
