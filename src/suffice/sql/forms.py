"""Each form of log density as an expression of the cells. Missing cells are NULL, and add nothing."""

from collections.abc import Sequence
from functools import singledispatch
from itertools import product as combinations

import numpy as np
from scipy.special import betaln, gammaln

from suffice.columns.blocks import starts
from suffice.columns.kinds import Name
from suffice.errors import NoSqlError
from suffice.families.base import Density
from suffice.families.count_table import TruncatedCounts
from suffice.families.exponential import Lomax
from suffice.families.forms import LevelTable, Linear, Quadratic, Step, Student
from suffice.families.gamma import Amounts, BetaPrime
from suffice.families.log_normal import OnLog
from suffice.families.multinomial import Polya
from suffice.families.multivariate_normal import Normals
from suffice.families.poisson import Counting, NegativeBinomial
from suffice.numerics.arrays import AnyArray, FloatArray
from suffice.sql.cells import Cells
from suffice.sql.expressions import literal, total

_FEW = 5  # correlated columns whose missing cells are summed out, one pattern of them after the other


@singledispatch
def log_densities(density: Density, names: Sequence[Name], cells: Cells) -> list[str]:
    """log p(the cells of these columns | class), an expression a class."""
    raise NoSqlError(
        f"Column {', '.join(repr(n) for n in names[:5])} is modelled by {type(density).__name__}",
        "it has no form in SQL; those of numbers, counts, categories and truth values have",
        "Score the rows in Python, or leave that column out",
    )


def _by_cell(density: Density, terms: Sequence[Sequence[str | None]]) -> list[str]:
    """A sum over the cells that are there; ``terms[column][class]`` is None where nothing is said."""
    return [
        total([f"COALESCE({column[c]}, 0e0)" for column in terms if column[c] is not None])
        for c in range(density.n_classes)
    ]


@log_densities.register
def _(density: Linear, names: Sequence[Name], cells: Cells) -> list[str]:
    return _by_cell(density, [_linear(density, j, cells.number(name), cells) for j, name in enumerate(names)])


def _linear(density: Linear, j: int, x: str, cells: Cells) -> list[str | None]:
    out: list[str | None] = []
    for constant, slope in zip(density.constant[:, j], density.slope[:, j], strict=True):
        if np.isneginf(slope):  # 0 · −inf is 0 here
            out.append(
                f"CASE WHEN {x} = 0 THEN {literal(constant)} WHEN {x} <> 0 THEN {cells.dialect.literal(slope)} END"
            )
        else:
            out.append(f"({literal(constant)} + {literal(slope)} * {x})" if constant or slope else None)
    return out


@log_densities.register
def _(density: Counting, names: Sequence[Name], cells: Cells) -> list[str]:
    scores = log_densities.dispatch(Linear)(density, names, cells)
    factorials = [f"COALESCE({cells.dialect.log_gamma(f'({cells.number(n)} + 1e0)')}, 0e0)" for n in names]
    return [f"({score} - {total(factorials)})" for score in scores]


@log_densities.register
def _(density: Step, names: Sequence[Name], cells: Cells) -> list[str]:
    at, spelled = literal(density.threshold), cells.dialect.literal
    terms = []
    for j, name in enumerate(names):
        x = cells.truth(name)
        pairs = zip(density.above[:, j], density.below[:, j], strict=True)
        terms.append(
            [f"CASE WHEN {x} > {at} THEN {spelled(a)} WHEN {x} <= {at} THEN {spelled(b)} END" for a, b in pairs]
        )
    return _by_cell(density, terms)


@log_densities.register
def _(density: Quadratic, names: Sequence[Name], cells: Cells) -> list[str]:
    return _quadratic(density, [cells.number(name) for name in names])


def _quadratic(density: Quadratic, xs: Sequence[str]) -> list[str]:
    terms: list[list[str | None]] = []
    for j, x in enumerate(xs):
        each = zip(density.constant[:, j], density.centre[:, j], density.curvature[:, j], strict=True)
        terms.append([f"({literal(k)} - {literal(q)} * {_squared(x, m)})" if k or q else None for k, m, q in each])
    return _by_cell(density, terms)


def _squared(x: str, centre: float) -> str:
    away = f"({x} - {literal(centre)})"
    return f"{away} * {away}"


@log_densities.register
def _(density: Student, names: Sequence[Name], cells: Cells) -> list[str]:
    return _student(density, [cells.number(name) for name in names])


def _student(density: Student, xs: Sequence[str]) -> list[str]:
    terms: list[list[str | None]] = []
    for j, x in enumerate(xs):
        parts = (density.constant, density.centre, density.curvature, density.power)
        each = zip(*(part[:, j] for part in parts), strict=True)
        terms.append([
            f"({literal(k)} - {literal(p)} * ln(1e0 + {literal(q)} * {_squared(x, m)}))" if k or p else None
            for k, m, q, p in each
        ])  # fmt: skip
    return _by_cell(density, terms)


@log_densities.register
def _(density: OnLog, names: Sequence[Name], cells: Cells) -> list[str]:
    logs = [f"ln({cells.number(name)})" for name in names]
    if isinstance(density.of_log, Student):
        scores = _student(density.of_log, logs)
    else:
        assert isinstance(density.of_log, Quadratic)
        scores = _quadratic(density.of_log, logs)
    jacobian = total([f"COALESCE({log}, 0e0)" for log in logs])
    return [f"({score} - {jacobian})" for score in scores]


@log_densities.register
def _(density: LevelTable, names: Sequence[Name], cells: Cells) -> list[str]:
    terms: list[list[str | None]] = []
    start = starts(density.levels)
    for j, (name, levels) in enumerate(zip(names, density.levels, strict=True)):
        if not len(levels):
            continue
        cell, spelled = cells.level(name, levels)
        table = density.table[:, start[j] : start[j + 1]]
        terms.append([_chosen(cell, spelled, row, cells) for row in table])
    return _by_cell(density, terms)


def _chosen(cell: str, spelled: Sequence[str | None], values: FloatArray, cells: Cells) -> str:
    """The value of the level that a cell has; NULL of an unknown one."""
    pairs = zip(spelled, values, strict=True)
    choices = " ".join(f"WHEN {s} THEN {cells.dialect.literal(v)}" for s, v in pairs if s is not None)
    return f"CASE {cell} {choices} END" if choices else "NULL"


@log_densities.register
def _(density: TruncatedCounts, names: Sequence[Name], cells: Cells) -> list[str]:
    terms = []
    for j, name in enumerate(names):
        x, last = cells.number(name), density.size - 1
        column = []
        for row in density.log_theta[:, j]:
            values = [cells.dialect.literal(v) for v in row]
            few = " ".join(f"WHEN {x} = {literal(k)} THEN {v}" for k, v in enumerate(values[:-1]))
            column.append(f"CASE WHEN {x} >= {literal(last)} THEN {values[-1]} {few} END")
        terms.append(column)
    return _by_cell(density, terms)


@log_densities.register
def _(density: Amounts, names: Sequence[Name], cells: Cells) -> list[str]:
    constant = density.shape * np.log(density.rate) - gammaln(density.shape)
    terms = []
    for j, x in enumerate(map(cells.number, names)):
        each = zip(constant[:, j], density.shape[:, j] - 1, density.rate[:, j], strict=True)
        terms.append([f"({literal(a)} + {literal(k)} * ln({x}) - {literal(b)} * {x})" for a, k, b in each])
    return _by_cell(density, terms)


@log_densities.register
def _(density: BetaPrime, names: Sequence[Name], cells: Cells) -> list[str]:
    constant = -density.shape * np.log(density.b) - betaln(density.a, density.shape)
    terms = []
    for j, x in enumerate(map(cells.number, names)):
        each = zip(constant[:, j], density.shape[:, j], density.a[:, j], density.b[:, j], strict=True)
        terms.append([
            f"({literal(c)} + {literal(k - 1)} * ln({x}) - {literal(a + k)} * ln(1e0 + {x} / {literal(b)}))"
            for c, k, a, b in each
        ])  # fmt: skip
    return _by_cell(density, terms)


@log_densities.register
def _(density: Lomax, names: Sequence[Name], cells: Cells) -> list[str]:
    terms = []
    for j, x in enumerate(map(cells.number, names)):
        each = zip(density.shape[:, j], density.scale[:, j], strict=True)
        terms.append([
            f"({literal(np.log(a) + a * np.log(b))} - {literal(a + 1)} * ln({x} + {literal(b)}))" for a, b in each
        ])  # fmt: skip
    return _by_cell(density, terms)


@log_densities.register
def _(density: NegativeBinomial, names: Sequence[Name], cells: Cells) -> list[str]:
    log_gamma = cells.dialect.log_gamma
    terms = []
    for j, x in enumerate(map(cells.number, names)):
        factorial = log_gamma(f"({x} + 1e0)")
        column = []
        for r, b in zip(density.shape[:, j], density.rows[:, j], strict=True):
            constant = r * np.log(b / (b + 1)) - gammaln(r)
            rest = f"{literal(constant)} - {literal(np.log(b + 1))} * {x} - {factorial}"
            column.append(f"({log_gamma(f'({x} + {literal(r)})')} + {rest})")
        terms.append(column)
    return _by_cell(density, terms)


@log_densities.register
def _(density: Polya, names: Sequence[Name], cells: Cells) -> list[str]:
    log_gamma, xs = cells.dialect.log_gamma, [cells.number(name) for name in names]
    words = total([f"COALESCE({x}, 0e0)" for x in xs])
    terms = [
        [f"({log_gamma(f'({x} + {literal(a)})')} - {literal(gammaln(a))})" for a in np.maximum(density.a[:, j], 1e-300)]
        for j, x in enumerate(xs)
    ]
    sums = np.maximum(density.a, 1e-300).sum(axis=1)
    return [
        f"({score} + {literal(gammaln(a))} - {log_gamma(f'({words} + {literal(a)})')})"
        for score, a in zip(_by_cell(density, terms), sums, strict=True)
    ]


@log_densities.register
def _(density: Normals, names: Sequence[Name], cells: Cells) -> list[str]:
    xs = [cells.number(name) for name in names]
    if len(xs) > _FEW:  # a row with a missing cell has NULL for an answer
        return [_normal(density, c, np.arange(len(xs)), xs) for c in range(density.n_classes)]
    patterns = [np.flatnonzero(p) for p in combinations([False, True], repeat=len(xs))]
    tests = [" AND ".join(f"{x} IS {'NOT ' if j in p else ''}NULL" for j, x in enumerate(xs)) for p in patterns]
    return [
        "CASE " + " ".join(f"WHEN {t} THEN {_normal(density, c, p, xs)}" for t, p in zip(tests, patterns, strict=True)) + " END"
        for c in range(density.n_classes)
    ]  # fmt: skip


def _normal(density: Normals, klass: int, columns: AnyArray, xs: Sequence[str]) -> str:
    """Of the columns that are there."""
    if not len(columns):
        return "0e0"
    covariance = density.covariance(klass).columns(columns)
    away = [f"({xs[j]} - {literal(density.mean[klass, j])})" for j in columns]
    axes = covariance.whitened(np.eye(len(columns))).T
    along = [total([f"{literal(w)} * {d}" for w, d in zip(axis, away, strict=True) if w] or ["0e0"]) for axis in axes]
    distance = total([f"({a}) * ({a})" for a in along])
    size = covariance.rank
    if density.dof is None:
        return f"({literal(-0.5 * (size * np.log(2 * np.pi) + covariance.log_det))} - 0.5e0 * ({distance}))"
    v = float(density.dof[klass])
    constant = gammaln((v + size) / 2) - gammaln(v / 2) - 0.5 * (size * np.log(v * np.pi) + covariance.log_det)
    return f"({literal(constant)} - {literal(0.5 * (v + size))} * ln(1e0 + ({distance}) / {literal(v)}))"
