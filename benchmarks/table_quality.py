"""Quality of the default for tables, beside LightGBM in the same run and the peers' figures on the same folds.

Labels with fewer than 10 rows are dropped; at most 20,000 rows, five stratified folds, no settings per data set.
"""

import json
import re
import time
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
from sklearn.model_selection import StratifiedKFold

from benchmarks.data import asked_for
from benchmarks.peer_models import LightGBM
from benchmarks.text_quality import Score
from suffice import BayesClassifier
from suffice.numerics.arrays import AnyArray, FloatArray

NOT_COUNTED = {"haxby2001_slice", "kddcup99_10pct"}  # of the mean
PEERS = ("naive Bayes", "logistic", "forest", "LightGBM")


def peers(folder: Path) -> dict[str, list[tuple[float, float]]]:
    """Accuracy and log-loss of each peer on each set, in the order of the file."""
    text = (folder / "peers.md").read_text().partition("## Tabular")[2].partition("## Text")[0]
    rows = re.findall(r"^\| (\w+) \| \d+ \| \d+ \| \d+ \|(.*)\|$", text, re.MULTILINE)
    return {name: [(float(a), float(b)) for a, b in re.findall(r"([\d.]+) / ([\d.]+)", cells)] for name, cells in rows}


def drawn(frame: pd.DataFrame, label: Any, most: int) -> pd.DataFrame:
    """Rows in random order, at most so many, of labels that are frequent enough for five folds."""
    frame = frame[frame[label].map(frame[label].value_counts()) >= 10]
    if len(frame) > most:
        frame = frame.sample(most, random_state=0)
        frame = frame[frame[label].map(frame[label].value_counts()) >= 5]
    return frame.sample(frac=1, random_state=0)


def table(folder: Path, name: str, most: int = 20_000) -> tuple[pd.DataFrame, AnyArray]:
    meta = json.loads((folder / name / "meta.json").read_text())
    frame = pd.read_csv(folder / name / meta["file"], keep_default_na=False, na_values=[""])
    numbers, categories = list(meta["numeric"]), list(meta["categorical"])
    label = next(c for c in frame.columns if c not in {*numbers, *categories, *meta["roles"]})
    frame = drawn(frame, label, most)
    rows = frame[numbers].astype(float)
    for c in categories:
        rows[c] = [None if pd.isna(v) else str(v) for v in frame[c]]
    return rows.reset_index(drop=True), frame[label].astype(str).to_numpy()


def measured(make: Any, rows: pd.DataFrame, y: AnyArray) -> tuple[FloatArray, float]:
    """Accuracy, log-loss, Brier score and calibration error over all folds, and seconds to fit."""
    score = Score()
    for train, test in StratifiedKFold(5, shuffle=True, random_state=1).split(rows, y):
        model = make()
        start = time.perf_counter()
        model.fit(rows.iloc[train], y[train])
        score.seconds += time.perf_counter() - start
        score.add(model, rows.iloc[test], y[test])
    return score.figures(), score.seconds


def main() -> None:
    folder, wanted = asked_for(__doc__)
    if folder is None:
        return
    known = peers(folder)
    print(f"{'':24s} suffice: accuracy log-loss    ECE    fit | LightGBM here: fit | log-loss of {', '.join(PEERS)}")
    kept: list[tuple[FloatArray, float, float, list[tuple[float, float]]]] = []
    for name in wanted or sorted(known):
        rows, y = table(folder, name)
        ours, seconds = measured(BayesClassifier, rows, y)
        boosted, theirs = measured(LightGBM, rows, y)
        losses = " ".join(f"{loss:7.4f}" for _, loss in known[name])
        print(
            f"{name:24s}          {ours[0]:8.4f} {ours[1]:8.4f} {ours[3]:6.3f} {seconds:5.1f}s |"
            f" {boosted[0]:.4f} {boosted[1]:.4f} {theirs:5.1f}s | {losses}",
            flush=True,
        )
        if name not in NOT_COUNTED:
            kept.append((ours, seconds, theirs, known[name]))
    if kept:
        _summary(kept)


def _summary(kept: list[tuple[FloatArray, float, float, list[tuple[float, float]]]]) -> None:
    mean = np.mean([ours for ours, *_ in kept], axis=0)
    better = [np.mean([ours[1] < figures[p][1] for ours, *_, figures in kept]) for p in range(len(PEERS))]
    ours_s, theirs_s = sum(s for _, s, _, _ in kept), sum(s for _, _, s, _ in kept)
    print(f"\nmean of {len(kept)} sets: accuracy {mean[0]:.4f}, log-loss {mean[1]:.4f}, ECE {mean[3]:.4f}")
    print("  bars: accuracy ≥ .888, log-loss ≤ .270, ECE ≤ .019")
    for p, name in enumerate(PEERS):
        accuracy, loss = (np.mean([figures[p][k] for *_, figures in kept]) for k in (0, 1))
        print(f"  {name}: {accuracy:.4f} / {loss:.4f}; our log-loss is better on {better[p]:.0%} of the sets")
    print(f"fits: {ours_s:.1f} s, LightGBM {theirs_s:.1f} s in the same run: {ours_s / theirs_s:.2f}× (bar ≤ 0.7×)")


if __name__ == "__main__":
    main()
