"""Bad input gets an error that says what, where and what to do, and leaves the model as it was."""

import pickle
import warnings

import numpy as np
import pandas as pd
import pytest
import scipy.sparse as sp

from suffice import (
    BayesClassifier,
    Bernoulli,
    Categorical,
    CountTable,
    Density,
    Exponential,
    Gamma,
    Gaussian,
    LogNormal,
    Multinomial,
    Poisson,
)
from suffice.errors import DataError, ForgetError, MergeError, NotAdditiveError, ParameterError, SufficeError
from suffice.naive_bayes import BernoulliNB, CategoricalNB, GaussianNB, MultinomialNB

pytestmark = pytest.mark.filterwarnings("error")

NAN, INF = float("nan"), float("inf")


def table(values):
    return pd.DataFrame({"age": [1.0, 2.0, 3.0, 4.0], "size": values})


Y = ["a", "a", "b", "b"]

REFUSED = [
    (Gaussian(), [1, INF, 2, -INF], r"Column 'size' has 2 infinite values; Gaussian needs finite.*Replace them by NaN"),
    (Gaussian(), [1, 1e300, 2, 3], r"Column 'size' has 1 values beyond 1e150; .*Rescale the column"),
    (LogNormal(), [1, 0, 2, 3], r"Column 'size' has 1 values that are not positive; LogNormal needs positive numbers"),
    (Gamma(), [1, -1, 0, 3], r"Column 'size' has 2 values that are not positive; Gamma"),
    (Exponential(), [1, -1, 2, 3], r"Column 'size' has 1 negative values; Exponential"),
    (
        Poisson(),
        [1, -1, -2, 3],
        r"Column 'size' has 2 negative values; Poisson needs counts ≥ 0. Use Gaussian\(\) for it",
    ),
    (Poisson(), [1, INF, 2, 3], r"Column 'size' has 1 infinite values"),
    (Multinomial(), [1, -1, 2, 3], r"Column 'size' has 1 negative values; Multinomial"),
    (CountTable(), [1, 0.5, 2, 3], r"Column 'size' has 1 values that are not whole counts"),
    (Bernoulli(), [1, -INF, 2, 3], r"Column 'size' has 1 infinite values; Bernoulli"),
    (Categorical(levels=[1, 2]), [1, 2, 3, 2], r"Column 'size' has level 3; the levels declared for it are 1, 2"),
]


@pytest.mark.parametrize(("family", "values", "says"), REFUSED, ids=lambda v: str(v)[:20])
def test_values_a_family_cannot_take(family, values, says):
    with pytest.raises(DataError, match=says):
        BayesClassifier({"size": family}, model="naive").fit(table(values), Y)


@pytest.mark.parametrize(("family", "values", "says"), REFUSED[:8], ids=lambda v: str(v)[:20])
def test_and_a_fitted_model_stays_as_it_was(family, values, says):
    model = BayesClassifier({"size": family}, model="naive").fit(table([1, 2, 3, 5]), Y)
    before = pickle.dumps(model)
    for call in (model.fit, model.partial_fit, model.forget):
        with pytest.raises(SufficeError):
            call(table(values), Y)
        assert pickle.dumps(model) == before


@pytest.mark.parametrize("family", [Gaussian(), Poisson(), Exponential(), Gamma(), LogNormal()], ids=repr)
def test_infinite_cells_at_prediction(family):
    model = BayesClassifier({"size": family}, model="naive").fit(table([1, 2, 3, 5]), Y)
    with pytest.raises(DataError, match="Column 'size' has 1 infinite values"):
        model.predict(table([1, 2, INF, 3]))


@pytest.mark.parametrize("family", [Poisson(), Exponential(), Gamma(), LogNormal()], ids=repr)
@pytest.mark.parametrize("rule", ["mean", "predictive"])
def test_negative_amounts_at_prediction(family, rule):
    model = BayesClassifier({"size": family}, estimate=rule, model="naive").fit(table([1, 2, 3, 5]), Y)
    with pytest.raises(DataError, match="Column 'size' has 1 "):
        model.predict(table([1, 2, -1, 3]))


def test_text_among_numbers():
    with pytest.raises(DataError, match=r"Column 'size' contains text; numbers are needed.*Categorical\(\)"):
        BayesClassifier({"size": Gaussian()}, model="naive").fit(table(["1", "2", "x", "3"]), Y)
    with pytest.raises(DataError, match=r"Column 'size' mixes float, str"):
        BayesClassifier().fit(table([1.0, 2.0, "x", 3.0]), Y)
    model = BayesClassifier().fit(table([1.0, 2.0, 3.0, 4.0]), Y)
    with pytest.raises(DataError, match="Column 'size' contains text"):
        model.predict(table(["1", "2", "3", "4"]))


def test_lists_need_a_density():
    with pytest.raises(DataError, match=r"Column 'size' holds lists.*Density"):
        BayesClassifier().fit(table([[1.0], [2.0, 3.0], [], [1.0]]), Y)


@pytest.mark.parametrize(
    ("labels", "says"),
    [
        (["a", 1, "b", 2], "The labels mix int and str"),
        (["a", None, "b", "b"], "The label 'y' is missing in 1 of 4 rows"),
        (["a", "b", "a"], "The table has 4 rows but there are 3 labels"),
        (None, "target y is None"),
        ("zzz", r"There is no column 'zzz' to take the labels from; the columns are 'age', 'size'"),
        ([0.5, 1.5, 2.5, 3.25], "continuous"),
        ([1.0, NAN, 2.0, 2.0], "The label 'y' is missing in 1 of 4 rows"),
    ],
)
def test_labels(labels, says):
    with pytest.raises(ValueError, match=says):
        BayesClassifier().fit(table([1, 2, 3, 4]), labels)


def test_labels_of_another_kind_later():
    model = BayesClassifier().fit(table([1, 2, 3, 4]), [0, 0, 1, 1])
    with pytest.raises(DataError, match="cannot be sorted together"):
        model.partial_fit(table([1, 2, 3, 4]), Y)


@pytest.mark.parametrize(
    ("weight", "says"),
    [
        ([0, 0, 0, 0], "All weights are zero"),
        ([1, -1, 1, 1], "1 values that are negative, NaN or beyond 1e100"),
        ([1, NAN, INF, 1], "2 values that are negative, NaN or beyond 1e100"),
        ([1, 2], r"sample_weight has shape \(2,\); one weight for each of the 4 rows"),
    ],
)
def test_weights(weight, says):
    for model in (BayesClassifier(), GaussianNB()):
        with pytest.raises(DataError, match=says):
            model.fit(table([1, 2, 3, 4]), [0, 0, 1, 1], weight)


def test_shapes():
    with pytest.raises(ValueError, match=r"0 sample\(s\)"):
        BayesClassifier().fit(np.empty((0, 3)), [])
    with pytest.raises(ValueError, match=r"0 feature\(s\)"):
        BayesClassifier().fit(np.empty((3, 0)), [0, 1, 1])
    with pytest.raises(ValueError, match=r"no columns besides the label|0 feature"):
        BayesClassifier().fit({"y": ["a", "b"]}, "y")
    with pytest.raises(ValueError, match="Reshape your data"):
        BayesClassifier().fit(np.arange(3.0), [0, 1, 1])
    for model in (BayesClassifier(), GaussianNB(), MultinomialNB(), BernoulliNB(), CategoricalNB()):
        model.fit(np.eye(3), [0, 1, 1])
        with pytest.raises(ValueError, match=r"X has 4 features, but .* is expecting 3 features"):
            model.predict(np.ones((2, 4)))
    with pytest.raises(DataError, match="Several columns are named 'a'"):
        BayesClassifier().fit(pd.DataFrame([[1, 2], [3, 4]], columns=["a", "a"]), [0, 1])


def test_renamed_columns():
    model = BayesClassifier().fit(table([1, 2, 3, 4]), Y)
    with pytest.raises(DataError, match=r"Column 'size' is missing.*the table has 'age', 'SIZE'"):
        model.predict(table([1, 2, 3, 4]).rename(columns={"size": "SIZE"}))


@pytest.mark.parametrize("rule", ["mle", "map", "mean", "predictive"])
class TestOddButAllowed:
    """Strange rows that a model must take in its stride: finite answers, no warnings."""

    def probabilities(self, x, y, at, rule, families=None, *, model=None):
        if rule != "mean" and families is None:  # the default has no rules
            model = "naive"
        with warnings.catch_warnings():
            warnings.simplefilter("error")
            p = BayesClassifier(families, model=model, estimate=rule).fit(x, y).predict_proba(at)
        np.testing.assert_allclose(p.sum(axis=1), 1)
        return p

    def test_one_class(self, rule):
        assert self.probabilities([[1.0, 2.0]], ["only"], [[5.0, NAN]], rule).tolist() == [[1.0]]

    def test_one_row_a_class(self, rule):
        self.probabilities(np.eye(3), [0, 1, 2], np.eye(3) + 0.5, rule)

    def test_constant_columns_say_nothing(self, rule):
        x = np.column_stack([np.full(6, 7.0), [1, 2, 3, 7, 8, 9]])
        y = [0, 0, 0, 1, 1, 1]
        p = self.probabilities(x, y, [[7.0, 2.0], [9.0, 2.0], [NAN, 2.0]], rule)
        np.testing.assert_allclose(p, np.repeat(p[:1], 3, axis=0))

    def test_a_column_constant_in_one_class(self, rule):
        self.probabilities([[0.0], [0.0], [1.0], [2.0]], [0, 0, 1, 1], [[0.0], [0.5], [1e6]], rule)

    @pytest.mark.parametrize("missing", [NAN, None])
    def test_columns_with_nothing_in_them(self, rule, missing):
        frame = pd.DataFrame({"a": [1.0, 2.0, 3.0, 4.0], "b": [missing] * 4})
        self.probabilities(frame, Y, frame, rule)
        p = self.probabilities(frame, Y, frame, rule, model="naive")
        np.testing.assert_allclose(p, self.probabilities(frame[["a"]], Y, frame[["a"]], rule, model="naive"))

    def test_a_class_without_a_single_cell_of_a_column(self, rule):
        for family in (Gaussian(), Poisson(), Exponential(), Gamma(), LogNormal(), Bernoulli(), Categorical()):
            x = np.array([[1.0, 2.0], [1.0, 1.0], [2.0, NAN], [1.0, NAN]])
            p = self.probabilities(x, [0, 0, 1, 1], [[1.0, 1.0], [2.0, 2.0]], rule, family)
            assert np.isfinite(p).all()

    @pytest.mark.parametrize("scale", [1e-300, 1e-150, 1e140])
    def test_very_small_and_very_large(self, rule, scale):
        x = np.array([[1.0], [2.0], [8.0], [9.0]]) * scale
        for family in (Exponential(), Gamma(), LogNormal()):
            self.probabilities(x, [0, 0, 1, 1], x, rule, family)
        if scale > 1e-300:
            self.probabilities(x, [0, 0, 1, 1], x, rule)
            self.probabilities(x, [0, 0, 1, 1], [[1e149], [-1e149], [0.0]], rule)

    def test_all_zeros(self, rule):
        x = np.zeros((4, 2))
        for family in (Gaussian(), Poisson(), Exponential(), Bernoulli(), Multinomial(), CountTable(), Categorical()):
            self.probabilities(x, [0, 0, 1, 1], [[0.0, 0.0], [1.0, 2.0]], rule, family)

    def test_a_hundred_thousand_features(self, rule):
        x = np.zeros((4, 100_000))
        x[:2, ::7] = 1
        self.probabilities(x, [0, 0, 1, 1], x, rule)
        if rule != "predictive":
            self.probabilities(sp.csr_array(x), [0, 0, 1, 1], sp.csr_array(x), rule)

    def test_a_thousand_classes(self, rule):
        x = np.arange(2000.0)[:, None]
        p = self.probabilities(x, np.arange(2000) // 2, x, rule)
        assert p.shape == (2000, 1000)


def test_columns_whose_squares_vanish_are_named():
    with pytest.raises(
        DataError, match=r"Column 'size' has class means between 2e-300 and 8e-300; .*Rescale the column"
    ):
        BayesClassifier(model="naive").fit(table(np.array([1.0, 2.0, 8.0, 9.0]) * 1e-300), Y)
    tiny = table(np.array([1.0, 2.0, 8.0, 9.0]) * 1e-300)
    assert np.isfinite(BayesClassifier().fit(tiny, Y).predict_proba(tiny)).all()
    constant = BayesClassifier().fit(table(np.full(4, 1e-300)), Y)
    assert np.isfinite(constant.predict_proba(table(np.full(4, 1e-300)))).all()


def test_forgetting_what_was_never_learned():
    model = BayesClassifier().fit(table([1, 2, 3, 4]), Y)
    before = pickle.dumps(model)
    with pytest.raises(ForgetError, match="Class 'c' was never learned"):
        model.forget(table([1, 2, 3, 4]), ["c"] * 4)
    with pytest.raises(ForgetError, match="4 rows of class 'a', but only 2 were learned"):
        model.forget(table([1, 2, 3, 4]), ["a"] * 4)
    assert pickle.dumps(model) == before


def test_merging_what_does_not_fit():
    a = BayesClassifier().fit(table([1, 2, 3, 4]), Y)
    with pytest.raises(MergeError, match="'size', 'weight' only in one"):
        a.merge(BayesClassifier().fit(table([1, 2, 3, 4]).rename(columns={"size": "weight"}), Y))
    with pytest.raises(MergeError, match="cannot be merged with a GaussianNB"):
        a.merge(GaussianNB().fit(table([1, 2, 3, 4]), Y))
    with pytest.raises(MergeError):
        a.merge(BayesClassifier({"size": Categorical()}, model="naive").fit(table([1, 2, 3, 4]), Y))


def test_a_fitted_density_says_that_it_does_not_add():
    from sklearn.neighbors import KernelDensity

    def new():
        return BayesClassifier({"size": Density(KernelDensity())}, model="naive").fit(table([1, 2, 3, 4]), Y)

    for call in (
        lambda: new().merge(new()),
        lambda: new().partial_fit(table([1, 2, 3, 4]), Y),
        lambda: new().forget(table([1, 2, 3, 4]), Y),
    ):
        with pytest.raises(NotAdditiveError, match=r"Density\(KernelDensity\) has a fitted KernelDensity, not a sum"):
            call()
    with pytest.raises(ParameterError, match="has no fit and no score_samples"):
        Density(object())


@pytest.mark.parametrize(
    ("settings", "says"),
    [
        ({"estimate": "best"}, "estimate is 'best'; it must be one of 'mle'"),
        ({"prior": "flat"}, "prior is 'flat'"),
        ({"prior": [0.5, 0.6]}, "sum of the priors should be 1, not 1.1"),
        ({"prior": [0.2, 0.3, 0.5]}, "3 priors; the classes are 'a', 'b'"),
        ({"prior": {"a": 1.0}}, "no probability for class 'b'"),
        ({"class_weight": "heavy"}, "class_weight is 'heavy'"),
        ({"class_weight": {"a": -1}}, "weight of 'a' is -1"),
        ({"class_weight": {"A": 3}}, "class_weight names 'A'; no row has that class; the classes are 'a', 'b'"),
        ({"missing_columns": "ignore"}, "missing_columns is 'ignore'"),
        ({"n_jobs": 0}, "n_jobs is 0"),
    ],
)
def test_settings(settings, says):
    with pytest.raises(ParameterError, match=says):
        BayesClassifier(**settings).fit(table([1, 2, 3, 4]), Y).predict_proba(table([1, 2, 3, 4]))
