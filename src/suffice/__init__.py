"""Probabilistic classification from class-wise sufficient statistics.

Public names are imported on first access, so ``import suffice`` is fast.
"""

from typing import TYPE_CHECKING

from suffice.families import FAMILY_NAMES
from suffice.lazy_names import lazy_names

if TYPE_CHECKING:
    from suffice import compare as compare
    from suffice import decision as decision
    from suffice import discriminant_analysis as discriminant_analysis
    from suffice import evaluate as evaluate
    from suffice import linear_model as linear_model
    from suffice import naive_bayes as naive_bayes
    from suffice import persist as persist
    from suffice import plot as plot
    from suffice import report as report
    from suffice import text as text
    from suffice import web as web
    from suffice.discriminant_analysis import LinearDiscriminantAnalysis as LinearDiscriminantAnalysis
    from suffice.discriminant_analysis import QuadraticDiscriminantAnalysis as QuadraticDiscriminantAnalysis
    from suffice.errors import SufficeError as SufficeError
    from suffice.estimators.bayes import BayesClassifier as BayesClassifier
    from suffice.estimators.decision import BayesDecision as BayesDecision
    from suffice.estimators.model_file import load as load
    from suffice.estimators.sourced.predict_to import predict_to as predict_to
    from suffice.estimators.stream import stream as stream
    from suffice.families.class_prior import Dirichlet as Dirichlet
    from suffice.families.class_prior import Empirical as Empirical
    from suffice.families.class_prior import Given as Given
    from suffice.families.class_prior import Uniform as Uniform
    from suffice.families.registry import *  # noqa: F403
    from suffice.linear_model import LeastSquaresClassifier as LeastSquaresClassifier
    from suffice.linear_model import LinearGaussianRegressor as LinearGaussianRegressor
    from suffice.linear_model import LogisticRegression as LogisticRegression
    from suffice.naive_bayes import BernoulliNB as BernoulliNB
    from suffice.naive_bayes import CategoricalNB as CategoricalNB
    from suffice.naive_bayes import ComplementNB as ComplementNB
    from suffice.naive_bayes import GaussianNB as GaussianNB
    from suffice.naive_bayes import MultinomialNB as MultinomialNB
    from suffice.naive_bayes import PoissonNB as PoissonNB
    from suffice.posterior import log_sum_exp as log_sum_exp
    from suffice.sources.opening import rows as rows

__version__ = "0.1.0"

_LAZY_IMPORTS = {
    "BayesClassifier": "estimators.bayes",
    "BayesDecision": "estimators.decision",
    **dict.fromkeys(FAMILY_NAMES, "families"),
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
    "log_sum_exp": "posterior",
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

if not TYPE_CHECKING:
    __all__ = ["__version__", *_LAZY_IMPORTS]
    __getattr__, __dir__ = lazy_names(__name__, _LAZY_IMPORTS, _MODULES)
