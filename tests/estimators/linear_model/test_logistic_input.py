"""What LogisticRegression makes of scikit-learn's arguments, and of rows that are not as they should be."""

import pickle
import warnings

import numpy as np
import pytest
import scipy.sparse as sp
from sklearn.base import clone
from sklearn.datasets import load_iris, load_wine
from sklearn.exceptions import ConvergenceWarning
from sklearn.linear_model import LogisticRegression as Theirs
from sklearn.model_selection import GridSearchCV
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

from suffice.errors import DataError, ParameterError
from suffice.linear_model import LogisticRegression


def test_it_lives_in_pipelines_searches_and_pickles():
    X, y = load_wine(return_X_y=True)
    pipeline = make_pipeline(StandardScaler(), LogisticRegression())
    search = GridSearchCV(pipeline, {"logisticregression__C": [1e-4, 1.0]}, cv=3).fit(X, y)
    assert search.best_params_ == {"logisticregression__C": 1.0}
    model = LogisticRegression(C=2.0).fit(X, y)
    again = pickle.loads(pickle.dumps(model))
    np.testing.assert_array_equal(again.predict_proba(X), model.predict_proba(X))
    assert clone(model).get_params() == model.get_params()
    if Theirs().penalty == "deprecated":  # since scikit-learn 1.8
        assert LogisticRegression().get_params() == Theirs().get_params()


def test_log_probabilities_keep_their_tails():
    model = LogisticRegression(C=1e4).fit([[0.0], [1.0]], [0, 1])
    far = model.predict_log_proba([[-1e4], [1e4]])
    assert np.isfinite(far).all()
    assert far[0, 1] < -1000
    np.testing.assert_allclose(np.exp(far), model.predict_proba([[-1e4], [1e4]]))
    assert model.decision_function([[1e4]])[0] == pytest.approx(far[1, 1] - far[1, 0], rel=1e-12)


def test_names_of_columns_are_kept_and_compared():
    pd = pytest.importorskip("pandas")
    table, y = load_iris(return_X_y=True, as_frame=True)
    model = LogisticRegression().fit(table, y)
    assert model.feature_names_in_.tolist() == table.columns.tolist()
    with pytest.raises(ValueError, match="feature names should match"):
        model.predict(table.rename(columns={table.columns[0]: "other"}))
    assert isinstance(table, pd.DataFrame)


@pytest.mark.parametrize(
    ("settings", "message"),
    [
        ({"l1_ratio": 1}, r"supports only 'l2' or None penalties.*L2 penalty alone.*Use sklearn"),
        ({"l1_ratio": 0.5, "solver": "saga"}, r"penalty is elasticnet \(l1_ratio=0.5\).*L2 penalty alone.*Use sklearn"),
        ({"penalty": "l1", "solver": "liblinear"}, "penalty is l1"),
        ({"C": 0}, "C is 0; it must be a number > 0, or np.inf"),
        ({"C": "1"}, "C is '1'"),
        ({"C": np.nan}, "C is nan"),
        ({"tol": -1e-4}, "tol is -0.0001"),
        ({"max_iter": 2.5}, "max_iter is 2.5; it must be a whole number"),
        ({"max_iter": True}, "max_iter is True"),
        ({"fit_intercept": "yes"}, "fit_intercept is 'yes'; it must be True or False"),
        ({"intercept_scaling": 0.0}, "intercept_scaling is 0.0"),
        ({"solver": "adam"}, "solver is 'adam'; it must be one of 'lbfgs'"),
        ({"penalty": "ridge"}, "penalty is 'ridge'"),
        ({"l1_ratio": 2.0}, "l1_ratio is 2.0"),
        ({"verbose": -1}, "verbose is -1"),
        ({"dual": True}, "supports only dual=False"),
        ({"n_jobs": 0}, "n_jobs is 0"),
        ({"class_weight": "even"}, "class_weight is 'even'; it must be a mapping"),
        ({"class_weight": {0: -1.0}}, "class_weight is -1 for class 0"),
        ({"class_weight": {0: 0, 1: 0, 2: 0}}, "leaves no row any weight"),
    ],
)
@pytest.mark.filterwarnings("ignore:'penalty' was deprecated")
def test_arguments_out_of_their_range_are_named(settings, message):
    X, y = load_iris(return_X_y=True)
    model = LogisticRegression(**settings)
    with pytest.raises(ParameterError, match=message):
        model.fit(X, y)
    assert not hasattr(model, "coef_")
    assert not hasattr(model, "n_features_in_")


def test_rows_that_cannot_be_used_are_named(rng):
    X, y = rng.normal(size=(40, 3)), np.arange(40) % 2
    for wrong, word in ((np.nan, "NaN"), (np.inf, "infinity")):
        bad = X.copy()
        bad[7, 1] = wrong
        for rows in (bad, bad.astype(np.float32), sp.csr_array(bad), np.column_stack([bad, np.zeros((40, 3000))])):
            with pytest.raises(ValueError, match=f"Input X contains {word}"):
                LogisticRegression().fit(rows, y)
    with pytest.raises(DataError, match="only one class: 'a'"):
        LogisticRegression().fit(X, ["a"] * 40)
    with pytest.raises(ValueError, match="0 sample"):
        LogisticRegression().fit(X[:0], y[:0])
    with pytest.raises(ValueError, match="0 feature"):
        LogisticRegression().fit(X[:, :0], y)
    with pytest.raises(DataError, match="so large"):
        LogisticRegression().fit(X * 1e200, y)
    with pytest.raises(DataError, match="negative"):
        LogisticRegression().fit(X, y, -np.ones(40))
    model = LogisticRegression(warm_start=True).fit(X, y)
    with pytest.raises(DataError, match=r"shape \(1, 3\), expected shape \(3, 3\).*warm_start=False"):
        model.fit(X, np.arange(40) % 3)


def awkward(rng):
    X = rng.normal(size=(80, 3))
    return {
        "a constant column": np.column_stack([X, np.ones(80)]),
        "a column of zeros": np.column_stack([X, np.zeros(80)]),
        "a column twice": np.column_stack([X, X[:, 0]]),
        "all levels of one-hot columns": np.column_stack([X, np.eye(4)[np.arange(80) % 4]]),
        "far from zero": X + 1e5,
        "units of all sizes": X * [1e-6, 1.0, 1e6],
        "nothing but zeros": np.zeros((80, 3)),
        "more columns than rows": rng.normal(size=(80, 700)),
        "sparse, more columns than rows": sp.random_array((80, 3000), density=0.01, format="csr", random_state=rng),
    }


@pytest.mark.parametrize("C", [1.0, np.inf])
@pytest.mark.parametrize("classes", [2, 3])
def test_awkward_columns_have_an_answer(rng, C, classes):
    y = np.digitize(rng.normal(size=80), [0.0, 0.7][: classes - 1])
    for what, X in awkward(rng).items():
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", ConvergenceWarning)  # some of them are separated
            model = LogisticRegression(C=C).fit(X, y)
        assert np.isfinite(model.coef_).all(), what
        assert np.isfinite(model.predict_log_proba(X)).all(), what
        assert model.gradient_size_ < 1e-3, what


@pytest.mark.parametrize("classes", [2, 3])
def test_separated_classes_without_a_penalty_stop_with_a_warning(rng, classes):
    X = rng.normal(size=(200, 4))
    y = np.digitize(X[:, 0], [0.0, 1.0][: classes - 1])
    model = LogisticRegression(C=np.inf)
    with pytest.warns(ConvergenceWarning, match=r"separated.*Use a finite C"):
        model.fit(X, y)
    assert model.score(X, y) == 1.0
    assert np.abs(model.coef_).max() < 1e6
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        LogisticRegression(C=1e6).fit(X, y)
        LogisticRegression(C=np.inf).fit(X, np.roll(y, 1))


def test_a_class_without_weight_is_known_but_never_chosen(rng):
    X, y = load_iris(return_X_y=True)
    w = np.where(y == 1, 0.0, 1.0)
    for model in (
        LogisticRegression().fit(X, y, w),
        LogisticRegression(class_weight={1: 0.0}).fit(X, y),
    ):
        assert model.classes_.tolist() == [0, 1, 2]
        assert set(model.predict(X)) == {0, 2}
        assert np.isfinite(model.coef_).all()


def test_no_steps_no_model():
    X, y = load_iris(return_X_y=True)
    with pytest.warns(ConvergenceWarning, match="after 0 iteration"):
        model = LogisticRegression(max_iter=0).fit(X, y)
    np.testing.assert_allclose(model.predict_proba(X), 1 / 3)


def test_cells_stored_twice_are_summed(rng):
    data, columns, ends = rng.random(60), rng.integers(0, 6, 60), np.arange(0, 61, 3)
    twice = sp.csr_array((data, columns, ends), shape=(20, 6))
    y = np.arange(20) % 2
    once = LogisticRegression(tol=1e-9).fit(twice.toarray(), y)
    np.testing.assert_allclose(LogisticRegression(tol=1e-9).fit(twice, y).coef_, once.coef_, atol=1e-7)
    wide = sp.csr_array((data, columns, ends), shape=(20, 3000))
    np.testing.assert_allclose(LogisticRegression(tol=1e-9).fit(wide, y).coef_[:, :6], once.coef_, atol=1e-6)
