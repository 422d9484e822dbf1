import tempfile
from pathlib import Path

import pytest

from sql.databases import WHY_NOT, DuckDB, SQLite, postgres


@pytest.fixture(scope="module", params=["duckdb", "sqlite", "postgres"])
def database(request):
    if request.param != "postgres":
        yield DuckDB() if request.param == "duckdb" else SQLite()
        return
    if WHY_NOT:
        pytest.skip(WHY_NOT)
    with tempfile.TemporaryDirectory(prefix="pg") as folder:  # short: the name of a socket must be
        Path(folder).chmod(0o755)
        with postgres(Path(folder)) as server:
            yield server
