"""Laws of the journal: whatever is done to cases, the statistics are those of the base and the labels that stand."""

import random
from pathlib import Path

import numpy as np
import pandas as pd
import pytest

from suffice import BayesClassifier, load
from suffice.columns.records_table import RecordsTable
from suffice.web.problems import RequestError
from suffice.web.recovery import rebuilt
from suffice.web.store import StoreError
from web.claims import assert_same_statistics, some_rows


def done(service, change):
    return service.writer.submit(change).result(timeout=60)


def typed(service, row):
    return service.columns.row_type(*(row[key] for key in service.columns.keys))


def add(service, rows, start=0):
    typed_rows = [typed(service, row) for row in rows]
    return done(service, lambda draft: draft.add([f"c{start + i}" for i in range(len(rows))], typed_rows))


def never_saw(path, service, standing, rows):
    """The base with just these labels learned, by the library."""
    model = load(path).model_
    version = service.version
    table = RecordsTable(service.columns.names, [tuple(rows[i].values()) for i in standing])
    labels = list(standing.values())
    fresh = type(version)(0, model, version.estimator)
    return fresh.learned(1, table, labels).model.tally if labels else model.tally


def test_any_changes_leave_what_a_rebuild_gives(model_path, store, open_service, tmp_path):
    base = tmp_path / "base.suffice"
    base.write_bytes(model_path.read_bytes())
    rows, _ = some_rows(30, seed=5)
    service = open_service(model_path, store)
    add(service, rows)
    dice, standing, gone = random.Random(1), {}, set()
    for _ in range(120):
        i = dice.choice([i for i in range(30) if i not in gone])
        what = dice.random()
        if what < 0.7:
            label = dice.choice(["fraud", "honest"])
            done(service, lambda draft, i=i, label=label: draft.label(f"c{i}", label, "ann"))
            standing[i] = label
        elif what < 0.9:
            done(service, lambda draft, i=i: draft.unlabel(f"c{i}", "bob"))
            standing.pop(i, None)
        else:
            done(service, lambda draft, i=i: draft.erase(f"c{i}"))
            standing.pop(i, None)
            gone.add(i)
    live = service.version
    assert live.number == service.stores.journal.length()
    assert_same_statistics(live.model.tally, rebuilt(service.stores).model.tally)
    assert_same_statistics(live.model.tally, never_saw(base, service, standing, rows))
    assert {f"c{i}": label for i, label in standing.items()} == service.stores.journal.current_labels(
        service.stores.journal.length()
    )
    # and the next life of the service, from its model file
    service.stop()
    again = open_service(model_path, store)
    assert again.version.number == live.number
    assert_same_statistics(again.version.model.tally, live.model.tally)


def test_the_same_label_twice_is_learned_once(model_path, store, open_service):
    service = open_service(model_path, store)
    add(service, some_rows(1)[0])
    counts = service.version.class_counts
    for _ in range(3):
        done(service, lambda draft: draft.label("c0", "fraud", None))
    assert service.version.class_counts["fraud"] == counts["fraud"] + 1
    assert service.stores.journal.length() == 1


def test_a_correction_moves_the_case(model_path, store, open_service):
    service = open_service(model_path, store)
    add(service, some_rows(1)[0])
    before = service.version.class_counts
    done(service, lambda draft: draft.label("c0", "fraud", None))
    done(service, lambda draft: draft.label("c0", "honest", None))
    assert service.version.class_counts == {**before, "honest": before["honest"] + 1}
    assert [e.kind for e in service.stores.journal.of_case("c0")] == ["learn", "correct"]


def test_what_was_fitted_in_training_outlives_an_undo(tmp_path, store, open_service):
    rows, labels = some_rows(80)
    model = BayesClassifier().fit([row["letter"] for row in rows], labels)
    assert model.model_.weighted_parts.weights[0].correction is not None
    model.save(tmp_path / "text.suffice")
    service = open_service(tmp_path / "text.suffice", store)
    asked = service.columns.table_from_json([{"text": "urgent photo of the roof"}])
    before = service.version.scores(asked)[0]
    add(service, [{"text": "lost invoice, wire it twice"}])
    done(service, lambda draft: draft.label("c0", "fraud", None))
    assert not np.array_equal(service.version.scores(asked)[0], before)
    done(service, lambda draft: draft.undo("c0", None))
    assert np.array_equal(service.version.scores(asked)[0], before)


@pytest.fixture(scope="module")
def long_file(tmp_path_factory):
    """A frame, and a model of its file."""
    folder, rng = tmp_path_factory.mktemp("long"), np.random.default_rng(0)
    x, kind = rng.normal(size=(21_000, 2)).round(2), rng.choice(["u", "v"], 21_000)
    y = np.where((x[:, 0] > 0) ^ (kind == "u"), "yes", "no")
    frame = pd.DataFrame({"a": x[:, 0], "b": x[:, 1], "kind": kind, "y": y})
    frame.to_csv(folder / "rows.csv", index=False)
    return frame, BayesClassifier().fit(str(folder / "rows.csv"), "y")


def test_an_undo_leaves_a_model_of_a_long_file_as_it_was(long_file, tmp_path, store, open_service):
    frame, model = long_file
    model.save(tmp_path / "long.suffice")
    service = open_service(tmp_path / "long.suffice", store)
    asked = service.columns.table_from_json(frame.drop(columns="y").head(50).to_dict("records"))
    before = service.version.scores(asked)[0]
    add(service, [{"a": 0.5, "b": 1.0, "kind": "u"}])
    done(service, lambda draft: draft.label("c0", "yes", None))
    done(service, lambda draft: draft.undo("c0", None))
    np.testing.assert_allclose(service.version.scores(asked)[0], before, rtol=1e-9)


def test_erasing_leaves_no_trace(model_path, store, open_service):
    service = open_service(model_path, store)
    secret = {"amount": 41.25, "branch": "moon", "letter": "the secret word is xylophone", "known": True}
    before = service.version
    add(service, [secret])
    done(service, lambda draft: draft.label("c0", "fraud", "inspector"))
    receipt = done(service, lambda draft: draft.erase("c0"))
    assert_same_statistics(service.version.model.tally, before.model.tally)
    assert receipt.before.class_counts["fraud"] == receipt.after.class_counts["fraud"] + 1
    assert receipt.after.class_counts == before.class_counts
    assert receipt.before.sha256 != receipt.after.sha256
    assert service.stores.receipts.get(receipt.id) == receipt
    assert [entry.case_id for entry in service.stores.journal.after(0)] == [None, None]
    service.stop()
    files = [model_path] if store.startswith("postgresql") else [model_path, *Path(store).parent.glob("cases.db*")]
    for file in files:
        content = file.read_bytes()
        assert b"xylophone" not in content
        assert b"inspector" not in content


def test_rows_of_the_training_set_are_forgotten_in_the_base(model_path, store, open_service):
    rows, labels = some_rows(300)  # what the model was trained on
    service = open_service(model_path, store)
    done(service, lambda draft: draft.add(["c0"], [typed(service, some_rows(1, seed=9)[0][0])]))
    done(service, lambda draft: draft.label("c0", "honest", None))
    before = service.version.class_counts
    first = typed(service, rows[0])
    done(service, lambda draft: draft.forget([first], labels[0], "ann"))
    assert service.version.class_counts == {**before, labels[0]: before[labels[0]] - 1}
    assert_same_statistics(service.version.model.tally, rebuilt(service.stores).model.tally)
    with pytest.raises(Exception, match="only what was learned"):
        done(service, lambda draft: draft.forget([first] * 1000, labels[0], None))


def test_a_refused_change_spoils_nothing_beside_it(model_path, store, open_service):
    service = open_service(model_path, store)
    add(service, some_rows(3)[0])
    jobs = [
        service.writer.submit(change)
        for change in (
            lambda draft: draft.label("c0", "fraud", None),
            lambda draft: draft.label("nobody", "fraud", None),
            lambda draft: draft.label("c1", "honest", None),
        )
    ]
    with pytest.raises(RequestError, match="There is no case 'nobody'"):
        jobs[1].result(timeout=60)
    assert jobs[0].result(timeout=60).label == "fraud"
    assert jobs[2].result(timeout=60).label == "honest"
    assert service.stores.journal.length() == 2


def test_a_model_file_from_elsewhere_is_refused_unless_it_is_to_be_the_base(model_path, store, open_service, tmp_path):
    service = open_service(model_path, store)
    add(service, some_rows(2)[0])
    done(service, lambda draft: draft.label("c0", "fraud", None))
    service.stop()
    load(model_path).decay(0.5).save(model_path)
    with pytest.raises(StoreError, match="was not written by the service with this store"):
        open_service(model_path, store)
    halved = load(model_path).model_.tally.weight
    again = open_service(model_path, store, rebase=True)
    assert again.version.model.tally.weight.tolist() == [halved[0] + 1, halved[1]]


def test_a_lost_model_file_comes_back_from_the_store(model_path, store, open_service):
    service = open_service(model_path, store)
    add(service, some_rows(2)[0])
    done(service, lambda draft: draft.label("c0", "fraud", None))
    tally = service.version.model.tally
    service.stop()
    model_path.unlink()
    again = open_service(model_path, store)
    assert_same_statistics(again.version.model.tally, tally)
    again.stop()
    assert load(model_path).classes_.tolist() == ["fraud", "honest"]


def test_snapshots_are_written_while_labels_come(model_path, store, open_service):
    service = open_service(model_path, store, snapshot_labels=2)
    add(service, some_rows(4)[0])
    for i in range(4):
        done(service, lambda draft, i=i: draft.label(f"c{i}", "fraud", None))
    assert service.model_file.snapshots >= 1
    assert service.stores.snapshots.version_of(model_path) in (2, 3, 4)


def test_two_servers_learn_from_each_other(model_path, model_bytes, store, open_service, tmp_path):
    other_path = tmp_path / "other.suffice"
    other_path.write_bytes(model_bytes)
    one, other = open_service(model_path, store), open_service(other_path, store)
    add(one, some_rows(6)[0])
    for i in range(6):
        server = (one, other)[i % 2]
        done(server, lambda draft, i=i: draft.label(f"c{i}", "fraud", None))
    done(one, lambda draft: draft.erase("c1"))
    done(other, lambda draft: draft.unlabel("c0", None))
    done(one, lambda draft: draft.unlabel("c2", None))
    done(other, lambda draft: draft.label("c2", "honest", None))
    assert one.version.number + 1 == other.version.number == other.stores.journal.length()
    done(one, lambda draft: None)  # any change catches up first
    assert_same_statistics(one.version.model.tally, other.version.model.tally)
