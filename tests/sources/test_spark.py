"""What only a cluster can go through: executors that die, tasks that run twice, sessions over the wire."""

import os
import re
import signal
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

from sources.visits import agree, visits
from suffice import BayesClassifier, Gaussian, LogisticRegression
from suffice.errors import DataError
from suffice.sources import open_source

pytestmark = pytest.mark.xdist_group("spark")

PARTS, ROWS = 6, 500


def dying(mark: str):
    """Rows that pass through; but in the fourth partition, once, the executor is killed half-way."""

    def passed(batches):
        from pyspark import TaskContext

        for number, batch in enumerate(batches):
            yield batch
            if number == 1 and TaskContext.get().partitionId() == 3 and not Path(mark).exists():
                Path(mark).write_text("")
                daemon = int(Path(f"/proc/{os.getppid()}/stat").read_text().rpartition(")")[2].split()[1])
                os.kill(daemon, signal.SIGKILL)  # the JVM that started the daemon that started this process

    return passed


@pytest.mark.slow  # Spark takes its time to notice
def test_an_executor_dies_and_nothing_is_counted_twice(spark, tmp_path):
    spark.conf.set("spark.sql.execution.arrow.maxRecordsPerBatch", "100")
    rows = spark.range(0, PARTS * ROWS, 1, PARTS).selectExpr(
        "id % 7 as a", "string(id % 3) as b", "string(id % 2) as label"
    )
    mark = tmp_path / "died"
    model = BayesClassifier().fit(rows.mapInArrow(dying(str(mark)), rows.schema), "label")
    assert mark.exists()
    expected = BayesClassifier().fit(rows.toArrow(), "label")
    agree(model, expected, rows.toArrow())
    assert model.model_.tally.weight.sum() == PARTS * ROWS


@pytest.mark.slow  # starts a server
def test_a_session_over_the_wire(tmp_path):
    """Spark Connect: the server is a process of its own, started by the session."""
    pytest.importorskip("grpc", reason="Spark Connect needs grpcio")
    code = f"""
import os, sys
sys.path.insert(0, {str(Path(__file__).parents[1])!r})
from pyspark.sql import SparkSession
spark = SparkSession.builder.remote("local[2]").getOrCreate()
import pyarrow as pa
from sources.visits import agree, visits
from suffice import BayesClassifier, LogisticRegression
frame = visits(200)
rows = spark.createDataFrame(pa.Table.from_pandas(frame, preserve_index=False)).repartition(3)
model = BayesClassifier().fit(rows, "label", "weight")
agree(model, BayesClassifier().fit(frame, "label", "weight"), frame)
numbers = spark.range(0, 3000, 1, 5).selectExpr("randn(1) + id % 3 as a", "string(id % 3) as label")
linear = LogisticRegression().fit(numbers, "label")
plain = LogisticRegression().fit(numbers.toArrow().select(["a"]), numbers.toArrow()["label"].to_pylist())
assert abs(linear.coef_ - plain.coef_).max() < 1e-3, (linear.coef_, plain.coef_)
print(type(rows).__module__, model.predict(rows).count())
"""
    done = subprocess.run(
        [sys.executable, "-W", "ignore", "-c", code],
        capture_output=True,
        text=True,
        check=False,
        env={**os.environ, "PYSPARK_PYTHON": sys.executable, "SPARK_LOCAL_IP": "127.0.0.1"},
    )
    assert "pyspark.sql.connect.dataframe 200" in done.stdout, done.stderr[-2000:]


def test_answers_are_columns_beside_the_rows(spark):
    frame = visits(100)
    model = BayesClassifier().fit(frame.drop(columns="note"), "label")
    held = spark.sql(
        "select 1.5 as spent, 2 as pages, 'Oslo' as city, true as member, 1.0 as weight, date'2025-03-01' as day"
    )
    answers = model.predict_proba(model.predict(held))
    assert answers.columns[-4:] == ["prediction", "probability_buy", "probability_leave", "probability_return"]
    row = answers.collect()[0]
    assert np.isclose(sum(row[-3:]), 1.0)
    assert row["prediction"] == model.classes_[np.argmax(row[-3:])]
    with pytest.raises(DataError, match="Several columns are named 'prediction'"):
        model.predict(model.predict(held))


def jobs(spark, run):
    """How many jobs a call takes; and the settings of the session are what they were."""
    group = f"counted {id(run)}"
    settings = ["spark.sql.execution.arrow.maxRecordsPerBatch", "spark.sql.execution.arrow.maxBytesPerBatch"]
    before = [spark.conf.get(name) for name in settings]
    spark.sparkContext.setJobGroup(group, "a test")
    result = run()
    spark.sparkContext.setLocalProperty("spark.jobGroup.id", None)
    assert [spark.conf.get(name) for name in settings] == before
    return result, len(spark.sparkContext.statusTracker().getJobIdsForGroup(group))


def numbers(spark):
    columns = "randn(1) + id % 3 as a", "randn(2) - id % 2 as b", "string(id % 3) as label"
    return spark.range(0, 3000, 1, 5).selectExpr(*columns).cache()


def test_naive_bayes_is_one_job(spark):
    rows = numbers(spark)
    model, count = jobs(spark, lambda: BayesClassifier(Gaussian()).fit(rows, "label"))
    assert count == 1
    agree(model, BayesClassifier(Gaussian()).fit(rows.toArrow(), "label"), rows.toArrow())


def test_logistic_regression_is_one_job_a_step(spark):
    rows = numbers(spark)
    model, count = jobs(spark, lambda: LogisticRegression(tol=1e-8).fit(rows, "label"))
    assert model.n_iter_[0] > 1
    assert count == 2 + model.n_iter_[0]  # the blocks are made, and there is a start
    expected = LogisticRegression(tol=1e-8).fit(rows.toPandas()[["a", "b"]], rows.toPandas()["label"])
    np.testing.assert_allclose(model.coef_, expected.coef_, rtol=1e-5)


def test_sums_that_are_too_large_for_the_driver(spark):
    """They are added up by the executors, in the order of the parts: here texts, of which each part is a run."""

    def counted(number, tables):
        return chr(ord("a") + number) * 100_000 if sum(table.rows for table in tables) else None

    found, count = jobs(
        spark, lambda: open_source(numbers(spark)).total(counted, lambda text: (len(text), text[::100_000]))
    )
    assert found == (500_000, "abcde")
    assert count > 1


def test_the_page_on_spark(spark):
    page = (Path(__file__).parents[2] / "docs" / "spark.md").read_text()
    for code in re.findall(r"```python\n(.*?)```", page, re.DOTALL):
        exec(compile(code, "spark.md", "exec"), {"spark": spark})
