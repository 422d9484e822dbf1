"""The softmax kernels against their twins, over shapes, classes, dtypes and weights; the same bytes for any threads."""

import numpy as np
import pytest
import scipy.sparse as sp
from scipy.special import expit

from kernels import twins
from kernels.test_kernels import FORMS
from suffice.numerics import softmax
from suffice.numerics.softmax import Targets

# classes, and how many of them have a column
CLASSES = [(2, 1), (2, 2), (3, 2), (5, 4), (5, 5), (10, 9), (21, 20), (40, 40)]


def problem(rng, rows, features, classes, columns, weighted=False):
    y = rng.integers(0, classes, rows).astype(np.int32)
    weight = rng.random(rows) * (rng.random(rows) < 0.9) if weighted else None
    table = softmax.padded(rng.normal(size=(features + 1, columns)))
    return rng.normal(size=(rows, features)), Targets(y, weight, rng.random(classes) + 0.5, columns), table


def twin(function, x, t, table):
    return function(x, t.y, t.weight, t.class_weight, table, t.columns)


@pytest.mark.parametrize(("classes", "columns"), CLASSES)
@pytest.mark.parametrize("shape", [(1, 1), (7, 3), (300, 40), (5000, 33), (20, 3000)])
@pytest.mark.parametrize("weighted", [False, True])
def test_loss_and_gradient(rng, shape, classes, columns, weighted):
    x, targets, table = problem(rng, *shape, classes, columns, weighted)
    loss, gradient = twin(twins.softmax_loss, x, targets, table / shape[1] ** 0.5)
    ours = softmax.loss_and_gradient(x, targets, table / shape[1] ** 0.5, 2)
    assert ours[0] == pytest.approx(loss, rel=1e-12)
    np.testing.assert_allclose(ours[1], gradient, rtol=1e-10, atol=1e-11)


@pytest.mark.parametrize(("classes", "columns"), CLASSES[:6])
@pytest.mark.parametrize("shape", [(1, 1), (7, 3), (300, 9), (1500, 4)])
@pytest.mark.parametrize("weighted", [False, True])
def test_curvature(rng, shape, classes, columns, weighted):
    x, targets, table = problem(rng, *shape, classes, columns, weighted)
    expected = twin(twins.softmax_curvature, x, targets, table)
    np.testing.assert_allclose(softmax.curvature(x, targets, table, 2), expected, rtol=1e-9, atol=1e-11)


@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize("classes", [2, 4])
def test_every_form_of_matrix_is_read(rng, form, classes):
    x, targets, table = problem(rng, 300, 13, classes, classes - 1)
    x, table = FORMS[form](x), table / 10
    loss, gradient = twin(twins.softmax_loss, x, targets, table)
    ours = softmax.loss_and_gradient(x, targets, table, 2)
    assert ours[0] == pytest.approx(loss, rel=1e-11)
    np.testing.assert_allclose(ours[1], gradient, rtol=1e-9, atol=1e-9)
    expected = twin(twins.softmax_curvature, x, targets, table)
    np.testing.assert_allclose(softmax.curvature(x, targets, table, 1), expected, rtol=1e-9, atol=1e-9)


@pytest.mark.parametrize(("classes", "columns"), CLASSES)
@pytest.mark.parametrize("index", [np.int32, np.int64])
@pytest.mark.parametrize("dtype", [np.float64, np.float32])
@pytest.mark.parametrize("in_order", [True, False])
def test_sparse_rows(rng, classes, columns, index, dtype, in_order):
    x, targets, table = problem(rng, 5000, 70, classes, columns, weighted=True)
    x = sp.csr_array(np.where(rng.random(x.shape) < 0.2, x, 0.0).astype(dtype))
    x.indices, x.indptr = x.indices.astype(index), x.indptr.astype(index)
    dense = x.toarray()
    if not in_order:
        for row in range(len(targets.y)):
            cells = slice(x.indptr[row], x.indptr[row + 1])
            x.indices[cells], x.data[cells] = x.indices[cells][::-1].copy(), x.data[cells][::-1].copy()
    loss, gradient = twin(twins.softmax_loss, dense, targets, table)
    ours = softmax.loss_and_gradient(x, targets, table, 3)
    assert ours[0] == pytest.approx(loss, rel=1e-11)
    np.testing.assert_allclose(ours[1], gradient, rtol=1e-9, atol=1e-10)
    if columns > 1:
        out = np.empty((5000, table.shape[1]))
        softmax.product(x, table, out, 2)
        np.testing.assert_allclose(out, dense @ table[:-1], atol=1e-10)


@pytest.mark.parametrize(("classes", "columns"), CLASSES)
def test_residuals_of_scores(rng, classes, columns):
    x, targets, table = problem(rng, 700, 4, classes, columns, weighted=True)
    scores = np.column_stack([x, np.ones(700)]) @ table
    loss = softmax.to_residuals(scores, targets, 2)
    expected, gradient = twin(twins.softmax_loss, x, targets, table)
    assert loss == pytest.approx(expected, rel=1e-12)
    np.testing.assert_allclose(np.column_stack([x, np.ones(700)]).T @ scores, gradient, rtol=1e-9, atol=1e-11)


@pytest.mark.parametrize("classes", [2, 3])
def test_far_scores_neither_overflow_nor_lose_their_tails(classes):
    """log(1 + eᶻ) and the logistic function of z from −700 to 700, to the last digits. A third class is out of the race."""
    z = np.linspace(-700, 700, 4001)
    columns = np.column_stack([z, np.full_like(z, -1e4)])[:, : classes - 1]
    for label, loss, slope in ((0, np.logaddexp(0, z), expit(z)), (1, np.logaddexp(0, -z), expit(z) - 1)):
        for some in np.array_split(np.arange(len(z)), 40):
            scores = softmax.padded(columns[some])
            targets = Targets(np.full(len(some), label, np.int32), None, np.ones(classes), classes - 1)
            assert softmax.to_residuals(scores, targets, 1) == pytest.approx(loss[some].sum(), rel=1e-14, abs=1e-13)
            np.testing.assert_allclose(scores[:, 0], slope[some], rtol=1e-14, atol=1e-300)


def test_what_is_not_a_number_is_not_hidden(rng):
    x, targets, table = problem(rng, 300, 5, 3, 2)
    for wrong in (np.nan, np.inf):
        x[7, 3] = wrong
        loss, gradient = softmax.loss_and_gradient(x, targets, table, 1)
        assert not np.isfinite(loss)
        assert not np.isfinite(gradient).all()


def test_the_same_bytes_for_any_number_of_threads(rng):
    for classes, columns in ((2, 1), (5, 4), (20, 20)):
        x, targets, table = problem(rng, 30_000, 20, classes, columns, weighted=True)
        sparse = sp.csr_array(np.where(rng.random(x.shape) < 0.3, x, 0.0))
        runs = [
            [
                *softmax.loss_and_gradient(x, targets, table, threads),
                *softmax.loss_and_gradient(sparse, targets, table, threads),
                softmax.curvature(
                    x[:3000], Targets(targets.y[:3000], None, targets.class_weight, columns), table, threads
                ),
            ]
            for threads in (1, 2, 5)
        ]
        for other in runs[1:]:
            assert [np.asarray(a).tobytes() for a in runs[0]] == [np.asarray(a).tobytes() for a in other]


def test_what_does_not_fit_is_refused_not_read(rng):
    x, targets, table = problem(rng, 10, 4, 3, 2)
    with pytest.raises(ValueError, match="do not fit a table"):
        softmax.loss_and_gradient(x[:, :3], targets, table, 1)
    with pytest.raises(ValueError, match="10 rows but the labels have shape"):
        softmax.loss_and_gradient(x, Targets(targets.y[:9], None, targets.class_weight, 2), table, 1)
    with pytest.raises(ValueError, match="do not fit 5 classes"):
        softmax.loss_and_gradient(x, Targets(targets.y, None, np.ones(5), 2), table, 1)
    with pytest.raises(ValueError, match="class codes"):
        softmax.loss_and_gradient(x, Targets(targets.y + 7, None, targets.class_weight, 2), table, 1)
    sparse = sp.csr_array(x)
    sparse.indices = sparse.indices + np.int32(9)
    with pytest.raises(ValueError, match="does not have"):
        softmax.loss_and_gradient(sparse, targets, table, 1)
    with pytest.raises(ValueError, match="must be floats"):
        softmax.loss_and_gradient(sp.csr_array((x * 9).astype(np.int64)), targets, table, 1)
    with pytest.raises(ValueError, match="do not fit together"):
        softmax.product(sp.csr_array(x), table, np.empty((9, 4)), 1)


@pytest.mark.parametrize(("classes", "columns"), CLASSES)
def test_sparse_scores_are_added_to_others(rng, classes, columns):
    x, targets, table = problem(rng, 300, 12, classes, columns, weighted=True)
    offset = softmax.padded(rng.normal(size=(300, columns)))
    found = softmax.sparse_loss_and_gradient(sp.csr_array(x), targets, offset, table, 2)
    # the same as a feature of its own for every column, whose weight is one there
    wide = np.concatenate([x, offset[:, :columns]], axis=1)
    ones = softmax.padded(np.concatenate([table[:-1, :columns], np.eye(columns), table[-1:, :columns]]))
    loss, gradient = twin(twins.softmax_loss, wide, targets, ones)
    assert found[0] == pytest.approx(loss, rel=1e-11)
    np.testing.assert_allclose(found[1][:12], gradient[:12], rtol=1e-9, atol=1e-10)
    np.testing.assert_allclose(found[1][-1], gradient[-1], rtol=1e-9, atol=1e-10)
    with pytest.raises(ValueError, match="do not fit other scores"):
        softmax.sparse_loss_and_gradient(sp.csr_array(x), targets, offset[1:], table, 2)
