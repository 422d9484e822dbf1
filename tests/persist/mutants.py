"""Model files gone wrong: by accident (bytes), or on purpose (another document or other arrays, with a checksum that fits)."""

import copy
import io
import json
from pathlib import Path
from typing import Any

import numpy as np

from suffice.persist import container

ODD: list[Any] = [
    None, True, -1, 0, 7, 2**40, 2**62, 1e308, -0.5, "", "x", "mean", "\x00",
    {"is": "array", "name": "a0"}, {"is": "array", "name": "a1", "scalar": True}, {"is": "array", "name": "none"},
    {"is": "sequence", "of": []}, {"is": "sequence", "of": [1, "a", None], "type": "set"},
    {"is": "sequence", "of": {"is": "numbers", "name": "a0"}, "type": "list"},
    {"is": "sequence", "of": {"is": "strings", "bytes": "a2", "offsets": "a3"}},
    {"is": "range", "start": 0, "stop": 3, "step": 1}, {"is": "range", "start": 0, "stop": 2**60, "step": 1},
    {"is": "range", "start": 0, "stop": 1, "step": 0}, {"is": "mapping", "keys": ["a"], "values": [1.0]},
    {"is": "mapping", "keys": [{"is": "mapping", "keys": [], "values": []}], "values": [1]},
    {"is": "number", "value": "nan"}, {"is": "number", "value": "-inf"}, {"is": "number", "value": "1_0"},
    {"is": "bytes", "value": "/w==", "text": True}, {"is": "dtype", "value": "<U3"}, {"is": "dtype", "value": "O,O"},
    {"is": "moment", "type": "date", "value": "2026-02-30"}, {"is": "record", "kind": "gaussian", "fields": {}},
    {"is": "record", "kind": "os.system", "fields": {"command": "true"}},
    {"is": "record", "kind": "count table", "fields": {"max_count": 2**40}},
    {"is": "record", "kind": "BayesClassifier", "fields": {}}, {"is": "record", "kind": "tally", "fields": {}},
    {"is": "objects", "dtype": "|O", "shape": [2**50], "cells": {"is": "sequence", "of": []}},
    {"is": "sparse", "data": "a0", "indices": "a1", "indptr": "a2", "shape": [2**50, 2]},
]  # fmt: skip


def by_accident(data: bytes, rng: np.random.Generator) -> bytes:
    """Some bits turned, bytes cut out, put in, or moved."""
    out = bytearray(data)
    for _ in range(int(rng.integers(1, 4))):
        at, length = int(rng.integers(len(out))), int(rng.integers(1, 40))
        match int(rng.integers(5)):
            case 0:
                out[at] ^= 1 << int(rng.integers(8))
            case 1:
                del out[at : at + length]
            case 2:
                out[at:at] = rng.bytes(length)
            case 3:
                out[at : at + length] = out[:length]
            case _:
                out = out[: max(1, at)]
        out = out or bytearray(b"\0")
    return bytes(out)


def on_purpose(document: bytes, arrays: dict[str, np.ndarray], rng: np.random.Generator) -> bytes:
    """A file with a checksum that fits and contents that do not."""
    tree, arrays = json.loads(document), dict(arrays)
    for _ in range(int(rng.integers(1, 4))):
        if rng.random() < 0.6:
            _change_node(tree, rng)
        else:
            _change_array(arrays, rng)
    return signed(json.dumps(tree).encode(), arrays)


def signed(document: bytes, arrays: dict[str, np.ndarray]) -> bytes:
    stream = io.BytesIO()
    container.write(stream, document, arrays)
    return stream.getvalue()


def opened(path: Path) -> tuple[bytes, dict[str, np.ndarray]]:
    return container.read(path, 1 << 30)[:2]


def _change_node(tree: Any, rng: np.random.Generator) -> None:
    """Walk down at random and change something there."""
    at = tree
    while True:
        keys = list(at) if isinstance(at, dict) else list(range(len(at)))
        if not keys:
            return
        key = keys[int(rng.integers(len(keys)))]
        inner = at[key]
        if isinstance(inner, (dict, list)) and inner and rng.random() < 0.85:
            at = inner
            continue
        match int(rng.integers(4)):
            case 0:
                del at[key]
            case 1 if isinstance(inner, (int, float)):
                at[key] = inner + int(rng.integers(-2, 3))
            case 2 if isinstance(at, dict):
                at[keys[int(rng.integers(len(keys)))]] = copy.deepcopy(inner)
            case _:
                at[key] = copy.deepcopy(ODD[int(rng.integers(len(ODD)))])
        return


def _change_array(arrays: dict[str, np.ndarray], rng: np.random.Generator) -> None:
    name = list(arrays)[int(rng.integers(len(arrays)))]
    array = arrays[name].copy()
    match int(rng.integers(6)):
        case 0 if array.size:
            array.reshape(-1)[int(rng.integers(array.size))] = int(rng.integers(0, 300)) % (1 << 8 * array.itemsize - 1)
        case 1 if array.size:
            array.reshape(-1).view(np.uint8)[int(rng.integers(array.nbytes))] ^= 1 << int(rng.integers(8))
        case 2:
            array = array[:-1] if array.ndim else array
        case 3:
            array = array.reshape(-1)
        case 4:
            array = array.astype([np.float32, np.int32, np.uint8][int(rng.integers(3))])
        case _:
            array = np.concatenate([array, array]) if array.ndim else array
    arrays[name] = array
