"""A table with named columns goes through the same doors in memory as in a file; an array has none."""

import warnings

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest
from sklearn.pipeline import make_pipeline

import suffice
from suffice import BayesClassifier, Categorical, Gaussian
from suffice.errors import ColumnWarning, DataError, MergeError
from suffice.evaluate import cross_validate

N = 1200
RNG = np.random.default_rng(5)
Y = np.array(["leave", "buy"])[RNG.integers(0, 2, N)]
FRAME = pd.DataFrame(
    {
        "visit": np.arange(N) + 70_000,
        "key": [f"v{i:05}" for i in RNG.permutation(N)],
        "pages": RNG.poisson(3 + 2 * (Y == "buy")),
        "minutes": RNG.normal(size=N) + (Y == "buy"),
        "city": RNG.choice(["Oslo", "Rome", "Lima"], N),
        "label": Y,
    }
)
FEATURES = ["pages", "minutes", "city"]
FORMS = {
    "pandas": lambda frame: frame,
    "polars": pl.from_pandas,
    "arrow": lambda frame: pa.Table.from_pandas(frame, preserve_index=False),
    "dicts": lambda frame: frame.to_dict("records"),
    "columns": lambda frame: {name: frame[name].tolist() for name in frame},
    "fields": lambda frame: (
        frame.convert_dtypes(dtype_backend="pyarrow")
        .to_records(index=False)
        .astype(
            [(n, "U8" if frame[n].dtype == object or str(frame[n].dtype) == "str" else frame[n].dtype) for n in frame]
        )
    ),
}
MODELS = {"default": BayesClassifier, "naive": lambda: BayesClassifier(model="naive")}


@pytest.fixture
def file(tmp_path):
    def written(frame):
        frame.to_parquet(tmp_path / "rows.parquet")
        return tmp_path / "rows.parquet"

    return written


def fitted(make, rows, y):
    """The model, and what it warned of."""
    with warnings.catch_warnings(record=True) as heard:
        warnings.simplefilter("always")
        model = make().fit(rows, y)
    assert all(one.filename == __file__ for one in heard)
    return model, [str(one.message) for one in heard]


@pytest.mark.parametrize("model", MODELS)
@pytest.mark.parametrize("form", FORMS)
def test_identifiers_are_left_out_as_of_a_file(form, model, file):
    expected, warned = fitted(MODELS[model], file(FRAME), "label")
    assert "Column 'visit', 'key' identifies the row" in warned[0]
    p = expected.predict_proba(FRAME)
    table, beside = FORMS[form](FRAME), FORMS[form](FRAME.drop(columns="label"))
    for rows, y in ((table, "label"), (beside, Y)):
        found, heard = fitted(MODELS[model], rows, y)
        assert heard == warned
        assert found.left_out_ == ("visit", "key")
        assert found.feature_names_in_.tolist() == FEATURES
        for asked in (table, beside, FORMS[form](FRAME[FEATURES])):
            np.testing.assert_allclose(found.predict_proba(asked), p, atol=1e-9)


def test_a_frame_of_integers_has_identifiers_too():
    frame = FRAME[["visit", "pages"]]
    assert fitted(BayesClassifier, frame, Y)[0].left_out_ == ("visit",)


@pytest.mark.parametrize("rows", [FRAME[["visit", "pages"]].to_numpy(), FRAME[["key", "pages"]].to_numpy().tolist()])
def test_no_column_of_an_array_is_left_out(rows):
    model, heard = fitted(BayesClassifier, rows, Y)
    assert (model.n_features_in_, model.left_out_, heard) == (2, (), [])


def test_what_has_a_family_is_not_left_out(file):
    families = {"visit": Gaussian(), "key": Categorical()}
    for rows in (FRAME, file(FRAME)):
        model, heard = fitted(lambda: BayesClassifier(families), rows, "label")
        assert heard == []
        assert {"visit", "key"} <= set(model.feature_names_in_)
    assert fitted(lambda: BayesClassifier({"city": Categorical()}), FRAME, "label")[0].left_out_ == ("visit", "key")


def test_nothing_but_identifiers(file):
    for rows in (FRAME[["visit", "key", "label"]], file(FRAME[["visit", "key", "label"]])):
        with pytest.raises(DataError, match="Every column of the table is an identifier: visit, key"):
            BayesClassifier().fit(rows, "label")


@pytest.mark.filterwarnings("ignore:Column")
def test_cross_validation_leaves_out_what_fit_does():
    alone = cross_validate(FRAME[FEATURES], Y).log_posterior
    for estimator in (BayesClassifier(), BayesClassifier().fit(FRAME, "label")):
        whole = cross_validate(FRAME, "label", estimator=estimator)
        np.testing.assert_allclose(whole.log_posterior, alone, atol=1e-12)


REFUSED = {
    "copy": (FRAME.assign(copy=FRAME.label), "Column 'copy' is equal to the label 'label' in all 1,200 rows"),
    "copy among categories": (
        FRAME.assign(copy=FRAME.label.astype("category")),
        "Column 'copy' is equal to the label 'label'",
    ),
    "copy as a float": (
        FRAME.assign(label=(Y == "buy") * 1, copy=(Y == "buy") * 1.0),
        "Column 'copy' is equal to the label 'label'",
    ),
    "missing": (FRAME.assign(label=np.where(FRAME.pages > 6, None, Y)), r"label 'label' is missing in \d+ of 1,200 rows"),
    "missing number": (
        FRAME.assign(label=np.where(FRAME.pages > 6, np.nan, FRAME.pages)),
        r"label 'label' is missing in \d+ of 1,200 rows",
    ),
    "continuous": (FRAME.assign(label=FRAME.minutes), "label 'label' has 1,200 different numbers, such as -"),
    "identifier": (FRAME.assign(label=FRAME.visit), "label 'label' has 1,200 different values, in 1,200 rows"),
}  # fmt: skip


@pytest.mark.filterwarnings("ignore:Column 'visit'")
@pytest.mark.parametrize("model", MODELS)
@pytest.mark.parametrize("why", REFUSED)
def test_bad_labels_are_refused_as_of_a_file(why, model, file):
    frame, says = REFUSED[why]
    beside = frame.drop(columns="label")
    for rows, y in (
        (file(frame), "label"),
        (frame, "label"),
        (pl.from_pandas(frame), "label"),
        (beside, frame.label),
        (beside.to_dict("records"), frame.label),
    ):
        made = MODELS[model]()
        with pytest.raises(DataError, match=says):
            made.fit(rows, y)
        assert not hasattr(made, "model_")


def test_a_column_may_equal_the_label_by_chance():
    few = FRAME[:19].assign(copy=Y[:19])
    assert "copy" in BayesClassifier().fit(few, "label").feature_names_in_


# — learning on —

PART = {"text": "key", "integers": "visit"}


def shard(kind, rows):
    return FRAME.loc[rows, [PART[kind], *FEATURES]], Y[rows]


@pytest.mark.filterwarnings("ignore:Column")
@pytest.mark.parametrize("model", MODELS)
@pytest.mark.parametrize("kind", PART)
def test_learning_on_and_forgetting_without_the_identifier(kind, model):
    first, more = (shard(kind, rows) for rows in (np.arange(900), np.arange(900, N)))
    whole = MODELS[model]().fit(*shard(kind, np.arange(N))).predict_proba(FRAME)
    learned = MODELS[model]().fit(*first).partial_fit(*more)
    np.testing.assert_allclose(learned.predict_proba(FRAME), whole, atol=1e-9)
    learned.forget(*more)
    np.testing.assert_allclose(
        learned.predict_proba(FRAME), MODELS[model]().fit(*first).predict_proba(FRAME), atol=1e-9
    )


def test_a_first_batch_leaves_no_column_out():
    """What differs in a batch may come again in the next."""
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        model = BayesClassifier().partial_fit(FRAME[:100], "label").partial_fit(FRAME[100:], "label")
    assert {"visit", "key"} <= set(model.feature_names_in_)


@pytest.mark.filterwarnings("ignore:Column")
@pytest.mark.parametrize("model", MODELS)
@pytest.mark.parametrize("kind", PART)
@pytest.mark.parametrize("alone", [False, True])
def test_shards_of_which_one_found_an_identifier(kind, alone, model, tmp_path):
    few, many = np.arange(15), np.arange(15, N)
    features = [PART[kind], "city" if kind == "integers" else "minutes"] if alone else [PART[kind], *FEATURES]
    make, rows = MODELS[model], FRAME[features]
    whole = make().fit(rows, Y)
    large, small = make().fit(rows.loc[many], Y[many]), make().fit(rows.loc[few], Y[few])
    assert (large.left_out_, small.left_out_) == ((PART[kind],), ())
    large.save(tmp_path / "large.model")
    for one in (large + small, suffice.load(tmp_path / "large.model").merge(small)):
        assert one.feature_names_in_.tolist() == features[1:]
        np.testing.assert_allclose(one.predict_proba(rows), whole.predict_proba(rows), atol=1e-9)
        one.forget(rows.loc[few], Y[few])
        np.testing.assert_allclose(one.predict_proba(rows), large.predict_proba(rows), atol=1e-9)
    # the columns are those of the first: in the rows of the second the identifier is missing
    other = small + large
    assert other.feature_names_in_.tolist() == features
    lenient = make().set_params(missing_columns="marginalise").fit(rows.loc[few], Y[few])
    lenient.partial_fit(rows.loc[many, features[1:]], Y[many])
    np.testing.assert_allclose(other.predict_proba(rows), lenient.predict_proba(rows), atol=1e-9)


@pytest.mark.filterwarnings("ignore:Column")
def test_models_beyond_their_samples_merge_too():
    few, many = np.arange(15), np.arange(15, N)
    rows = FRAME[["key", *FEATURES]]
    large = BayesClassifier(keep_rows=300).fit(rows.loc[many], Y[many])
    small = BayesClassifier(keep_rows=300).fit(rows.loc[few], Y[few])
    for one in (large + small, small + large):
        assert one.model_.tally.weight.sum() == N
        assert one.score(rows, Y) > 0.7


@pytest.mark.filterwarnings("ignore:Column")
def test_other_columns_do_not_merge():
    one = BayesClassifier().fit(FRAME[["key", *FEATURES]], Y)
    for other in (FRAME[FEATURES[1:]], FRAME[["key", "city"]].loc[:14], FRAME[FEATURES].assign(more=1.5)):
        with pytest.raises(MergeError, match="different columns"):
            one + BayesClassifier().fit(other, Y[: len(other)])


def test_an_only_column_is_meant():
    names = [f"name {i}" for i in range(60)]
    model = BayesClassifier().fit(pd.DataFrame({"name": names}), [0, 1] * 30)
    assert list(model.feature_names_in_) == ["name"]
    assert model.left_out_ == ()


@pytest.mark.parametrize("through", ["fit", "pipeline", "file", "cross-validation"])
def test_text_of_numbers_is_one_warning_at_the_line_of_the_caller(through, tmp_path):
    """However many columns there are, in words of Python."""
    rows = 60
    frame = pd.DataFrame({f"code{j}": [f"{(i * 7 + j) % 29:05d}" for i in range(rows)] for j in range(5)})
    frame["price"] = [str(i % 20) if i % 9 else "on request" for i in range(rows)]
    y, naive = np.arange(rows) % 2, BayesClassifier(model="naive")
    frame.assign(y=y).to_parquet(tmp_path / "rows.parquet")
    calls = {
        "fit": lambda: naive.fit(frame, y),
        "pipeline": lambda: make_pipeline(naive).fit(frame, y),
        "file": lambda: naive.fit(tmp_path / "rows.parquet", "y"),
        "cross-validation": lambda: cross_validate(frame, y, k=2, estimator=naive),
    }
    with pytest.warns(ColumnWarning) as caught:
        calls[through]()
    assert [w.filename for w in caught] == [__file__]
    text = str(caught[0].message)
    assert text.startswith("Column 'code0' is text of numbers: it is read as 29 categories. Column 'code1' is text")
    assert "So are 'code3', 'code4', 'price'." in text
    assert "families={'code0': Categorical()}" in text
    assert "--" not in text
