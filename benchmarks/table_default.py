"""The default on a long table of numbers and categories, fitted and scoring, beside LightGBM on the same rows."""

import importlib
from typing import Any

import numpy as np
import pandas as pd
import polars as pl

from benchmarks.race import Result, race
from suffice import BayesClassifier

ROWS, NUMBERS, CATEGORIES = 1_000_000, 12, 8


def mixed(rows: int, seed: int = 0) -> tuple[pd.DataFrame, np.ndarray]:
    """Numbers and categories that depend on the class, and two pairs that interact."""
    rng = np.random.default_rng(seed)
    y = rng.integers(0, 3, rows)
    columns: dict[str, Any] = {f"x{j}": rng.normal(0.3 * (j % 4) * y, 1 + 0.1 * j) for j in range(NUMBERS)}
    for j in range(CATEGORIES):
        levels = np.array([f"level {k}" for k in range(4 + 3 * j)])
        at = (len(levels) * rng.random(rows) ** (1 + 0.2 * y * (j % 3))).astype(int)
        columns[f"c{j}"] = pd.Categorical.from_codes(at, levels)
    columns["x1"] = columns["x1"] * np.where(y == 1, np.sign(columns["x0"]), 1)
    return pd.DataFrame(columns), y


def default_table() -> list[Result]:
    try:
        lightgbm = importlib.import_module("lightgbm")
    except ImportError:
        print("(not beside LightGBM: pip install lightgbm)")
        return []
    rows, y = mixed(ROWS)
    fresh, truth = mixed(50_000, seed=1)
    ours = BayesClassifier()
    theirs = lightgbm.LGBMClassifier(verbose=-1)
    found = race(
        f"default fit, {ROWS:,} × {NUMBERS + CATEGORIES} mixed, against LightGBM",
        lambda: ours.fit(rows, y),
        lambda: theirs.fit(rows, y),
        rounds=2,
        ours_each=1,
    )
    each = np.arange(len(truth))
    for name, model in (("suffice", ours), ("LightGBM", theirs)):
        print(f"… log-loss of {name} on fresh rows: {-np.log(model.predict_proba(fresh)[each, truth]).mean():.4f}")
    return [found, *default_scores(ours, theirs, rows)]


def default_scores(ours: BayesClassifier, theirs: Any, rows: pd.DataFrame) -> list[Result]:
    """Rows from pandas and from Polars; LightGBM's from pandas, whose categories it accepts."""
    frames = {"pandas": rows, "Polars": pl.from_pandas(rows)}
    one = rows.iloc[:1]
    record = one.to_dict("records")
    alone = race(
        "default predict_proba of one row from a dict, LightGBM's from pandas",
        lambda: ours.predict_proba(record),
        lambda: theirs.predict_proba(one),
        bar="≤ 1 ms",
    )
    return [alone] + [
        race(
            f"default predict_proba of these rows from {name}",
            lambda frame=frame: ours.predict_proba(frame),  # type: ignore[misc]
            lambda: theirs.predict_proba(rows),
            rounds=2,
            ours_each=1,
        )
        for name, frame in frames.items()
    ]
