"""Log-normal columns: a Gaussian on the logarithm."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import ClassVar

import numpy as np

from suffice.columns.blocks import Numbers
from suffice.columns.class_codes import ClassCodes
from suffice.columns.kinds import Name
from suffice.errors import ParameterError
from suffice.families.base import Rule
from suffice.families.by_column import ByColumn
from suffice.families.forms import CrossingDensity, QuadraticDensity, StudentDensity
from suffice.families.gaussian import Gaussian
from suffice.families.support import refuse_below, refuse_infinite, smallest
from suffice.numerics.arrays import AnyArray, FloatArray
from suffice.statistics import Moments


def logarithms(block: Numbers, family: str) -> Numbers:
    """log x of every cell. Raises for values that are not positive, naming the column."""
    refuse_below(block, smallest(block), 0.0, family, strict=True)
    refuse_infinite(block, family)
    return Numbers(block.names, np.log(block.dense, dtype=np.float64))


@dataclass(frozen=True)
class LogNormal(ByColumn[Moments]):
    """log x ~ N(μ, σ²), column by column; ``on_log`` is the Gaussian of the logarithm, with its prior.

    Parameters
    ----------
    on_log : Gaussian, default=Gaussian()
        The family of log x, with its prior.

    Examples
    --------
    >>> LogNormal()
    LogNormal(on_log=Gaussian(mean=None, mean_weight=1.0, variance=None, variance_weight=1.0, floor=1e-09))
    """

    on_log: Gaussian = field(default_factory=Gaussian)

    transforms: ClassVar[bool] = True

    def __post_init__(self) -> None:
        if not isinstance(self.on_log, Gaussian):
            raise ParameterError(f"LogNormal's on_log is {self.on_log!r}", "it must be a Gaussian")

    def observe(self, block: Numbers, y: ClassCodes, threads: int) -> Moments:
        return self.on_log.observe(logarithms(block, "LogNormal"), y, threads)

    def from_statistics(self, statistic: Moments, pooled: Moments, rule: Rule) -> "LogNormalDensity":
        return LogNormalDensity(self.on_log.from_statistics(statistic, pooled, rule))

    def log_evidence(self, statistic: Moments) -> FloatArray:
        return np.asarray(self.on_log.log_evidence(statistic) - (statistic.weight * statistic.mean).sum(axis=0))


class LogNormalDensity(CrossingDensity):
    """The density of x when log x has a given one: the Jacobian 1/x is the same in every class."""

    def __init__(self, log_density: "QuadraticDensity | StudentDensity") -> None:
        self.of_log = log_density
        self.n_classes = log_density.n_classes

    def add_to(self, out: FloatArray, block: Numbers, threads: int) -> None:
        logs = logarithms(block, "LogNormal")
        self.of_log.add_to(out, logs, threads)
        out -= np.nansum(logs.dense, axis=1, keepdims=True)

    def cell_log_density(self, x: FloatArray, klass: int | slice) -> FloatArray:
        logs = np.log(x)
        return np.asarray(self.of_log.cell_log_density(logs, klass) - logs)

    def column(self, j: int) -> "LogNormalDensity":
        return LogNormalDensity(self.of_log.column(j))

    def crossings(self, a: int, b: int, offset: float) -> FloatArray:
        with np.errstate(over="ignore"):
            found = np.exp(self.of_log.crossings(a, b, offset))
        return found[np.isfinite(found) & (found > 0)]

    def evidence(self, block: Numbers) -> tuple[list[str], FloatArray]:
        logs = logarithms(block, "LogNormal")
        names, parts = self.of_log.evidence(logs)
        return names, parts - np.nan_to_num(logs.dense)[:, :, None]

    def sample(self, klass: int, n: int, rng: "np.random.Generator") -> list[AnyArray]:
        return [np.exp(column) for column in self.of_log.sample(klass, n, rng)]

    def linear_terms(self, names: Sequence[Name]) -> tuple[list[str], FloatArray]:
        return self.of_log.linear_terms([f"log {n}" for n in names])

    def linear_features(self, block: Numbers) -> FloatArray:
        return self.of_log.linear_features(logarithms(block, "LogNormal"))
