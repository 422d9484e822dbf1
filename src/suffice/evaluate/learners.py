"""Estimators with additive statistics, which can be cross-validated from them."""

import copy
import importlib
from typing import Any, Protocol

from suffice.columns.inputs import LabelsLike, TableLike, WeightsLike
from suffice.columns.labelled import Labelled
from suffice.columns.table import Table
from suffice.errors import ParameterError
from suffice.model import Model
from suffice.numerics.threads import thread_count


class Learner(Protocol):
    """An estimator with additive statistics."""

    model_: Model

    def fit(self, X: TableLike, y: LabelsLike, sample_weight: WeightsLike = None) -> Any: ...

    def labelled(self, X: TableLike, y: LabelsLike, sample_weight: WeightsLike = None) -> Labelled:
        """The table, labels and weights as in ``fit`` or ``partial_fit``."""

    def blank_model(self, table: Table) -> Model:
        """An empty model for tables like this one."""


def as_learner(estimator: Any) -> Learner:
    """A copy of an estimator; by default an unfitted ``BayesClassifier``."""
    # imported late by its public name, since this layer is below the estimators
    made = importlib.import_module("suffice").BayesClassifier() if estimator is None else copy.deepcopy(estimator)
    if not (hasattr(made, "labelled") and hasattr(made, "blank_model")):
        raise ParameterError(
            f"The estimator is {type(made).__name__}, which has no additive statistics",
            "a classifier of suffice that has them is needed",
            "Use scikit-learn's model_selection for it",
        )
    learner: Learner = made
    return learner


def threads_of(learner: Learner) -> int:
    return thread_count(getattr(learner, "n_jobs", None))
