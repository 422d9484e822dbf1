"""Rows as tuples read like the same rows in Arrow."""

import numpy as np

from suffice import BayesClassifier, Bernoulli, Categorical, Text
from suffice.columns.labels import encode_labels
from suffice.columns.records_table import RecordsTable
from suffice.sources import open_table

FAMILIES = {"level": Categorical(), "whole": Categorical(), "flag": Bernoulli(), "said": Text("multinomial")}


def some_rows(rng, n):
    words = ["tea", "milk", "noon", "rain", "late"]
    return [
        {
            "number": None if rng.random() < 0.2 else float(rng.normal()),
            "level": None if rng.random() < 0.2 else str(rng.choice(["a", "b", "c"])),
            "whole": None if rng.random() < 0.2 else int(rng.integers(3)),
            "flag": None if rng.random() < 0.2 else bool(rng.random() < 0.5),
            "said": None if rng.random() < 0.2 else " ".join(rng.choice(words, 5)),
        }
        for _ in range(n)
    ]


def test_scores_and_learning_are_those_of_frames(rng):
    model = BayesClassifier(FAMILIES).fit(some_rows(rng, 80), rng.choice(["p", "q"], 80)).model_
    strange = {"number": -7, "level": "unseen", "whole": 2.0, "flag": True, "said": "never heard of"}
    rows = [*some_rows(rng, 20), strange]
    table = RecordsTable(model.names, [tuple(row.values()) for row in rows])
    joints = []
    for one in (open_table(rows), table):
        joints.append(np.empty((len(rows), 2)))
        for _ in model.log_joints(one, joints[-1], 1):
            pass
    assert np.array_equal(*joints)
    labels = encode_labels(np.array(["p", "q", "q"] * 7))
    ours, theirs = (model.learn(one, labels, None, 1).tally for one in (table, open_table(rows)))
    for mine, yours in zip(ours.statistics, theirs.statistics, strict=True):
        assert mine == yours


def test_parts_and_other_names():
    table = RecordsTable(["a", "b"], [(1, "x"), (2, None), (3, "y")])
    assert table.slice(1, 3).numbers(["a"]).values.tolist() == [[2.0], [3.0]]
    assert table.without("a").column("b").tolist() == ["x", None, "y"]
    assert table.renamed(["c", "d"]).objects("c").values == [1, 2, 3]
