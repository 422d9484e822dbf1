"""Loss and gradient add, so rows may come in batches, and memory does not grow with them."""

from itertools import pairwise

import numpy as np
import pytest
import scipy.sparse as sp
from benchmarks.race import extra_memory
from sklearn.datasets import load_digits, load_wine

from suffice.errors import DataError, ParameterError
from suffice.linear_model import LogisticRegression
from suffice.numerics.softmax import Targets, padded
from suffice.statistics.loss import Curvature, LossGradient


def cut(X, y, *ends, weight=None):
    edges = [0, *ends, len(y)]
    for a, b in pairwise(edges):
        yield (X[a:b], y[a:b]) if weight is None else (X[a:b], y[a:b], weight[a:b])


def test_loss_gradient_and_curvature_add(rng):
    x, y, w = rng.normal(size=(50, 4)), rng.integers(0, 3, 50).astype(np.int32), rng.random(50)
    table = padded(rng.normal(size=(5, 2)))
    for kind, field in ((LossGradient, "gradient"), (Curvature, "matrix")):
        whole = kind.of(x, Targets(y, w, np.ones(3), 2), table)
        first, rest = (
            kind.of(x[some], Targets(y[some], w[some], np.ones(3), 2), table) for some in (slice(20), slice(20, 50))
        )
        for total in (first + rest, rest + first):
            np.testing.assert_allclose(getattr(total, field), getattr(whole, field), rtol=1e-12, atol=1e-12)
        with pytest.raises(ValueError, match="read-only"):
            getattr(whole, field)[0] = 1.0


@pytest.mark.parametrize("weighted", [False, True])
@pytest.mark.parametrize("class_weight", [None, "balanced"])
def test_batches_give_what_the_whole_gives(rng, weighted, class_weight):
    X, y = load_wine(return_X_y=True)  # sorted by class: no batch knows them all
    w = rng.random(len(y)) if weighted else None
    settings = {"tol": 1e-9, "class_weight": class_weight}
    whole = LogisticRegression(**settings).fit(X, y, w)
    model = LogisticRegression(**settings).fit_batches(list(cut(X, y, 30, 31, 110, weight=w)))
    np.testing.assert_allclose(model.coef_, whole.coef_, rtol=1e-8, atol=1e-8)
    np.testing.assert_allclose(model.intercept_, whole.intercept_, rtol=1e-8)
    assert model.loss_ == pytest.approx(whole.loss_, rel=1e-8)
    np.testing.assert_array_equal(model.classes_, whole.classes_)


@pytest.mark.parametrize("columns", [64, 3000])
def test_batches_of_sparse_rows(rng, columns):
    X, y = load_digits(return_X_y=True)
    X = sp.csr_array(np.column_stack([X / 16, np.zeros((len(X), columns - 64))]))
    settings = {"tol": 1e-7, "C": 0.01, "max_iter": 500}
    whole = LogisticRegression(**settings).fit(X, y)
    model = LogisticRegression(**settings).fit_batches(list(cut(X, y, 600, 1200)))
    assert model.loss_ == pytest.approx(whole.loss_, rel=1e-8)
    np.testing.assert_allclose(model.coef_, whole.coef_, atol=1e-5)


def test_a_function_may_make_the_batches_each_time():
    X, y = load_wine(return_X_y=True)
    labels = np.array(["a", "bb", "ccc"])[y]
    walks = []

    def batches():
        walks.append(1)
        return cut(X.astype(np.float32), labels, 60, 120)

    model = LogisticRegression().fit_batches(batches)
    assert len(walks) > model.n_iter_[0]
    assert model.classes_.tolist() == ["a", "bb", "ccc"]
    assert model.coef_.dtype == np.float32
    assert model.score(X, labels) > 0.95


def test_what_cannot_be_walked_through_again_is_refused():
    X, y = load_wine(return_X_y=True)
    with pytest.raises(ParameterError, match=r"batches are a generator.*can start again.*Give a list"):
        LogisticRegression().fit_batches(cut(X, y, 60))
    with pytest.raises(ParameterError, match="batches are a int"):
        LogisticRegression().fit_batches(3)
    with pytest.raises(DataError, match="no batch"):
        LogisticRegression().fit_batches([])
    model = LogisticRegression().fit(X, y)
    before = model.coef_
    with pytest.raises(ValueError, match="X has 12 features, but LogisticRegression is expecting 13"):
        model.fit_batches([(X[:90], y[:90]), (X[90:, :12], y[90:])])
    with pytest.raises(ValueError, match="contains NaN"):
        model.fit_batches([(X[:90], y[:90]), (X[90:] * np.nan, y[90:])])
    assert model.coef_ is before  # a failed fit leaves what was there

    once = iter([list(cut(X, y, 60, 120)), list(cut(X, y + 1, 60, 120))])
    with pytest.raises(DataError, match="Label 3 was not there on the first walk"):
        LogisticRegression().fit_batches(lambda: iter(next(once)))


ROWS = """
import numpy as np
import scipy.sparse as sp
from suffice.linear_model import LogisticRegression
rng = np.random.default_rng(0)
y = rng.integers(0, 4, {rows})
"""
DENSE = "X = rng.normal(size=({rows}, 25)) + y[:, None]"
SPARSE = """
cells, ends = rng.integers(0, 2000, {rows} * 20), np.arange({rows} + 1) * 20
X = sp.csr_array((rng.random({rows} * 20), cells, ends), shape=({rows}, 2000))
"""


@pytest.mark.parametrize("kind", [DENSE, SPARSE], ids=["dense", "sparse"])
def test_extra_memory_does_not_grow_with_the_rows(kind):
    """But for the codes of the classes, four bytes a row."""
    few, many = (
        extra_memory(
            (ROWS + kind).format(rows=rows) + "\nLogisticRegression(max_iter=20).fit(X[:5000], y[:5000])",
            "import warnings\nwarnings.simplefilter('ignore')\nLogisticRegression(max_iter=20).fit(X, y)",
        )
        for rows in (50_000, 250_000)
    )
    assert many - few < 200_000 * 4 / 2**20 + 4
