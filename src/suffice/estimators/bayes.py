"""The Bayes classifier on any table."""

import copy
import importlib
import warnings
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any, Self

import numpy as np

from suffice.columns.documents_table import DocumentsTable
from suffice.columns.inputs import LabelsLike, TableLike, WeightsLike
from suffice.columns.kinds import Name
from suffice.columns.labelled import Labelled
from suffice.columns.labels import Label, Labels
from suffice.columns.schema import Schema
from suffice.columns.table import Table
from suffice.errors import DataError, ParameterError, StaleWarning, quoted
from suffice.estimators.base import SufficeClassifier
from suffice.estimators.common_columns import over_columns_of
from suffice.estimators.intake import check_shape, check_unnamed, check_width, not_a_column, set_names
from suffice.estimators.learner import SufficeLearner, check_declared
from suffice.estimators.model_choice import missing_of, weighing_of
from suffice.estimators.sourced import SourcePredictorMixin, in_parts
from suffice.evaluate.description import Description, describe
from suffice.families.assignment import Block
from suffice.families.base import check_rule
from suffice.families.choice import assign, named_columns
from suffice.families.class_prior import as_class_prior
from suffice.families.parameters import split_params, with_params
from suffice.families.settings import number
from suffice.labelling import learn_unlabelled, suggest
from suffice.model import KEPT_ROWS, Missing, Model, Weighing
from suffice.numerics.arrays import AnyArray, FloatArray, IntArray
from suffice.numerics.random_state import RandomState
from suffice.sources import open_records, open_source, open_table
from suffice.sources.source import Source


def _are_places(names: Sequence[Name]) -> bool:
    """Whether columns are named 0, 1, 2, …, as in an array."""
    return isinstance(names, range) or list(names) == list(range(len(names)))


def _has_names(table: Table) -> bool:
    """Whether its columns have names, as in a frame; arrays and lists of texts have none."""
    return not _are_places(table.names) and not isinstance(table, DocumentsTable)


def _label_name(y: LabelsLike) -> Name:
    """The name of the labels: of their column or series, or else ``y``."""
    name = y if isinstance(y, (str, int)) else getattr(y, "name", None)
    return "y" if name is None or name == "" else name


def _named_table() -> Any:
    return importlib.import_module("suffice.estimators.named_table")  # loads Arrow, like tables with names


class BayesClassifier(SourcePredictorMixin, SufficeClassifier):
    """Bayes' rule on a table of numbers, categories, booleans, dates and counts, with missing cells anywhere.

    The columns are partitioned into blocks that are independent given the class; each block has a family. Statistics are
    sums over rows, so a model can be updated, merged and unlearned. The weights of the default are a function of these sums
    and of a row sample, which is itself a statistic: while all rows are kept (``keep_rows``), the model does not depend on
    order or batches, and merged models and models that forgot rows equal one ``fit``.

    There is no ``random_state``: ``fit`` is deterministic, unless an estimator in ``Density`` is not.

    Parameters
    ----------
    families : family, mapping or None, default=None
        A mapping from a column (or a tuple of columns) to its family: it replaces the column's own score, and nothing
        else changes. One family for all columns gives textbook naive Bayes. Columns not named are modelled by their
        kind: numbers and dates by ``Histogram()``, categories and booleans by ``PooledCategorical()``, sentences by
        ``Text()``, more than 4,096 sparse columns together by ``Terms()``; in a ``"naive"`` model numbers and dates by
        ``Gaussian()``, booleans by ``Bernoulli()``, categories by ``Categorical()``, sentences by ``Text()``, sparse
        columns together by ``Multinomial()``.
    model : None, "naive", "weighted", "additive" or "full", default=None
        The summands of the log joint: log densities (textbook naive Bayes); weighted log densities of the columns;
        these and joint scores (missing cells, correlated normals, pairs); or these, two forests and a regression on
        random Fourier features, if they help. ``None`` is ``"full"``, and ``"naive"`` where one family is given for all
        columns. All but the first are fitted on left-out scores.
    missing : None, "evidence" or "ignore", default=None
        Whether a missing cell is evidence. ``None`` is ``"evidence"`` in an additive or full model, where left-out
        scores support it, and else ``"ignore"``.
    prior : None, str, ClassPrior, mapping or sequence, default=None
        Over the classes. ``None`` is ``Dirichlet(1)``, ``"mle"`` the shares of the rows, ``"uniform"`` equal shares;
        probabilities are used as given. In the default, given and equal shares are applied after the fit, as
        ``decision.correct_priors`` does.
    estimate : {"mean", "map", "mle", "predictive"}, default="mean"
        The estimation rule: posterior mean or mode of the parameters, maximum likelihood, or the parameters integrated
        out. The families of the default have no such rule.
    class_weight : mapping, "balanced" or None, default=None
        Weights of the classes. They are applied when probabilities are estimated, so they work with ``partial_fit`` and
        ``merge``. In models with fitted weights they change the prior, after the fit.
    keep_rows : int, default=100000
        Maximum number of rows kept, in coded form, to fit weights on; ``0`` keeps none, and weights stay as fitted. A
        row is kept or not by a hash of its cells, so the sample does not depend on order.
    missing_columns : {"error", "marginalise"}, default="error"
        Whether a table without a column is an error, or the column is marginalised.
    n_jobs : int or None, default=None
        Threads; ``None`` is all cores. Results do not depend on it.
    naive, calibrate
        .. deprecated:: 0.1
            ``naive=True`` is ``model="naive"``, ``calibrate="temperature"`` has become ``model="weighted"``.

    Attributes
    ----------
    classes_ : ndarray of shape (n_classes,)
        The class labels.
    model_ : Model
        The fitted model; its interface is private.
    left_out_ : tuple
        Columns dropped as identifiers.
    is_stale_ : bool
        Whether weights are out of date and cannot be refitted.

    Examples
    --------
    >>> from suffice import BayesClassifier
    >>> rows = [
    ...     {"outlook": "sunny", "wind": 3.0}, {"outlook": "rain", "wind": 20.0},
    ...     {"outlook": "sunny", "wind": None}, {"outlook": "rain", "wind": 8.0},
    ... ]
    >>> model = BayesClassifier().fit(rows, ["play", "stay", "play", "stay"])
    >>> model.predict([{"outlook": "sunny", "wind": None}, {"outlook": "rain", "wind": 12.0}]).tolist()
    ['play', 'stay']
    """

    left_out_: tuple[Name, ...] = ()
    """Identifier columns, which ``fit`` has dropped."""

    def __init__(
        self,
        families: Any = None,
        *,
        model: Weighing | None = None,
        missing: Missing | None = None,
        prior: Any = None,
        estimate: str = "mean",
        class_weight: Any = None,
        keep_rows: int = KEPT_ROWS,
        missing_columns: str = "error",
        n_jobs: int | None = None,
        naive: Any = "deprecated",
        calibrate: Any = "deprecated",
    ) -> None:
        self.families = families
        self.model = model
        self.missing = missing
        self.prior = prior
        self.estimate = estimate
        self.class_weight = class_weight
        self.keep_rows = keep_rows
        self.missing_columns = missing_columns
        self.n_jobs = n_jobs
        self.naive = naive
        self.calibrate = calibrate

    def set_params(self, **params: Any) -> Self:
        """Set parameters by name; ``families__alpha`` is the ``alpha`` of the family in ``families``.

        Families and priors are immutable, so a changed copy replaces the current one.
        """
        outer, inner = split_params(params)
        with self._all_or_nothing():
            unknown = inner.keys() - self.get_params(deep=False).keys()
            super().set_params(**outer, **dict.fromkeys(unknown))  # raises for these
            return super().set_params(**{name: with_params(name, getattr(self, name), inner[name]) for name in inner})

    def fit(self, X: TableLike, y: LabelsLike, sample_weight: WeightsLike = None) -> Self:
        """Fit to rows and their labels, discarding what was learned before.

        ``X`` is a table in memory or a source: the path of a file, a folder or a pattern, a query, a table of a
        database, a stream of batches, a frame of a cluster (see the page on sources). ``y`` and ``sample_weight`` may
        be names of columns; for a source they must be.

        A named identifier column is dropped with a warning (``left_out_``), unless ``families`` names
        it; one that equals the label is an error. In an array every column is used.
        """
        source = open_source(X)
        if source is not None:
            return self._fit_source(source, y, sample_weight)
        with self._all_or_nothing():
            self._note_form(X)
            table, labels, weight = self._all_rows(X, y, sample_weight)
            self._check_class_weight(labels.classes)
            blocks, threads = self._blocks(table), self._threads()
            return self._set_model(Model.of(blocks, table, labels, weight, threads, **self._settings()))

    def fit_counted(self, answer: Any) -> Self:
        """Fit to counts computed in a database: the result of the query of ``suffice.sql.counting``.

        The result is a frame, or the rows that a cursor returns. ``families`` must be the mapping that the query was
        generated with. The model equals the textbook model of ``fit`` on the rows.
        """
        from suffice.estimators.from_counts import counted_model

        with self._all_or_nothing():
            self._form = "builtins"
            self.left_out_ = ()
            model, self._label_dtype = counted_model(self.families, answer, self._blocks, self._settings())
            set_names(self, model.names)
            self._check_class_weight(model.classes)
            return self._set_model(model)

    @classmethod
    def from_densities(cls, densities: Any, *, prior: Any = None) -> Self:
        """A model of class-conditional densities with given parameters, without learned rows.

        ``densities`` maps a column, or a tuple of columns, to the result of ``given`` of a family, as in ``{"blood":
        Gaussian.given(mean={"healthy": 25, "ill": 50}, sd=10)}``; or is a single result, for the columns of an array.
        Classes are equally probable unless ``prior`` is given. The parameters have the weight of 2⁴⁰ rows,
        so learning further rows does not change them.
        """
        from suffice.estimators.from_densities import families_of, given_model

        self = cls(families_of(densities), model="naive", prior=prior, estimate="mle")
        self._form, self.left_out_ = "builtins", ()
        model = given_model(densities, self._settings())
        set_names(self, model.names)
        self._label_dtype = np.array(model.classes).dtype
        return self._set_model(model)

    def fit_weights(self, X: TableLike, y: LabelsLike, sample_weight: WeightsLike = None) -> Self:
        """Fit the weights of a model that keeps no rows (``keep_rows=0``) to learned rows.

        A model that keeps rows fits its weights itself; it is returned unchanged.
        """
        self._check_not_empty()
        if self.model_.tally.sample is not None:
            return self
        with self._all_or_nothing():
            table, labels, weight = self._rows(X, y, sample_weight, reset=False)
            unknown = [c for c in labels.classes if c not in self.model_.classes]
            if unknown:
                raise DataError(f"Class {quoted(unknown)} was never learned", "weights are fitted to learned rows only")
            self._label_dtype = self.classes_.dtype
            return self._set_model(self.model_.with_weights_of(table, labels, weight, self._threads()))

    def refresh(self, X: TableLike, y: LabelsLike, sample_weight: WeightsLike = None) -> Self:
        """Deprecated name of ``fit_weights``.

        .. deprecated:: 0.1
            Call ``fit_weights``.
        """
        warnings.warn("refresh is deprecated: call fit_weights.", FutureWarning, stacklevel=2)
        return self.fit_weights(X, y, sample_weight)

    def fit_unlabelled(
        self,
        X: TableLike,
        y: LabelsLike,
        unlabelled: Any,
        *,
        weight: float | None = None,
        max_iter: int = 20,
        tol: float = 1e-5,
        sample_weight: WeightsLike = None,
        random_state: RandomState = 0,
    ) -> Self:
        """Learn from rows with labels and from rows without, by expectation-maximisation.

        A row without a label is counted in every class by its posterior probability, ``weight`` times, and the model is
        estimated again, until its likelihood converges; ``log_likelihood_`` has the objective of each iteration. Unless
        ``weight`` is given, it is chosen by cross-validation on the labelled rows, in folds shuffled by
        ``random_state``, and stored as ``unlabelled_weight_``. If no weight predicts held-out rows better than the
        labelled rows alone, the model is that of ``fit``, with a warning, and ``unlabelled_weight_`` is 0. A given
        ``weight`` is always used.

        The default model has no likelihood to maximise. If unlabelled rows help, its columns get the families of
        ``model="naive"``, and texts the multinomial with a tuned ``alpha``. Their log densities have one common weight,
        fitted to held-out labelled rows; no rows are kept.
        """
        number("fit_unlabelled", "weight", weight, optional=True)
        number("fit_unlabelled", "max_iter", max_iter, least=1)
        with self._all_or_nothing():
            self._note_form(X)
            table, labels, weights = self._all_rows(X, y, sample_weight)
            self._set_model(self._start(table, labels, weights))
            more = self._open(unlabelled, reset=False)
            found = learn_unlabelled(
                self.model_,
                self._textbook(self.model_, table, labels, weights),
                Labelled(table, labels, weights),
                more,
                None if weight is None else float(weight),
                int(max_iter),
                float(tol),
                random_state,
                self._threads(),
            )
            self.log_likelihood_, self.unlabelled_weight_ = found.log_likelihood, found.weight
            return self._set_model(found.model)

    def _textbook(self, model: Model, table: Table, labels: Labels, weight: FloatArray | None) -> Model:
        """The model or, if it fits weights, the textbook model of the same rows."""
        if not model.fits_weights:
            return model
        blocks = assign(self.families, table.names, table.kinds, textbook=True)
        settings = {**self._settings(), "weighing": "naive", "missing": "ignore", "keep_rows": 0}
        blank = Model.blank(tuple(block.textbook for block in blocks), table, self._threads(), **settings)
        return blank.with_tally(blank.count(table, labels, weight, self._threads()))

    def suggest(self, X: TableLike, n: int = 10) -> IntArray:
        """The indices of ``n`` rows to label, the most useful first: similar to many rows of uncertain class, and
        dissimilar to each other.

        With H the entropy of a row's posterior, each choice maximises the gain in Σᵢ Hᵢ² · max over chosen c of
        similarity(i, c), among the 200 rows of greatest entropy. Similarity is by words for text, else by cells. The first k
        suggestions do not depend on ``n``.
        """
        self._check_not_empty()
        number("suggest", "n", n, least=1)
        return suggest(self.model_, self._open(X, reset=False), int(n), self._threads())

    @property
    def is_stale_(self) -> bool:
        """Whether weights were fitted to other rows than were learned. Only a model that keeps no rows can be stale."""
        self._check_fitted()
        return self.model_.is_stale

    def partial_fit(self, X: TableLike, y: LabelsLike, classes: Any = None, sample_weight: WeightsLike = None) -> Self:
        """Learn more rows, which may have new classes and new levels; ``classes`` declares classes in advance.

        The columns are those of the first call. Identifiers are not dropped, since values that are distinct within a
        batch may recur in the next.
        """
        declared = check_declared(classes)
        parts = in_parts(X, "partial_fit", self._schema)
        with self._all_or_nothing():
            if parts is not None:
                for part in parts.batches():
                    self.partial_fit(part, y, classes, sample_weight)
                self.model_ = replace(self.model_, schema=self.model_.schema or parts.schema)
                return self
            first = not hasattr(self, "model_")
            if first:
                self._note_form(X)
            table, labels, weight = self._rows(X, y, sample_weight, reset=first)
            if first:
                self._set_model(self._start(table, labels, weight, declared))
                self._warn_if_stale("partial_fit without kept rows fits no weights")
                return self
            self._label_dtype = np.result_type(self.classes_.dtype, self._label_dtype)
            was_stale = self.model_.is_stale
            self._set_model(self.model_.learn(table, labels, weight, self._threads()).declaring(declared))
            if not was_stale:
                self._warn_if_stale("partial_fit without kept rows leaves weights as they were fitted")
            return self

    def forget(self, X: TableLike, y: LabelsLike, sample_weight: WeightsLike = None) -> Self:
        """Unlearn rows: the result is the model of the remaining rows.

        This is exact while all rows are kept. Beyond that, counts are exact, and weights are fitted to the kept rows.
        """
        parts = in_parts(X, "forget", self._schema)
        with self._all_or_nothing():
            if parts is not None:
                for part in parts.batches():
                    self.forget(part, y, sample_weight)
                return self
            super().forget(X, y, sample_weight)
            self._warn_if_stale("forget without kept rows leaves weights as they were fitted")
            return self

    def merge(self, other: SufficeLearner) -> Self:
        """Merge another model into this one: the result is the model of the rows of both.

        This is exact while all rows are kept. Beyond that, counts are exact, and weights are fitted to the kept rows. The
        columns are those of this model. An identifier that only this model has dropped is dropped from the other; one that
        only the other has dropped is missing in its rows.
        """
        super().merge(self._with_my_columns(other))
        self._warn_if_stale("merge without kept rows leaves the weights of the larger part")
        return self

    def _with_my_columns(self, other: SufficeLearner) -> SufficeLearner:
        """The other model over the columns of this one, if they differ by identifiers that one of them has dropped."""
        if not isinstance(other, BayesClassifier) or not hasattr(self, "model_") or not hasattr(other, "model_"):
            return other
        mine, theirs = set(self.model_.names), set(other.model_.names)
        if mine == theirs or not theirs - mine <= set(self.left_out_) or not mine - theirs <= set(other.left_out_):
            return other
        other = copy.copy(other)
        other.model_ = over_columns_of(self.model_, other.model_)
        return other

    def stripped(self) -> Self:
        """A copy without kept rows: weights are unchanged, and its file contains statistics only."""
        self._check_fitted()
        bare = copy.copy(self).set_params(keep_rows=0)
        bare.model_ = self.model_.stripped()
        bare.__dict__.pop("held_out_", None)
        return bare

    def _warn_if_stale(self, cause: str) -> None:
        if self.model_.is_stale:
            warnings.warn(
                f"{cause}; call fit_weights(X, y) with learned rows, or fit again.", StaleWarning, stacklevel=3
            )

    def _fit_source(self, source: Source, label: Any, weight: Any) -> Self:
        """Fit to a stream of rows, or to rows on a cluster."""
        with self._all_or_nothing():
            self._form = "pyarrow"
            learning = importlib.import_module("suffice.estimators.sourced.learning")  # loads Arrow
            named = named_columns(self.families)
            spec = learning.FitSpec(label, weight, self._blocks, named, self._settings(), self._threads())
            learned = learning.learn(source, spec)
            set_names(self, learned.model.names)
            self.left_out_ = learned.left_out
            self._label_dtype = learned.label_dtype
            self._check_class_weight(learned.model.classes)
            return self._set_model(learned.model)

    def _rows(
        self, X: TableLike, y: LabelsLike, sample_weight: WeightsLike, *, reset: bool
    ) -> tuple[Table, Labels, FloatArray | None]:
        rows, labels, weight = self._split(X, y, sample_weight)
        table = open_table(rows)
        if _has_names(table):
            _named_table().check_labels(labels, _label_name(y))
            if self.left_out_ and not reset:
                table = table.only([name for name in table.names if name not in self.left_out_])
        return super()._rows(table, labels, weight, reset=reset)

    def _all_rows(
        self, X: TableLike, y: LabelsLike, sample_weight: WeightsLike
    ) -> tuple[Table, Labels, FloatArray | None]:
        table, labels, weight = super()._all_rows(X, y, sample_weight)
        if _has_names(table):
            named = named_columns(self.families)
            table, self.left_out_ = _named_table().to_learn_from(table, labels, _label_name(y), named)
            set_names(self, table.names)
        return table, labels, weight

    def _split(self, X: TableLike, y: LabelsLike, sample_weight: WeightsLike = None) -> tuple[Any, Any, Any]:
        """Rows, labels and weights; labels or weights given by name are removed from the columns."""
        if isinstance(y, bool) or not isinstance(y, (str, int)):
            return X, y, sample_weight
        table = open_table(X)
        if y not in table.names:
            raise not_a_column(y, table.names)
        labels, table = table.column(y), table.without(y)
        if not isinstance(sample_weight, str):
            return table, labels, sample_weight
        if sample_weight not in table.names:
            raise not_a_column(sample_weight, table.names)
        return table.without(sample_weight), labels, table.numbers([sample_weight]).dense[:, 0]

    def _open(self, X: TableLike, *, reset: bool) -> Table:
        table = (None if reset else open_records(X)) or open_table(X)
        check_shape(table.rows, len(table.names))
        if reset:
            set_names(self, table.names)
            self.left_out_ = ()
            return table
        known = self.model_.names if hasattr(self, "model_") else table.names
        if list(table.names) == list(known):
            return table
        unnamed = _are_places(table.names)
        if unnamed or _are_places(known):  # one side has no names: by position
            check_width(self, len(table.names))
            if unnamed:
                check_unnamed(self)
            return table.renamed(known)
        return table

    def score(self, X: TableLike, y: LabelsLike, sample_weight: WeightsLike = None) -> float:
        """Share of the rows whose class is predicted right. ``y`` may be the name of a column."""
        parts = in_parts(X, "score", self._schema)
        if parts is None:
            return float(super().score(*self._split(X, y, sample_weight)))
        right = total = 0.0
        for part in parts.batches():
            table, labels, weight = self._split(part, y, sample_weight)
            size = float(part.rows if weight is None else weight.sum())
            right, total = right + size * super().score(table, labels, weight), total + size
        return right / total

    def describe(self) -> Description:
        """The family of each column, the alternatives considered, and its weight.

        ``considered`` has the leave-one-out log-loss of the column alone under other families; lower is better. To use one,
        pass it, as in ``BayesClassifier({"age": Gaussian()})``.

        >>> from sklearn.datasets import load_iris
        >>> iris = load_iris(as_frame=True)
        >>> rows = iris.data[["petal width (cm)", "sepal width (cm)"]].set_axis(["petal", "sepal"], axis=1)
        >>> print(BayesClassifier().fit(rows, iris.target).describe())
        column  family     alone  considered                                                       weight  pairs
        petal   Histogram  0.181  Gaussian 0.123, Gamma 0.141, LogNormal 0.169, Exponential 0.648  0.50    sepal 0.08
        sepal   Histogram  0.907  Gaussian 0.880, Gamma 0.885, LogNormal 0.891, Exponential 1.104  0.00    petal 0.08
        Loss of the class shares: 1.099.
        The correlated normals over all columns have weight 0.60.
        """
        self._check_not_empty()
        return describe(self.model_)

    @property
    def _schema(self) -> Schema | None:
        return self.model_.schema if hasattr(self, "model_") else None

    def _note_form(self, X: TableLike) -> None:
        """Record the library of the training rows; samples have the same format."""
        self._form = type(X).__module__.partition(".")[0]

    def _blocks(self, table: Table) -> tuple[Block, ...]:
        textbook = self._weighing == "naive"
        blocks = assign(self.families, table.names, table.kinds, textbook=textbook, apart=not textbook)
        if check_rule(self.estimate) != "mean" and not any(block.family.has_rule for block in blocks):
            raise ParameterError(
                f"estimate is {self.estimate!r}, but none of the families has such a rule",
                f"{quoted(sorted({type(block.family).__name__ for block in blocks}))} are smoothed by leave-one-out",
                "Omit estimate, or use model='naive' or other families",
            )
        return blocks

    @property
    def _weighing(self) -> Weighing:
        return weighing_of(self.model, self.families, self.naive, self.calibrate)

    def _check_class_weight(self, classes: Sequence[Label]) -> None:
        """Refuse weights of unknown classes if some class has no weight. (With ``partial_fit``, further classes may
        follow.)"""
        if isinstance(self.class_weight, Mapping) and any(c not in self.class_weight for c in classes):
            unknown = [c for c in self.class_weight if c not in classes]
            if unknown:
                raise ParameterError(
                    f"class_weight names {quoted(unknown)}",
                    f"no row has that class; the classes are {quoted(list(classes), most=10)}",
                    "Correct it, or leave it out",
                )

    def _settings(self) -> dict[str, Any]:
        if self.missing_columns not in ("error", "marginalise"):
            raise ParameterError(f"missing_columns is {self.missing_columns!r}", "it must be 'error' or 'marginalise'")
        weights = self.class_weight
        if not (
            weights is None or isinstance(weights, Mapping) or (isinstance(weights, str) and weights == "balanced")
        ):
            raise ParameterError(f"class_weight is {weights!r}", "it must be a mapping from labels, 'balanced' or None")
        number("BayesClassifier", "keep_rows", self.keep_rows)
        return {
            "keep_rows": int(self.keep_rows),
            "weighing": self._weighing,
            "missing": missing_of(self.missing, self._weighing),
            "prior": as_class_prior(self.prior),
            "rule": check_rule(self.estimate),
            "class_weight": self.class_weight,
            "marginalise": self.missing_columns == "marginalise",
        }

    def _rebuild(self, columns: dict[Any, AnyArray]) -> Any:
        if self._form in ("pandas", "polars"):
            frames = importlib.import_module("pandas") if self._form == "pandas" else importlib.import_module("polars")
            return frames.DataFrame({k: v.tolist() for k, v in columns.items()})
        if self._form == "pyarrow":
            return importlib.import_module("pyarrow").table({str(k): v.tolist() for k, v in columns.items()})
        if isinstance(self.model_.names, range):
            stacked = list(columns.values())
            return np.column_stack(stacked)
        return [
            dict(zip(columns, row, strict=True)) for row in zip(*(c.tolist() for c in columns.values()), strict=True)
        ]

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.input_tags.sparse = True
        tags.input_tags.allow_nan = True
        tags.input_tags.string = True
        tags.input_tags.categorical = True
        return tags
