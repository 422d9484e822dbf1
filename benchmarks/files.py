"""From a file to a model, compared with DuckDB's count, mean and variance by class of the same file."""

import tempfile
from pathlib import Path

import duckdb

from benchmarks.race import Result, race
from suffice import BayesClassifier, Gaussian

ROWS, COLUMNS, CLASSES = 2_000_000, 20, 5


def write(folder: Path) -> tuple[Path, Path]:
    """Decimal numbers whose means depend on the class, as Parquet and as CSV."""
    parquet, csv = folder / "rows.parquet", folder / "rows.csv"
    cells = ", ".join(f"round(random() * 100 + class * {j + 1}, 3) as x{j}" for j in range(COLUMNS))
    rows = f"select 'class ' || class as label, {cells} from (select i % {CLASSES} as class from range({ROWS}) t(i))"
    with duckdb.connect() as connection:
        connection.execute(f"copy ({rows}) to '{parquet}'")
        connection.execute(f"copy (from '{parquet}' limit {ROWS // 4}) to '{csv}'")
    return parquet, csv


def by_class(path: Path) -> None:
    """DuckDB's aggregates by class."""
    sums = ", ".join(f"count(x{j}), avg(x{j}), var_samp(x{j})" for j in range(COLUMNS))
    with duckdb.connect() as connection:
        connection.execute(f"select label, {sums} from '{path}' group by label").fetchall()


def files() -> list[Result]:
    with tempfile.TemporaryDirectory() as folder:
        return [
            race(
                f"fit from {path.suffix[1:]}, {rows:,} × {COLUMNS}, against DuckDB",
                lambda path=path: BayesClassifier(Gaussian()).fit(path, "label"),  # type: ignore[misc]
                lambda path=path: by_class(path),  # type: ignore[misc]
                bar="≥ 0.5×",
                ours_each=1,
                rounds=5,
            )
            for path, rows in zip(write(Path(folder)), (ROWS, ROWS // 4), strict=True)
        ]
