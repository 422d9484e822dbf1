"""Any object with ``fit`` and ``score_samples`` as a class-conditional density: kernel densities, mixtures, HMMs."""

import copy
import inspect
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np

from suffice.columns.blocks import Numbers, Objects
from suffice.columns.class_codes import ClassCodes
from suffice.columns.kinds import Name
from suffice.columns.labels import Label
from suffice.errors import DataError, NoSamplesError, ParameterError, quoted
from suffice.families import base
from suffice.families.base import Family, Rule
from suffice.numerics import kernels
from suffice.numerics.arrays import AnyArray, FloatArray
from suffice.statistics import Fitted


@dataclass(frozen=True)
class Density(Family[Numbers | Objects, Fitted]):
    """A block of columns modelled by a third-party estimator per class.

    ``Density(KernelDensity())`` fits a copy to the rows of each class. ``Density({"yes": hmm_1, "no": hmm_2})`` uses
    fitted densities, one for each label. The estimator's ``score_samples`` gives one
    log density a row: of a matrix of numbers, or, for a column of lists, of a list of sequences. Models that take
    concatenated sequences with their ``lengths``, as those of hmmlearn, are supported; their ``score`` gives the log
    density of a sequence. Only complete rows are used for fitting; a row with a missing cell scores zero in every
    class.

    Fitted estimators are not additive, so a model with a fitted ``Density`` cannot be merged, updated or unlearned: these
    raise ``NotAdditiveError``.

    Parameters
    ----------
    estimator : object or mapping
        An estimator with ``fit`` and ``score_samples``, of which a copy is fitted to each class; or a mapping from labels
        to fitted ones.

    Examples
    --------
    >>> from sklearn.neighbors import KernelDensity
    >>> from suffice import BayesClassifier, Density
    >>> model = BayesClassifier(Density(KernelDensity())).fit([[0.0], [1.0], [8.0], [9.0]], ["a", "a", "b", "b"])
    >>> model.predict([[2.0]]).tolist()
    ['a']
    """

    estimator: Any

    joint: ClassVar[bool] = True
    needs_all_rows: ClassVar[bool] = True

    def __post_init__(self) -> None:
        for one in self._given().values() if self._given() else [self.estimator]:
            needed = ["score_samples"] if self._given() else ["fit", "score_samples"]
            lacking = [m for m in needed if not callable(getattr(one, m, None))]
            if lacking:
                raise ParameterError(
                    f"Density got {type(one).__name__}, which has no {' and no '.join(lacking)}",
                    "it needs an object with fit(rows) and score_samples(rows), or a mapping from labels to fitted ones",
                )

    def _given(self) -> Mapping[Label, Any]:
        return self.estimator if isinstance(self.estimator, Mapping) else {}

    def observe(self, block: "Numbers | Objects", y: ClassCodes, threads: int) -> Fitted:
        weight = y.weight
        rows = kernels.class_weights(y.codes, y.n_classes, weight, threads)[:, None]
        if self._given():
            return Fitted(rows)
        complete = _complete(block) & ((weight is None) | (np.asarray(1.0 if weight is None else weight) > 0))
        fitted: list[object] = []
        for c in range(y.n_classes):
            mine = np.flatnonzero((y.codes == c) & complete)
            if not len(mine):
                fitted.append(None)
                continue
            one = copy.deepcopy(self.estimator)
            own = _rows(block, mine)
            if weight is None and _takes_lengths(one, block):
                one.fit(np.concatenate(_steps(own)), [len(sequence) for sequence in own])
            elif weight is None:
                one.fit(own)
            else:
                _check_takes_weights(one, weight)
                one.fit(own, sample_weight=weight[mine])
            fitted.append(one)
        return Fitted(rows, tuple(fitted))

    def check(self, statistic: Fitted, columns: Sequence[Name], classes: Sequence[Label]) -> None:
        unknown = [c for c in classes if self._given() and c not in self._given()]
        if unknown:
            raise DataError(
                f"Density has no estimator for class {quoted(unknown)}",
                f"it has those for {quoted(tuple(self._given()))}",
            )

    def estimate(self, statistic: Fitted, rule: Rule, classes: Sequence[Label]) -> "ExternalDensity":
        if not self._given():
            return ExternalDensity(statistic.objects)
        return ExternalDensity(tuple(self._given()[c] for c in classes))


def _check_takes_weights(estimator: Any, weight: FloatArray) -> None:
    if "sample_weight" not in inspect.signature(estimator.fit).parameters:
        raise ParameterError(
            f"{type(estimator).__name__}.fit takes no sample_weight",
            "weighted rows need an estimator with sample_weight",
        )


def _complete(block: "Numbers | Objects") -> AnyArray:
    if isinstance(block, Objects):
        return np.array([v is not None for v in block.values], dtype=bool)
    return np.asarray(~np.isnan(block.dense.astype(np.float64)).any(axis=1))


def _rows(block: "Numbers | Objects", index: AnyArray) -> Any:
    if isinstance(block, Objects):
        return [block.values[i] for i in index]
    return block.dense[index].astype(np.float64)


def _takes_lengths(estimator: Any, block: "Numbers | Objects") -> bool:
    """Whether it takes concatenated sequences."""
    return isinstance(block, Objects) and "lengths" in inspect.signature(estimator.score_samples).parameters


def _steps(sequences: list[Any]) -> list[AnyArray]:
    """Each sequence as a matrix with one row per step."""
    empty = [i for i, sequence in enumerate(sequences) if not len(sequence)]
    if empty:
        raise DataError(
            f"Sequence {empty[0]} is empty", "a sequence needs at least one step", "Drop it, or set it to missing"
        )
    return [np.asarray(s).reshape(len(s), -1) for s in sequences]


class ExternalDensity(base.ClassDensities[Numbers | Objects]):
    """One object with ``score_samples`` per class."""

    def __init__(self, estimators: Sequence[Any]) -> None:
        self.estimators = estimators
        self.n_classes = len(estimators)

    def add_to(self, out: FloatArray, block: "Numbers | Objects", threads: int) -> None:
        index = np.flatnonzero(_complete(block))
        if not len(index):
            return
        rows = _rows(block, index)
        for c, estimator in enumerate(self.estimators):
            if estimator is None:  # a class without complete rows scores −inf here
                out[index, c] = -np.inf
                continue
            found = (
                [estimator.score(sequence) for sequence in _steps(rows)]
                if _takes_lengths(estimator, block)
                else estimator.score_samples(rows)
            )
            scores = np.asarray(found, dtype=np.float64)
            if scores.shape != index.shape or np.isnan(scores).any():
                raise DataError(
                    f"{type(estimator).__name__}.score_samples gave {scores.size} values, {np.isnan(scores).sum()} of them NaN",
                    f"one log density for each of the {len(index)} rows is needed",
                )
            out[index, c] += scores

    def sample(self, klass: int, n: int, rng: "np.random.Generator") -> list[AnyArray]:
        estimator = self.estimators[klass]
        if "lengths" in inspect.signature(estimator.score_samples).parameters:
            raise NoSamplesError(
                f"{type(estimator).__name__} has no distribution of sequence lengths", "sampling needs one"
            )
        if not callable(getattr(estimator, "sample", None)):
            raise NoSamplesError(f"{type(estimator).__name__} has no sample method", "sampling needs one")
        seed = int(rng.integers(2**31))
        if "random_state" in inspect.signature(estimator.sample).parameters:
            drawn = estimator.sample(n, random_state=seed)
        else:
            estimator = copy.copy(estimator)
            if hasattr(estimator, "random_state"):
                estimator.random_state = seed
            drawn = estimator.sample(n)
        rows = np.asarray(drawn[0] if isinstance(drawn, tuple) else drawn, dtype=np.float64)
        return list(rows.reshape(n, -1)[rng.permutation(n)].T)  # mixtures sort samples by component
