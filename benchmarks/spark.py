"""Spark: our kernels on the executors against MLlib's, on one cached DataFrame in one session.

A DataFrame has columns, and MLlib needs a vector of them: the bar is for its pipeline from the same columns. MLlib with
vectors assembled and cached beforehand, at untimed cost, is shown beside it.
"""

import os
import sys
import time
from collections.abc import Callable
from typing import Any

from benchmarks.race import Result, best, race
from suffice import BayesClassifier, Categorical, Gaussian, LogisticRegression

ROWS, COLUMNS, CLASSES = 2_000_000, 20, 3
NAMES = [f"x{j}" for j in range(COLUMNS)]
LEVELS, CATEGORIES = 12, [f"c{j}" for j in range(8)]
EQUAL = 1e-6  # relative: how far above our loss counts as equal
ROUNDS = 3  # Java is slow at first


def session() -> Any:
    from pyspark.sql import SparkSession

    os.environ.setdefault("PYSPARK_PYTHON", sys.executable)
    settings = {
        "spark.ui.enabled": "false",
        "spark.ui.showConsoleProgress": "false",
        "spark.driver.memory": "4g",
        "spark.log.level": "ERROR",
    }
    builder = SparkSession.builder.master(f"local[{os.cpu_count()}]")
    for name, value in settings.items():
        builder = builder.config(name, value)
    return builder.getOrCreate()


def numbers(spark: Any) -> Any:
    """Columns whose means depend on the class."""
    cells = [f"randn({j}) + {0.2 * (j % 4)} * label as x{j}" for j in range(COLUMNS)]
    return _cached(_labels(spark, ROWS).selectExpr("label", *cells))


def categories(spark: Any) -> Any:
    """Columns of names that are more frequent in one class."""
    cells = [
        f"concat('level ', int({LEVELS} * pow(rand({j}), 1 + label))) as {name}" for j, name in enumerate(CATEGORIES)
    ]
    return _cached(_labels(spark, ROWS // 2).selectExpr("label", *cells))


def _labels(spark: Any, rows: int) -> Any:
    return spark.range(0, rows, 1, 2 * (os.cpu_count() or 1)).selectExpr(f"double(id % {CLASSES}) as label")


def _cached(frame: Any) -> Any:
    frame = frame.cache()
    frame.count()
    return frame


def spark() -> list[Result]:
    running = session()
    results = [*_numbers(running), _categories(running)]
    running.stop()
    return results


def _numbers(running: Any) -> list[Result]:
    from pyspark.ml import classification as theirs

    rows = numbers(running)
    bayes, gaussian = theirs.NaiveBayes(modelType="gaussian"), BayesClassifier(Gaussian())
    what = f"{ROWS:,} × {COLUMNS}, {CLASSES} classes, against MLlib's"
    results = [
        race(
            f"Spark: Gaussian naive Bayes {what} pipeline",
            lambda: gaussian.fit(rows, "label"),
            lambda: _assembling(bayes).fit(rows),
            bar="≥ 3×",
            rounds=ROUNDS,
            ours_each=1,
        ),
        _logistic(f"Spark: LogisticRegression {what} pipeline", rows, rows, _assembling, "≥ 3×"),
    ]
    floor = best(lambda: rows.mapInArrow(_counted, "rows long").collect(), ROUNDS)
    print(f"rows that only go to Python, and are not looked at there: {floor:.3g} s at the session's own settings")
    vectors = _cached(_assembler().transform(rows).select("label", "features"))
    results += [
        race(
            f"Spark: Gaussian naive Bayes {what} on vectors",
            lambda: gaussian.fit(rows, "label"),
            lambda: bayes.fit(vectors),
            rounds=ROUNDS,
            ours_each=1,
        ),
        _logistic(f"Spark: LogisticRegression {what} on vectors", rows, vectors, lambda last: last, ""),
    ]
    vectors.unpersist()
    rows.unpersist()
    return results


def _categories(running: Any) -> Result:
    from pyspark.ml import Pipeline, feature
    from pyspark.ml import classification as theirs

    rows = categories(running)
    coded, hot = [f"{name}_code" for name in CATEGORIES], [f"{name}_hot" for name in CATEGORIES]
    stages = [
        feature.StringIndexer(inputCols=CATEGORIES, outputCols=coded),
        feature.OneHotEncoder(inputCols=coded, outputCols=hot, dropLast=False),
        feature.VectorAssembler(inputCols=hot, outputCol="features"),
        theirs.NaiveBayes(),
    ]
    return race(
        f"Spark: naive Bayes {ROWS // 2:,} × {len(CATEGORIES)} categories, against MLlib's pipeline",
        lambda: BayesClassifier(Categorical()).fit(rows, "label"),
        lambda: Pipeline(stages=stages).fit(rows),
        rounds=ROUNDS,
        ours_each=1,
    )


def _assembler() -> Any:
    from pyspark.ml.feature import VectorAssembler

    return VectorAssembler(inputCols=NAMES, outputCol="features")


def _assembling(last: Any) -> Any:
    from pyspark.ml import Pipeline

    return Pipeline(stages=[_assembler(), last])


def _counted(batches: Any) -> Any:
    import pyarrow as pa

    yield pa.record_batch([pa.array([sum(batch.num_rows for batch in batches)])], ["rows"])


def _logistic(what: str, rows: Any, given: Any, pipeline: Callable[[Any], Any], bar: str) -> Result:
    """MLlib at the loosest tolerance that reaches our loss; its penalty is ours divided by the rows."""
    from pyspark.ml import classification as theirs

    model = LogisticRegression()
    ours = best(lambda: model.fit(rows, "label"), ROUNDS)
    tol = 1e-6
    while True:
        theirs_is = theirs.LogisticRegression(
            family="multinomial", regParam=1.0 / ROWS, standardization=False, tol=tol, maxIter=1000
        )
        start = time.perf_counter()
        fitted = pipeline(theirs_is).fit(given)
        seconds = time.perf_counter() - start
        reached = getattr(fitted, "stages", [fitted])[-1].summary.objectiveHistory[-1]
        if reached <= model.loss_ * (1 + EQUAL) or tol < 1e-12:
            break
        tol /= 10.0
    seconds = min(seconds, best(lambda: pipeline(theirs_is).fit(given), 1))
    print(f"our loss {model.loss_:.9f}, its {reached:.9f} at tol={tol:.0e}")
    result = Result(what, ours, seconds, bar)
    print(result.line(), flush=True)
    return result
