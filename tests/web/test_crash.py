"""kill -9 while labels come in."""

import asyncio
import random

import httpx
import pytest

from suffice.web.recovery import rebuilt, recovered
from suffice.web.store import open_database
from suffice.web.store.stores import Stores
from web.claims import assert_same_statistics, some_rows
from web.servers import PLAIN, http, server


async def label_until_killed(address, process, labels, dice):
    """All labels at once, and the end of the process after some of them: which were acknowledged."""
    acknowledged = {}
    enough = dice.randrange(5, labels - 20)
    limits = httpx.Limits(max_connections=50)

    async def label(client, i):
        label = dice.choice(["fraud", "honest"])
        try:
            answer = await client.put(f"/v1/cases/c{i}/label", json={"label": label})
        except httpx.TransportError:
            return
        if answer.status_code == 200:
            acknowledged[f"c{i}"] = label
        if len(acknowledged) == enough:
            process.kill()

    async with httpx.AsyncClient(base_url=address, verify=PLAIN, limits=limits, timeout=60) as client:
        await asyncio.gather(*(label(client, i) for i in range(labels)))
    process.wait()
    return acknowledged


def crash(model_path, labels, seed):
    rows, _ = some_rows(labels, seed=seed)
    with server(model_path) as (address, process):
        cases = [{"id": f"c{i}", "row": row} for i, row in enumerate(rows)]
        assert http.post(f"{address}/v1/cases", json={"cases": cases}).status_code == 201
        acknowledged = asyncio.run(label_until_killed(address, process, labels, random.Random(seed)))
    assert 0 < len(acknowledged) < labels, "it must end in the middle"
    stores = Stores(open_database(f"{model_path}.db"))
    entries = stores.journal.after(0)
    assert [entry.number for entry in entries] == list(range(1, len(entries) + 1))
    assert len({entry.case_id for entry in entries}) == len(entries), "every label exactly once"
    standing = stores.journal.current_labels(len(entries))
    assert acknowledged.items() <= standing.items()
    assert standing == {case.id: case.label for case in stores.cases.labelled(labels)}
    again = recovered(model_path, stores)
    assert again.number == len(entries)
    assert_same_statistics(again.model.tally, rebuilt(stores).model.tally)
    assert again.model.tally.weight.sum() == 300 + len(entries)
    stores.database.close()


def test_what_was_acknowledged_is_there_once(model_path):
    crash(model_path, 60, seed=1)


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(2, 22))
def test_twenty_times(model_path, seed):
    crash(model_path, 200, seed)


def test_an_orderly_end_saves_the_model(model_path, model_bytes):
    with server(model_path) as (address, process):
        row = some_rows(1)[0][0]
        body = {"id": "a", "row": row, "label": "fraud"}
        assert http.post(f"{address}/v1/learn", json=body).status_code == 200
        process.terminate()
        assert process.wait(20) in (0, -15)  # uvicorn ends by the signal it was sent, after all is done
    assert model_path.read_bytes() != model_bytes
    stores = Stores(open_database(f"{model_path}.db"))
    assert stores.snapshots.version_of(model_path) == 1
    stores.database.close()
