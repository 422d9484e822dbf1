"""The container of a model file: the layout of safetensors, so that any reader of those can open it.

    8 bytes     length of the table of contents, little-endian
    contents    JSON: dtype, shape and offsets of each array; under ``__metadata__`` a document and a checksum
    data        the arrays, concatenated in order of decreasing item size, so that each is aligned

Files are not trusted: every length is checked against the size of the file before use. Arrays are views of the bytes that
were read.
"""

import hashlib
import math
import os
import stat
from collections.abc import Mapping
from itertools import pairwise
from pathlib import Path
from typing import Any, BinaryIO, Literal, TypeAlias

import msgspec
import numpy as np

from suffice.errors import ModelFileError
from suffice.numerics.arrays import AnyArray, frozen
from suffice.persist.budget import Budget

_DTYPES = {
    "F64": "<f8", "F32": "<f4", "I64": "<i8", "I32": "<i4", "I16": "<i2", "I8": "|i1",
    "U64": "<u8", "U32": "<u4", "U16": "<u2", "U8": "|u1", "BOOL": "|b1",
}  # fmt: skip
_CODES = {np.dtype(dtype): code for code, dtype in _DTYPES.items()}
_ALIGNMENT = 64
_JSON_VALUE_BYTES = 150  # maximum size of a JSON value as a Python object


Format: TypeAlias = Literal["suffice model", "suffice scorer"]
"""A model, or its scoring form, which can only be written."""


class _Metadata(msgspec.Struct, forbid_unknown_fields=True):
    format: Format
    checksum: str
    document: str


class _Entry(msgspec.Struct, forbid_unknown_fields=True):
    dtype: str
    shape: list[int]
    data_offsets: tuple[int, int]


def can_store(dtype: "np.dtype[Any]") -> bool:
    """Whether an array of this type can be stored directly."""
    return dtype.newbyteorder("<") in _CODES


def write(stream: BinaryIO, document: bytes, arrays: Mapping[str, AnyArray], format_: Format = "suffice model") -> None:
    """Write a document and its arrays."""
    little = {k: np.ascontiguousarray(a, a.dtype.newbyteorder("<")) for k, a in arrays.items()}
    ordered = dict(sorted(little.items(), key=lambda item: -item[1].itemsize))
    entries, start = {}, 0
    for name, array in ordered.items():
        entries[name] = _Entry(_CODES[array.dtype], list(array.shape), (start, start + array.nbytes))
        start += array.nbytes
    data = [_bytes(array) for array in ordered.values()]
    metadata = _Metadata(format_, _checksum(document, entries, data), document.decode())
    contents = msgspec.json.encode({"__metadata__": metadata, **entries})
    contents += b" " * (-(8 + len(contents)) % _ALIGNMENT)
    _write_all(stream, len(contents).to_bytes(8, "little") + contents)
    for part in data:
        _write_all(stream, part)


def read(path: Path, max_bytes: int) -> tuple[bytes, dict[str, AnyArray], Budget]:
    """The document, the arrays, and the memory budget."""
    data = _read_all(path, max_bytes)
    budget = Budget.of(len(data))
    length = int.from_bytes(data[:8].tobytes(), "little")
    if len(data) < 8 or length > len(data) - 8:
        raise damaged_file("is shorter than its header declares")
    contents = data[8 : 8 + length].tobytes()
    budget.spend(sum(contents.count(mark) for mark in (b",", b"[", b"{")), _JSON_VALUE_BYTES)
    try:
        table = msgspec.json.decode(contents, type=dict[str, msgspec.Raw])
        metadata = msgspec.json.decode(table.pop("__metadata__", msgspec.Raw(b"{}")), type=_Metadata)
        entries = {name: msgspec.json.decode(raw, type=_Entry) for name, raw in table.items()}
    except (msgspec.MsgspecError, UnicodeError, RecursionError) as error:
        raise damaged_file(f"has an invalid table of contents ({error})") from None
    if metadata.format != "suffice model":
        raise ModelFileError(
            f"{str(path)!r} is a scoring file",
            "it has final tables and no statistics",
            "Load the model it was exported from",
        )
    body = data[8 + length :]
    _check_contiguous(entries, len(body))
    document = metadata.document.encode("utf-8", "surrogatepass")
    if _checksum(document, entries, [body.data]) != metadata.checksum:
        raise damaged_file("does not match its checksum")
    return document, {name: _array(name, entry, body, budget) for name, entry in entries.items()}, budget


def damaged_file(how: str) -> ModelFileError:
    return ModelFileError(f"The model file {how}", "it is damaged, or was not written by suffice")


def _bytes(array: AnyArray) -> memoryview:
    return array.reshape(-1).view(np.uint8).data


def _write_all(stream: BinaryIO, part: "bytes | memoryview") -> None:
    remaining = memoryview(part)
    while len(remaining):  # an unbuffered stream may write only a part
        remaining = remaining[stream.write(remaining) :]


def _read_all(path: Path, max_bytes: int) -> AnyArray:
    number = os.open(path, os.O_RDONLY | getattr(os, "O_NONBLOCK", 0))  # opening a pipe would block
    try:
        found = os.fstat(number)
        if not stat.S_ISREG(found.st_mode):
            raise ModelFileError(f"{str(path)!r} is not a file", "models are read from regular files")
        if found.st_size > max_bytes:
            raise ModelFileError(
                f"The model file has {found.st_size:,} bytes", f"at most {max_bytes:,} are read", "Set max_bytes higher"
            )
        data = np.empty(found.st_size, np.uint8)
        remaining = data.data
        while len(remaining):
            count = os.readv(number, [remaining])
            if not count:
                raise damaged_file("was truncated while it was read")
            remaining = remaining[count:]
    except MemoryError:
        raise ModelFileError(f"The model file has {found.st_size:,} bytes", "there is not enough memory") from None
    finally:
        os.close(number)
    return frozen(data)


def _check_contiguous(entries: Mapping[str, _Entry], size: int) -> None:
    """Raise if arrays overlap, leave gaps, or do not end with the file."""
    spans = sorted(entry.data_offsets for entry in entries.values())
    ends = [(0, 0), *spans, (size, size)]
    if any(a[1] != b[0] or a[1] < a[0] for a, b in pairwise(ends)):
        raise damaged_file("has arrays that overlap or leave gaps")


def _checksum(document: bytes, entries: Mapping[str, _Entry], data: list[memoryview]) -> str:
    digest = hashlib.sha256(document)
    for name, e in sorted(entries.items(), key=lambda item: (*item[1].data_offsets, item[0])):
        digest.update(f"{name!r} {e.dtype} {e.shape} {e.data_offsets}\n".encode("utf-8", "surrogatepass"))
    for part in data:
        digest.update(part)
    return digest.hexdigest()


def _array(name: str, entry: _Entry, body: AnyArray, budget: Budget) -> AnyArray:
    dtype = _DTYPES.get(entry.dtype)
    if dtype is None or len(entry.shape) > 8:
        raise damaged_file(f"has an array {name!r} of type {entry.dtype!r} and {len(entry.shape)} axes")
    start, stop = entry.data_offsets
    cells, width = math.prod(budget.check_length(n) for n in entry.shape), np.dtype(dtype).itemsize
    part = body[start:stop]
    if cells * width != len(part) or part.ctypes.data % width:
        raise damaged_file(f"has an array {name!r} whose shape does not match its size")
    if entry.dtype == "BOOL" and part.max(initial=0) > 1:
        raise damaged_file(f"has an array {name!r} of invalid booleans")
    return frozen(part.view(dtype).reshape(entry.shape))
