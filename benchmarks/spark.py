"""Spark: our kernels on the executors against MLlib's, on one cached DataFrame in one session."""

import os
import sys
import time
from typing import Any

from benchmarks.race import Result, race
from suffice import BayesClassifier, Gaussian, LogisticRegression

ROWS, COLUMNS, CLASSES = 1_000_000, 20, 3
NAMES = [f"x{j}" for j in range(COLUMNS)]
EQUAL = 1e-6  # relative: how far above our loss counts as equal


def session() -> Any:
    from pyspark.sql import SparkSession

    os.environ.setdefault("PYSPARK_PYTHON", sys.executable)
    builder = SparkSession.builder.master(f"local[{os.cpu_count()}]").config("spark.ui.enabled", "false")
    return builder.config("spark.driver.memory", "4g").config("spark.log.level", "ERROR").getOrCreate()


def frame(spark: Any) -> Any:
    """Columns that the class moves, as columns and as the vector that MLlib asks for."""
    from pyspark.ml.feature import VectorAssembler

    cells = [f"randn({j}) + {0.2 * (j % 4)} * label as x{j}" for j in range(COLUMNS)]
    rows = spark.range(0, ROWS, 1, 2 * (os.cpu_count() or 1)).selectExpr(f"double(id % {CLASSES}) as label")
    rows = VectorAssembler(inputCols=NAMES, outputCol="features").transform(rows.selectExpr("label", *cells)).cache()
    rows.count()
    return rows


def spark() -> list[Result]:
    from pyspark.ml import classification as theirs

    running = session()
    rows = frame(running)
    ours = rows.select("label", *NAMES)
    what = f"{ROWS:,} × {COLUMNS}, {CLASSES} classes"
    results = [
        race(
            f"Spark: Gaussian naive Bayes {what}, against MLlib",
            lambda: BayesClassifier(Gaussian()).fit(ours, "label"),
            lambda: theirs.NaiveBayes(modelType="gaussian").fit(rows),
            bar="≥ 3×",
            ours_each=1,
        ),
        _logistic(f"Spark: LogisticRegression {what}, against MLlib", rows, ours),
    ]
    running.stop()
    return results


def _logistic(what: str, rows: Any, ours: Any) -> Result:
    """MLlib at the loosest tolerance that reaches our loss; its penalty is ours divided by the rows."""
    from pyspark.ml import classification as theirs

    times = []
    for _ in range(3):
        start = time.perf_counter()
        model = LogisticRegression().fit(ours, "label")
        times.append(time.perf_counter() - start)
    tol = 1e-6
    while True:
        start = time.perf_counter()
        fitted = theirs.LogisticRegression(
            family="multinomial", regParam=1.0 / ROWS, standardization=False, tol=tol, maxIter=1000
        ).fit(rows)
        seconds = time.perf_counter() - start
        reached = fitted.summary.objectiveHistory[-1]
        if reached <= model.loss_ * (1 + EQUAL) or tol < 1e-12:
            break
        tol /= 10.0
    print(f"our loss {model.loss_:.9f}, its {reached:.9f} at tol={tol:.0e}")
    result = Result(what, min(times), seconds, "≥ 3×")
    print(result.line(), flush=True)
    return result
