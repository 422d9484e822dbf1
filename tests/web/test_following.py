"""Fitted weights follow the counts in the background."""

import os
import signal
import threading
import time

import numpy as np
import pytest

from suffice import BayesClassifier, load
from suffice.model import Model
from web.claims import FAMILIES, some_rows
from web.clients import client

ROWS, LABELS = some_rows(60, seed=5)
NEVER = {"follow_labels": 10**9, "follow_seconds": 1e9}


def until(condition, seconds=120):
    end = time.monotonic() + seconds
    while not condition():
        assert time.monotonic() < end, "it did not happen in time"
        time.sleep(0.05)


def teach(service, first, last):
    for i in range(first, last):
        row = service.columns.row_type(*ROWS[i].values())
        service.writer.submit(lambda draft, i=i, row=row: draft.learn(f"c{i}", row, LABELS[i], "ann")).result(60)


def refit(n):
    rows, labels = some_rows(300)
    return BayesClassifier(FAMILIES).fit(rows + ROWS[:n], labels + LABELS[:n])


def test_weights_follow_to_those_of_a_refit(model_path, store, open_service):
    service = open_service(model_path, store, follow_labels=10, follow_seconds=0.5)
    teach(service, 0, 60)
    until(lambda: service.version.fitted_at == 60)
    assert service.version.pending == 0
    found = service.version.scores(service.columns.table_from_json(ROWS))[0]
    np.testing.assert_allclose(found, refit(60).predict_proba(ROWS), rtol=1e-6)
    assert service.refitter.counts.served >= 1


def test_counts_follow_at_once_and_weights_stay_until_then(model_path, tmp_path, open_service):
    service = open_service(model_path, str(tmp_path / "cases.db"), **NEVER)
    before = service.version.model.weighted_parts.weights
    teach(service, 0, 3)
    service.writer.submit(lambda draft: draft.unlabel("c0", "ann")).result(60)
    version = service.version
    assert (version.number, version.fitted_at, version.pending) == (4, 0, 4)
    assert all(a is b for a, b in zip(version.model.weighted_parts.weights, before, strict=True))
    assert version.model.tally.weight.sum() == 302
    followed = version.with_fitted_weights()
    assert (followed.pending, followed.fitted_at) == (0, 4)


def test_erasing_fits_at_once_without_the_case(model_path, tmp_path, open_service):
    """Nothing that was fitted with an erased case is served or saved."""
    service = open_service(model_path, str(tmp_path / "cases.db"), **NEVER)
    before = service.version.scores(service.columns.table_from_json(ROWS))[0]
    teach(service, 0, 1)
    service.writer.submit(lambda draft: draft.erase("c0")).result(60)
    assert (service.version.pending, service.version.fitted_at) == (0, 2)
    np.testing.assert_allclose(service.version.scores(service.columns.table_from_json(ROWS))[0], before, rtol=1e-9)
    np.testing.assert_allclose(load(model_path).predict_proba(ROWS), before, rtol=1e-9)


def test_worse_weights_are_not_served(model_path, tmp_path, open_service):
    """Weights that were fitted to labels turned around lose against the old ones on the cases labelled since."""
    service = open_service(model_path, str(tmp_path / "cases.db"), **NEVER)
    before = service.version
    other = {"fraud": "honest", "honest": "fraud"}
    rows, labels = some_rows(300)
    turned = BayesClassifier(FAMILIES).fit(rows, [other[label] for label in labels])
    worse = type(before)(0, turned.model_.deferring_weights, turned)
    teach(service, 0, 20)
    assert service.writer.submit(lambda draft: draft.refit(before, worse)).result(60) is False
    assert service.version.fitted_at == 0
    same = before.with_fitted_weights()
    assert service.writer.submit(lambda draft: draft.refit(before, same)).result(60) is True
    assert service.version.number == 20


def test_readers_and_labels_do_not_wait_for_a_fit(model_path, tmp_path, open_service, monkeypatch):
    """While a fit is under way, labels are learned and rows are scored; its end is seen in the answers."""
    entered, go = threading.Event(), threading.Event()
    from suffice.web.fitting_process import FittingProcess

    real = FittingProcess.with_fitted_weights

    def slow(self, model: Model) -> Model:
        entered.set()
        assert go.wait(60)
        return real(self, model)

    monkeypatch.setattr(FittingProcess, "with_fitted_weights", slow)
    service = open_service(model_path, str(tmp_path / "cases.db"), follow_labels=5, follow_seconds=0.5)
    teach(service, 0, 5)
    assert entered.wait(60)
    teach(service, 5, 40)
    assert (service.version.number, service.version.fitted_at) == (40, 0)
    assert service.version.scores(service.columns.table_from_json(ROWS[:1]))[0].shape == (1, 2)
    go.set()
    until(lambda: service.version.fitted_at == 40)


def test_a_fit_that_is_killed_is_tried_again(model_path, tmp_path, open_service, caplog):
    service = open_service(model_path, str(tmp_path / "cases.db"), follow_labels=5, follow_seconds=0.5)
    service.refitter._process.start()
    process = service.refitter._process._process
    os.kill(process.pid, signal.SIGKILL)
    process.wait()
    teach(service, 0, 5)
    until(lambda: service.refitter.counts.failed == 1)
    assert "Weights could not be refitted" in caplog.text
    teach(service, 5, 10)
    until(lambda: service.version.fitted_at == 10)


def test_progress_is_shown(model_path):
    with client(model_path, follow_labels=10, follow_seconds=0.2) as api:
        for i in range(45):
            api.post("/v1/learn", json={"id": f"c{i}", "row": ROWS[i], "label": LABELS[i]})
        until(lambda: api.get("/v1/model").json()["progress"]["pending"] == 0)
        found = api.get("/v1/model").json()["progress"]
        assert found["fitted_at"] == 45
        assert found["served"] >= 1
        assert found["followed"] == pytest.approx(time.time(), abs=300)
        assert [window["cases"] for window in found["log_loss"]] == [5, 20, 20]
        assert api.get("/v1/dashboard").json()["progress"]["log_loss"] == found["log_loss"]
        metrics = dict(line.split() for line in api.get("/metrics").text.splitlines() if line.startswith("suffice_w"))
        assert metrics["suffice_weights_version"] == "45"
        assert float(metrics["suffice_weights_followed_seconds"]) == pytest.approx(found["followed"], abs=1)
        assert f"suffice_log_loss {found['log_loss'][-1]['log_loss']:.12g}" in api.get("/metrics").text


def test_log_loss_is_that_of_the_version_before_the_label(model_path, tmp_path, open_service):
    service = open_service(model_path, str(tmp_path / "cases.db"), **NEVER)
    expected = []
    for i in range(5):
        expected.append(float(service.version.losses(service.columns.table_from_json([ROWS[i]]), [LABELS[i]])[0]))
        teach(service, i, i + 1)
    assert [loss for _, loss in service.stores.cases.losses(10)] == pytest.approx(expected)
    # a corrected label is no longer that of a case the model had not seen
    service.writer.submit(lambda draft: draft.label("c0", "fraud" if LABELS[0] == "honest" else "honest", None)).result(
        60
    )
    assert len(service.stores.cases.losses(10)) == 4


@pytest.mark.parametrize("weighing", ["naive", "additive", "full"])
def test_every_setting_of_the_default_learns(tmp_path, open_service, weighing):
    rows, labels = some_rows(300)
    BayesClassifier(model=weighing).fit(rows, labels).save(tmp_path / "m.suffice")
    service = open_service(tmp_path / "m.suffice", "", follow_labels=20, follow_seconds=0.5)
    teach(service, 0, 40)
    until(lambda: service.version.pending == 0)
    again = BayesClassifier(model=weighing).fit(rows + ROWS[:40], labels + LABELS[:40])
    found = service.version.scores(service.columns.table_from_json(ROWS))[0]
    np.testing.assert_allclose(found, again.predict_proba(ROWS), rtol=1e-6)
