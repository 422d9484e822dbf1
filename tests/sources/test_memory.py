"""A file that is twenty times larger than what the process may grow by."""

from pathlib import Path

import duckdb
import pytest
from benchmarks.race import extra_memory

LIMIT = 192  # MiB, of which DuckDB alone takes about 90 to read such a file
COLUMNS = 20


@pytest.mark.slow
@pytest.mark.skipif(not Path("/proc/self/clear_refs").exists(), reason="peak memory is read from Linux's /proc")
def test_training_on_a_file_larger_than_memory(tmp_path):
    path = tmp_path / "rows.parquet"
    rows = LIMIT * 20 * (1 << 20) // (8 * COLUMNS) + 500_000
    cells = ", ".join(f"random() as x{j}" for j in range(COLUMNS))
    duckdb.sql(f"copy (select i % 3 as label, {cells} from range({rows}) t(i)) to '{path}' (row_group_size 10240)")
    assert path.stat().st_size > 20 * LIMIT * (1 << 20)
    setup = f"""
from suffice import BayesClassifier
BayesClassifier().fit("select * from '{path}' limit 200000", "label")"""
    run = f"""
model = BayesClassifier().fit({str(path)!r}, "label")
assert model.model_.tally.weight.sum() == {rows}"""
    assert extra_memory(setup, run) < LIMIT
