"""Effects are means over rows with cells replaced; importance is measured on rows left out."""

import numpy as np
import pandas as pd
import pytest
from sklearn.datasets import load_iris

from suffice import BayesClassifier, GaussianNB
from suffice.errors import DataError, ParameterError
from suffice.explain import Marginals, effect, effects, importance, pair_effect
from suffice.explain.background import FoldModels
from suffice.sources import open_table


@pytest.fixture(scope="module")
def table():
    """'signal' and the pair 'a', 'b' tell the class, 'noise' does not."""
    rng = np.random.default_rng(20260101)
    n = 2000
    x = pd.DataFrame({"signal": rng.normal(size=n), "noise": rng.normal(size=n)})
    x["a"], x["b"] = rng.choice(["u", "v", "w"], size=n), rng.choice(["p", "q"], size=n)
    score = 1.5 * x["signal"] + 2.0 * ((x["a"] == "u") ^ (x["b"] == "p")) - 1.0
    return x, np.where(rng.random(n) < 1 / (1 + np.exp(-score)), "yes", "no")


@pytest.fixture(scope="module")
def model(table):
    return BayesClassifier().fit(*table)


def odds(model, rows):
    log_p = model.predict_log_proba(rows)
    return log_p[:, 1] - log_p[:, 0]


@pytest.mark.parametrize("kind", ["full", "additive"])
@pytest.mark.parametrize("column", ["signal", "a"])
def test_an_effect_is_a_mean_over_rows_with_cells_replaced(table, kind, column):
    x, y = table
    model, few = BayesClassifier(model=kind).fit(x, y), x.iloc[:100]
    found = effect(model, column, few)
    expected = [(odds(model, few.assign(**{column: v})) - odds(model, few)).mean() for v in found.values]
    np.testing.assert_allclose(found.log_odds[:, 0], expected, atol=1e-9)
    assert (found.of.tolist(), found.against) == (["yes"], "no")
    assert found.share.sum() == pytest.approx(1.0)


def test_an_effect_of_two_columns(table, model):
    few = table[0].iloc[:100]
    found = pair_effect(model, ("a", "b"), few)
    for i, a in enumerate(found.values[0]):
        for j, b in enumerate(found.values[1]):
            assert found.log_odds[i, j] == pytest.approx(
                (odds(model, few.assign(a=a, b=b)) - odds(model, few)).mean(), abs=1e-9
            )
    at = dict(zip(found.values[0], found.log_odds, strict=True)), found.values[1].tolist()
    assert at[0]["u"][at[1].index("q")] > at[0]["u"][at[1].index("p")] + 1
    assert at[0]["v"][at[1].index("p")] > at[0]["v"][at[1].index("q")] + 1


def test_of_independent_columns_it_is_the_log_ratio_of_densities():
    x, y = load_iris(return_X_y=True)
    model = GaussianNB().fit(x, y)
    found = effect(model, 2, x, of=2, against=1)
    points = np.asarray(found.values, dtype=float)
    density = Marginals(model.model_).log_density(open_table(points[:, None]).renamed([2]))
    moved = found.log_odds[:, 0] - (density[:, 2] - density[:, 1])
    np.testing.assert_allclose(moved, moved[0], atol=1e-9)
    assert found.error is None


def test_the_rows_that_the_model_keeps_are_the_usual_background(table, model):
    found = effect(model, "signal")
    np.testing.assert_allclose(found.log_odds[:, 0], effect(model, "signal", table[0]).log_odds[:, 0], atol=0.5)
    up = np.polyfit(found.values, found.log_odds[:, 0], 1, w=np.sqrt(found.share))[0]
    assert up == pytest.approx(1.5, abs=0.4)


def test_bands_cover_a_column_that_tells_nothing_and_narrow_with_rows(table, model):
    x, y = table
    found = effect(model, "noise")
    assert np.average(np.abs(found.log_odds) < 3 * found.error + 0.05, weights=found.share, axis=0)[0] > 0.9
    few = BayesClassifier().fit(x[:300], y[:300])
    assert effect(few, "signal").error.mean() > effect(model, "signal").error.mean() > 0


def test_each_class_is_held_against_the_mean():
    x, y = load_iris(return_X_y=True)
    model = BayesClassifier().fit(x, y)
    found = effect(model, 3)
    assert found.against is None
    np.testing.assert_allclose(found.log_odds.sum(axis=1), 0.0, atol=1e-9)
    two = effect(model, 3, of=2, against=0)
    np.testing.assert_allclose(two.log_odds[:, 0], found.log_odds[:, 2] - found.log_odds[:, 0], atol=1e-9)


def test_importance(table, model):
    found = importance(model)
    assert found.columns[0] == "signal"
    assert found.columns[-1] == "noise"
    loss = dict(zip(found.columns, zip(found.loss, found.error, strict=True), strict=True))
    assert abs(loss["noise"][0]) < 4 * loss["noise"][1] + 0.002
    assert all(rise > 5 * error for name, (rise, error) in loss.items() if name != "noise")
    rows = model.explain(table[0])
    place = rows.features.index("signal")
    assert found.evidence[0] == pytest.approx(np.abs(rows.evidence[:, place]).mean(), rel=0.1)


def test_several_effects_share_their_folds(model):
    one, other = effects(model, ["a", "noise"])
    np.testing.assert_allclose(one.error, effect(model, "a").error, atol=1e-12)
    assert other.column == "noise"


def test_refusals(table, model):
    x, _ = table
    with pytest.raises(ParameterError, match=r"no column 'c' of numbers or categories; there are .*'signal'"):
        effect(model, "c")
    with pytest.raises(ParameterError, match="There is no class 'maybe'"):
        effect(model, "a", of="maybe")
    bare = model.stripped()
    with pytest.raises(DataError, match=r"keeps no rows.*Pass X"):
        effect(bare, "a")
    with pytest.raises(DataError, match="keeps no rows, or too few"):
        importance(bare)
    np.testing.assert_allclose(effect(bare, "a", x).log_odds, effect(model, "a", x).log_odds, atol=1e-9)
    texts = BayesClassifier().fit([f"word{i % 7} and word{i % 3}" for i in range(60)], np.arange(60) % 3)
    with pytest.raises(ParameterError, match="of numbers or categories"):
        effect(texts, 0)


def test_a_column_that_is_mostly_nothing_is_followed_along_its_values():
    rng = np.random.default_rng(6)
    gain = np.where(rng.random(3000) < 0.93, 0.0, np.round(rng.exponential(5000, 3000)))
    found = effect(
        BayesClassifier().fit({"gain": gain}, rng.random(3000) < 0.3 + 0.4 * (gain > 6000)), "gain", {"gain": gain}
    )
    values = np.asarray(found.values, dtype=float)
    between = np.diff(values[values > 0])
    assert 20 <= len(values) <= 40
    assert np.isin(values, gain).all()
    assert between.max() < 0.3 * values.max()
    assert found.share.sum() == pytest.approx(1.0)


def test_no_columns_have_no_effects_and_leave_nothing_out(model, monkeypatch):
    monkeypatch.setattr(FoldModels, "of", lambda *given: pytest.fail("folds were estimated for no column"))
    assert effects(model, []) == []
