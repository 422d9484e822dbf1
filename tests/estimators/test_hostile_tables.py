"""Tables that once gave a silently wrong answer, or an error from the depths."""

import datetime as dt
import tracemalloc
import warnings

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest
import scipy.sparse as sp
from sklearn.mixture import GaussianMixture
from sklearn.model_selection import cross_val_score

from suffice import (
    BayesClassifier,
    Bernoulli,
    Categorical,
    Complement,
    CountTable,
    Density,
    Exponential,
    Gamma,
    Gaussian,
    Given,
    LogNormal,
    Multinomial,
    Poisson,
    PooledCategorical,
)
from suffice.errors import DataError, ForgetError, MergeError, ParameterError, SufficeError
from suffice.naive_bayes import BernoulliNB, CategoricalNB, ComplementNB, GaussianNB, MultinomialNB, PoissonNB

pytestmark = pytest.mark.filterwarnings("error::RuntimeWarning")


def test_the_index_of_a_frame_is_not_a_column(rng):
    frame = pd.DataFrame({"x": rng.normal(size=60), 7: rng.normal(size=60)})
    y = (frame["x"] > 0).to_numpy()
    model = BayesClassifier().fit(frame.sample(frac=1, random_state=0), y)
    assert list(model.model_.names) == ["x", 7]
    assert np.isfinite(cross_val_score(BayesClassifier(), frame.rename(columns=str), y)).all()


def test_strided_sparse_arrays_are_read_right():
    rows = sp.csr_array(np.array([[1.0, 2, 3], [4, 5, 6]]) + 0j).real  # its data are every other double
    for model in (MultinomialNB(), BayesClassifier(Multinomial())):
        assert model.fit(rows, [0, 1]).model_.tally.statistics[0].total.tolist() == [[1, 2, 3], [4, 5, 6]]


FAMILIES = [
    Gaussian(),
    LogNormal(),
    Poisson(),
    Exponential(),
    Gamma(),
    Bernoulli(),
    Bernoulli(threshold=2.0),
    CountTable(),
]


@pytest.mark.parametrize("a", FAMILIES, ids=repr)
def test_only_like_counts_are_merged(a):
    x, y = [[1.0], [2.0], [3.0]], [0, 1, 1]
    for b in FAMILIES:
        one, other = BayesClassifier(a).fit(x, y), BayesClassifier(b).fit(x, y)
        if a == b:
            one.merge(other)
        else:
            with pytest.raises(MergeError, match="modelled by"):
                one.merge(other)
    for stranger in (3, None):
        with pytest.raises(MergeError, match="cannot be merged with"):
            BayesClassifier(a).fit(x, y).merge(stranger)


def test_rows_never_learned_cannot_leave_impossible_sums():
    with pytest.raises(ForgetError, match="failures of column 0 from class 'a'"):
        BayesClassifier(Bernoulli()).fit([[1.0], [1.0], [0.0], [1.0]], list("aaab")).forget([[0.0], [0.0]], list("aa"))
    with pytest.raises(ForgetError, match="of the total"):
        BayesClassifier(Poisson()).fit([[5.0], [5.0], [1.0]], list("aab")).forget([[1.0], [1.0]], list("aa"))
    with pytest.raises(ForgetError, match="as the mean"):
        BayesClassifier(model="naive").fit([[5.0], [6.0], [1.0]], list("aab")).forget([[100.0], [-100.0]], list("aa"))


@pytest.mark.parametrize("outlier", [1e4, 1e6, 1e9])
def test_an_outlier_learned_and_forgotten_leaves_no_trace(outlier, rng):
    x, y = rng.normal(size=(98, 1)), np.arange(98) % 2
    clean = BayesClassifier().fit(x, y)
    model = (
        BayesClassifier().fit(x, y).partial_fit([[outlier], [-outlier]], [0, 1]).forget([[outlier], [-outlier]], [0, 1])
    )
    np.testing.assert_allclose(model.predict_joint_log_proba(x), clean.predict_joint_log_proba(x), rtol=0, atol=1e-9)


def test_text_that_looks_like_numbers_is_text():
    model = BayesClassifier().fit(np.array([["a"], ["1"]] * 4, object), ["p", "q"] * 4)
    alone = model.predict_proba(np.array([["1"]], object))
    np.testing.assert_array_equal(alone[0], model.predict_proba(np.array([["1"], ["a"]], object))[0])
    digits = BayesClassifier().fit(np.array([["1"], ["2"]], object), [0, 1])
    assert isinstance(digits.model_.blocks[0].family, PooledCategorical)


def test_log_posteriors_of_very_unlikely_rows():
    x = np.repeat(np.random.default_rng(0).normal(size=(30, 2)), 2, axis=0)
    model = BayesClassifier().fit(x, list("ab") * 30)
    np.testing.assert_allclose(model.predict_log_proba([[1e6, 1e6], [1e8, 1e8]]), np.log(0.5), rtol=1e-12)


@pytest.mark.parametrize(
    "family", [Multinomial(), Complement(), Poisson(), Bernoulli(), CountTable(), Exponential()], ids=repr
)
def test_a_stored_nan_is_a_missing_cell(family):
    dense = np.array([[5.0, 1, 0], [1, 5, np.nan], [0, np.nan, 2], [3, 0, 1]])
    y = [0, 1, 1, 0]
    from_dense = BayesClassifier(family).fit(dense, y)
    from_sparse = BayesClassifier(family).fit(sp.csr_array(dense), y)
    for model in (from_dense, from_sparse):
        np.testing.assert_allclose(model.predict_proba(sp.csr_array(dense)), from_dense.predict_proba(dense))


def test_zeros_above_a_negative_threshold():
    dense = np.array([[1.0, 0.0], [2.0, -3.0]])
    a, b = (BayesClassifier(Bernoulli(threshold=-1.0)).fit(make(dense), [0, 1]) for make in (np.array, sp.csr_array))
    assert a.model_.tally.statistics[0] == b.model_.tally.statistics[0]
    np.testing.assert_allclose(a.predict_proba(sp.csr_array(dense)), a.predict_proba(dense))


def test_dates_and_timestamps_count_in_one_unit():
    days = [dt.date(2024, 1, d) for d in range(1, 9)]
    model = BayesClassifier().fit({"when": days}, [0, 0, 0, 0, 1, 1, 1, 1])
    as_stamps = {"when": [dt.datetime(2024, 1, d) for d in range(1, 9)]}
    np.testing.assert_allclose(model.predict_proba(as_stamps), model.predict_proba({"when": days}))


def test_masked_cells_are_missing():
    masked = np.ma.masked_array([[1.0], [999.0], [2.0], [3.0]], mask=[[False], [True], [False], [False]])
    a = BayesClassifier().fit(masked, [0, 0, 1, 1])
    b = BayesClassifier().fit([[1.0], [np.nan], [2.0], [3.0]], [0, 0, 1, 1])
    assert a.model_.tally.statistics[0] == b.model_.tally.statistics[0]


def test_dictionaries_that_repeat_themselves():
    twice = pa.DictionaryArray.from_arrays(pa.array([0, 1, 2, 1, None]), pa.array(["a", "b", "a"]))
    model = BayesClassifier().fit(pa.table({"c": twice}), [0, 1, 0, 1, 0])
    assert model.model_.tally.statistics[0].levels == (("a", "b"),)
    numbers = pa.DictionaryArray.from_arrays(pa.array([0, 1, 0]), pa.array([1.5, float("nan")]))
    model = BayesClassifier().fit(pa.table({"c": numbers}), [0, 1, 0])
    assert model.model_.tally.statistics[0].levels == ((1.5,),)


def test_declared_classes_keep_their_values():
    model = BayesClassifier().partial_fit([[1.0], [2.0]], [0, 1], classes=[0, 1, 2.5])
    assert model.classes_.tolist() == [0.0, 1.0, 2.5]


NEW = [BayesClassifier, GaussianNB, BernoulliNB, MultinomialNB, ComplementNB, CategoricalNB, PoissonNB]


@pytest.mark.parametrize("new", NEW)
def test_forgetting_everything(new):
    x, y = np.array([[1, 0], [0, 1], [2, 1]]), [0, 1, 1]
    model = new().fit(x, y).forget(x, y)
    calls = [model.predict, model.predict_proba, model.explain, lambda _: model.sample(2)]
    if new is ComplementNB:  # as in scikit-learn
        assert not hasattr(model, "score_samples")
    else:
        calls.append(model.score_samples)
    for call in calls:
        with pytest.raises(DataError, match="forgotten all its rows"):
            call(x)


@pytest.mark.parametrize("family", [Gaussian(), Poisson(), CountTable(), Categorical(), Bernoulli(), Gamma()], ids=repr)
def test_learning_again_after_forgetting_everything(family):
    x, y = np.array([[1.0, 3.0], [4.0, 1.0], [2.0, 1.0]]), [0, 1, 1]
    again = BayesClassifier(family).fit(x, y).forget(x, y).partial_fit(x, y)
    np.testing.assert_allclose(again.predict_proba(x), BayesClassifier(family).fit(x, y).predict_proba(x))


def test_explanations_of_contradictions():
    model = BayesClassifier(Categorical(), estimate="mle").fit([[0, 0], [1, 1]], list("ab"))
    assert model.explain([[0, 1]]).log_odds.tolist() == [0.0]
    sure = model.explain([[0, 0]])
    assert (sure.of[0], sure.against[0], sure.log_odds[0]) == ("a", "b", np.inf)
    against = model.explain([[0, 0]], against="a")
    assert (against.of[0], against.log_odds[0]) == ("b", -np.inf)


def test_labels_in_every_disguise():
    x = {"a": [1.0, 2.0, 3.0, 4.0]}
    categories = pl.DataFrame({"a": [1.0, 2.0], "y": ["p", "q"]}).with_columns(pl.col("y").cast(pl.Categorical))
    assert BayesClassifier().fit(categories, "y").classes_.tolist() == ["p", "q"]
    assert BayesClassifier().fit(x, np.array([1, 1, 2, 2], dtype=">i8")).classes_.tolist() == [1, 2]
    for labels in (pd.Series(["p", pd.NA, "q", "q"], dtype="string"), ["p", None, "q", "q"]):
        with pytest.raises(DataError, match="The label 'y' is missing in 1 of 4 rows"):
            BayesClassifier().fit(x, labels)


@pytest.mark.parametrize("dtype", [">f8", ">i8", "float16", "longdouble", "uint64", "int8", "bool"])
@pytest.mark.parametrize("new", [BayesClassifier, GaussianNB, MultinomialNB])
def test_numbers_of_every_type(dtype, new):
    x = np.array([[0, 1], [1, 0], [1, 1], [0, 0]]).astype(dtype)
    expected = new().fit(x.astype(float), [0, 1, 1, 0])
    model = new().fit(x, [0, 1, 1, 0]) if not (dtype == "bool" and new is BayesClassifier) else expected
    np.testing.assert_allclose(model.predict_proba(x), expected.predict_proba(x.astype(float)))


def test_wide_integers_as_levels():
    for values in ([2**62, -(2**62)], [2**40, 3], [1e20, 1.0]):
        x = np.array(values)[:, None]
        assert BayesClassifier(Categorical()).fit(x, [0, 1]).predict(x).tolist() == [0, 1]
    x = np.array([[2**63 + 5], [7]], dtype=np.uint64)
    assert BayesClassifier(Categorical()).fit(x, [0, 1]).predict(x).tolist() == [0, 1]
    assert BayesClassifier(Categorical()).fit(np.array([[1e20], [1.0]]), [0, 1]).predict(np.array([[1]])).tolist() == [
        1
    ]
    for x in (np.array([[2**40], [1]]), np.array([[1e150], [1.0]])):
        with pytest.raises(DataError, match="categories are numbered"):
            CategoricalNB().fit(x, [0, 1])


def test_frames_of_unusual_make():
    batch = pa.record_batch({"a": [1.0, 2.0], "b": ["x", "y"]})
    assert BayesClassifier().fit(batch, [0, 1]).feature_names_in_.tolist() == ["a", "b"]
    sparse = pd.DataFrame({"a": pd.arrays.SparseArray([0.0, 1.0, 0.0])})
    assert BayesClassifier().fit(sparse, [0, 1, 0]).predict(sparse).tolist() == [0, 1, 0]
    big = BayesClassifier().fit({"a": [2**70, 1, 2]}, [0, 1, 1])
    assert big.predict({"a": [2**70]}).tolist() == [0]
    with pytest.raises(DataError, match="Column 'a' has cells of type"):
        BayesClassifier().fit(pd.DataFrame({"a": [b"1", b"2", b"3"]}), [0, 1, 1])
    with pytest.raises(DataError, match=r"different lengths: \{'x': 2, 'y': 1\}"):
        BayesClassifier().fit({"x": [1, 2], "y": [1]}, [0, 1])
    with pytest.raises(DataError, match="Column 'x' is 1"):
        BayesClassifier().fit({"x": 1}, [0])


def test_sparse_zeros_are_not_positive():
    for family in (LogNormal(), Gamma()):
        with pytest.raises(DataError, match="Column 1 has 1 values that are not positive"):
            BayesClassifier(family).fit(sp.csr_array([[1.0, 0.0], [2.0, 3.0]]), [0, 1])


@pytest.mark.parametrize("family", [Poisson(), Complement(), Exponential(), Multinomial(), Gamma()], ids=repr)
@pytest.mark.parametrize("rule", ["mle", "mean", "predictive"])
def test_numbers_at_the_end_of_the_scale(family, rule):
    x = np.array([[1.0, 2.0], [3.0, 1.0], [2.0, 2.0]])
    model = BayesClassifier(family, estimate=rule).fit(x, [0, 1, 1])
    p = model.predict_proba([[1e308, 1.0], [5e-324, 1.0], [1.0, 1e308]])
    np.testing.assert_allclose(p.sum(axis=1), 1)


def test_explain_refuses_what_predict_refuses():
    for family, value in ((CountTable(), -3.5), (Gaussian(), np.inf), (Poisson(), -1.0)):
        model = BayesClassifier(family).fit([[1.0], [2.0], [0.0]], [0, 1, 1])
        for call in (model.predict, model.explain, lambda rows, m=model: m.linear_form().scores(rows)):
            with pytest.raises(DataError, match="Column 0 has 1 "):
                call([[value]])


@pytest.mark.parametrize(
    "make",
    [
        lambda: Gaussian(mean_weight=None),
        lambda: Gaussian(mean=float("nan")),
        lambda: Gaussian(mean="a"),
        lambda: Gaussian(variance=np.ones(3)),
        lambda: Exponential("a"),
        lambda: Gamma(None),
        lambda: Poisson(shape=[1, 2]),
        lambda: Bernoulli(threshold=None),
        lambda: Bernoulli(alpha="a"),
        lambda: Categorical(levels=3),
        lambda: Categorical(levels=("a", "a")),
        lambda: Categorical(alpha={"a": [1, 2]}),
        lambda: Categorical(alpha=(("a", -5.0),)),
        lambda: LogNormal(on_log=Poisson()),
        lambda: CountTable(max_count=2.5),
        lambda: BayesClassifier(prior=["a", "b"]).fit([[1.0], [2.0]], [0, 1]),
        lambda: BayesClassifier(prior=Given([0.5, None])).fit([[1.0], [2.0]], [0, 1]),
        lambda: BayesClassifier(class_weight=np.array([1, 2])).fit([[1.0], [2.0]], [0, 1]),
        lambda: BayesClassifier({(): Multinomial()}).fit([[1.0], [2.0]], [0, 1]),
        lambda: BayesClassifier({(0, 0): Multinomial()}).fit([[1.0], [2.0]], [0, 1]),
        lambda: BayesClassifier(Bernoulli(alpha=[1, 2])).fit(np.ones((2, 3)), [0, 1]),
        lambda: BayesClassifier().fit([[1.0], [2.0]], [0, 1]).decay("a"),
        lambda: BayesClassifier().partial_fit([[1.0], [2.0]], [0, 1], classes=3),
        lambda: BayesClassifier().fit([[1.0], [2.0]], [0, 1], sample_weight="abc"),
        lambda: BayesClassifier().fit([[1.0], [2.0]], [0, 1]).sample(2, random_state="a"),
        lambda: MultinomialNB(alpha=None).fit([[1.0], [2.0]], [0, 1]),
        lambda: MultinomialNB(class_prior=[0, 0]).fit([[1.0], [2.0]], [0, 1]),
        lambda: MultinomialNB().partial_fit([[1.0], [2.0]], [0, 1], classes=["a", 1]),
        lambda: BernoulliNB(binarize="a").fit([[1.0], [2.0]], [0, 1]),
    ],
)
def test_settings_of_the_wrong_kind(make):
    with pytest.raises(SufficeError):
        make()


def test_whole_numbers_of_other_libraries_are_whole_numbers():
    assert CountTable(max_count=np.int64(3)) == CountTable(max_count=3)
    BayesClassifier(n_jobs=np.int64(1)).fit([[1.0], [2.0]], [0, 1]).predict([[1.0]])


def test_polars_samples_can_be_learned_from():
    frame = pl.DataFrame({"a": [1, 2, 1, 2], "b": [True, False, True, True]})
    model = BayesClassifier(Categorical()).fit(frame, [0, 1, 0, 1])
    drawn, labels = model.sample(20, random_state=0)
    assert drawn.dtypes == frame.dtypes
    BayesClassifier(Categorical()).fit(drawn, labels)


def test_a_failed_fit_does_not_even_change_the_form_of_samples():
    model = BayesClassifier().fit(pd.DataFrame({"a": [1.0, 2.0], "y": [0, 1]}), "y")
    with pytest.raises(ParameterError):
        model.set_params(estimate="best").fit(pl.DataFrame({"a": [1.0, 2.0], "y": [0, 1]}), "y")
    assert isinstance(model.sample(1)[0], pd.DataFrame)


def test_wide_frames_are_read_in_reasonable_time():
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", pd.errors.PerformanceWarning)
        frame = pd.DataFrame(np.arange(80_000.0).reshape(4, -1)).rename(columns=str)
    assert BayesClassifier().fit(frame, [0, 1, 0, 1]).predict(frame).shape == (4,)


def test_a_density_sees_all_rows_of_a_long_frame(rng):
    frame = pd.DataFrame(
        {"a": rng.normal(size=400_000), "b": rng.normal(size=400_000), "c": rng.choice(list("xy"), 400_000)}
    )
    y = rng.integers(0, 2, 400_000)
    model = BayesClassifier({"a": Density(GaussianMixture())}).fit(frame, y)
    assert model.predict_proba(frame[:10]).shape == (10, 2)


@pytest.mark.parametrize("family", [Multinomial(), Poisson()], ids=repr)
def test_sparse_predictive_densities_do_not_fill_the_memory(family, rng):
    rows = sp.random_array((1000, 20_000), density=1e-3, format="csr", random_state=rng)
    rows.data = np.ceil(5 * rows.data)
    y = rng.integers(0, 2, 1000)
    model = BayesClassifier(family, estimate="predictive").fit(rows, y)
    tracemalloc.start()
    p = model.predict_proba(rows)
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert peak < 100e6  # the whole would be 160 MB, several times over
    np.testing.assert_allclose(p[:50], model.predict_proba(rows[:50].toarray()))


@pytest.mark.parametrize("rule", ["mle", "map", "mean", "predictive"])
@pytest.mark.parametrize("value", [0.1, 0.9706, 1e8 + 0.3])
def test_constant_columns_that_are_no_round_numbers(rule, value, rng):
    x = np.column_stack([np.full(50, value), rng.normal(size=50)])
    y, w = np.arange(50) % 3, rng.random(50)
    model = BayesClassifier(model="naive", estimate=rule).fit(x, y, w)
    alone = BayesClassifier(model="naive", estimate=rule).fit(x[:, 1:], y, w)
    np.testing.assert_allclose(model.predict_proba(x + np.array([0.1, 0.0])), alone.predict_proba(x[:, 1:]))


def test_a_large_count_that_came_and_went_leaves_the_small_ones():
    for family in (Poisson(), Multinomial()):
        model = BayesClassifier(family).fit([[3.0], [3.0], [1e13], [1.0]], [0, 0, 0, 1]).forget([[1e13]], [0])
        assert model.model_.tally.statistics[0].total.tolist() == [[6.0], [1.0]]


def test_a_class_without_a_cell_of_a_column_knows_what_the_others_know():
    x = np.array([[1.0, np.nan], [2.0, np.nan], [5.0, 1.0], [6.0, 2.0]])
    assert GaussianNB().fit(x, [0, 0, 1, 1]).predict([[1.5, 1.5]]).tolist() == [0]


def test_light_rows_have_the_same_variance():
    x, y = np.arange(10.0)[:, None], np.arange(10) % 2
    heavy, light = (BayesClassifier(model="naive", estimate="mle").fit(x, y, np.full(10, w)) for w in (1.0, 1e-3))
    np.testing.assert_allclose(light.predict_proba(x), heavy.predict_proba(x))
    prior = [
        BayesClassifier(Gaussian(variance_weight=1e-3 * k, mean_weight=1e-3 * k)).fit(x, y, np.full(10, 1e-3 * k))
        for k in (1, 1000)
    ]
    np.testing.assert_allclose(
        prior[0].predict_joint_log_proba(x)[:, 0] - prior[0].model_.log_prior[0],
        prior[1].predict_joint_log_proba(x)[:, 0] - prior[1].model_.log_prior[0],
    )


def test_pseudo_counts_follow_the_names_of_their_columns():
    table = {"a": [1, 0], "b": [0, 0]}
    model = BayesClassifier({("b", "a"): Bernoulli(alpha=[1.0, 3.0])}).fit(table, [0, 0])
    ones = model.predict_joint_log_proba({"a": [1, None], "b": [None, 1]})[:, 0]
    np.testing.assert_allclose(np.exp(ones), [4 / 8, 1 / 4])
    apart = BayesClassifier({"a": Bernoulli(alpha=[3.0]), "b": Bernoulli(alpha=[3.0])}).fit(table, [0, 0])
    np.testing.assert_allclose(np.exp(apart.predict_joint_log_proba({"a": [1], "b": [None]})), [[4 / 8]])


def test_undeclared_levels_do_not_come_in_by_merging():
    declared = BayesClassifier(Categorical(levels=["x", "y"])).fit({"c": ["x", "y"]}, [0, 1])
    with pytest.raises(DataError, match="Column 'c' has level 'z'"):
        declared.merge(BayesClassifier(Categorical()).fit({"c": ["z"]}, [0]))


def test_a_given_prior_names_the_classes():
    model = BayesClassifier(prior={"a": 0.5, "b": 0.3, "c": 0.2}).partial_fit([[1.0], [2.0]], ["a", "b"])
    assert model.classes_.tolist() == ["a", "b", "c"]
    np.testing.assert_allclose(model.forget([[2.0]], ["b"]).predict_proba([[np.nan]]), [[0.5, 0.3, 0.2]])


def test_the_ends_of_the_scale_are_unknown_categories():
    model = CategoricalNB().fit(np.array([[0, 1], [1, 0], [1, 1]]), [0, 1, 1])
    unknown = model.predict_joint_log_proba(np.array([[0, 99]]))
    np.testing.assert_array_equal(model.predict_joint_log_proba(np.array([[0, 2**63 - 1]])), unknown)


def test_samples_of_two_mixtures_are_independent_given_the_class(rng):
    x = np.concatenate([rng.normal(-5, 1, (300, 2)), rng.normal(5, 1, (300, 2))])
    x[:, 1] = rng.permutation(x[:, 1])
    model = BayesClassifier({c: Density(GaussianMixture(2, random_state=0)) for c in (0, 1)}).fit(x, np.zeros(600, int))
    drawn, _ = model.sample(2000, random_state=1)
    assert abs(np.corrcoef(drawn.T)[0, 1]) < 0.1
    np.testing.assert_array_equal(drawn, model.sample(2000, random_state=1)[0])


def test_fields_of_packed_records_are_read():
    records = np.zeros(6, dtype=[("skip", "i1"), ("x", "f8", 2), ("y", "i8")])
    records["x"], records["y"] = np.arange(12).reshape(6, 2), [0, 0, 0, 1, 1, 1]
    for new in (BayesClassifier, GaussianNB, CategoricalNB):
        assert new().fit(records["x"], records["y"]).predict(records["x"]).tolist() == [0, 0, 0, 1, 1, 1]


def test_small_integers_and_large_tables():
    x = np.array([[1], [2], [100]], dtype=np.int8)
    assert BayesClassifier(CountTable(max_count=300)).fit(x, [0, 0, 1]).predict(x).tolist() == [0, 0, 1]
    assert BayesClassifier(CountTable(max_count=300)).fit(sp.csr_array(x), [0, 0, 1]).predict(x).tolist() == [0, 0, 1]


def test_a_series_is_not_a_table():
    for series in (pd.Series([1.0, 2.0]), pl.Series([1.0, 2.0])):
        with pytest.raises(ValueError, match="Reshape your data"):
            BayesClassifier().fit(series, [0, 1])


def test_drop_ins_remember_their_classes():
    x, y = np.array([[1.0, 0.0], [0.0, 1.0], [2.0, 1.0]]), ["a", "b", "b"]
    model = MultinomialNB().fit(x, y).forget(x[:1], y[:1])
    assert model.classes_.tolist() == ["a", "b"]
    np.testing.assert_allclose(
        model.partial_fit(x[:1], y[:1]).predict_proba(x), MultinomialNB().fit(x, y).predict_proba(x)
    )


def test_many_levels_over_many_batches(rng):
    frame = pd.DataFrame(
        {"id": rng.integers(0, 50_000, 200_000).astype(str), **{f"x{j}": rng.normal(size=200_000) for j in range(14)}}
    )
    y = rng.integers(0, 2, 200_000)
    model = BayesClassifier().fit(frame, y)
    at = [tuple(b.columns) for b in model.model_.blocks].index(("id",))
    assert model.model_.tally.statistics[at].table.sum() == 200_000
    np.testing.assert_allclose(model.predict_proba(frame).sum(axis=1), 1)
