"""Probabilistic classification from class-wise sufficient statistics.

The public names are loaded when they are first touched, so ``import suffice`` costs nothing.
"""

from suffice.lazy_names import lazy_names

__version__ = "0.1.0"

_HOMES = {
    "BayesClassifier": "estimators.bayes",
    "BayesDecision": "estimators.decision",
    **dict.fromkeys(
        [
            "A1DE", "TAN", "Bernoulli", "Categorical", "Complement", "CountTable", "Density", "Exponential",
            "Gamma", "Gaussian", "Histogram", "LogNormal", "Multinomial", "MultivariateNormal", "Poisson",
            "PooledCategorical", "Terms", "Text",
        ],
        "families",
    ),
    **dict.fromkeys(["Dirichlet", "Empirical", "Given", "Uniform"], "families.class_prior"),
    **dict.fromkeys(["GaussianNB", "BernoulliNB", "CategoricalNB", "MultinomialNB", "ComplementNB", "PoissonNB"],
                    "naive_bayes"),
    **dict.fromkeys(["LinearDiscriminantAnalysis", "QuadraticDiscriminantAnalysis"], "discriminant_analysis"),
    **dict.fromkeys(["LeastSquaresClassifier", "LinearGaussianRegressor", "LogisticRegression"], "linear_model"),
    "SufficeError": "errors",
    "load": "estimators.model_file",
    "stream": "estimators.stream",
    "predict_to": "estimators.sourced.predict_to",
    "rows": "sources.opening",
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

__getattr__, __dir__ = lazy_names(__name__, _HOMES, _MODULES)
