"""Probabilistic classification from class-wise sufficient statistics.

The public names are loaded when they are first touched, so ``import suffice`` costs nothing.
"""

import importlib
from typing import Any

__version__ = "0.1.0"

_HOMES = {
    "BayesClassifier": "suffice.estimators.bayes",
    "BayesDecision": "suffice.estimators.decision",
    **dict.fromkeys(
        [
            "A1DE", "TAN", "Bernoulli", "Categorical", "Complement", "CountTable", "Density", "Exponential",
            "Gamma", "Gaussian", "Histogram", "LogNormal", "Multinomial", "MultivariateNormal", "Poisson",
            "PooledCategorical", "Text",
        ],
        "suffice.families",
    ),
    **dict.fromkeys(["Dirichlet", "Empirical", "Given", "Uniform"], "suffice.families.class_prior"),
    **dict.fromkeys(["GaussianNB", "BernoulliNB", "CategoricalNB", "MultinomialNB", "ComplementNB", "PoissonNB"],
                    "suffice.naive_bayes"),
    **dict.fromkeys(["LinearDiscriminantAnalysis", "QuadraticDiscriminantAnalysis"], "suffice.discriminant_analysis"),
    **dict.fromkeys(["LeastSquaresClassifier", "LinearGaussianRegressor", "LogisticRegression"], "suffice.linear_model"),
    "SufficeError": "suffice.errors",
    "load": "suffice.estimators.model_file",
    "stream": "suffice.estimators.stream",
    "predict_to": "suffice.estimators.sourced.predict_to",
    "rows": "suffice.sources.opening",
}  # fmt: skip


_MODULES = (
    "compare",
    "decision",
    "discriminant_analysis",
    "evaluate",
    "linear_model",
    "naive_bayes",
    "persist",
    "plot",
    "report",
    "text",
    "web",
)

__all__ = ["__version__", *_HOMES]


def __getattr__(name: str) -> Any:
    if name in _HOMES:
        return getattr(importlib.import_module(_HOMES[name]), name)
    if name in _MODULES:
        return importlib.import_module(f"suffice.{name}")
    raise AttributeError(f"module 'suffice' has no attribute {name!r}")


def __dir__() -> list[str]:
    return sorted([*__all__, *_MODULES])
