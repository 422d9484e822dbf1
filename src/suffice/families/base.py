"""The interface of a family: its statistic, and the class densities estimated from it under a rule."""

from abc import ABC, abstractmethod
from collections.abc import Sequence
from typing import Any, ClassVar, Generic, Literal, TypeAlias, TypeVar, get_args

import numpy as np

from suffice.columns.blocks import Cells, Levels, Numbers
from suffice.columns.class_codes import ClassCodes
from suffice.columns.kinds import Name
from suffice.columns.labels import Label
from suffice.columns.level_codes import KnownLevels
from suffice.errors import NotLinearError, ParameterError
from suffice.families.parameters import ParametersMixin
from suffice.families.weights import BlockWeights, ColumnWeights
from suffice.numerics.arrays import AnyArray, FloatArray
from suffice.statistics import Statistic

Rule: TypeAlias = Literal["mle", "map", "mean", "predictive"]
"""How densities are estimated from a statistic: maximum likelihood; the mode or the mean of the posterior over parameters,
plugged in; or the parameters integrated out."""

Reads: TypeAlias = Literal["numbers", "levels", "objects", "documents", "terms"]

B = TypeVar("B", bound=Cells, contravariant=True)
S = TypeVar("S", bound=Statistic)


def check_rule(rule: str) -> Rule:
    if rule not in get_args(Rule):
        raise ParameterError(f"estimate is {rule!r}", f"it must be one of {', '.join(map(repr, get_args(Rule)))}")
    return rule  # type: ignore[return-value]


class ClassDensities(ABC, Generic[B]):
    """p(block | class) for every class at once, of blocks of type ``B``."""

    n_classes: int

    @abstractmethod
    def add_to(self, out: FloatArray, block: B, threads: int) -> None:
        """out[row, class] += log p(row's cells | class). Missing cells add nothing."""

    def add_odds_to(self, out: FloatArray, block: B, threads: int) -> None:
        """As ``add_to``, up to a constant per row."""
        self.add_to(out, block, threads)

    @abstractmethod
    def sample(self, klass: int, n: int, rng: "np.random.Generator") -> list[AnyArray]:
        """``n`` draws from one class, by column. (The annotation is a string, since the type imports numpy's
        generators.)"""

    def check_density(self) -> None:
        """Raise if the scores are not a density: they then do not integrate to one, and cannot be sampled."""
        return

    def log_density(self, block: B, threads: int = 1) -> FloatArray:
        """log p(row's cells | class), (rows, classes)."""
        scores = np.zeros((block.rows, self.n_classes))
        self.add_to(scores, block, threads)
        return scores

    def evidence(self, block: B) -> tuple[list[str], FloatArray]:
        """The terms of the log density: names, and (rows, terms, classes)."""
        return [", ".join(str(n) for n in block.names)], self.log_density(block)[:, None, :]

    @property
    def log_prior_density(self) -> float:
        """Log prior density of the parameters, up to a constant, if they are a posterior mode under it."""
        return 0.0

    def weighted(self, weights: BlockWeights) -> "ClassDensities[B]":
        """The log density times a weight, or the sum of its scores with one weight each."""
        assert isinstance(weights, ColumnWeights)
        return WeightedDensity(self, float(weights.values[0]))

    @property
    def known_levels(self) -> KnownLevels | None:
        """The levels of a density over levels."""
        return None

    def linear_terms(self, names: Sequence[Name]) -> tuple[list[str], FloatArray]:
        """Names of the features φ and their weights β (classes, features), if log p is linear in them."""
        raise NotLinearError(
            f"log p({', '.join(str(n) for n in names[:5])} | class) is not linear in any fixed features of the row",
            "the plug-in rules of the exponential families are",
            "Use estimate='mean', 'map' or 'mle' and a family other than Density",
        )

    def linear_features(self, block: B) -> FloatArray:
        """φ (rows, features), beside the weights of ``linear_terms``."""
        self.linear_terms(block.names)  # raises
        raise AssertionError("a density with linear terms must have linear features")


class WeightedDensity(ClassDensities[B]):
    """A log density times a weight."""

    def __init__(self, density: ClassDensities[B], weight: float) -> None:
        self.density, self.weight, self.n_classes = density, weight, density.n_classes

    def add_to(self, out: FloatArray, block: B, threads: int) -> None:
        if self.weight:  # zero times −∞ is zero
            out += self.weight * self.density.log_density(block, threads)

    def evidence(self, block: B) -> tuple[list[str], FloatArray]:
        names, parts = self.density.evidence(block)
        return names, self.weight * parts if self.weight else np.zeros_like(parts)

    @property
    def known_levels(self) -> KnownLevels | None:
        return self.density.known_levels

    def linear_terms(self, names: Sequence[Name]) -> tuple[list[str], FloatArray]:
        features, beta = self.density.linear_terms(names)
        return features, self.weight * beta

    def linear_features(self, block: B) -> FloatArray:
        return self.density.linear_features(block)

    def check_density(self) -> None:
        self.density.check_density()

    def sample(self, klass: int, n: int, rng: "np.random.Generator") -> list[AnyArray]:
        return self.density.sample(klass, n, rng)


class Family(ParametersMixin, ABC, Generic[B, S]):
    """A frozen dataclass of hyper-parameters.

    It counts blocks of type ``B`` in a statistic of type ``S``, from which it estimates densities.
    """

    reads: ClassVar[Reads] = "numbers"
    joint: ClassVar[bool] = False
    """Whether columns are modelled jointly (a bag of words) rather than as independent given the class."""
    takes_sparse: ClassVar[bool] = False
    needs_all_rows: ClassVar[bool] = False
    """Whether it needs all rows of a fit at once, since its statistic is not additive."""
    has_rule: ClassVar[bool] = True
    """Whether ``estimate`` depends on the rule."""
    transforms: ClassVar[bool] = False
    """Whether reading a block copies it, so that large arrays are read in batches."""

    @abstractmethod
    def observe(self, block: B, y: ClassCodes, threads: int) -> S:
        """The statistic of these rows. Raises for values outside the support, naming the column."""

    @property
    def is_by_column(self) -> bool:
        """Whether settings have one value per column, in the order of the columns."""
        return False

    def for_columns(self, columns: Sequence[Name]) -> "Family[B, S]":
        """The family for these columns in this order. Raises for settings that name other columns."""
        return self

    @property
    def is_weighted(self) -> bool:
        """Whether its scores are always weighted, whatever the other columns are."""
        return False

    @property
    def textbook(self) -> "AnyFamily":
        """The family with a likelihood over the same columns: itself, unless its scores are not a likelihood."""
        return self

    @property
    def is_corrected(self) -> bool:
        """Whether a ridge correction of its words is fitted."""
        return False

    inspects_first_rows: ClassVar[bool] = False
    """Whether settings are derived from the first rows."""

    def for_block(self, block: B) -> "Family[B, S]":
        """The family with settings derived from the first rows."""
        return self

    def inspecting(self, block: B) -> "Family[B, S]":
        """The family with those settings derived from other rows."""
        return self

    def is_compatible(self, statistic: S, *, exactly: bool) -> bool:
        """Whether a statistic suffices for these settings; if ``exactly``, whether it is the one they produce."""
        return True

    def check(self, statistic: S, columns: Sequence[Name], classes: Sequence[Label]) -> None:
        """Raise if no density can be estimated from the statistic of all learned rows, naming the column."""
        return

    def is_mergeable_with(self, other: "AnyFamily") -> bool:
        """Whether the statistics of both families add."""
        return type(self) is type(other)

    @abstractmethod
    def estimate(self, statistic: S, rule: Rule, classes: Sequence[Label]) -> ClassDensities[B]:
        """The densities of all classes, estimated together so that a family may pool."""

    def log_evidence(self, statistic: S) -> FloatArray:
        """log p(all cells that were counted | their classes), the parameters integrated out under the prior: one number
        per column, or one for a joint block. Prior parameters derived from the rows are treated as given."""
        raise ParameterError(
            f"{self} has no marginal likelihood in closed form",
            "families with a proper conjugate prior do: Bernoulli, Categorical, CountTable, Exponential, Gaussian, "
            "LogNormal, Multinomial, MultivariateNormal with 'full' or 'tied' covariance, Poisson",
        )

    def left_out(
        self,
        statistic: S,
        rule: Rule,
        classes: Sequence[Label],
        block: B,
        y: ClassCodes,
        threads: int,
    ) -> FloatArray:
        """log p(row's cells | class), (rows, classes), for rows that were learned, leave-one-out.

        The row is subtracted from the whole statistic, so pooled estimates change for every class.
        This default estimates the density again for each distinct row: exact for any family, slow for large ones.
        Families override it where a closed form exists.
        """
        out = np.empty((block.rows, len(classes)))
        done: dict[bytes, int] = {}
        cells = _cells(block)
        for r in range(block.rows):
            one = y[r : r + 1]
            if cells is not None:
                key = cells[r].tobytes() + one.codes.tobytes() + (b"" if one.weight is None else one.weight.tobytes())
                first = done.setdefault(key, r)
                if first < r:
                    out[r] = out[first]
                    continue
            row = block.take(slice(r, r + 1))
            less = statistic - self.observe(row, one, threads)
            out[r] = self.estimate(less, rule, classes).log_density(row, threads)[0]
        return out


AnyDensities: TypeAlias = ClassDensities[Any]
"""Densities with an erased block type, as in a model."""

AnyFamily: TypeAlias = Family[Any, Any]
"""A family with erased types of block and statistic."""


def _cells(block: Cells) -> AnyArray | None:
    """The cells of each row as bytes, equal for equal rows."""
    if isinstance(block, Levels):
        return np.ascontiguousarray(block.codes)
    if isinstance(block, Numbers) and isinstance(block.values, np.ndarray):
        return np.ascontiguousarray(block.values)
    return None
