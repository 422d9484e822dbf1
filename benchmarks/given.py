"""Robustness of the default to its input: weights, copies, missing cells, random labels. Part of ``make quality``.

Each table with 4,000 rows at most, a quarter of them held out. Beside the held-out log-loss: its change with all weights
3 and with every row twice; its excess over the log-loss with missing-cell indicators; the loss of mean AUC a class with
balanced weights, and with the rarest class copied five times; and with shuffled labels, the log-loss over that of the
class shares. A ``!`` marks values beyond their limit.
"""

from collections.abc import Callable
from typing import Any

import numpy as np
import pandas as pd
from sklearn.metrics import roc_auc_score
from sklearn.model_selection import train_test_split
from sklearn.utils.class_weight import compute_sample_weight

from benchmarks.data import asked_for
from benchmarks.laws import log_loss
from benchmarks.table_quality import NOT_COUNTED, peers, table
from suffice import BayesClassifier
from suffice.numerics.arrays import AnyArray

ROWS = 4_000
LIMITS = {"weights": 0.01, "twice": 0.01, "balanced": 0.005, "copied": 0.005, "indicators": 0.03, "shuffled": 0.01}


def auc(model: Any, rows: pd.DataFrame, y: AnyArray) -> float:
    p = model.predict_proba(rows)
    known = [(k, label) for k, label in enumerate(model.classes_.tolist()) if 0 < (y == label).sum() < len(y)]
    return float(np.mean([roc_auc_score(y == label, p[:, k]) for k, label in known]))


def with_indicators(rows: pd.DataFrame, names: list[Any]) -> pd.DataFrame:
    return rows.assign(**{f"{name}?": np.where(rows[name].isna(), "missing", "there") for name in names})


def figures(rows: pd.DataFrame, y: AnyArray, test: pd.DataFrame, labels: AnyArray) -> tuple[float, dict[str, float]]:
    rng = np.random.default_rng(0)
    fit: Callable[..., Any] = BayesClassifier().fit
    plain = BayesClassifier().fit(rows, y)
    loss = log_loss(plain, test, labels)
    found = {
        "weights": abs(log_loss(fit(rows, y, np.full(len(y), 3.0)), test, labels) - loss),
        "twice": abs(log_loss(fit(pd.concat([rows, rows]), np.concatenate([y, y])), test, labels) - loss),
    }
    before = auc(plain, test, labels)
    found["balanced"] = before - auc(fit(rows, y, compute_sample_weight("balanced", y)), test, labels)
    rare = np.flatnonzero(y == pd.Series(y).value_counts().index[-1])
    more = np.concatenate([np.arange(len(y)), rng.choice(rare, 5 * len(rare))])
    found["copied"] = before - auc(fit(rows.iloc[more], y[more]), test, labels)
    if rows.isna().any(axis=None):
        holes = [name for name in rows if rows[name].isna().any()]
        by_hand = fit(with_indicators(rows, holes), y)
        found["indicators"] = loss / log_loss(by_hand, with_indicators(test, holes), labels) - 1
    noise = fit(rows, rng.permutation(y))
    share = {label: (y == label).mean() for label in noise.classes_.tolist()}
    found["shuffled"] = log_loss(noise, test, labels) / -np.log([share[label] for label in labels.tolist()]).mean() - 1
    return loss, found


def main() -> None:
    folder, wanted = asked_for(__doc__)
    if folder is None:
        return
    print(f"{'':24s}{'rows':>7s}{'log-loss':>10s}" + "".join(f"{name:>12s}" for name in LIMITS))
    beyond = dict.fromkeys(LIMITS, 0)
    for name in wanted or [name for name in sorted(peers(folder)) if name not in NOT_COUNTED]:
        rows, y = table(folder, name)
        rows, y = rows[:ROWS], y[:ROWS]
        often = pd.Series(y).map(pd.Series(y).value_counts()).to_numpy() >= 4
        train, test, y_train, y_test = train_test_split(
            rows[often], y[often], test_size=0.25, random_state=0, stratify=y[often]
        )
        loss, found = figures(train, y_train, test, y_test)
        line = f"{name:24s}{len(y_train):7d}{loss:10.4f}"
        for what, limit in LIMITS.items():
            bad = what in found and found[what] > limit
            beyond[what] += bad
            line += f"{found[what]:11.4f}{'!' if bad else ' '}" if what in found else f"{'':12s}"
        print(line, flush=True)
    print("beyond the limit: " + ", ".join(f"{what} {count}" for what, count in beyond.items()))


if __name__ == "__main__":
    main()
