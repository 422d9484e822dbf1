"""Kernels against their NumPy twins, over dtypes, strides, shapes, weights and holes; the same bytes for any threads."""

import numpy as np
import pytest
import scipy.sparse as sp
from scipy.special import logsumexp

from kernels import twins
from suffice.numerics import kernels, scores

SHAPES = [(1, 1), (7, 3), (600, 40), (1100, 5), (20, 1100), (40000, 2)]
FORMS = {
    "float64": lambda x: x,
    "float32": lambda x: x.astype(np.float32),
    "fortran": np.asfortranarray,
    "every other": lambda x: np.repeat(np.repeat(x, 2, axis=0), 2, axis=1)[::2, ::2],
    "reversed": lambda x: x[::-1, ::-1],
    "int64": lambda x: (x * 10).astype(np.int64),
    "int16": lambda x: (x * 10).astype(np.int16),
    "bool": lambda x: x > 0,
    "read-only": lambda x: np.frombuffer(np.ascontiguousarray(x).tobytes()).reshape(x.shape),
}


def data(rng, shape, form="float64", holes=0.0, weighted=False, n_classes=3):
    x = rng.normal(3, 2, shape)
    x[rng.random(shape) < holes] = np.nan
    y = rng.integers(0, n_classes, shape[0]).astype(np.int32)
    w = rng.integers(0, 4, shape[0]).astype(float) if weighted else None
    return FORMS[form](x), y, w


@pytest.mark.parametrize("shape", SHAPES)
@pytest.mark.parametrize("weighted", [False, True])
@pytest.mark.parametrize("holes", [0.0, 0.2])
def test_moments(rng, shape, weighted, holes):
    x, y, w = data(rng, shape, holes=holes, weighted=weighted)
    np.testing.assert_allclose(kernels.moments(x, y, 3, w, 2), twins.moments(x, y, 3, w), rtol=1e-11, atol=1e-11)


@pytest.mark.parametrize("shape", [(1, 1), (7, 3), (600, 40), (300, 8), (40000, 2), (20, 130)])
@pytest.mark.parametrize("weighted", [False, True])
@pytest.mark.parametrize("holes", [0.0, 0.02])
def test_scatter(rng, shape, weighted, holes):
    x, y, w = data(rng, shape, holes=holes, weighted=weighted)
    for ours, expected in zip(kernels.scatter(x, y, 3, w, 2), twins.scatter(x, y, 3, w), strict=True):
        np.testing.assert_allclose(ours, expected, rtol=1e-10, atol=1e-8)


@pytest.mark.parametrize("shape", [(1, 1), (7, 3), (600, 40), (65, 9), (20, 130)])
@pytest.mark.parametrize("shared", [False, True])
@pytest.mark.parametrize("form", ["float64", "float32", "fortran", "reversed", "int16"])
def test_distances(rng, shape, shared, form):
    x, _, _ = data(rng, shape, form)
    x = x.copy()
    if x.dtype.kind == "f" and len(x) > 5:
        x[3, 0] = np.nan
    columns, classes = shape[1], 5
    roots = np.triu(rng.normal(size=(1 if shared else classes, columns, columns)))
    centre, offset = rng.normal(size=(len(roots), columns)), rng.normal(size=(classes, columns))
    expected = np.stack(
        [((x - centre[c * (not shared)]) @ roots[c * (not shared)].T - offset[c]) for c in range(classes)], axis=1
    )
    ours = kernels.distances(x, centre, roots, offset, 2)
    np.testing.assert_allclose(ours, (expected**2).sum(axis=2), rtol=1e-10)
    assert kernels.distances(x, centre, roots, offset, 1).tobytes() == ours.tobytes()


@pytest.mark.parametrize("shape", [(1, 1), (7, 3), (600, 40), (65, 9)])
@pytest.mark.parametrize("classes", [1, 2, 5])
def test_affine_scores(rng, shape, classes):
    x, _, _ = data(rng, shape)
    x[-1, -1] = np.nan
    centre, slope, constant = rng.normal(size=shape[1]), rng.normal(size=(classes, shape[1])), rng.normal(size=classes)
    out = np.full((shape[0], classes), 2.0)
    kernels.add_affine_scores(x, centre, slope, constant, out, 2)
    np.testing.assert_allclose(out, 2 + constant + (x - centre) @ slope.T, rtol=1e-10, atol=1e-12)


@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize("shape", [(7, 3), (600, 40), (20, 600)])
def test_every_form_of_matrix_is_read(rng, form, shape):
    x, y, _ = data(rng, shape, form)
    np.testing.assert_allclose(kernels.moments(x, y, 3, None, 2), twins.moments(x, y, 3, None), rtol=1e-10, atol=1e-10)
    for ours, expected in zip(kernels.scatter(x, y, 3, None, 2), twins.scatter(x, y, 3, None), strict=True):
        np.testing.assert_allclose(ours, expected, rtol=1e-9, atol=1e-8)
    for threshold in (None, 1.0):
        n, total, low = kernels.sums(x, y, 3, None, threshold, 2)
        np.testing.assert_allclose((n, total), twins.sums(x, y, 3, None, threshold), rtol=1e-10, atol=1e-10)
        np.testing.assert_array_equal(low, x.astype(float).min(axis=0))
    a, b, c, p = rng.normal(size=(4, 3, shape[1]))
    out = np.zeros((shape[0], 3))
    kernels.add_quadratic_scores(x, a, b, c, out, 2)
    np.testing.assert_allclose(out, twins.cell_scores(x, lambda v: a - c * (v - b) ** 2), rtol=1e-9, atol=1e-9)
    out[:] = 0
    kernels.add_student_scores(x, a, b, c**2, p, out, 2)
    expected = twins.cell_scores(x, lambda v: a - p * np.log1p(c**2 * (v - b) ** 2))
    np.testing.assert_allclose(out, expected, rtol=1e-9, atol=1e-9)


@pytest.mark.parametrize("shape", SHAPES)
@pytest.mark.parametrize("holes", [0.0, 0.2])
def test_cell_scores(rng, shape, holes):
    x, _, _ = data(rng, shape, holes=holes)
    a, b = rng.normal(size=(2, 3, shape[1]))
    for add, function in (
        (kernels.add_linear_scores, lambda v: a + b * v),
        (lambda x, a, b, out, t: kernels.add_step_scores(x, 2.0, a, b, out, t), lambda v: np.where(v > 2.0, b, a)),
    ):
        out = np.zeros((shape[0], 3))
        add(x, a, b, out, 2)
        np.testing.assert_allclose(out, twins.cell_scores(x, function), rtol=1e-9, atol=1e-9)


@pytest.mark.parametrize("dtype", [np.int64, np.int32, np.int8, np.uint8])
@pytest.mark.parametrize("n_classes", [1, 4, 5, 33, 70])
def test_tables_over_levels(rng, dtype, n_classes):
    values = rng.integers(0, 6, (300, 7)).astype(dtype)
    low = np.array([0, 1, 2, 0, 0, 0, 3])  # some values lie outside and are as good as missing
    start = np.concatenate([[0], np.cumsum([6, 5, 2, 6, 6, 4, 9])])
    y = rng.integers(0, n_classes, 300).astype(np.int32)
    w = rng.random(300)
    table = kernels.counts(values, low, start, y, n_classes, w, 2)
    np.testing.assert_allclose(table, twins.counts(values, low, start, y, n_classes, w), atol=1e-12)
    out = np.zeros((300, n_classes))
    known = kernels.add_table_scores(values, low, start, kernels.class_rows(table), out, 2)
    assert not known
    np.testing.assert_allclose(out, twins.table_scores(values, low, start, table), atol=1e-9)


@pytest.mark.parametrize("index", [np.int32, np.int64])
@pytest.mark.parametrize("dtype", [np.float64, np.float32, np.int64])
@pytest.mark.parametrize("n_classes", [2, 20, 40])
def test_sparse_rows(rng, index, dtype, n_classes):
    dense = rng.integers(-1, 3, (500, 90)) * (rng.random((500, 90)) < 0.2)
    x = sp.csr_array(dense.astype(dtype))
    x.indices, x.indptr = x.indices.astype(index), x.indptr.astype(index)
    y = rng.integers(0, n_classes, 500).astype(np.int32)
    for threshold, value in ((None, dense), (0.0, dense > 0)):
        expected = np.array([value[y == c].sum(axis=0) for c in range(n_classes)])
        np.testing.assert_allclose(kernels.sparse_sums(x, y, n_classes, None, threshold, 2), expected)
        table, start = rng.normal(size=(n_classes, 90)), rng.normal(size=n_classes)
        out = np.ones((500, n_classes))
        kernels.add_sparse_scores(x, threshold, start, kernels.class_rows(table), out, 2)
        np.testing.assert_allclose(out, 1 + start + value @ table.T, atol=1e-10)


def test_sparse_index_out_of_bounds_is_refused_not_read():
    x = sp.csr_array(np.eye(3))
    x.indices = np.array([0, 7, 2], dtype=np.int32)
    with pytest.raises(ValueError, match="does not have"):
        kernels.sparse_sums(x, np.zeros(3, np.int32), 1, None, None, 1)
    with pytest.raises(ValueError, match="does not have"):
        kernels.add_sparse_scores(x, None, np.zeros(2), kernels.class_rows(np.ones((2, 3))), np.zeros((3, 2)), 1)


def test_label_out_of_bounds_is_refused_not_written():
    with pytest.raises(ValueError, match="class codes"):
        kernels.moments(np.ones((3, 2)), np.array([0, 5, -1], np.int32), 2, None, 1)


def test_shapes_that_do_not_fit_are_named():
    with pytest.raises(ValueError, match=r"3 rows but the labels have shape \(2,\)"):
        kernels.moments(np.ones((3, 2)), np.zeros(2, np.int32), 1, None, 1)


def test_costs_that_do_not_fit_are_named():
    with pytest.raises(ValueError, match=r"posteriors \(4, 3\) do not fit costs \(2, 5\)"):
        kernels.least_risk(np.ones((4, 3)), np.ones((2, 5)), 1)


def test_impossible_parameters_make_minus_infinity_never_nan(rng):
    slope = np.array([[-np.inf, 0.5], [0.25, -np.inf]])
    x = np.array([[0.0, 2.0], [1.0, 0.0], [0.0, 0.0]])
    expected = np.array([[1.0, -np.inf], [-np.inf, 0.25], [0.0, 0.0]])
    dense = np.zeros((3, 2))
    scores.add_linear(x, np.zeros((2, 2)), slope, dense, 1)
    sparse = np.zeros((3, 2))
    scores.SparseSlopes(np.zeros((2, 2)), slope).add_to(sparse, sp.csr_array(x), 1)
    np.testing.assert_array_equal(dense, expected)
    np.testing.assert_array_equal(sparse, expected)
    below, above = np.log([[0.5, 1.0], [0.25, 0.5]]), np.array([[np.log(0.5), -np.inf], [np.log(0.75), np.log(0.5)]])
    steps = np.zeros((3, 2))
    scores.SparseSteps(0.0, above, below).add_to(steps, sp.csr_array(x), 1)
    plain = np.zeros((3, 2))
    kernels.add_step_scores(x, 0.0, above, below, plain, 1)
    np.testing.assert_allclose(steps, plain)


def test_log_sum_exp_and_normalise(rng):
    joint = rng.normal(-2000, 300, (5000, 4))
    joint[3] = -np.inf
    joint[4, 1:] = -np.inf
    with np.errstate(all="ignore"):
        np.testing.assert_allclose(kernels.log_sum_exp(joint, 2), logsumexp(joint, axis=1))
    fallback = np.array([0.1, 0.2, 0.3, 0.4])
    p = kernels.normalise(joint.copy(), fallback, log=False, threads=2)
    np.testing.assert_allclose(p.sum(axis=1), 1)
    np.testing.assert_array_equal(p[3], fallback)
    np.testing.assert_array_equal(p[4], [1, 0, 0, 0])
    best = kernels.most_probable(joint, 2, 2)
    assert best[3] == 2
    np.testing.assert_array_equal(np.delete(best, 3), np.delete(joint, 3, axis=0).argmax(axis=1))


@pytest.mark.parametrize(("rows", "classes", "actions"), [(1, 1, 1), (5000, 3, 4), (2500, 10, 11), (7, 70, 2)])
def test_least_risk(rng, rows, classes, actions):
    p, costs = rng.dirichlet(np.ones(classes), rows), rng.random((classes, actions))
    index, risk = kernels.least_risk(p, costs, 2)
    risks = twins.risks(p, costs)
    np.testing.assert_allclose(risk, risks.min(axis=1), rtol=1e-12)
    np.testing.assert_array_equal(index, risks.argmin(axis=1))
    tied, _ = kernels.least_risk(p, np.ones((classes, actions)), 2)
    assert not tied.any()  # the first of equals


def test_integer_ranges_and_codes(rng):
    values = rng.integers(-50, 70, (40000, 3))
    low, high = kernels.int_range(values, 2)
    np.testing.assert_array_equal(low, values.min(axis=0))
    np.testing.assert_array_equal(high, values.max(axis=0))
    column = values[:, 1]
    codes, counts = kernels.lookup(column, int(low[1]), int(high[1] - low[1] + 1), 2)
    np.testing.assert_array_equal(codes, column - low[1])
    np.testing.assert_array_equal(counts, np.bincount(codes))
    assert kernels.lookup(column, 0, 5, 2) is None
    w = rng.random(40000)
    y = rng.integers(0, 9, 40000).astype(np.int32)
    np.testing.assert_allclose(kernels.class_weights(y, 9, w, 2), np.bincount(y, w))
    np.testing.assert_array_equal(kernels.class_weights(y, 9, None, 2), np.bincount(y))


def test_the_same_bytes_for_any_number_of_threads(rng):
    x, y, w = data(rng, (70000, 17), holes=0.01)
    w = rng.random(len(x))
    sparse = sp.random_array((30000, 400), density=0.02, format="csr", random_state=rng)
    codes = rng.integers(0, 8, (70000, 3))
    low, start = np.zeros(3, np.int64), np.arange(4) * 8
    runs = [
        [
            *kernels.moments(x, y, 3, w, threads),
            *kernels.scatter(x, y, 3, w, threads),
            *kernels.sums(x, y, 3, w, None, threads),
            kernels.counts(codes, low, start, y, 3, w, threads),
            kernels.sparse_sums(sparse, y[:30000], 3, w[:30000], None, threads),
            kernels.class_weights(y, 3, w, threads),
            *kernels.least_risk(np.abs(np.nan_to_num(x)), w[: 17 * 5].reshape(17, 5), threads),
        ]
        for threads in (1, 2, 8)
    ]
    for other in runs[1:]:
        for a, b in zip(runs[0], other, strict=True):
            assert a.tobytes() == b.tobytes()


def test_an_error_in_a_thread_is_an_error_of_the_call(rng):
    half = rng.normal(size=(50_000, 8)).astype(np.float16)  # no kernel reads this; the estimators widen it first
    with pytest.raises(ValueError, match="float32, float64, bool and integer"):
        kernels.moments(half, np.zeros(50_000, np.int32), 1, None, 4)
