"""Which rows to label next, ``suggest`` beside rows drawn at random: ``make labelling``.

Five sets of texts and five tables. Of 1,000 rows without a label, 20 drawn at random are labelled first, then 10 at a time up
to 80. The table shows the area under the learning curve: mean accuracy on 500 other rows, over 10 seeds.
"""

from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd

from benchmarks.data import asked_for, labelled_documents
from benchmarks.table_quality import table
from suffice import BayesClassifier
from suffice.numerics.arrays import AnyArray, IntArray

TEXTS = ("ag_news_7600", "reuters8", "sms_spam", "subjectivity", "tweeteval_emotion")
TABLES = ("banknote", "car", "mushroom", "satellite", "segment")
POOL, TEST, FIRST, STEP, LAST, SEEDS = 1_000, 500, 20, 10, 80, 10


def rows_of(folder: Path, name: str) -> tuple[Any, AnyArray]:
    if name not in TEXTS:
        return table(folder, name)
    texts, y, _ = labelled_documents(folder, name)
    return pd.Series(texts), y


def area(rows: Any, y: AnyArray, seed: int, *, suggested: bool) -> float:
    """Mean accuracy on other rows while rows of the pool are labelled."""
    rng = np.random.default_rng(seed)
    order = rng.permutation(len(y))
    pool, test = order[:POOL], order[POOL : POOL + TEST]
    known: IntArray = pool[:FIRST]
    scores = []
    while len(known) <= LAST:
        model = BayesClassifier(model="additive").fit(_some(rows, known), y[known])
        scores.append(model.score(_some(rows, test), y[test]))
        rest = np.setdiff1d(pool, known)
        chosen = model.suggest(_some(rows, rest), STEP) if suggested else rng.permutation(len(rest))[:STEP]
        known = np.concatenate([known, rest[chosen]])
    return float(np.mean(scores))


def _some(rows: Any, places: IntArray) -> Any:
    some = rows.iloc[places]
    return some.tolist() if isinstance(some, pd.Series) else some.reset_index(drop=True)


def main() -> None:
    folder, wanted = asked_for(__doc__)
    if folder is None:
        return
    print(f"{'':20s}{'random':>8s}{'suggest':>9s}{'gain':>8s}{'its error':>11s}")
    above = 0
    names = wanted or [*TEXTS, *TABLES]
    for name in names:
        rows, y = rows_of(folder, name)
        found = np.array([[area(rows, y, seed, suggested=way) for way in (False, True)] for seed in range(SEEDS)])
        gain = found[:, 1] - found[:, 0]
        above += gain.mean() > 0
        error = gain.std(ddof=1) / np.sqrt(SEEDS)
        print(
            f"{name:20s}{found[:, 0].mean():8.4f}{found[:, 1].mean():9.4f}{gain.mean():+8.4f}{error:11.4f}", flush=True
        )
    print(f"above random on {above} of {len(names)}")


if __name__ == "__main__":
    main()
