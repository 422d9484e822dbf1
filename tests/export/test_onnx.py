"""Graphs in onnxruntime answer as the models they were made of."""

import numpy as np
import pandas as pd
import pytest

from export.families_taken import TAKEN
from export.tables import mixed, others
from suffice import BayesClassifier, Categorical, Gaussian, MultivariateNormal, Poisson
from suffice.errors import MissingPackageError, NotExportableError

runtime = pytest.importorskip("onnxruntime")


def answers(path, rows):
    """Labels and probabilities of an array or a frame."""
    session = runtime.InferenceSession(str(path), providers=["CPUExecutionProvider"])
    if isinstance(rows, np.ndarray) and len(session.get_inputs()) == 1:
        feeds = {"X": rows.astype(float)}
    else:
        frame = pd.DataFrame(rows).rename(columns=str)
        feeds = {each.name: _cells(frame[each.name], each.type) for each in session.get_inputs()}
    return session.run(["predicted", "probabilities"], feeds)


def _cells(column, kind):
    if kind == "tensor(string)":
        return column.astype(object).where(column.notna(), "").to_numpy()[:, None]
    return column.to_numpy(dtype=float)[:, None]


def check(model, rows, path):
    model.to_onnx(path)
    predicted, p = answers(path, rows)
    assert np.abs(p - model.predict_proba(rows)).max() < 1e-9  # promised: 1e-6
    assert predicted.tolist() == model.predict(rows).tolist()


@pytest.mark.parametrize(("case", "rule"), TAKEN)
def test_families(case, rule, tmp_path):
    rng = np.random.default_rng(4)
    x, y = case.rows(rng, 1200)
    model = BayesClassifier(case.family, estimate=rule, model="naive").fit(x, y)
    check(model, case.rows(rng, 1000)[0], tmp_path / "a.onnx")


@pytest.mark.parametrize("kind", ["naive", "weighted", "additive"])
def test_models_of_mixed_tables(kind, tmp_path):
    model = BayesClassifier(model=kind).fit(*mixed(1500, 1))
    check(model, others(1000, 2), tmp_path / "a.onnx")
    check(model, others(1000, 2).iloc[:1], tmp_path / "a.onnx")


def test_named_families_among_weighed_ones(tmp_path):
    families = {"größe": Gaussian(), "visits": Poisson(), "code": Categorical()}
    check(BayesClassifier(families, model="additive").fit(*mixed(1500, 3)), others(1000, 4), tmp_path / "a.onnx")


@pytest.mark.parametrize("labels", [[False, True], [3, 5], [1.0, 2.0], ["no", "yes"]], ids=str)
def test_labels_keep_their_type(labels, tmp_path):
    frame, _ = mixed(1500, 5)
    y = np.array(labels)[(frame["visits"] > 3).astype(int)]
    check(BayesClassifier(model="additive").fit(frame, y), others(100, 6), tmp_path / "a.onnx")


def test_a_row_that_no_class_could_have_made_gets_the_prior(tmp_path):
    model = BayesClassifier(Poisson(), estimate="mle").fit([[0.0], [0.0], [0.0]], ["a", "a", "b"])
    check(model, np.array([[3.0], [0.0], [np.nan]]), tmp_path / "a.onnx")


def test_many_correlated_columns_need_complete_rows(tmp_path):
    rng = np.random.default_rng(0)
    x = rng.normal(size=(1200, 8)) @ rng.normal(size=(8, 8))
    model = BayesClassifier(MultivariateNormal()).fit(x, np.where(x[:, 0] + rng.normal(size=1200) > 0, "a", "b"))
    check(model, x, tmp_path / "a.onnx")
    x[0, 3] = np.nan
    _, p = answers(tmp_path / "a.onnx", x)
    assert np.isnan(p[0]).all()
    assert not np.isnan(p[1:]).any()


def test_forests_are_refused_by_name(tmp_path):
    model = BayesClassifier().fit(*mixed(1500, 1))
    with pytest.raises(NotExportableError, match=r"forests.*model='additive'"):
        model.to_onnx(tmp_path / "a.onnx")
    assert not (tmp_path / "a.onnx").exists()


def test_a_column_named_as_an_output(tmp_path):
    frame = pd.DataFrame({"predicted": [1.0, 2.0, 3.0, 4.0]})
    with pytest.raises(NotExportableError, match="'predicted'"):
        BayesClassifier(Gaussian()).fit(frame, ["a", "a", "b", "b"]).to_onnx(tmp_path / "a.onnx")


def test_without_the_package(tmp_path, monkeypatch):
    import sys

    for name in [name for name in sys.modules if name.startswith("suffice.export.onnx")]:
        monkeypatch.delitem(sys.modules, name)
    monkeypatch.delattr("suffice.export.to_onnx", raising=False)
    monkeypatch.setitem(sys.modules, "onnx", None)
    with pytest.raises(MissingPackageError, match=r"suffice\[onnx\]"):
        BayesClassifier(Gaussian()).fit([[1.0], [2.0]], ["a", "b"]).to_onnx(tmp_path / "a.onnx")
