"""Explanations beside the shap package's: one row, many rows, and exact Shapley values of the same columns."""

import time
from collections.abc import Callable
from typing import Any

import numpy as np
from sklearn.datasets import load_breast_cancer

from benchmarks.data import data_folder
from suffice import BayesClassifier
from suffice.numerics.arrays import AnyArray, FloatArray

_ROWS = 20


def explanations() -> None:
    """Processor time, one line each; the values of both must agree."""
    import shap

    x, y = load_breast_cancer(return_X_y=True)
    x = x[:, :8]
    model = BayesClassifier(model="additive").fit(x, y)

    def odds(table: AnyArray) -> FloatArray:
        log_p = model.predict_log_proba(table)
        return np.asarray(log_p[:, 1] - log_p[:, 0])

    rows = x[:_ROWS]
    exact = shap.explainers.Exact(odds, shap.maskers.Independent(x, max_samples=len(x)))
    exact(rows[:1])  # compiles
    theirs, found = _timed(lambda: exact(rows))
    ours, why = _timed(lambda: model.explain(rows, of=1, against=0))
    apart = float(np.abs(found.values - why.evidence[:, :8]).max())
    print(f"{_ROWS} rows of 8 columns, background of {len(x)} rows: {1e3 * ours / _ROWS:.3g} ms a row, "
          f"shap.explainers.Exact {1e3 * theirs / _ROWS:.4g} ms; they differ by {apart:.1e}")  # fmt: skip
    folder = data_folder()
    if folder is not None:
        _adult(str(folder / "adult" / "data.csv.gz"))


def _adult(path: str) -> None:
    import pandas as pd

    table = pd.read_csv(path).drop(columns="split")
    x, y = table.drop(columns="label"), table["label"]
    model = BayesClassifier().fit(x, y)
    one = x.iloc[:1].to_dict("list")
    model.explain(one)
    single = min(_timed(lambda: model.explain(one))[0] for _ in range(200))
    many, _ = _timed(lambda: model.explain(x.iloc[:10_000]))
    print(f"adult, the default: one row {1e3 * single:.2f} ms (bar: 2), 10,000 rows {many:.2f} s (bar: 2)")


def _timed(run: Callable[[], Any]) -> tuple[float, Any]:
    start = time.process_time()
    found = run()
    return time.process_time() - start, found
