import inspect

import numpy as np
import pytest
from hypothesis import given, note
from hypothesis import strategies as st

import suffice.statistics as statistics
from laws.cases import CASES
from laws.kit import LAWS, Rows
from suffice.columns.blocks import Numbers
from suffice.errors import ForgetError, MergeError
from suffice.numerics import kernels
from suffice.statistics import (
    Counts,
    CountTables,
    Fitted,
    LogMoments,
    Moments,
    RowSample,
    Successes,
    Sums,
    Tally,
    row_sample,
)


@pytest.mark.parametrize("case", CASES, ids=str)
@given(data=st.data())
def test_laws(case, data):
    """All of them on the same rows, since drawing rows takes longer than counting them."""
    rows = [data.draw(case.rows()) for _ in range(3)]
    for law in LAWS:
        note(law.__name__)
        law(case, *rows)


def test_every_statistic_is_registered():
    kinds = {getattr(statistics, name) for name in statistics.__all__}
    concrete = {k for k in kinds if not inspect.isabstract(k)}
    assert concrete - {Fitted} == {case.kind for case in CASES}  # Fitted does not add, and says so


@pytest.mark.parametrize("case", CASES, ids=str)
@given(data=st.data())
def test_taking_what_was_never_added_is_refused(case, data):
    some, more = data.draw(case.rows()), data.draw(case.rows(min_size=1))
    if np.isnan(more.cells).any(axis=1).all():
        more.cells[0] = 1.0
    heavy = Rows(more.y, more.weight + some.weight.sum() + 1, more.cells)
    with pytest.raises(ForgetError, match=r"only (what|\d)"):
        case.count(some) - case.count(heavy)


def test_integer_counts_are_exact():
    a = Sums(np.array([[3.0]]), np.array([[2.0**53 - 2]]))
    assert (a + Sums(np.array([[1.0]]), np.array([[1.0]]))).total[0, 0] == 2.0**53 - 1


def test_statistics_are_values():
    s = Sums(np.ones((1, 1)), np.ones((1, 1)))
    with pytest.raises(ValueError, match="read-only"):
        s.total[0, 0] = 5
    with pytest.raises(AttributeError):
        s.total = np.zeros((1, 1))


def test_levels_are_matched_by_name():
    a = Counts.of([("x", "y")], np.array([[1.0, 2.0]]))
    b = Counts.of([("z", "y")], np.array([[4.0, 8.0]]))
    assert (a + b).levels == (("x", "y", "z"),)
    assert (a + b).table.tolist() == [[1, 10, 4]]
    assert ((a + b) - b).levels == (("x", "y"),)


def test_a_level_taken_too_often_is_named():
    a = Counts.of([("x", "y")], np.array([[1.0, 2.0]]))
    with pytest.raises(ForgetError, match=r"level 'z'"):
        a - Counts.of([("z",)], np.array([[1.0]]))


def test_counts_cut_off_differently_do_not_add():
    with pytest.raises(MergeError, match="max_count"):
        CountTables(np.ones((1, 1, 3))) + CountTables(np.ones((1, 1, 4)))


def tally(classes, columns, total):
    n = len(classes)
    return Tally(classes, np.ones(n), (columns,), (Sums(np.ones((n, 2)), np.array(total, dtype=float)),))


def test_tally_matches_classes_and_columns_by_name():
    a = tally(("ham", "spam"), ("age", "size"), [[1, 2], [3, 4]])
    b = tally(("eggs", "spam"), ("size", "age"), [[10, 20], [30, 40]])
    total = a + b
    assert total.classes == ("eggs", "ham", "spam")
    assert total.statistics[0].total.tolist() == [[20, 10], [1, 2], [43, 34]]
    assert total.weight.tolist() == [1, 1, 2]


def test_tally_refuses_other_columns_by_name():
    a, b = tally(("x",), ("age", "size"), [[1, 2]]), tally(("x",), ("age", "weight"), [[1, 2]])
    with pytest.raises(MergeError, match=r"'size', 'weight' only in one"):
        a + b


def test_tally_names_the_class_that_was_not_learned():
    a, b = tally(("x",), ("age", "size"), [[1, 2]]), tally(("y",), ("age", "size"), [[1, 2]])
    with pytest.raises(ForgetError, match="Class 'y' was never learned"):
        a - b
    with pytest.raises(ForgetError, match=r"5 rows of class 'x', but only 1"):
        a - Tally(("x",), np.array([5.0]), a.columns, a.statistics)
    with pytest.raises(ForgetError, match=r"column 'size' from class 'x'"):
        a - tally(("x",), ("age", "size"), [[1, 3]])


def test_a_sample_of_wide_rows_is_that_of_its_parts(monkeypatch, rng):
    """Of more cells than are copied at once, and than are kept."""
    monkeypatch.setattr(row_sample, "_BATCH_CELLS", 1 << 12)
    monkeypatch.setattr(row_sample, "MAX_BYTES", 1 << 16)
    x, y = rng.integers(0, 3, (1000, 50)).astype(float), rng.integers(0, 2, 1000).astype(np.int32)
    x[500:600] = x[:100]  # kept once

    def sample(rows):
        return RowSample.of(900, (range(50),), [Numbers(range(50), x[rows])], y[rows], None)

    whole, parts = sample(slice(None)), sample(slice(0, 300)) + sample(slice(300, 1000))
    assert 100 < whole.rows <= (1 << 16) // 400
    assert whole.limit == parts.limit
    np.testing.assert_array_equal(whole.keys, parts.keys)
    np.testing.assert_array_equal(whole.cells[0].values, parts.cells[0].values)
    np.testing.assert_array_equal(whole.weight, parts.weight)


def test_fitted_estimators_do_not_add():
    with pytest.raises(TypeError, match="cannot be merged"):
        Fitted(np.ones((1, 1)), (object(),)) + Fitted(np.ones((1, 1)), (object(),))
    with pytest.raises(TypeError, match="cannot forget"):
        Fitted(np.ones((1, 1)), (object(),)) - Fitted(np.ones((1, 1)), (object(),))


@pytest.mark.parametrize("far", [1e4, 1e8])
def test_moments_far_from_zero_keep_their_digits(far, rng):
    x = rng.normal(0, 1, (999, 1))
    y = np.zeros(999, np.int32)

    def moments(rows):
        return Moments.of(*kernels.moments(far + rows, y[: len(rows)], 1, None, 1))

    left = (moments(x[:300]) + moments(x[300:])) - moments(x[300:700])
    kept = np.concatenate([x[:300], x[700:]])
    sd = np.sqrt(left.m2[0, 0] / left.weight[0, 0])
    assert abs(sd / kept.std() - 1) < 1e-6
    assert abs(left.mean[0, 0] - far - kept.mean()) < 1e-6


@pytest.mark.parametrize("outlier", [1e4, 1e6, 1e9])
def test_an_outlier_that_came_and_went_leaves_nothing(outlier, rng):
    def moments(rows):
        return Moments.of(*kernels.moments(np.asarray(rows)[:, None], np.zeros(len(rows), np.int32), 1, None, 1))

    before = moments(rng.normal(size=98))
    far = moments([outlier, -3 * outlier])
    after = (before + far) - far
    assert after.mean[0, 0] == pytest.approx(before.mean[0, 0], rel=1e-12)
    assert after.m2[0, 0] == pytest.approx(before.m2[0, 0], rel=1e-12)


def test_impossible_remainders_are_refused():
    def successes(weight, total):
        return Successes(np.array([[float(weight)]]), np.array([[float(total)]]))

    with pytest.raises(ForgetError, match="failures"):
        successes(3, 2) - successes(2, 0)
    with pytest.raises(ForgetError, match="of the total"):
        Sums(np.array([[2.0]]), np.array([[10.0]])) - Sums(np.array([[2.0]]), np.array([[2.0]]))
    five_and_six = Moments.of(np.array([[2.0]]), np.array([[5.5]]), np.array([[0.5]]))
    with pytest.raises(ForgetError, match="as the mean"):
        five_and_six - Moments.of(np.array([[2.0]]), np.array([[0.0]]), np.array([[0.5]]))
    amounts = LogMoments(np.array([[3.0]]), np.array([[2.0]]), np.array([[0.1]]))
    with pytest.raises(ForgetError, match="as the mean"):
        amounts - LogMoments(np.array([[1.0]]), np.array([[5.0]]), np.array([[-9.0]]))
