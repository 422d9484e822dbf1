"""Base class of the two discriminant analyses."""

from abc import abstractmethod
from collections.abc import Sequence
from typing import Any, Self

import numpy as np

from suffice.columns.inputs import LabelsLike, TableLike, WeightsLike
from suffice.columns.labels import Labels
from suffice.columns.matrix_table import MatrixTable
from suffice.columns.table import Table
from suffice.errors import DataError, NotAdditiveError
from suffice.estimators.base import SufficeClassifier
from suffice.estimators.discriminant_analysis.class_covariances import FromRows, from_rows
from suffice.estimators.learner import SufficeLearner
from suffice.estimators.one_family import OneFamily
from suffice.families.multivariate_normal import MultivariateNormal, NormalDensities
from suffice.model import Model
from suffice.numerics.arrays import FloatArray


class DiscriminantAnalysis(OneFamily, SufficeClassifier):
    """Gaussian classes over one matrix."""

    shrinkage: Any
    covariance_estimator: Any
    _sparse = False
    _given: FromRows | None = None

    @abstractmethod
    def _family(self) -> MultivariateNormal: ...

    @abstractmethod
    def _check(self, labels: Labels, columns: int) -> None:
        """Raise for settings and labels that scikit-learn rejects."""

    @property
    def _reads_rows(self) -> bool:
        """Whether the covariances are estimated from the rows themselves, and so are not additive."""
        return bool(self.covariance_estimator is not None or isinstance(self.shrinkage, str))

    def fit(self, X: TableLike, y: LabelsLike, sample_weight: WeightsLike = None) -> Self:
        """Fit to a matrix and its labels, discarding what was learned before."""
        with self._all_or_nothing():
            table, labels, weight = self._rows(X, y, sample_weight, reset=True)
            self._check(labels, len(table.names))
            self._given = self._from_rows(table, labels, weight) if self._reads_rows else None
            self._set_model(self._start(table, labels, weight, declared=labels.classes))
            _ = self.model_.densities  # raises for a singular covariance now, not on first use
            return self

    def _from_rows(self, table: Table, labels: Labels, weight: FloatArray | None) -> FromRows:
        assert isinstance(table, MatrixTable)
        return from_rows(np.asarray(table.values, dtype=np.float64), labels, weight, self.covariance_estimator)

    def partial_fit(
        self, X: TableLike, y: LabelsLike, classes: Sequence[Any] | None = None, sample_weight: WeightsLike = None
    ) -> Self:
        """Learn more rows. ``classes``, the list of all classes, is required on the first call."""
        self._refuse_rows("updated")
        return super().partial_fit(X, y, classes, sample_weight)

    def merge(self, other: SufficeLearner) -> Self:
        """Add the statistics of another model, as if this one had learned those rows too."""
        self._refuse_rows("merged")
        return super().merge(other)

    def forget(self, X: TableLike, y: LabelsLike, sample_weight: WeightsLike = None) -> Self:
        """Forget rows, exactly: the result is the model of the remaining rows."""
        self._refuse_rows("made to forget")
        return super().forget(X, y, sample_weight)

    def blank_model(self, table: Table) -> Model:
        self._refuse_rows("evaluated without refitting it")
        return super().blank_model(table)

    def _refuse_rows(self, what: str) -> None:
        if self._reads_rows:
            raise NotAdditiveError(
                f"A {type(self).__name__} with shrinkage='auto' or a covariance_estimator cannot be {what}",
                "its covariances are estimated from rows and are not additive",
                "Use a number for shrinkage, or MultivariateNormal(shrinkage='oas')",
            )

    def mahalanobis(self, X: TableLike) -> FloatArray:
        """Mahalanobis distance of each row from each class mean, (rows, classes)."""
        return self.gaussian_block().mahalanobis(X)

    def outlier_score(self, X: TableLike) -> FloatArray:
        """Score from 0 to 1: the share of the nearest class that lies closer to its mean, under the model."""
        return self.gaussian_block().outlier_score(X)

    def correlations(self) -> FloatArray:
        """Correlations of the columns in each class, (classes, columns, columns)."""
        return self.gaussian_block().correlations()

    @property
    def _normals(self) -> NormalDensities:
        density = self._density
        assert isinstance(density, NormalDensities)
        return density

    @property
    def means_(self) -> FloatArray:
        """Mean of each column in each class."""
        return self._statistic.mean.astype(self._dtype)

    @property
    def priors_(self) -> FloatArray:
        """Probability of each class."""
        self._check_fitted()
        return np.exp(self.model_.log_prior).astype(self._dtype)


def check_two_classes(labels: Labels) -> None:
    if len(labels.classes) < 2:
        raise DataError(
            f"The number of classes has to be greater than one. Got {len(labels.classes)} class",
            "there is nothing to separate",
        )
