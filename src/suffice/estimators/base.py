"""Base class of the classifiers: predictions from log joints."""

import importlib
import os
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np
from sklearn.base import ClassifierMixin

from suffice import export, posterior
from suffice.columns.inputs import LabelsLike, TableLike, WeightsLike
from suffice.columns.kinds import Name
from suffice.columns.labels import Label
from suffice.decision.thresholds import Threshold, thresholds
from suffice.errors import ParameterError
from suffice.estimators.learner import SufficeLearner
from suffice.evaluate.difference import Difference, difference
from suffice.evaluate.suspects import Suspects, suspects
from suffice.explain import Explanation, GaussianBlock, LinearForm, explain, gaussian_block, linear_form, parameters
from suffice.numerics.arrays import AnyArray, FloatArray
from suffice.numerics.random_state import RandomState, generator
from suffice.sql import TextTables, to_sql

if TYPE_CHECKING:
    import pandas as pd


class SufficeClassifier(ClassifierMixin, SufficeLearner):
    """Base of the classifiers."""

    def predict_joint_log_proba(self, X: TableLike) -> FloatArray:
        """log p(x, class), (rows, classes). With fitted weights it is log p(class | x) + log p(x); for texts of the default,
        which have no density, log p(x) is computed from their scores."""
        if hasattr(self, "model_") and self.model_.weighted_parts is not None:
            log_p = self.predict_log_proba(X)
            return log_p + self.model_.log_density(self._open(X, reset=False), self._threads())[:, None]
        return self._log_joints(X, lambda joint, threads: None, odds=False)

    def predict_proba(self, X: TableLike) -> FloatArray:
        """p(class | x), (rows, classes), in the order of ``classes_``."""
        return self._log_joints(X, lambda joint, threads: posterior.posterior(joint, self.model_.log_prior, threads))

    def predict_log_proba(self, X: TableLike) -> FloatArray:
        """log p(class | x), (rows, classes)."""
        return self._log_joints(
            X, lambda joint, threads: posterior.log_posterior(joint, self.model_.log_prior, threads)
        )

    def predict(self, X: TableLike) -> AnyArray:
        """The most probable class of each row; ties go to the first."""
        best = self._reduced_joints(
            X, np.int64, lambda joint, threads: posterior.most_probable(joint, self.model_.log_prior, threads)
        )
        answers: AnyArray = self.classes_.take(best)
        return answers

    def score_samples(self, X: TableLike) -> FloatArray:
        """log p(x), the log density of each row.

        A model with fitted weights, such as the default, models the class given the row. p(x) is then a mixture with
        one density per class: the densities of the columns, coupled by a Gaussian copula over the continuous columns,
        with the correlations of their normal scores over the kept rows of the class. Other columns are independent
        given the class, as are all columns if no rows are kept. ``sample`` draws from the same density. The default
        model of texts has scores but no density: both methods raise an error.
        """
        self._check_not_empty()
        self.model_.check_density()
        return self.model_.log_density(self._open(X, reset=False), self._threads())

    def _log_joints(
        self, X: TableLike, finish: Callable[[FloatArray, int], object], *, odds: bool = True
    ) -> FloatArray:
        """Log joints, (rows, classes), transformed in place by ``finish``, a batch at a time; with ``odds``, up to a
        constant per row before that."""
        self._check_not_empty()
        table, threads = self._open(X, reset=False), self._threads()
        out = np.empty((table.rows, len(self.classes_)))
        for _, joint in self.model_.log_joints(table, out, threads, odds=odds):
            finish(joint, threads)
        return out

    def _reduced_joints(self, X: TableLike, dtype: Any, reduce: Callable[[FloatArray, int], AnyArray]) -> AnyArray:
        """One value per row, reduced from its log joint."""
        self._check_not_empty()
        table, threads = self._open(X, reset=False), self._threads()
        out = np.empty(table.rows, dtype)
        for rows, joint in self.model_.log_joints(table, None, threads, odds=True):
            out[rows] = reduce(joint, threads)
        return out

    def sample(self, n: int = 1, random_state: RandomState = None) -> tuple[Any, AnyArray]:
        """Draw rows and their classes from the model. ``random_state`` is a seed, a Generator, a RandomState or None.

        A model with fitted weights, such as the default, is discriminative. Rows are then drawn from the density of
        ``score_samples``, which does not include weights, pairs and forests.
        """
        self._check_not_empty()
        if isinstance(n, bool) or not isinstance(n, (int, np.integer)) or n < 0:
            raise ParameterError(f"n is {n!r}", "it must be a whole number ≥ 0")
        columns, codes = self.model_.sample(int(n), generator(random_state))
        return self._rebuild(columns), self.classes_[codes]

    def _rebuild(self, columns: dict[Any, AnyArray]) -> Any:
        """Drawn columns in the format of the training rows."""
        return np.column_stack(list(columns.values()))

    def explain(
        self, X: TableLike, of: Label = None, against: Label = None, *, interactions: bool = False
    ) -> Explanation:
        """Evidence by column for one class against another: by default the most probable against the next.

        The evidence of a row and the log prior odds add up to its log-odds. Joint scores are divided among their
        columns: scores of columns, pairs and correlated normals as Shapley values against the training rows, those of
        forests by their nodes. ``interactions=True`` lists pairs and normals separately. Texts are explained by words.
        """
        self._check_not_empty()
        table = self._open(X, reset=False)
        return explain(self.model_, table, self.classes_, of, against, interactions=interactions)

    def parameters(self) -> "pd.DataFrame":
        """A pandas frame of the parameters of every class and column, one row each: ``mu``, ``sigma2``, ``lambda``, ``theta`` …

        ``value`` is the estimate by the rule of the model, or the posterior mean under ``predictive``. ``error`` is the
        standard error by the Fisher information of ``rows`` rows. Families without parameters in closed form only have
        ``rows``. With fitted weights, the parameters are those of the unweighted columns.
        """
        self._check_not_empty()
        pandas = importlib.import_module("pandas")
        found = [vars(one) for one in parameters(self.model_, self._names_of_rows)]
        return pandas.DataFrame(found).rename(columns={"label": "class"})

    def thresholds(self, column: Name) -> tuple[Threshold, ...]:
        """Every value of a column at which the most probable class changes, with all other columns missing.

        >>> from suffice import GaussianNB
        >>> GaussianNB().fit([[0.0], [2.0], [4.0], [6.0]], [0, 0, 1, 1]).thresholds(0)
        (Threshold(at=3.0, below=0, above=1),)
        """
        self._check_not_empty()
        return thresholds(self.model_, column)

    def suspects(self, X: TableLike, y: LabelsLike, sample_weight: WeightsLike = None) -> Suspects:
        """Learned rows, sorted by the left-out probability of their label: see ``suffice.evaluate.suspects``."""
        self._check_not_empty()
        return suspects(self, X, y, sample_weight)

    def difference(self, other: "SufficeClassifier") -> Difference:
        """Differences between this model and another, by class and column: see ``suffice.evaluate.difference``."""
        self._check_not_empty()
        other._check_not_empty()
        return difference(self.model_, other.model_)

    def to_sql(
        self,
        dialect: str = "duckdb",
        table: str | Sequence[str] = "rows",
        keep: Sequence[Name] = (),
        *,
        evidence: bool = False,
        texts: TextTables | None = None,
    ) -> str:
        """A query that scores the rows of a database table: see the page on scoring in SQL.

        ``dialect`` is "duckdb", "postgres", "sqlite" or "snowflake", ``table`` a name or the parts of a qualified one, and
        ``keep`` names columns to copy, such as an id. With ``evidence`` there is one more column for each
        summand of a log joint. The words of texts are read from the tables ``texts``, which ``suffice.sql.tokens`` and
        ``suffice.sql.word_scores`` fill; by default ``tokens`` and ``words``, joined on the column ``id``.
        """
        self._check_not_empty()
        return to_sql(self.model_, dialect, table, keep, evidence=evidence, texts=texts)

    def to_scorer(self, path: "str | os.PathLike[str]", script: "str | os.PathLike[str] | None" = None) -> None:
        """Write the scoring file of the model: its final tables, with which JavaScript scores rows in a browser or in Node.

        ``script`` is the path to which the script is written, if any; it is the same for every model.
        """
        self._check_not_empty()
        export.to_scorer(self.model_, path, self._names_of_rows)
        if script is not None:
            export.write_script(script)

    def to_page(self, path: "str | os.PathLike[str]", title: str = "Suffice") -> None:
        """Write a self-contained HTML page that scores rows in the browser."""
        self._check_not_empty()
        export.to_page(self.model_, path, title, self._names_of_rows)

    def to_onnx(self, path: "str | os.PathLike[str]") -> None:
        """Write the model as an ONNX graph of standard operators; an error for models with forests or text.

        A column is an input (rows, 1): numbers with NaN for a missing cell, or text that is empty where it is missing. An
        array of numbers is one input ``X``. The outputs are ``predicted`` and ``probabilities``.
        """
        self._check_not_empty()
        export.to_onnx(self.model_, path, self._names_of_rows)

    @property
    def _names_of_rows(self) -> Sequence[Name] | None:
        """The column names of the training frame, if the model was fitted to a matrix made from it."""
        return getattr(self, "feature_names_in_", None)

    def linear_form(self) -> LinearForm:
        """β and φ with p(class | x) = softmax(β · φ(x)); an error if the model has no such form, as with forests.

        For an additive model, φ contains bins and levels, cells of pairs, missing cells, normal scores and their products.
        """
        self._check_not_empty()
        return linear_form(self.model_, self.classes_, lambda rows: self._open(rows, reset=False))

    def gaussian_block(self, columns: Sequence[Name] | None = None) -> GaussianBlock:
        """The block of correlated columns (that of ``columns``, if there are several): distances, correlations, outliers,
        axes."""
        self._check_not_empty()
        return gaussian_block(self.model_, self.classes_, columns, lambda rows: self._open(rows, reset=False))
