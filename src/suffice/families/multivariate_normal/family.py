"""The multivariate normal with the normal-inverse-Wishart prior: Gaussian discriminant analysis."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from itertools import combinations
from typing import ClassVar, Literal, TypeVar, get_args

import numpy as np

from suffice.columns.blocks import Numbers
from suffice.columns.class_codes import ClassCodes
from suffice.columns.kinds import Name
from suffice.columns.labels import Label
from suffice.errors import DataError, ParameterError, quoted
from suffice.families.base import Family, Rule
from suffice.families.gaussian import StudentT, student_t
from suffice.families.given_parameters import ROWS, ByClass, GivenParameters, by_class, check_within
from suffice.families.multivariate_normal import evidence, pattern, shrinkage
from suffice.families.multivariate_normal.left_out import left_out_rows
from suffice.families.multivariate_normal.normals import NormalDensities
from suffice.families.settings import number
from suffice.families.support import check_finite, refuse_infinite, refuse_vanishing
from suffice.numerics import kernels
from suffice.numerics.arrays import FloatArray
from suffice.numerics.covariances import Covariance, Matrix
from suffice.statistics import Scatter, WideScatter

Shape = Literal["full", "tied", "diagonal", "tied_diagonal", "spherical", "tied_spherical"]

M = TypeVar("M", bound=Matrix)

WIDE = 1024  # columns; beyond, the full matrix is not formed


@dataclass(frozen=True)
class MultivariateNormal(Family[Numbers, Scatter | WideScatter]):
    """x ~ N(μ, Σ) over all the columns of the block: Gaussian discriminant analysis.

    ``covariance`` constrains Σ: one for each class (``"full"``), shared by all (``"tied"``, whose posterior is
    logistic), without correlations (``"diagonal"``), or one variance for all columns (``"spherical"``); the last two also
    ``"tied_…"``. ``pattern=[("height", "weight"), …]`` allows correlation of the named pairs only. ``pooling``,
    from 0 to 1, shrinks each class's matrix toward the shared one (regularised discriminant analysis). ``shrinkage`` reduces
    every correlation by a share: a number, ``"oas"`` (the oracle approximation of Chen, Wiesel, Eldar and Hero)
    or ``"loo"`` (the share of largest leave-one-out likelihood).

    The prior has the weight of ``mean_weight`` rows at the mean of all classes together and ``covariance_weight`` rows whose
    covariance is the diagonal of the column variances over all classes (normal-inverse-Wishart, κ₀ = mean_weight,
    ν₀ = covariance_weight + d + 1). With n rows of scatter M: ``mle`` M / n; ``mean``
    (covariance_weight · S₀ + M + shift) / (covariance_weight + n); ``map`` the same numerator over
    (covariance_weight + n + 2d + 3); ``predictive`` the multivariate Student t. A diagonal has that prior with d = 1 in each
    column, and so a product of Student t's; a single variance has (covariance_weight + n) · d + 2 degrees of freedom. The tied
    forms pool the scatter around each class's own mean, and ``map`` has a mean of every class to be the mode of; under ``mle``
    without shrinkage a class with no more complete rows than columns pools, too.
    Singular directions, and no others, get ``floor`` times the column variances.

    Fitting skips rows with a missing cell; prediction integrates missing cells out. Beyond 1,024 columns the scatter is
    stored as a few outer products, and the full matrix is never formed.

    Parameters
    ----------
    covariance : {"full", "tied", "diagonal", "tied_diagonal", "spherical", "tied_spherical"}, default="full"
        Constraint on Σ; tied forms share one matrix among all classes.
    mean_weight : float, default=1.0
        Rows that the prior mean counts for.
    covariance_weight : float, default=1.0
        Rows that the prior covariance counts for.
    floor : float, default=1e-9
        Variance of singular directions, relative to the column variances.
    shrinkage : float, "oas", "loo" or None, default=None
        Share by which correlations are shrunk toward 0.
    pooling : float, default=0.0
        Share from 0 to 1 by which the matrix of a class is shrunk toward the pooled one.
    pattern : iterable of pairs or None, default=None
        The only pairs of columns that may be correlated.

    Examples
    --------
    >>> from suffice import BayesClassifier, MultivariateNormal
    >>> rows, y = [[0.0, 0.0], [1.0, 1.0], [2.0, 0.5], [5.0, 6.0], [6.0, 5.0], [7.0, 7.0]], list("aaabbb")
    >>> BayesClassifier(MultivariateNormal("tied")).fit(rows, y).predict([[1.0, 2.0]]).tolist()
    ['a']
    """

    covariance: Shape = "full"
    mean_weight: float = 1.0
    covariance_weight: float = 1.0
    floor: float = 1e-9
    shrinkage: float | Literal["oas", "loo"] | None = None
    pooling: float = 0.0
    pattern: Iterable[tuple[Name, Name]] | None = None
    places: tuple[tuple[int, int], ...] = field(default=(), repr=False)
    """The pairs of the pattern as positions in the block; set when the block is known."""

    joint: ClassVar[bool] = True

    def __post_init__(self) -> None:
        if self.covariance not in get_args(Shape):
            raise ParameterError(
                f"MultivariateNormal's covariance is {self.covariance!r}",
                f"it must be one of {', '.join(map(repr, get_args(Shape)))}",
            )
        for name in ("mean_weight", "covariance_weight", "floor"):
            number("MultivariateNormal", name, getattr(self, name))
        number("MultivariateNormal", "pooling", self.pooling, most=1.0)
        if self.shrinkage not in ("oas", "loo"):
            number("MultivariateNormal", "shrinkage", self.shrinkage, most=1.0, optional=True)
        if self.pattern is not None:
            pairs = pattern.checked(self.pattern)
            if self.covariance not in ("full", "tied"):
                raise ParameterError(
                    f"MultivariateNormal got a pattern with covariance={self.covariance!r}",
                    "only 'full' and 'tied' have correlations to choose from",
                )
            object.__setattr__(self, "pattern", pairs)

    def for_columns(self, columns: Sequence[Name]) -> "MultivariateNormal":
        if self.pattern is None:
            return self
        if len(columns) > WIDE:
            raise ParameterError(
                f"A pattern was given for a block of {len(columns)} columns", f"a pattern needs at most {WIDE}"
            )
        place = {name: i for i, name in enumerate(columns)}
        unknown = [name for pair in self.pattern for name in pair if name not in place]
        if unknown:
            raise ParameterError(
                f"The pattern names {quoted(unknown)}", f"the columns of the block are {quoted(list(columns), most=10)}"
            )
        return replace(self, places=tuple((place[a], place[b]) for a, b in self.pattern))

    @classmethod
    def given(cls, mean: ByClass, covariance: ByClass) -> GivenParameters[Numbers, Scatter | WideScatter]:
        """Columns of N(mean, covariance): vectors and matrices, each a mapping from class, or one for all classes."""
        classes, (centre, spread) = by_class("MultivariateNormal", mean=mean, covariance=covariance)
        d = centre.shape[-1]
        if centre.ndim != 2 or spread.shape != (len(classes), d, d):
            raise DataError(
                f"MultivariateNormal.given has means of shape {centre.shape[1:]} and covariances of shape {spread.shape[1:]}",
                "d numbers and a matrix of d rows and d columns are needed",
            )
        check_within(
            "MultivariateNormal", "smallest eigenvalue", np.linalg.eigvalsh(spread)[:, 0].astype(np.float64), 0
        )
        return GivenParameters(cls(), classes, Scatter.of(np.full(len(classes), ROWS), centre, ROWS * spread), d)

    def observe(self, block: Numbers, y: ClassCodes, threads: int) -> Scatter | WideScatter:
        if len(block.names) > WIDE:
            return _observe_wide(block, y)
        n, mean, m2 = kernels.scatter(block.dense, y.codes, y.n_classes, y.weight, threads)
        check_finite(block, m2, "MultivariateNormal")
        return Scatter.of(n, mean, m2)

    def check(self, statistic: Scatter | WideScatter, columns: Sequence[Name], classes: Sequence[Label]) -> None:
        seen = np.broadcast_to(statistic.weight[:, None] > 0, statistic.mean.shape)
        centre = statistic.weight @ statistic.mean / max(float(statistic.weight.sum()), 1e-300)
        squares = statistic.variations.sum(axis=0) + statistic.weight @ (statistic.mean - centre) ** 2
        refuse_vanishing(seen, statistic.mean, squares, columns, "MultivariateNormal")

    def estimate(
        self, statistic: Scatter | WideScatter, rule: Rule, classes: Sequence[Label]
    ) -> NormalDensities | StudentT:
        own = [statistic.matrix(c) for c in range(len(statistic.weight))]
        mean, made, dof = self._parameters(statistic.weight, statistic.mean, own, statistic.variations, rule)
        if dof is not None and self._is_by_column:
            scale = np.stack([m.variances for m in made])
            return student_t(mean, scale, dof[:, None], scale <= 0)
        if self.pattern is not None:
            made = [pattern.only(m, self.places) for m in made]
        return NormalDensities(mean, tuple(made), dof)

    def _parameters(
        self, n: FloatArray, mean: FloatArray, own: Sequence[M], variations: FloatArray, rule: Rule
    ) -> tuple[FloatArray, list[M], FloatArray | None]:
        """Means, covariances and degrees of freedom from the weight, mean, scatter matrix and its diagonal of each class.

        After the class axis, each may have one more axis: ``own`` are then stacks of matrices.
        """
        columns = mean.shape[-1]
        mean, own, variances = self._updated(n, mean, own, variations, rule)
        kappa = n if rule == "mle" else self.mean_weight + n
        pools = self._pools(own, n, rule)
        prior_rows = 0.0 if rule == "mle" else self.covariance_weight
        means = np.count_nonzero(kappa, axis=0) if self.covariance.startswith("tied") else 1
        live = np.maximum(np.count_nonzero(variances, axis=-1), 1)
        added = self._added(rule, live, columns, means)
        made = [self._made(matrix, rows, variances, prior_rows, added) for matrix, rows in pools]
        if rule != "predictive":
            return mean, made, None
        made = made * len(n) if len(made) == 1 else made
        shared = live if "spherical" in self.covariance else 1
        dof = np.broadcast_to(np.array([(rows + prior_rows) * shared + 2 for _, rows in pools]), n.shape)
        widened = 1 + 1 / np.maximum(kappa, 1e-12)
        return mean, [m.scaled(w) for m, w in zip(made, widened, strict=True)], dof

    @property
    def _is_by_column(self) -> bool:
        """Whether columns have variances of their own, and no correlations."""
        return "diagonal" in self.covariance

    def _added(self, rule: Rule, live: FloatArray | int, columns: int, means: FloatArray | int) -> FloatArray | float:
        """The constant in the divisor of a scatter matrix besides the rows of the matrix and of its prior; the joint
        prior is over ``means`` means."""
        if rule not in ("map", "predictive"):
            return 0.0
        if "spherical" in self.covariance:
            return 4 / live + means if rule == "map" else 2 / live
        return 2 * (1 if self._is_by_column else columns) + 2 + means if rule == "map" else 2.0

    def _updated(
        self, n: FloatArray, mean: FloatArray, own: Sequence[M], variations: FloatArray, rule: Rule
    ) -> tuple[FloatArray, Sequence[M], FloatArray]:
        """Means and scatter with the prior's rows at the centre of all classes, and the variances of the columns."""
        total = np.maximum(n.sum(axis=0), 1e-300)[..., None]
        centre = (n[..., None] * mean).sum(axis=0) / total
        away = mean - centre
        variances = (variations + n[..., None] * away**2).sum(axis=0) / total
        silent = variances <= (1e-14 * np.abs(centre)) ** 2
        variances = np.where(silent, 0.0, variances)
        kappa = n if rule == "mle" else self.mean_weight + n
        share = np.divide(n, kappa, out=np.zeros_like(n), where=kappa > 0)
        if rule != "mle":
            shift = np.sqrt(self.mean_weight * share)[..., None] * away
            own = [m.plus_outer(s) if s.any() else m for m, s in zip(own, shift, strict=True)]
        if silent.any():
            own = [m.zeroed(silent) for m in own]
        return centre + share[..., None] * away, own, variances

    def free_entries(self, columns: int, most: int) -> list[tuple[int, int]]:
        """The entries of a covariance matrix that are estimated, by row: the diagonal, and above it all, if there are no more
        than ``most`` columns, those of the pattern, or none."""
        if self.pattern is not None:
            pairs = {(min(pair), max(pair)) for pair in self.places}
        else:
            free = self.covariance in ("full", "tied") and columns <= most
            pairs = set(combinations(range(columns), 2)) if free else set()
        return sorted(pairs | {(j, j) for j in range(columns)})

    def log_evidence(self, statistic: Scatter | WideScatter) -> FloatArray:
        plain = self.pooling == 0 and self.pattern is None and not self.shrinkage
        if not plain or self.covariance not in ("full", "tied") or 0 in (self.mean_weight, self.covariance_weight):
            return super().log_evidence(statistic)
        own: Sequence[Covariance] = [statistic.matrix(c) for c in range(len(statistic.weight))]
        n = statistic.weight
        _, own, variances = self._updated(n, statistic.mean, own, statistic.variations, "mean")
        prior = self.covariance_weight * variances
        after = [matrix.plus_diagonal(prior) for matrix, _ in self._pools(own, n, "mean")]
        before = own[0].scaled(0.0).plus_diagonal(prior)
        nu0 = self.covariance_weight + statistic.mean.shape[1] + 1
        return np.array([evidence.log_evidence(n, self.mean_weight, nu0, before, after)])

    def _pools(self, own: Sequence[M], n: FloatArray, rule: Rule) -> list[tuple[M, FloatArray]]:
        """Scatter matrices with their rows: one for all classes, or one each."""
        shared = own[0]
        for matrix in own[1:]:
            shared = shared.plus(matrix)
        total = n.sum(axis=0)
        if self.covariance.startswith("tied"):
            return [(shared, total)]
        few = (n <= shared.variances.shape[-1]) & (rule == "mle") & (self.shrinkage is None)
        toward = np.where(few, 1.0, self.pooling)
        return [
            (m, rows) if not t.any() else (m.scaled(1 - t).plus(shared.scaled(t)), (1 - t) * rows + t * total)
            for m, rows, t in zip(own, n, toward, strict=True)
        ]

    def _made(
        self, scatter: M, rows: FloatArray, variances: FloatArray, prior_rows: float, added: FloatArray | float
    ) -> M:
        """The covariance matrix estimated from scatter and prior."""
        divisor = rows + prior_rows
        if not np.any(divisor > 0):  # no complete row and no prior: the variances of the column
            return scatter.scaled(0.0).plus_diagonal(variances)
        divisor = divisor + added
        made = scatter.plus_diagonal(prior_rows * variances).scaled(1 / np.where(divisor > 0, divisor, 1.0))
        share = self._share(scatter, rows)
        if share > 0:
            made = made.scaled(1 - share).plus_diagonal(share * made.variances)
        if self.covariance not in ("full", "tied"):
            made = made.without_correlations()
        if "spherical" in self.covariance:
            live = variances > 0
            each = (made.variances * live).sum(axis=-1, keepdims=True) / np.maximum(live.sum(axis=-1, keepdims=True), 1)
            made = made.scaled(0.0).plus_diagonal(np.where(live, each, 0.0))
        return made.floored(max(self.floor, 1e-12), variances)

    def _share(self, scatter: Matrix, rows: FloatArray) -> float:
        if not isinstance(self.shrinkage, str):
            return float(self.shrinkage or 0.0)
        assert isinstance(scatter, Covariance)
        choose = shrinkage.oas if self.shrinkage == "oas" else shrinkage.leave_one_out
        return choose(scatter, float(rows))

    def left_out(
        self,
        statistic: Scatter | WideScatter,
        rule: Rule,
        classes: Sequence[Label],
        block: Numbers,
        y: ClassCodes,
        threads: int,
    ) -> FloatArray:
        """One small matrix per row and class. With a data-driven shrinkage, a pattern, wide blocks, and for rows without which
        a matrix is nearly singular, the density is re-estimated."""
        out = self.estimate(statistic, rule, classes).log_density(
            block, threads
        )  # correct for rows with a missing cell
        rows = np.flatnonzero(~np.isnan(block.dense).any(axis=1))
        if isinstance(statistic, Scatter) and not isinstance(self.shrinkage, str) and self.pattern is None:
            x, w = block.dense[rows].astype(np.float64), y.weights[rows]
            has_prior = rule != "mle" and self.covariance_weight > 0
            out[rows], good = left_out_rows(
                partial(self._parameters, rule=rule),
                statistic,
                x,
                y.codes[rows],
                w,
                has_prior=has_prior,
                by_column=self._is_by_column,
            )
            rows = rows[~good]
        if len(rows):
            out[rows] = super().left_out(statistic, rule, classes, block.take(rows), y[rows], threads)
        return out


def _observe_wide(block: Numbers, y: ClassCodes) -> WideScatter:
    """Count in batches with at most as many rows as columns."""
    refuse_infinite(block, "MultivariateNormal")
    columns = len(block.names)
    total: WideScatter | None = None
    for start in range(0, max(block.rows, 1), columns):
        rows = slice(start, start + columns)
        x = block.dense[rows].astype(np.float64, copy=False)
        with np.errstate(over="ignore"):
            part = WideScatter.of(x, y[rows])
            check_finite(block, part.variations, "MultivariateNormal")
        total = part if total is None else total + part
    assert total is not None
    return total
