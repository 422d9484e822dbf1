"""A protocol for slow peers: at most 4,000 rows, and of five stratified folds the first two and the next two.

The two pairs of folds are halves of one experiment: tuning on the first half shows as a gap on the second.
"""

import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
from sklearn.model_selection import StratifiedKFold

from benchmarks.keel import NAMES, keel_table
from benchmarks.peers_file import Figures, Half
from benchmarks.table_quality import NOT_COUNTED, peers, table
from benchmarks.text_quality import Score
from suffice.numerics.arrays import AnyArray

PROTOCOL = (
    "Labels with fewer than 10 rows dropped, at most 4,000 rows drawn at random, StratifiedKFold(5, shuffle=True, "
    "random_state=1); the first half are folds 0 and 1, the second folds 2 and 3, each scored over all its test rows: "
    "accuracy, log-loss with probabilities of at least 1e-15, calibration error of the most probable class in ten bins. "
    "Seconds are processor time of both fits. Default settings but for the threads; categories as such where the peer "
    "takes them, one-hot for scikit-learn's models; LightGBM stopped early holds out 15 % of the training rows, with at "
    "most 2,000 trees and a patience of 50."
)
ROWS = 4_000
HALVES: dict[Half, tuple[int, ...]] = {"first": (0, 1), "second": (2, 3)}

Table = tuple[pd.DataFrame, AnyArray]


def suites(folder: Path) -> dict[str, dict[str, Callable[[], Table]]]:
    """How to read each table of each suite: the data sets of the folder, and KEEL's."""
    names = [name for name in sorted(peers(folder)) if name not in NOT_COUNTED]
    return {
        "open": {name: lambda name=name: table(folder, name, ROWS) for name in names},  # type: ignore[misc]
        "keel": {name: lambda name=name: keel_table(name, ROWS) for name in sorted(NAMES)},  # type: ignore[misc]
    }


def measured(make: Callable[[], Any], rows: pd.DataFrame, y: AnyArray, half: Half) -> Figures:
    score = Score()
    splits = list(StratifiedKFold(5, shuffle=True, random_state=1).split(rows, y))
    for fold in HALVES[half]:
        train, test = splits[fold]
        model = make()
        start = time.process_time()
        model.fit(rows.iloc[train], y[train])
        score.seconds += time.process_time() - start
        score.add(model, rows.iloc[test], y[test])
    accuracy, log_loss, _, error = np.round(score.figures(), 6).tolist()
    return Figures(accuracy, log_loss, error, round(score.seconds, 2))
