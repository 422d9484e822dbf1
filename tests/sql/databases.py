"""Databases to run queries in: DuckDB and SQLite within the process, PostgreSQL as a server that the tests start and stop."""

import csv
import io
import os
import shutil
import sqlite3
import subprocess
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import duckdb
import pyarrow as pa
import sqlglot

BIN = max(Path("/usr/lib/postgresql").glob("*/bin"), default=None, key=lambda p: float(p.parent.name))
WHY_NOT = None if BIN and shutil.which("psql") else "PostgreSQL is not installed (Debian: postgresql)"


class DuckDB:
    dialect = "duckdb"

    def answers(
        self,
        table: pa.Table,
        query: str,
        name: str = "rows",
        before: Iterable[str] = (),
        beside: Mapping[str, pa.Table] | None = None,
    ) -> list[dict[str, Any]]:
        """The rows of the query, with the table there under that name, others beside it, and after other statements."""
        with duckdb.connect() as connection:
            for called, arrow in {**(beside or {}), name: table}.items():
                connection.register("given", arrow)
                connection.execute(f"CREATE TABLE {quoted(called)} AS SELECT * FROM given")
            for statement in before:
                connection.execute(statement)
            return connection.sql(query).to_arrow_table().to_pylist()


class SQLite:
    dialect = "sqlite"

    def answers(
        self, table: pa.Table, query: str, name: str = "rows", before: Iterable[str] = ()
    ) -> list[dict[str, Any]]:
        connection = sqlite3.connect(":memory:")
        connection.row_factory = sqlite3.Row
        connection.execute(f"CREATE TABLE {quoted(name)} ({', '.join(map(quoted, table.column_names))})")
        rows = list(zip(*table.to_pydict().values(), strict=True))
        connection.executemany(f"INSERT INTO {quoted(name)} VALUES ({', '.join('?' * table.num_columns)})", rows)
        for statement in before:
            connection.execute(statement)
        return [dict(row) for row in connection.execute(query)]


class ReadBack:
    """The query of a warehouse, spelled back by sqlglot and run in DuckDB."""

    dialect = "snowflake"

    def answers(
        self, table: pa.Table, query: str, name: str = "rows", before: Iterable[str] = ()
    ) -> list[dict[str, Any]]:
        return DuckDB().answers(table, sqlglot.transpile(query, read=self.dialect, write="duckdb")[0], name, before)


TYPES = {pa.float64(): "double precision", pa.int64(): "bigint", pa.string(): "text", pa.bool_(): "boolean"}


class Postgres:
    dialect = "postgres"

    def __init__(self, folder: Path) -> None:
        self.folder = folder

    def answers(
        self, table: pa.Table, query: str, name: str = "rows", before: Iterable[str] = ()
    ) -> list[dict[str, Any]]:
        columns = ", ".join(f"{quoted(f.name)} {TYPES[f.type]}" for f in table.schema)
        lines = [",".join("" if v is None else quoted(str(v)) for v in row.values()) for row in table.to_pylist()]
        data = self.folder / "rows.csv"
        data.write_text("\n".join(lines) + "\n")
        statements = "\n".join(before)
        script = (
            f"BEGIN; CREATE TEMP TABLE {quoted(name)} ({columns});\n"
            f"\\copy {quoted(name)} FROM '{data}' CSV\n"
            f"{statements}\n{query};\nROLLBACK;\n"
        )
        done = subprocess.run(
            ["psql", "-h", self.folder, "-U", "postgres", "-X", "-q", "--csv", "-v", "ON_ERROR_STOP=1", "-f", "-"],
            input=script, capture_output=True, text=True, check=False,
        )  # fmt: skip
        assert done.returncode == 0, done.stderr
        return list(csv.DictReader(io.StringIO(done.stdout)))


def quoted(name: str) -> str:
    return '"' + name.replace('"', '""') + '"'


@contextmanager
def postgres(folder: Path) -> Iterator[Postgres]:
    """A server in a folder of its own, on a socket there, run by a user who is not root."""
    as_user: dict[str, Any] = {}
    if os.geteuid() == 0:
        shutil.chown(folder, "postgres", "postgres")
        as_user = {"user": "postgres", "group": "postgres", "extra_groups": []}

    def run(*command: object) -> None:
        subprocess.run([str(part) for part in command], check=True, cwd=folder, stdout=subprocess.DEVNULL, **as_user)

    run(BIN / "initdb", "-D", folder / "data", "-U", "postgres", "-A", "trust", "-E", "UTF8", "--locale=C", "-N")
    settings = f"-k {folder} -c listen_addresses='' -c fsync=off"
    run(BIN / "pg_ctl", "-D", folder / "data", "-o", settings, "-l", folder / "log", "-w", "start")
    try:
        yield Postgres(folder)
    finally:
        run(BIN / "pg_ctl", "-D", folder / "data", "-m", "immediate", "-w", "stop")
