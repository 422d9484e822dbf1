"""A file that is damaged or made up is refused by one kind of error, without a crash, a hang or much memory."""

import os
import tracemalloc
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import suffice
from persist.cases import ALL, mixed
from persist.mutants import by_accident, on_purpose, opened, signed
from suffice import BayesClassifier, Histogram
from suffice.errors import ModelFileError
from suffice.persist.model_file import VERSION

EACH = 5  # mutants an example, so that the long profile of `make fuzz` makes 100,000 of each sort
NAMES = ("mixed", "CategoricalNB", "LDA-auto", "Terms", "Text-counts", "Designed")
CASES = {name: next(c for c in ALL if c.name == name) for name in NAMES}


@pytest.fixture(scope="module")
def folder(tmp_path_factory) -> Path:
    folder = tmp_path_factory.mktemp("models")
    for name, case in CASES.items():
        case.fitted().save(folder / name)
    return folder


def loaded(data: bytes, folder: Path) -> object | None:
    """What is made of some bytes, or nothing where they are refused."""
    (folder / "mutant").write_bytes(data)
    try:
        return suffice.load(folder / "mutant")
    except ModelFileError:
        return None


@pytest.mark.parametrize("name", CASES)
@given(seed=st.integers(0, 2**63))
def test_accidents_are_refused_or_change_nothing(folder, name, seed):
    rng = np.random.default_rng(seed)
    data = (folder / name).read_bytes()
    for _ in range(EACH):
        model = loaded(by_accident(data, rng), folder)
        if model is not None:  # white space, say
            model.save(folder / "mutant")
            assert (folder / "mutant").read_bytes() == data


@pytest.mark.parametrize("name", CASES)
@given(seed=st.integers(0, 2**63))
@pytest.mark.filterwarnings("ignore::RuntimeWarning")
def test_made_up_files_are_refused_or_models(folder, name, seed):
    rng = np.random.default_rng(seed)
    document, arrays = opened(folder / name)
    rows, labels = CASES[name].rows(rng)
    for _ in range(EACH):
        model = loaded(on_purpose(document, arrays, rng), folder)
        if model is not None:
            try:  # numbers that make no sense may be refused when they are used, but kernels must survive them
                model.predict_proba(rows)
                model.partial_fit(rows, labels)
            except Exception:
                continue


def peak(data: bytes, folder: Path) -> int:
    (folder / "mutant").write_bytes(data)
    tracemalloc.start()
    try:
        suffice.load(folder / "mutant")
    except ModelFileError:
        pass
    finally:
        size = tracemalloc.get_traced_memory()[1]
        tracemalloc.stop()
    return size


def record(content: str) -> bytes:
    """A document around some JSON."""
    inner = f'{{"is":"record","kind":"gaussian","fields":{{"mean":{content}}}}}'
    return f'{{"version":{VERSION},"library":"","content":{inner}}}'.encode()


BOMBS = {
    "many lists": record('{"is":"sequence","of":[' + '{"is":"sequence","of":[]},' * 200_000 + "1]}"),
    "many numbers": record('{"is":"sequence","of":[' + "1000," * 1_000_000 + "1]}"),
    "deep": record('{"is":"sequence","of":[' * 100_000 + "]}" * 100_000),
    "long number": record("1" * 2_000_000),
    "long range": record('{"is":"range","start":0,"stop":1000000000000,"step":1}'),
    "no cells": record('{"is":"objects","dtype":"|O","shape":[0,1000000000000],"cells":{"is":"sequence","of":[]}}'),
    "wide cells": record(
        '{"is":"objects","dtype":"<U999999","shape":[99],"cells":{"is":"sequence","of":[' + '"x",' * 98 + '"x"]}}'
    ),
}


@pytest.mark.parametrize("bomb", BOMBS)
def test_memory_stays_within_four_times_the_file(bomb, tmp_path):
    suffice.load  # noqa: B018  # its modules are loaded
    data = signed(BOMBS[bomb], {"a0": np.zeros(3)})
    assert peak(data, tmp_path) < 4 * len(data) + (5 << 20)


def test_memory_of_a_large_model(tmp_path):
    rng = np.random.default_rng(0)
    rows = {"word": [f"word {i:07d}" for i in range(60_000)] * 2}
    BayesClassifier().fit(rows, rng.integers(0, 2, 120_000)).save(tmp_path / "a.model")
    data = (tmp_path / "a.model").read_bytes()
    assert len(data) > 1_000_000
    assert peak(data, tmp_path) < 4 * len(data)


def test_truncated_anywhere(folder):
    data = (folder / "CategoricalNB").read_bytes()
    for end in range(0, len(data), 7):
        assert loaded(data[:end], folder) is None


def test_a_header_that_is_longer_than_the_file(tmp_path):
    assert loaded((2**62).to_bytes(8, "little") + b"{}", tmp_path) is None


@pytest.mark.parametrize(
    ("what", "message"),
    [
        ("pipe", "is not a file"),
        ("folder", "is not a file"),
        ("long", "at most"),
        ("newer", f"version {VERSION + 1}.*Upgrade suffice"),
        ("older", f"version {VERSION - 1}.*Train the model again"),
    ],
)
def test_what_is_refused_is_named(what, message, folder, tmp_path):
    path = tmp_path / "it"
    if what == "pipe":
        os.mkfifo(path)  # nobody ever writes to it
    elif what == "folder":
        path.mkdir()
    elif what == "long":
        path.write_bytes(b"")
        os.truncate(path, 1 << 40)
    else:
        document, arrays = opened(folder / "mixed")
        path.write_bytes(
            signed(
                document.replace(
                    b'"version":%d' % VERSION, b'"version":%d' % (VERSION + (1 if what == "newer" else -1))
                ),
                arrays,
            )
        )
    with pytest.raises(ModelFileError, match=message):
        suffice.load(path)


def test_a_pickle_is_no_model_file(tmp_path):
    import pickle

    path = tmp_path / "a.pickle"
    path.write_bytes(pickle.dumps(BayesClassifier().fit(*mixed(np.random.default_rng(0)))))
    with pytest.raises(ModelFileError):
        suffice.load(path)


def test_cells_of_a_grid_hold_something(tmp_path):
    model = BayesClassifier(Histogram()).fit([[1.0], [2.0], [3.0], [4.0]], [0, 0, 1, 1])
    counts = model.model_.tally.statistics[0]
    table = counts.table.copy()
    table[:, 1] = 0.0
    tally = replace(model.model_.tally, statistics=(replace(counts, table=table),))
    model.model_ = replace(model.model_, tally=tally)
    model.save(tmp_path / "emptied.model")
    with pytest.raises(ModelFileError, match="'cells' in the model file are empty"):
        suffice.load(tmp_path / "emptied.model")
