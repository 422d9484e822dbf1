"""Which model files a store starts from, and what becomes of its cases under a retrained model."""

import logging
from functools import cache

import pytest

from suffice import BayesClassifier, Poisson, Text, load
from suffice.errors import DataError
from suffice.web.recovery import caught_up, rebuilt
from suffice.web.store import StoreError, open_database
from suffice.web.store.stores import Stores
from suffice.web.version import Version
from web.claims import FAMILIES, assert_same_statistics, some_rows, trained
from web.clients import client

ROWS, _ = some_rows(8, seed=6)


def done(service, change):
    return service.writer.submit(change).result(timeout=60)


def typed(service, row):
    return service.columns.row_type(*(row[key] for key in service.columns.keys))


def learn(service, labels, rows=ROWS):
    """Cases c0, c1, … with these labels."""
    for i, label in enumerate(labels):
        done(service, lambda draft, i=i, label=label: draft.learn(f"c{i}", typed(service, rows[i]), label, "ann"))


def weights(service):
    return service.version.model.tally.weight.tolist()


def test_the_service_s_own_file_is_no_base(model_path, store, open_service):
    """Its labels would count again at every start, and erasing a case would leave one count of it behind."""
    service = open_service(model_path, store)
    learn(service, ["fraud", "honest", "fraud"])
    service.stop()
    for _ in range(2):
        with pytest.raises(StoreError, match=r"includes the store's labels, .* Start without --rebase\."):
            open_service(model_path, store, rebase=True)
    again = open_service(model_path, store)
    assert_same_statistics(again.version.model.tally, service.version.model.tally)


def test_the_base_is_its_own_base(model_path, model_bytes, store, open_service):
    """Nothing is learned twice, and what was forgotten since does not come back."""
    service = open_service(model_path, store, rebase=True)
    learn(service, ["fraud", "honest", "fraud"])
    rows, labels = some_rows(300)  # what the model was trained on
    done(service, lambda draft: draft.forget([typed(service, rows[0])], labels[0], None))
    service.stop()
    model_path.write_bytes(model_bytes)
    again = open_service(model_path, store, rebase=True)
    assert_same_statistics(again.version.model.tally, service.version.model.tally)


def test_a_file_from_before_a_rebase_is_no_base_either(model_path, model_bytes, store, open_service):
    service = open_service(model_path, store)
    learn(service, ["fraud"])
    service.stop()
    own = model_path.read_bytes()
    trained(200).save(model_path)
    rebased = open_service(model_path, store, rebase=True)
    assert sum(weights(rebased)) == 201
    rebased.stop()
    model_path.write_bytes(own)
    for rebase in (False, True):
        with pytest.raises(StoreError, match="before the last --rebase; it includes labels of the store"):
            open_service(model_path, store, rebase=rebase)
    model_path.write_bytes(model_bytes)  # the first base again: as it was trained
    assert sum(weights(open_service(model_path, store, rebase=True))) == 301


@pytest.mark.parametrize("rebase", [False, True])
def test_a_damaged_file_is_told_from_a_foreign_one(model_path, store, open_service, rebase):
    service = open_service(model_path, store)
    learn(service, ["fraud", "honest"])
    service.stop()
    whole = model_path.read_bytes()
    for damaged in (b"", whole[:-20], whole[:-20] + bytes(20)):
        model_path.write_bytes(damaged)
        with pytest.raises(StoreError, match=r"is damaged \(.*\. Delete it: it will be rebuilt from the store\."):
            open_service(model_path, store, rebase=rebase)
    model_path.unlink()
    again = open_service(model_path, store)
    assert_same_statistics(again.version.model.tally, service.version.model.tally)
    again.stop()
    load(model_path).decay(0.5).save(model_path)
    with pytest.raises(StoreError, match=r"was not written by the service with this store; .* start with --rebase"):
        open_service(model_path, store)


@cache
def retrained(classes, columns):
    rows, labels = some_rows(100, seed=1)
    named = dict(zip(("fraud", "honest"), classes, strict=True))
    return BayesClassifier(FAMILIES).fit([columns(row) for row in rows], [named[label] for label in labels])


def retrain(path, classes, columns=dict):
    """Another model, with classes in the place of fraud and honest."""
    retrained(classes, columns).save(path)


def other_columns(row):
    """Without the branch, with an age; amounts are categories, and what was yes or no is text."""
    return {
        "age": 40.0 + (row["amount"] or 0.0),
        "amount": "low" if (row["amount"] or 0.0) < 2 else "high",
        "letter": row["letter"],
        "known": f"{row['letter']} {row['known']}",
    }


def test_posteriors_are_kept_by_the_name_of_the_class(model_path):
    with client(model_path) as api:
        added = api.post("/v1/cases", json={"cases": [{"id": f"c{i}", "row": row} for i, row in enumerate(ROWS)]})
        before = [case["posterior"] for case in added.json()["cases"]]
        api.put("/v1/cases/c0/label", json={"label": "honest"})
    retrain(model_path, ("zeal", "honest"))
    with client(model_path, rebase=True) as api:
        assert [api.get(f"/v1/cases/c{i}").json()["case"]["posterior"] for i in range(8)] == before
        then = api.get("/case/c0").text.partition("At arrival")[2].partition("</dl>")[0]
        assert "fraud" in then
        assert "zeal" not in then
        assert api.get("/v1/dashboard").json()["calibration"] == []


def test_cases_of_other_columns_are_shown_and_scored(model_path):
    with client(model_path) as api:
        cases = [{"id": f"c{i}", "row": row} for i, row in enumerate(some_rows(60, seed=2)[0])]
        api.post("/v1/cases", json={"cases": cases}).raise_for_status()
        api.put("/v1/cases/c0/label", json={"label": "fraud", "by": "ann"}).raise_for_status()
    retrain(model_path, ("fraud", "honest"), other_columns)
    with client(model_path, rebase=True) as api:
        assert api.get("/v1/model").json()["class_counts"]["fraud"] == load(model_path).model_.tally.weight[0] + 1
        assert api.get("/v1/queue").json()["waiting"] > 0
        for page in ("/", "/case/c0", "/case/c1", "/history", "/dashboard", "/v1/dashboard", "/v1/cases", "/metrics"):
            assert api.get(page).status_code == 200, page
        page = api.get("/case/c1").text
        assert "Not used by this model" in page
        assert cases[1]["row"]["branch"] in page
        assert api.get("/v1/cases/c1").json()["case"]["row"] == cases[1]["row"]
        api.put("/v1/cases/c1/label", json={"label": "honest"}).raise_for_status()
        api.delete("/v1/cases/c1").raise_for_status()


@pytest.mark.parametrize("is_labelled", [False, True])
def test_a_row_that_the_new_model_refuses(model_path, is_labelled):
    """Without a label, it alone is not scored; with one, the model cannot be the base, and nothing has changed."""
    with client(model_path) as api:
        cases = [{"id": f"c{i}", "row": row} for i, row in enumerate(some_rows(40, seed=2)[0])]
        cases[7]["row"]["amount"] = -1.5
        api.put("/v1/policy", json={"ask": 0.0}).raise_for_status()
        api.post("/v1/cases", json={"cases": cases}).raise_for_status()
        if is_labelled:
            api.put("/v1/cases/c7/label", json={"label": "fraud"}).raise_for_status()
        version = api.get("/v1/model").json()["version"]
    own = model_path.read_bytes()
    rows, labels = some_rows(100, seed=1)
    counts = [{"amount": round(abs(row["amount"] or 0.0)), "letter": row["letter"]} for row in rows]
    BayesClassifier({"amount": Poisson(), "letter": Text("multinomial")}).fit(counts, labels).save(model_path)
    if is_labelled:
        with pytest.raises(DataError, match="amount"), client(model_path, rebase=True):
            pass
        model_path.write_bytes(own)
        with client(model_path) as api:
            assert api.get("/v1/model").json()["version"] == version
        return
    with client(model_path, rebase=True) as api:
        queue = api.get("/v1/queue", params={"limit": 200}).json()
        assert queue["waiting"] == 40
        assert {item["case"]["id"] for item in queue["cases"]} == {f"c{i}" for i in range(40) if i != 7}
        assert "cannot score this case" in api.get("/case/c7").text
        for page in ("/", "/case/c7", "/case/c8", "/history", "/dashboard", "/v1/dashboard"):
            assert api.get(page).status_code == 200, page
        assert api.put("/v1/cases/c7/label", json={"label": "fraud"}).status_code == 422


@pytest.mark.parametrize("erase", [False, True])
def test_a_retired_class_stays_retired(model_path, store, open_service, caplog, erase):
    """Its labels are kept, and not learned; whatever is done to its cases, the others count as they should."""
    service = open_service(model_path, store)
    learn(service, ["fraud", "fraud", "fraud", "honest", "honest"])
    done(service, lambda draft: draft.label("c2", "honest", "bob"))  # the correction names a retired class, too
    if erase:
        done(service, lambda draft: draft.erase("c4"))
    service.stop()
    retrain(model_path, ("zeal", "honest"))
    honest, zeal = load(model_path).model_.tally.weight
    with caplog.at_level(logging.WARNING, "suffice.web"):
        service = open_service(model_path, store, rebase=True)
    assert [record.getMessage() for record in caplog.records] == [
        "2 cases have labels outside the model's classes; they are stored but not learned"
    ]
    learned = honest + (2 if erase else 3)
    assert weights(service) == [learned, zeal]
    assert service.stores.cases.get("c0").label == "fraud"
    assert service.stores.cases.retired(service.version.classes) == 2
    done(service, lambda draft: draft.label("c0", "honest", None))
    assert weights(service) == [learned + 1, zeal]
    done(service, lambda draft: draft.undo("c0", None))
    assert service.stores.cases.get("c0").label == "fraud"
    done(service, lambda draft: draft.unlabel("c1", None))
    assert done(service, lambda draft: draft.erase("c0")).was_learned is False
    assert weights(service) == [learned, zeal]
    assert_same_statistics(service.version.model.tally, rebuilt(service.stores).model.tally)
    assert service.version.number == service.stores.journal.length()


def test_the_page_shows_a_retired_label(model_path):
    with client(model_path) as api:
        api.post("/v1/learn", json={"id": "c0", "row": ROWS[0], "label": "fraud"}).raise_for_status()
    retrain(model_path, ("zeal", "honest"))
    with client(model_path, rebase=True) as api:
        assert api.get("/v1/cases/c0").json()["case"]["label"] == "fraud"
        assert "this is not a class of the model and was not learned" in api.get("/case/c0").text
        assert api.get("/v1/dashboard").json()["retired"] == 1
        assert "Labels of retired classes" in api.get("/dashboard").text
        assert "suffice_cases_retired 1\n" in api.get("/metrics").text


def test_a_policy_over_other_classes_keeps_what_fits(model_path):
    policy = {
        "ask": 0.2,
        "prior": {"fraud": 0.3, "honest": 0.7},
        "costs": {"fraud": {"honest": 4}, "honest": {"fraud": 2, "honest": 0.1}},
    }
    with client(model_path) as api:
        api.put("/v1/policy", json=policy).raise_for_status()
    retrain(model_path, ("zeal", "honest"))
    with client(model_path, rebase=True) as api:
        kept = api.get("/v1/policy").json()
        assert (kept["ask"], kept["prior"], kept["costs"]) == (0.2, None, {"honest": {"honest": 0.1}})
        api.post("/v1/cases", json={"cases": [{"row": ROWS[0]}]}).raise_for_status()
        api.get("/v1/queue").raise_for_status()


def test_entries_are_caught_up_with_in_batches(model_path, store, open_service, monkeypatch):
    service = open_service(model_path, store)
    learn(service, ["fraud"])
    behind = service.version
    learn(service, ["fraud"] * 8)
    done(service, lambda draft: draft.label("c0", "honest", None))
    for i in (1, 2, 3):
        done(service, lambda draft, i=i: draft.unlabel(f"c{i}", None))
    steps, learned, unlearned = [], Version.learned, Version.unlearned
    monkeypatch.setattr(Version, "learned", lambda *given: steps.append(len(given[3])) or learned(*given))
    monkeypatch.setattr(Version, "unlearned", lambda *given: steps.append(-len(given[3])) or unlearned(*given))
    version = caught_up(behind, service.columns, service.stores)
    assert steps == [7, -1, 1, -3]
    assert version.number == service.version.number
    assert_same_statistics(version.model.tally, service.version.model.tally)


def test_posteriors_of_an_older_store_get_their_names(model_path, store, open_service):
    service = open_service(model_path, store)
    added = done(service, lambda draft: draft.add(["a", "b"], [typed(service, row) for row in ROWS[:2]]))
    service.stop()
    stores = Stores(open_database(store))
    stores.database.run("DELETE FROM migrations WHERE number >= 3")
    stores.database.run("DROP INDEX cases_by_labelling")
    for column in ("loss", "words"):
        stores.database.run(f"ALTER TABLE cases DROP COLUMN {column}")
    for table in ("notes", "tokens", "ended_sessions", "opinions", "leases", "intake"):
        stores.database.run(f"DROP TABLE {table}")
    by_place = str(list(added[0].posterior.values()))
    for name, posterior in (("a", by_place), ("b", "[0.2, 0.3, 0.5]")):  # b: from another base
        stores.database.run("UPDATE cases SET posterior = ? WHERE id = ?", posterior, name)
    stores.database.close()
    cases = open_service(model_path, store).stores.cases
    assert cases.get("a").posterior == added[0].posterior
    assert cases.get("b").posterior == {}
    assert [case.id for case in cases.search(ROWS[0]["letter"][:12].upper(), None, None, 5)] == ["a"]
