"""Files of earlier versions, and of this one, are read: the same answers as when they were written.

``docs/versions.md`` gives the promise. A version whose files may be refused has its folder removed here.
"""

import json
import shutil

import numpy as np
import pytest

import suffice
from persist.golden.write import HERE, MODELS, answers, document, state
from suffice.estimators.estimator_kinds import ESTIMATORS, KINDS_WITH_ESTIMATORS
from suffice.web.recovery import rebuilt
from suffice.web.service import Service
from suffice.web.settings import Settings

VERSIONS = sorted(folder for folder in HERE.iterdir() if (folder / "models.json").exists())
STORED = {version: json.loads((version / "models.json").read_text()) for version in VERSIONS}
NEAR = {"rtol": 1e-9, "atol": 1e-12}  # other machines add in another order


def test_this_version_has_its_files():
    assert {case.name for case in MODELS} == set(STORED[HERE / suffice.__version__])
    assert {type(case.new()) for case in MODELS} == {kind.type for kind in ESTIMATORS.values()}


FILES = [pytest.param(version, name, id=f"{version.name}-{name}") for version in VERSIONS for name in STORED[version]]


@pytest.mark.parametrize(("version", "name"), FILES)
def test_models(version, name, tmp_path):
    stored = STORED[version][name]
    model = suffice.load(version / f"{name}.model")
    np.testing.assert_allclose(answers(model, stored["asked"]), stored["answers"], **NEAR)
    model.save(tmp_path / "again.model")
    again = suffice.load(tmp_path / "again.model")
    np.testing.assert_array_equal(answers(again, stored["asked"]), answers(model, stored["asked"]))


def test_every_kind_is_in_a_file_of_this_version():
    folder = HERE / suffice.__version__
    text = "".join(document(path) for path in (*folder.glob("*.model"), *folder.glob("*.checkpoint")))
    assert {tag for tag in KINDS_WITH_ESTIMATORS._by_tag if json.dumps(tag) not in text} == {
        "wide scatter",  # hundreds of columns
    }


@pytest.mark.parametrize("version", VERSIONS, ids=lambda version: version.name)
def test_text_files(version):
    found = suffice.load(version / "spelled.model").predict_proba(suffice.rows(version / "spelled.csv"))
    np.testing.assert_allclose(found, json.loads((version / "spelled.json").read_text()), **NEAR)


@pytest.mark.parametrize("version", VERSIONS, ids=lambda version: version.name)
def test_streams(version, tmp_path):
    stored = json.loads((version / "stream.json").read_text())
    path = shutil.copy(version / "stream.checkpoint", tmp_path)
    np.testing.assert_allclose(answers(suffice.load(path), stored["asked"]), stored["answers"], **NEAR)
    taken_up = suffice.stream(suffice.BayesClassifier(model="naive"), lambda position: [], checkpoint=path, window=2)
    np.testing.assert_allclose(answers(taken_up, stored["asked"]), stored["answers"], **NEAR)


@pytest.mark.parametrize("version", VERSIONS, ids=lambda version: version.name)
@pytest.mark.parametrize("start", ["from the model file", "from the journal"])
def test_databases(version, start, tmp_path):
    """The cases, the labels that stand, the journal, and the statistics that follow from it."""
    stored = json.loads((version / "service.json").read_text())
    store, model = shutil.copy(version / "service.db", tmp_path), tmp_path / "service.model"
    if start == "from the model file":
        shutil.copy(version / "service.model", model)
    service = Service(Settings(model, store=str(store)))
    service.start()
    try:
        found = state(service)
        np.testing.assert_allclose(found.pop("scores"), stored.pop("scores"), **NEAR)
        assert found == stored
        assert rebuilt(service.stores).class_counts == stored["class counts"]
    finally:
        service.stop()
