"""Readers and the writer at the same time."""

import threading

from web.claims import some_rows

ASKED = {"amount": 2.5, "branch": "north", "letter": "urgent photo of the roof", "known": None}


def test_every_answer_is_that_of_the_version_it_names(model_path, tmp_path, open_service):
    """Whatever readers see while labels are learned, somebody who learned one label at a time has seen too."""
    rows, labels = some_rows(40, seed=11)
    service = open_service(model_path, str(tmp_path / "cases.db"), follow_labels=10**9, follow_seconds=1e9)
    typed = [service.columns.row_type(*row.values()) for row in rows]
    service.writer.submit(lambda draft: draft.add([f"c{i}" for i in range(40)], typed)).result(60)
    asked, start, seen, over = service.columns.table_from_json([ASKED]), service.version, [], threading.Event()

    def read():
        while not over.is_set():
            version = service.version
            seen.append((version.number, tuple(version.scores(asked)[0][0])))

    readers = [threading.Thread(target=read) for _ in range(3)]
    for reader in readers:
        reader.start()
    changes = [lambda draft, i=i: draft.label(f"c{i}", labels[i], None) for i in range(40)]
    for job in [service.writer.submit(change) for change in changes]:
        job.result(60)
    over.set()
    for reader in readers:
        reader.join()
    version, expected = start, {0: tuple(start.scores(asked)[0][0])}
    for number, (row, label) in enumerate(zip(rows, labels, strict=True), start=1):
        version = version.learned(number, service.columns.table_from_json([row]), [label])
        expected[number] = tuple(version.scores(asked)[0][0])
    assert all(expected[number] == answer for number, answer in seen)
    assert service.version.number == 40
