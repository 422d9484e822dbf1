"""A table with every kind of column, and the model that any way of reading it must give."""

import numpy as np
import pandas as pd

from suffice import BayesClassifier
from suffice.parts.pairs import Pairs
from suffice.statistics import TextCounts, WordCounts

WORDS = ["tea", "coffee", "milk", "sugar", "cake", "rain", "sun", "late", "early", "again"]


def visits(rows: int = 600) -> pd.DataFrame:
    """Numbers far from zero, whole ones, strings, booleans, days and sentences, with holes; classes of unequal size."""
    rng = np.random.default_rng(5)
    label = rng.choice(["buy", "leave", "return"], rows, p=[0.5, 0.4, 0.1])
    shift = pd.Series(label).map({"buy": 0.0, "leave": 1.0, "return": 2.0}).to_numpy()
    frame = pd.DataFrame(
        {
            "spent": 1e6 + rng.normal(size=rows) + shift,
            "pages": rng.poisson(3 + shift),
            "city": np.where(rng.random(rows) < 0.3, "Łódź", rng.choice(["Bern", "Oslo", "Rome"], rows)),
            "member": rng.random(rows) < 0.3 + 0.2 * shift,
            "day": pd.Timestamp("2025-01-01") + pd.to_timedelta(rng.integers(0, 300, rows), unit="D"),
            "note": [" ".join(rng.choice(WORDS, 5)) + f" x{i}" for i in range(rows)],
            "weight": rng.integers(1, 5, rows).astype(float),
            "label": label,
        }
    )
    frame.loc[rng.random(rows) < 0.1, "spent"] = np.nan
    frame.loc[rng.random(rows) < 0.1, "city"] = None
    return frame


def agree(model: BayesClassifier, expected: BayesClassifier, frame: pd.DataFrame) -> None:
    """Counts exactly, all else to 1e-9 of its size."""
    mine, theirs = model.model_, expected.model_
    assert mine.classes == theirs.classes
    assert mine.tally.weight.tolist() == theirs.tally.weight.tolist()
    assert [tuple(b.columns) for b in mine.blocks] == [tuple(b.columns) for b in theirs.blocks]
    assert [b.family for b in mine.blocks] == [b.family for b in theirs.blocks]
    for a, b in zip(mine.tally.statistics, theirs.tally.statistics, strict=True):
        assert type(a) is type(b)
        if isinstance(a, TextCounts):
            assert [_words(view) for view in a.views] == [_words(view) for view in b.views]
            continue
        assert getattr(a, "levels", None) == getattr(b, "levels", None)
        for name in a._array_names():
            if name.endswith("_low"):  # what is left behind the last digit
                continue
            exact = name in ("weight", "table")
            np.testing.assert_allclose(getattr(a, name), getattr(b, name), rtol=0 if exact else 1e-9)
    assert (mine.weighted_parts is None) == (theirs.weighted_parts is None)
    if mine.weighted_parts is not None:
        assert mine.weighted_parts.seen.tolist() == theirs.weighted_parts.seen.tolist()
        assert [type(part) for part in mine.weighted_parts.parts] == [
            type(part) for part in theirs.weighted_parts.parts
        ]
        pairs, others = mine.weighted_parts.part(Pairs), theirs.weighted_parts.part(Pairs)
        if pairs is not None:  # both have them, as their parts are of one type
            assert pairs.columns.tolist() == others.columns.tolist()
    # what a second look fits is where a descent stopped, and the words may have come in another order
    near = 1e-9
    np.testing.assert_allclose(model.predict_proba(frame), expected.predict_proba(frame), rtol=near, atol=1e-12)


def _words(view: WordCounts) -> dict[str, list[list[float]]]:
    """What was counted of each word."""
    tables = [table.toarray() for table in view.tables]
    return {word: [table[i].tolist() for table in tables] for i, word in enumerate(view.vocabulary.strings())}
