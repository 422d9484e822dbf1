"""A query that computes the statistics of a textbook model in the database.

Its result has columns ``class``, ``column``, ``level``, ``rows``, ``value`` and ``spread``, with a row for each class (its
number of rows), for each class and numeric column (its statistic), and for each class, column and level (its count).
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import singledispatch

from suffice.columns.kinds import Name
from suffice.errors import NoSqlError, ParameterError, quoted
from suffice.families.base import AnyFamily
from suffice.families.bernoulli import Bernoulli
from suffice.families.categorical import Categorical
from suffice.families.exponential import Exponential
from suffice.families.gaussian import Gaussian
from suffice.families.poisson import Poisson
from suffice.model import Model
from suffice.sql.dialects import Dialect, dialect_named
from suffice.sql.expressions import literal
from suffice.sql.steps import QueryStep

RESULT_COLUMNS = ("class", "column", "level", "rows", "value", "spread")
"""The columns of the result."""


def counting(
    families: Mapping[Name, AnyFamily],
    target: Name,
    table: "str | Sequence[str]" = "rows",
    dialect: str = "duckdb",
) -> str:
    """A query for the statistics of a textbook model, whose result is read by ``BayesClassifier.fit_counted``.

    Parameters
    ----------
    families : mapping from names of columns to families
        Gaussian, Bernoulli, Poisson, Exponential or Categorical.
    target : str
        The label column.
    table : str or sequence of str, default="rows"
        The name of the table, or the parts of a qualified name.
    dialect : {"duckdb", "postgres", "sqlite", "snowflake"}, default="duckdb"
        The database.

    Returns
    -------
    str
        The query.
    """
    language = dialect_named(dialect)
    check_counted(families)
    if target in families:
        raise ParameterError(f"The target {target!r} has a family", "it must not be a feature")
    query = _CountingQuery(language)
    for name, family in families.items():
        column = language.name(name)
        if isinstance(family, Categorical):
            query.level(str(name), f"CAST({column} AS VARCHAR)")
        else:
            number = language.number_or_boolean if isinstance(family, Bernoulli) else language.number
            x = query.cells.name(number(column))
            query.number(str(name), x, *_sums(family, x, query.centres))
    return query.query(language.name(target), language.table(table))


@singledispatch
def _sums(family: AnyFamily, x: str, centres: QueryStep) -> tuple[str, str]:
    """Value and spread of a column within a class."""
    raise AssertionError(f"no query counts for {family}")


@_sums.register
def _(family: Gaussian, x: str, centres: QueryStep) -> tuple[str, str]:
    """Mean and sum of squared deviations, by two passes: Σx² cancels for values far from zero."""
    centre = centres.name(f"AVG({x})")
    away = f"({x} - {centre})"
    return f"MAX({centre}) + AVG({away})", f"SUM({away} * {away}) - COUNT({x}) * AVG({away}) * AVG({away})"


@_sums.register
def _(family: Bernoulli, x: str, centres: QueryStep) -> tuple[str, str]:
    return f"SUM(CASE WHEN {x} > {literal(family.threshold)} THEN 1e0 WHEN {x} IS NOT NULL THEN 0e0 END)", f"MIN({x})"


@_sums.register(Poisson)
@_sums.register(Exponential)
def _(family: AnyFamily, x: str, centres: QueryStep) -> tuple[str, str]:
    return f"SUM({x})", f"MIN({x})"


@dataclass
class _CountingQuery:
    """The query: cells, means and sums by class, and a SELECT for each column of the table."""

    dialect: Dialect
    cells: QueryStep = field(default_factory=lambda: QueryStep("x"))
    centres: QueryStep = field(default_factory=lambda: QueryStep("a"))
    sums: QueryStep = field(default_factory=lambda: QueryStep("s"))
    rows: list[str] = field(default_factory=list)

    def number(self, name: str, x: str, value: str, spread: str) -> None:
        found = ", ".join(self.sums.name(each) for each in (f"COUNT({x})", value, spread))
        self.rows.append(f"SELECT y, {self.dialect.text(name)}, NULL, {found} FROM suffice_sums")

    def level(self, name: str, expression: str) -> None:
        x = self.cells.name(expression)
        self.rows.append(
            f"SELECT y, {self.dialect.text(name)}, {x}, COUNT(*), NULL, NULL FROM suffice_cells WHERE {x} IS NOT NULL "
            f"GROUP BY y, {x}"
        )

    def query(self, target: str, table: str) -> str:
        source = "suffice_cells"
        steps = [("suffice_cells", f"SELECT {', '.join([f'{target} AS y', *self.cells.columns])} FROM {table}")]
        if self.centres.aliases:
            steps.append(
                ("suffice_centres", f"SELECT y AS c, {', '.join(self.centres.columns)} FROM suffice_cells GROUP BY y")
            )
            source = "suffice_cells JOIN suffice_centres ON y = c"
        if self.sums.aliases:
            steps.append(("suffice_sums", f"SELECT y, {', '.join(self.sums.columns)} FROM {source} GROUP BY y"))
        nothing = [f"CAST(NULL AS {kind})" for kind in ("VARCHAR", "VARCHAR", self.dialect.double, self.dialect.double)]
        parts = ["y", *nothing[:2], "COUNT(*)", *nothing[2:]]
        first = ", ".join(
            f"{part} AS {self.dialect.name(name)}" for part, name in zip(parts, RESULT_COLUMNS, strict=True)
        )
        written = ",\n".join(f"{name} AS ({query})" for name, query in steps)
        rows = "\nUNION ALL ".join([f"SELECT {first} FROM suffice_cells GROUP BY y", *self.rows])
        return self.dialect.complete(f"WITH {written}\n{rows}")


def textbook_families(model: Model) -> dict[Name, AnyFamily]:
    """The family of each column of a textbook model."""
    if model.weighing != "naive":
        raise NoSqlError(
            f"The model is {model.weighing!r}",
            "a query can count only for a textbook model",
            "Fit one with model='naive'",
        )
    families = {name: block.family for block in model.blocks for name in block.columns}
    return {name: families[name] for name in model.names}


_COUNTED_FAMILIES = (Gaussian, Bernoulli, Poisson, Exponential, Categorical)


def check_counted(families: object) -> None:
    """Raise for families without a counting query."""
    if not isinstance(families, Mapping) or not families:
        raise ParameterError(f"families is {families!r}", "it must be a mapping from names of columns to families")
    for name, family in families.items():
        if not isinstance(name, str) or type(family) not in _COUNTED_FAMILIES:
            raise NoSqlError(
                f"Column {name!r} is modelled by {family!r}",
                f"a query can count named columns for {', '.join(each.__name__ for each in _COUNTED_FAMILIES)}",
                "Use one of these families, or omit the column",
            )


def check_named(names: Sequence[str], families: Mapping[Name, AnyFamily]) -> None:
    """Raise if the result has columns without a family."""
    unknown = [name for name in dict.fromkeys(names) if name not in {str(each) for each in families}]
    if unknown:
        raise ParameterError(
            f"Column {quoted(unknown)} was counted, but has no family", "the query and the model need the same families"
        )
