"""Label errors found by one fit, compared with cleanlab on out-of-fold probabilities of the same model: ``make suspects``.

5 and 10 % of the labels of ten tables, 10,000 rows each at most, are replaced by another one at random. Both rank the rows,
ours by ``evaluate.suspects``, cleanlab's default score over five stratified folds. Processor time of one thread.
"""

import time
from collections.abc import Callable

import numpy as np
import pandas as pd
from cleanlab.rank import get_label_quality_scores
from sklearn.metrics import roc_auc_score
from sklearn.model_selection import StratifiedKFold, cross_val_predict

from benchmarks.data import asked_for
from benchmarks.table_quality import table
from suffice import BayesClassifier
from suffice.evaluate import suspects
from suffice.numerics.arrays import AnyArray, BoolArray, FloatArray, IntArray

TABLES = (
    "adult", "bank_full", "car", "german_credit", "letter", "magic", "satellite", "vehicle", "waveform5000", "yeast",
)  # fmt: skip
SHARES, ROWS, FOLDS = (0.05, 0.1), 10_000, 5


def flipped(codes: IntArray, classes: int, share: float, rng: np.random.Generator) -> tuple[IntArray, BoolArray]:
    """Codes of which some are replaced by another one, and which."""
    wrong = rng.random(len(codes)) < share
    other = (codes + rng.integers(1, classes, len(codes))) % classes
    return np.where(wrong, other, codes), wrong


def ours(rows: pd.DataFrame, y: IntArray) -> FloatArray:
    return suspects(BayesClassifier(n_jobs=1), rows, y).log_probability


def theirs(rows: pd.DataFrame, y: IntArray) -> AnyArray:
    folds = StratifiedKFold(FOLDS, shuffle=True, random_state=0)
    p = cross_val_predict(BayesClassifier(n_jobs=1), rows, y, cv=folds, method="predict_proba")
    return np.asarray(get_label_quality_scores(y, p))


def measured(
    rank: Callable[[pd.DataFrame, IntArray], AnyArray], rows: pd.DataFrame, y: IntArray, wrong: BoolArray
) -> tuple[float, float]:
    """AUC, and seconds."""
    start = time.process_time()
    score = rank(rows, y)
    return float(roc_auc_score(wrong, -score)), time.process_time() - start


def main() -> None:
    folder, wanted = asked_for(__doc__)
    if folder is None:
        return
    print(
        f"{'':16s}{'rows':>7s}{'flipped':>9s}{'suffice':>9s}{'cleanlab':>10s}{'suffice':>10s}{'cleanlab':>10s}{'time':>8s}"
    )
    found = []
    for name in wanted or TABLES:
        rows, labels = table(folder, name, ROWS)
        classes, codes = np.unique(labels, return_inverse=True)
        rng = np.random.default_rng(0)
        for share in SHARES:
            y, wrong = flipped(codes, len(classes), share, rng)
            (a, s), (b, t) = measured(ours, rows, y, wrong), measured(theirs, rows, y, wrong)
            found.append((a, b, s, t))
            print(f"{name:16s}{len(y):7d}{share:9.0%}{a:9.4f}{b:10.4f}{s:9.2f}s{t:9.2f}s{s / t:8.3f}", flush=True)
    a, b, s, t = np.array(found).T
    print(f"{'mean':16s}{'':16s}{a.mean():9.4f}{b.mean():10.4f}{s.sum():9.2f}s{t.sum():9.2f}s{s.sum() / t.sum():8.3f}")
    print(
        f"AUC at least cleanlab's in {(a >= b - 5e-5).sum()} of {len(a)}, at most a fifth of its time in {(s <= t / 5).sum()}"
    )


if __name__ == "__main__":
    main()
