"""Forests in the default model."""

from dataclasses import replace

import numpy as np
import pandas as pd
import pytest

from suffice import BayesClassifier, load
from suffice.columns.blocks import Numbers
from suffice.columns.class_codes import ClassCodes
from suffice.families.histogram import Histogram
from suffice.parts.byte_codes import ByteCodes, NumberCuts, PrincipalAxes
from suffice.parts.forest import ForestPart


def three_together(rng, n):
    """A class that three columns tell together and no two of them; holes that tell a little, and a column that says nothing."""
    x = pd.DataFrame(rng.normal(size=(n, 4)), columns=["a", "b", "c", "d"])
    job = rng.choice(["cook", "smith", "pilot"], n)
    y = (x["a"] > 0) ^ (x["b"] > 0) ^ (job == "pilot")
    x.loc[rng.random(n) < np.where(y, 0.3, 0.1), "c"] = np.nan
    return x.assign(job=job), np.where(rng.random(n) < 0.05, ~y, y).astype(int)


@pytest.fixture(scope="module")
def made():
    rng = np.random.default_rng(5)
    x, y = three_together(rng, 1500)
    return BayesClassifier().fit(x, y), x, y, three_together(rng, 2000)


def loss(model, x, y):
    return -np.log(model.predict_proba(x)[np.arange(len(y)), y]).mean()


def forests(model):
    return [part for part in model.model_.weighted_parts.parts if isinstance(part, ForestPart)]


def test_it_learns_what_no_pair_says(made):
    model, x, y, fresh = made
    assert forests(model)
    assert loss(model, *fresh) < 0.6 * loss(BayesClassifier(model="additive").fit(x, y), *fresh)


def test_additive_has_no_forest(made):
    _, x, y, _ = made
    assert not forests(BayesClassifier(model="additive").fit(x, y))


@pytest.mark.parametrize("classes", [2, 3])
def test_noise_grows_no_forest_that_counts(classes):
    rng = np.random.default_rng(classes)
    x, y = rng.normal(size=(1200, 6)), rng.integers(0, classes, 1200)
    model = BayesClassifier().fit(x, y)
    fresh = rng.normal(size=(2000, 6))
    p = model.predict_proba(fresh)
    expected = -np.log(np.bincount(y) / len(y)).mean()
    assert -np.log(p[np.arange(2000), rng.integers(0, classes, 2000)]).mean() < 1.01 * expected


def test_out_of_bag_scores_are_what_new_rows_get(made):
    """The gain that was read off rows left out is the gain on fresh rows."""
    model, _, _, fresh = made
    gain = forests(model)[0].gain
    assert gain.rows == 1500
    assert loss(model, *fresh) == pytest.approx(gain.after, abs=0.04)


def test_weights_that_are_equal_and_the_order_of_rows_and_columns_change_nothing(made):
    model, x, y, (fresh, _) = made
    p = model.predict_proba(fresh)
    at = np.random.default_rng(0).permutation(len(y))
    columns = ["job", "d", "b", "a", "c"]
    for other in (
        BayesClassifier().fit(x.iloc[at], y[at]),
        BayesClassifier().fit(x, y, sample_weight=np.full(len(y), 3.0)),
        BayesClassifier().fit(pd.concat([x, x]), np.concatenate([y, y])),
        BayesClassifier().fit(x[columns], y),
    ):
        assert len(forests(other)) == len(forests(model))
        np.testing.assert_allclose(other.predict_proba(fresh), p, atol=1e-6)


def test_a_forgotten_row_leaves_no_trace(made):
    _, x, y, (fresh, _) = made
    whole = BayesClassifier().fit(x, y)
    whole.forget(x.iloc[:200], y[:200])
    np.testing.assert_allclose(
        whole.predict_proba(fresh), BayesClassifier().fit(x.iloc[200:], y[200:]).predict_proba(fresh), atol=1e-9
    )


def test_evidence_adds_up_and_names_columns(made):
    model, _, _, (fresh, _) = made
    few = fresh.iloc[:40]
    for forest in forests(model):
        read = model.model_.tables(model.model_.read(model._open(few, reset=False), 1))
        joint = np.zeros((40, 2))
        forest.add_to(joint, read, 1)
        names, parts = forest.evidence(read, ["a", "b", "c", "d", "job"])
        assert names == ["(calibration)", "a", "b", "c", "d", "job"]
        np.testing.assert_allclose(parts.sum(axis=1), joint, atol=1e-12)
        told = np.abs(parts[:, 1:, 1] - parts[:, 1:, 0]).mean(axis=0)
        assert told[[0, 1, 4]].min() > told[[2, 3]].max()  # a, b and job tell together, the others hardly
    why = model.explain(few, of=1, against=0)
    p = np.log(model.predict_proba(few))
    np.testing.assert_allclose(why.log_odds, p[:, 1] - p[:, 0], atol=1e-9)


def test_axes_share_their_nodes_out_by_loadings(made):
    for forest in forests(made[0]):
        if isinstance(forest.codes.axes, PrincipalAxes):
            np.testing.assert_allclose(forest.codes.axes.loadings.sum(axis=0), 1.0, atol=1e-6)
            break
    else:
        pytest.fail("no forest has axes")


def test_missing_cells_that_are_ignored_are_not_cut(made):
    """In a forest a missing cell cannot but tell: columns that have some are left out."""
    _, x, y, _ = made
    model = BayesClassifier(missing="ignore").fit(x, y)
    (first, *_) = forests(model)
    inner = first.trees.column[first.trees.column != 65535] & 32767
    names = [n for block in model.model_.tables(model.model_.blocks) for n in block.columns]
    assert "c" not in {names[j] for j in set(inner.tolist()) if j < len(names)}


def test_codes_of_many_common_values_fit_into_a_byte():
    """A common value has a group of its own, and what lies between two of them another."""
    rng = np.random.default_rng(1)
    common = rng.integers(0, 200, 6000).astype(float)
    x = np.where(rng.random(6000) < 0.3, common + rng.random(6000), common)
    density = Histogram(bits=20).estimate(
        Histogram(bits=20).observe(Numbers(["x"], x[:, None]), ClassCodes(np.zeros(6000, np.int32), 1), 1),
        "mean",
        ("a",),
    )
    cuts = NumberCuts.of(density)
    codes = cuts.codes(Numbers(["x"], x[:, None]), 1)
    assert 200 < len(cuts.cuts[0]) <= 254
    assert codes.max() + 1 <= 255
    order = np.argsort(x, kind="stable")
    assert (np.diff(ByteCodes((cuts,)).codes([Numbers(["x"], x[order, None])])[:, 0].astype(int)) >= 0).all()


def test_it_is_in_the_file(made, tmp_path):
    model, _, _, (fresh, _) = made
    model.save(tmp_path / "m.model")
    again = load(tmp_path / "m.model")
    np.testing.assert_array_equal(again.predict_proba(fresh), model.predict_proba(fresh))
    assert (tmp_path / "m.model").stat().st_size < 2_000_000


def test_describe_says_what_forests_add_and_cost(made):
    model = made[0]
    found = forests(model)
    gain, nodes = found[0].gain, sum(f.trees.nodes for f in found)
    (line,) = [line for line in str(model.describe()).splitlines() if "trees" in line]
    assert line.startswith(f"{100 * len(found)} trees ({nodes:,} nodes")
    assert f"on 1,500 held-out rows they change the log-loss from {gain.before:.4f} to {gain.after:.4f}." in line
    assert "c" in str(model.describe().informative_missing)


def test_a_stripped_model_keeps_its_forest(made):
    model, _, _, (fresh, _) = made
    small = model.stripped()
    np.testing.assert_array_equal(small.predict_proba(fresh), model.predict_proba(fresh))


def test_damaged_trees_are_refused(made, tmp_path):
    from suffice.errors import ModelFileError
    from suffice.persist.model_file import load as read
    from suffice.persist.model_file import save

    model = made[0].model_
    forest = forests(made[0])[0]
    trees = forest.trees
    for changed in (
        replace(trees, count=trees.count + 1),
        replace(trees, leaf_class=np.full_like(trees.leaf_class, 9)),
        replace(trees, sets=trees.sets[:-1]),
        replace(trees, is_level=1 - trees.is_level),
    ):
        weighted_parts = replace(model.weighted_parts, parts=(replace(forest, trees=changed),))
        save(replace(model.current, fitted=weighted_parts), tmp_path / "m.model")
        with pytest.raises(ModelFileError):
            read(tmp_path / "m.model")
