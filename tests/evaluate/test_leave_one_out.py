"""Leave-one-out through the public API against as many fits as there are rows, what is tuned tuned in each of them."""

import numpy as np
import pandas as pd
import pytest
from sklearn.base import clone

from suffice import TAN, BayesClassifier, Histogram, MultivariateNormal, PooledCategorical, Text
from suffice.evaluate import leave_one_out

ROWS = 120


def bumps(rng):
    y = rng.integers(0, 3, ROWS)
    return rng.normal(y[:, None], 1, (ROWS, 2)), y


def tied(rng):
    x, y = bumps(rng)
    return np.round(x, 1), y


def spikes_and_holes(rng):
    y = rng.integers(0, 2, ROWS)
    x = np.where(rng.random((ROWS, 2)) < 0.3, 0.0, rng.lognormal(y[:, None], 1, (ROWS, 2)))
    x[rng.random(x.shape) < 0.15] = np.nan
    return x, y


def codes(rng):
    """Numbers without an order: which of 30 it is decides the class, mostly."""
    code, likely = rng.integers(0, 30, ROWS), rng.random(30) < 0.5
    return (1000.0 + 7 * code)[:, None], np.where(rng.random(ROWS) < 0.9, likely[code], ~likely[code]).astype(int)


def zip_codes(rng):
    """The first two characters matter, the others hardly."""
    area, place = rng.integers(0, 8, ROWS), rng.integers(0, 6, ROWS)
    y = (rng.random(ROWS) < np.where(area % 2, 0.85, 0.15)).astype(int)
    return pd.DataFrame({"zip": [f"{10 + a}{b}00" for a, b in zip(area, place, strict=True)]}), y


def letters(rng):
    y = rng.integers(0, 2, ROWS // 3)
    words = np.array(["pay", "win", "now", "meet", "plan", "team", "the", "a"])
    weight = np.array([[5, 4, 3, 1, 1, 1, 6, 6], [1, 1, 2, 4, 5, 3, 6, 6]], dtype=float)
    texts = [" ".join(rng.choice(words, 6, p=weight[c] / weight[c].sum())) for c in y]
    return pd.DataFrame({"text": texts}), y


CASES = {
    "bins": (Histogram(), bumps),
    "bins of rounded numbers": (Histogram(bins=16), tied),
    "bins with spikes and holes": (Histogram(), spikes_and_holes),
    "bins of a given strength": (Histogram(strength=4.0), bumps),
    "number codes": (Histogram(), codes),
    "levels": (PooledCategorical(), lambda rng: (rng.integers(0, 9, (ROWS, 2)), rng.integers(0, 2, ROWS))),
    "prefixes": (PooledCategorical(), zip_codes),
    "prefixes of a given strength": (PooledCategorical(strength=2.0), zip_codes),
    "pseudo-counts of words": ({"text": Text("multinomial", alpha="tuned")}, letters),
    "pseudo-counts of word rates": ({"text": Text("poisson", alpha="tuned")}, letters),
    "shrinkage by leave-one-out": (MultivariateNormal(shrinkage="loo"), bumps),
    "shrinkage by OAS": (MultivariateNormal("tied", shrinkage="oas"), bumps),
    "a tree of columns": (TAN(), lambda rng: (rng.integers(0, 3, (ROWS, 3)), rng.integers(0, 2, ROWS))),
}


@pytest.mark.parametrize("case", CASES)
def test_what_is_tuned_is_tuned_without_the_row(case, rng):
    family, draw = CASES[case]
    x, y = draw(rng)

    def fitted(rows):
        part = x.iloc[rows] if isinstance(x, pd.DataFrame) else x[rows]
        return BayesClassifier(family, model="naive").fit(part, y[rows])

    got = leave_one_out(fitted(np.arange(len(y))), x, y).posterior
    every = np.arange(len(y))
    expected = [fitted(np.delete(every, r)).predict_proba(x[r : r + 1])[0] for r in every]
    np.testing.assert_allclose(got, expected, atol=1e-9)


def test_what_is_tuned_is_another_without_some_row(rng):
    """The test above can fail: the strength of the bins, and the prefixes, depend on single rows of these tables."""
    x, y = bumps(rng)
    every = np.arange(ROWS)

    def strengths(rows):
        (density,) = BayesClassifier(Histogram()).fit(x[rows], y[rows]).model_.densities
        return tuple(float(column.stages[-1].strengths[0]) for column in density.columns)

    assert len({strengths(np.delete(every, r)) for r in every}) > 1


@pytest.mark.parametrize(
    "model", [BayesClassifier(Histogram()), BayesClassifier(), BayesClassifier(model="naive")], ids=repr
)
def test_rows_without_weight_are_in_no_model(model, rng):
    """They are predicted by the model of the others, which are left out as if these had never come."""
    x, y = bumps(rng)
    weight = np.where(np.arange(ROWS) % 4, rng.uniform(0.5, 2, ROWS), 0.0)
    some = weight > 0
    got = leave_one_out(model, x, y, weight).posterior
    others = leave_one_out(model, x[some], y[some], weight[some]).posterior
    np.testing.assert_allclose(got[some], others, atol=1e-12)
    fitted = clone(model).fit(x[some], y[some], weight[some])
    np.testing.assert_allclose(got[~some], fitted.predict_proba(x[~some]), atol=1e-12)


def test_textbook_columns_beside_a_text_of_more_rows_than_are_kept(rng):
    table, y = letters(rng)
    table = table.assign(size=rng.normal(y, 1.0))
    found = leave_one_out(BayesClassifier(model="naive", keep_rows=20), table, y)
    assert found.posterior.shape == (len(y), 2)
    assert found.log_loss.value < np.log(2)
