"""Cases of every kind of column, and a model of them."""

import numpy as np

from suffice import BayesClassifier, Text
from suffice.statistics import Moments, Tally

WORDS = {
    "fraud": "urgent cash refund twice lost invoice wire transfer today",
    "honest": "broken window storm roof repair neighbour saw photo attached",
}


def some_rows(n, seed=0):
    """Rows and labels; about one in five is hard to tell."""
    rng = np.random.default_rng(seed)
    rows, labels = [], []
    for _ in range(n):
        label, other = ("fraud", "honest") if rng.random() < 0.4 else ("honest", "fraud")
        said = [str(rng.choice(WORDS[label if rng.random() < 0.7 else other].split())) for _ in range(6)]
        rows.append(
            {
                "amount": None if rng.random() < 0.05 else round(rng.normal(2 + (label == "fraud"), 1), 3),
                "branch": str(rng.choice(["north", "south", "online"], p=[0.2, 0.2, 0.6])),
                "letter": " ".join(said),
                "known": bool(rng.random() < (0.4 if label == "fraud" else 0.6)),
            }
        )
        labels.append(label)
    return rows, labels


FAMILIES = {"letter": Text("multinomial")}


def trained(n=300, seed=0):
    rows, labels = some_rows(n, seed)
    return BayesClassifier(FAMILIES).fit(rows, labels)


def assert_same_statistics(a: Tally, b: Tally):
    """Bit for bit in counts, to 1e-9 in moments."""
    assert a.classes == b.classes
    assert np.array_equal(a.weight, b.weight)
    for mine, theirs in zip(a.statistics, b.statistics, strict=True):
        if isinstance(mine, Moments):
            assert np.array_equal(mine.weight, theirs.weight)
            np.testing.assert_allclose(mine.mean, theirs.mean, rtol=1e-9)
            np.testing.assert_allclose(mine.m2, theirs.m2, rtol=1e-9)
        else:
            assert mine == theirs
