"""The prior over classes: estimated from their frequencies, or given."""

from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from suffice.columns.labels import Label
from suffice.errors import ParameterError, quoted
from suffice.families import pseudo_counts as pseudo
from suffice.families.base import Rule
from suffice.families.parameters import ParametersMixin
from suffice.families.settings import number
from suffice.numerics.arrays import AnyArray, FloatArray


class ClassPrior(ParametersMixin, ABC):
    """A prior over the classes, given the weight of their rows."""

    @abstractmethod
    def probabilities(self, weight: FloatArray, classes: Sequence[Label], rule: Rule) -> FloatArray:
        """Probabilities from weights with the class as last axis; probabilities that do not depend on the weights have
        that axis only."""

    def log_density(self, log_p: FloatArray, classes: Sequence[Label], rule: Rule) -> float:
        """Log prior density of the class probabilities themselves, up to a constant, where they are its mode."""
        return 0.0

    @property
    def named(self) -> tuple[Label, ...]:
        """The classes named in it, which exist even without rows."""
        return ()


@dataclass(frozen=True)
class Dirichlet(ClassPrior):
    """π ~ Dirichlet(``alpha``), one number for all classes or a mapping from labels to numbers.

    ``mle`` N_c / N, ``mean`` and ``predictive`` (N_c + α_c) / (N + Σα), ``map`` (N_c + α_c − 1) / (N + Σα − C).

    Parameters
    ----------
    alpha : float or mapping, default=1.0
        Pseudo-count of each class; a mapping gives one for each label.

    Examples
    --------
    >>> from suffice import Dirichlet
    >>> Dirichlet(2.0).probabilities(np.array([3.0, 5.0]), ["ham", "spam"], "mean").round(3)
    array([0.417, 0.583])
    """

    alpha: float | Mapping[Label, float] = 1.0

    def __post_init__(self) -> None:
        for value in self.alpha.values() if isinstance(self.alpha, Mapping) else [self.alpha]:
            number("Dirichlet", "alpha", value)

    def log_density(self, log_p: FloatArray, classes: Sequence[Label], rule: Rule) -> float:
        # the mean of Dirichlet(α) given counts is the mode of Dirichlet(α + 1) given them
        alpha = np.zeros(len(classes)) if rule == "mle" else self._alpha(classes) - (rule == "map")
        return float(np.where(alpha != 0, alpha * log_p, 0.0).sum())

    def probabilities(self, weight: FloatArray, classes: Sequence[Label], rule: Rule) -> FloatArray:
        alpha = self._alpha(classes)
        if rule == "mle":
            return pseudo.mean(weight, 0.0)
        return pseudo.mode(weight, alpha) if rule == "map" else pseudo.mean(weight, alpha)

    def _alpha(self, classes: Sequence[Label]) -> FloatArray:
        if isinstance(self.alpha, Mapping):
            lacking = [c for c in classes if c not in self.alpha]
            if lacking:
                raise ParameterError(f"Dirichlet has no alpha for class {quoted(lacking)}", "every class needs one")
            return np.array([self.alpha[c] for c in classes], dtype=np.float64)
        return np.full(len(classes), float(self.alpha))


@dataclass(frozen=True)
class Empirical(ClassPrior):
    """N_c / N, under any rule.

    Examples
    --------
    >>> from suffice import Empirical
    >>> Empirical().probabilities(np.array([3.0, 5.0]), ["ham", "spam"], "mean")
    array([0.375, 0.625])
    """

    def probabilities(self, weight: FloatArray, classes: Sequence[Label], rule: Rule) -> FloatArray:
        return pseudo.mean(weight, 0.0)


@dataclass(frozen=True)
class Uniform(ClassPrior):
    """Equal probabilities for all classes.

    Examples
    --------
    >>> from suffice import Uniform
    >>> Uniform().probabilities(np.array([3.0, 5.0]), ["ham", "spam"], "mle")
    array([0.5, 0.5])
    """

    def probabilities(self, weight: FloatArray, classes: Sequence[Label], rule: Rule) -> FloatArray:
        return np.full(len(classes), 1.0 / max(1, len(classes)))


@dataclass(frozen=True)
class Given(ClassPrior):
    """Known probabilities: a mapping from labels, or a sequence in the order of the sorted labels. They must sum to one.

    Parameters
    ----------
    values : mapping or sequence of float
        Probabilities by label, or in the order of the sorted labels.

    Examples
    --------
    >>> from suffice import Given
    >>> Given({"ham": 0.8, "spam": 0.2}).probabilities(np.array([3.0, 5.0]), ["ham", "spam"], "mle")
    array([0.8, 0.2])
    """

    values: "Mapping[Label, float] | Sequence[float] | AnyArray"

    @property
    def named(self) -> tuple[Label, ...]:
        return tuple(self.values) if isinstance(self.values, Mapping) else ()

    def probabilities(self, weight: FloatArray, classes: Sequence[Label], rule: Rule) -> FloatArray:
        if isinstance(self.values, Mapping):
            unknown = [c for c in classes if c not in self.values]
            if unknown:
                raise ParameterError(
                    f"The given prior has no probability for class {quoted(unknown)}", "every class needs one"
                )
            p = _as_numbers([self.values[c] for c in classes])
        else:
            p = _as_numbers(self.values)
        if p.shape != (len(classes),):
            raise ParameterError(
                f"Number of priors must match number of classes: {p.size} priors",
                f"the classes are {quoted(tuple(classes))}",
            )
        if not (p >= 0).all():
            raise ParameterError(f"Priors must be non-negative: {p.tolist()}")
        if not np.isclose(p.sum(), 1.0):
            raise ParameterError(f"The sum of the priors should be 1, not {p.sum():g}")
        return np.asarray(p / p.sum())


def _as_numbers(values: object) -> FloatArray:
    try:
        return np.asarray(values, dtype=np.float64)
    except (TypeError, ValueError):
        raise ParameterError(f"The given prior is {values!r}", "probabilities are numbers") from None


def as_class_prior(value: object) -> ClassPrior:
    """``None`` is Dirichlet(1); ``"mle"`` is Empirical, ``"uniform"`` Uniform; a mapping or a sequence is ``Given``."""
    if value is None:
        return Dirichlet(1.0)
    if isinstance(value, ClassPrior):
        return value
    if isinstance(value, str):
        named = {"mle": Empirical(), "uniform": Uniform(), "dirichlet": Dirichlet(1.0)}
        if value not in named:
            raise ParameterError(
                f"prior is {value!r}",
                f"it must be one of {quoted(tuple(named))}, a ClassPrior, a mapping or a sequence",
            )
        return named[value]
    if isinstance(value, (Mapping, Sequence, np.ndarray)):
        return Given(value)
    raise ParameterError(
        f"prior is {value!r}", "it must be a ClassPrior, a name, a mapping or a sequence of probabilities"
    )
