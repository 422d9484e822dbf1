"""Explanations as frames and in notebooks."""

import re
from html.parser import HTMLParser

import numpy as np
import pandas as pd
import pytest

from suffice import BayesClassifier
from suffice.explain import Explanation


@pytest.fixture
def model(rng):
    """A thousand rows whose names, levels and labels are not fit for HTML."""
    fine = rng.random(1000) < 0.5
    rows = {
        "<b>size": np.where(fine, 1.0, 2.0) + rng.normal(size=1000),
        "a & b": np.where(rng.random(1000) < 0.2, "<i>", "x"),
    }
    return BayesClassifier(model="naive").fit(rows, np.where(fine, "<script>alert(1)</script>", "bad"))


class Seen(HTMLParser):
    """The tags and the text of a page."""

    def __init__(self, page: str) -> None:
        super().__init__()
        self.tags: set[str] = set()
        self.text: list[str] = []
        self.feed(page)

    def handle_starttag(self, tag, attrs):
        self.tags.add(tag)

    def handle_data(self, data):
        self.text.append(data)


def test_rows_of_the_frame_add_up_to_the_log_odds(model):
    rows = {"<b>size": [0.5, 1.5, None], "a & b": ["x", "<i>", "x"]}
    why = model.explain(rows)
    frame = why.to_frame()
    assert list(frame.columns) == ["(prior)", "<b>size", "a & b"]
    np.testing.assert_allclose(frame.sum(axis=1), why.log_odds)
    assert frame.index.names == ["row", "of", "against"]
    assert frame.index.get_level_values("of").tolist() == model.predict(rows).tolist()
    assert frame.xs(1, level="row").iloc[0].to_dict() == pytest.approx(why.row(1))
    assert frame.loc[(slice(None), "bad"), "<b>size"].gt(0).all()


def test_columns_may_be_called_anything(rng):
    rows = pd.DataFrame({"of": rng.normal(size=1000), "row": rng.normal(size=1000)})
    why = BayesClassifier(model="naive").fit(rows, rows["of"] > 0).explain(rows)
    assert why.to_frame().reset_index(drop=True).columns.tolist() == ["(prior)", "of", "row"]


def test_names_and_labels_are_text_in_a_notebook(model):
    seen = Seen(model.explain({"<b>size": [0.5], "a & b": ["<i>"]})._repr_html_())
    assert seen.tags == {"table", "caption", "tr", "th", "td"}
    assert {"<b>size", "a & b", "(prior)"} <= set(seen.text)
    assert re.match(r"Row 0: <script>alert\(1\)</script> against bad, log-odds [+-]\d", seen.text[0])


def test_long_explanations_are_cut():
    n, names = 40, tuple(f"word {i}" for i in range(100))
    evidence = np.tile(np.arange(100.0), (n, 1))
    labels = np.full(n, "a"), np.full(n, "b")
    seen = Seen(Explanation(names, *labels, np.zeros(n), evidence)._repr_html_())
    assert seen.text.count("word 99") == 5
    assert seen.text[-1] == "… and 35 more rows"
    assert "(90 others)" in seen.text
    assert f"{sum(range(89)):+.2f}" in seen.text
    assert "word 88" not in seen.text


def test_impossible_rows_are_shown():
    why = Explanation(("x",), np.array(["a"]), np.array(["b"]), np.zeros(1), np.array([[-np.inf]]))
    assert "-inf" in why._repr_html_()
    assert why.to_frame().iloc[0, 1] == -np.inf
