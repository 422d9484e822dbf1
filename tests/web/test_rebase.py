"""Which model files a store starts from, and what becomes of its cases under a retrained model."""

import pytest

from suffice import load
from suffice.web.store import StoreError
from web.claims import assert_same_statistics, some_rows, trained

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
        with pytest.raises(StoreError, match=r"holds the store's labels, .* Start without --rebase\."):
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
        with pytest.raises(StoreError, match="before the last --rebase; it holds labels of the store"):
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
