"""Conversion of values to the nodes and arrays of a model file."""

import datetime
import math
from collections.abc import Mapping
from typing import Any

import numpy as np
import scipy.sparse as sp

from suffice.errors import NotSavableError
from suffice.numerics.arrays import AnyArray
from suffice.persist import nodes
from suffice.persist.container import can_store
from suffice.persist.kinds import Kinds

_MAX_INLINE_CELLS = 8  # of a sequence that is written in the document
_INT64 = range(-(2**63), 2**63)
_MOMENTS = {datetime.date: "date", datetime.datetime: "datetime", datetime.time: "time"}


class NodeWriter:
    """Converts values to nodes and collects their arrays."""

    def __init__(self, kinds: Kinds) -> None:
        self._kinds = kinds
        self.arrays: dict[str, AnyArray] = {}
        self._written: dict[int, tuple[object, nodes.AnyNode]] = {}

    def node(self, value: Any, where: str) -> nodes.AnyNode:
        """The node of a value; ``where`` is its path in the error for an unsupported value."""
        if value is None or type(value) is bool:
            return value
        if type(value) is int:
            return value if value in _INT64 else nodes.Special(str(value))
        if type(value) is float:
            return value if math.isfinite(value) else nodes.Special(repr(value))
        if type(value) is str:
            return value if value.isascii() else _text(value)
        if id(value) not in self._written:  # shared values are stored once; the reference keeps the id unique
            self._written[id(value)] = value, self._convert(value, where)
        return self._written[id(value)][1]

    def _convert(self, value: Any, where: str) -> nodes.AnyNode:
        tag = self._kinds.tag_of(value)
        if tag is not None:
            parts = self._kinds.kind_of(tag).to_fields(value)
            return nodes.Record(tag, {name: self.node(part, f"{where}.{name}") for name, part in parts.items()})
        if isinstance(value, np.generic) or type(value) is np.ndarray:
            return self._array(np.asarray(value), where, scalar=isinstance(value, np.generic))
        if isinstance(value, (sp.csr_array, sp.csr_matrix)):
            rows, columns = value.shape
            data, indices, indptr = (self._stored(part) for part in (value.data, value.indices, value.indptr))
            return nodes.Sparse(data, indices, indptr, (int(rows), int(columns)), isinstance(value, sp.csr_matrix))
        if type(value) in (tuple, list, set, frozenset):
            return self._sequence(value, where)
        if type(value) is range:
            return nodes.Range(value.start, value.stop, value.step)
        if isinstance(value, Mapping):
            keys = [self.node(key, f"a key of {where}") for key in value]
            return nodes.Mapping(keys, [self.node(value[key], f"{where}[{key!r}]") for key in value])
        if type(value) is bytes:
            return nodes.Bytes(value)
        if type(value) in _MOMENTS:
            return nodes.Moment(_MOMENTS[type(value)], value.isoformat())  # type: ignore[arg-type]
        if type(value) is datetime.timedelta:
            return nodes.Moment("timedelta", f"{value.days} {value.seconds} {value.microseconds}")
        if isinstance(value, np.dtype) and value.kind in "biufcOSUMm":
            return nodes.Type(value.str)
        raise NotSavableError(
            f"{where} is a {type(value).__name__}",
            "a model file can store numbers, text and statistics, but no other objects or functions",
            "Remove it, or pickle the model for readers who trust you",
        )

    def _sequence(self, value: Any, where: str) -> nodes.Sequence:
        kind: Any = type(value).__name__
        cells = sorted(value, key=repr) if isinstance(value, (set, frozenset)) else value
        types = {type(cell) for cell in cells} if len(cells) > _MAX_INLINE_CELLS else set()
        if types == {str}:
            encoded = [cell.encode("utf-8", "surrogatepass") for cell in cells]
            ends = np.concatenate([[0], np.cumsum([len(one) for one in encoded])]).astype(np.int64)
            data = np.frombuffer(b"".join(encoded), np.uint8)
            return nodes.Sequence(nodes.Strings(self._stored(data), self._stored(ends)), kind)
        if types == {float} or (types == {int} and min(cells) in _INT64 and max(cells) in _INT64):
            return nodes.Sequence(nodes.NumbersNode(self._stored(np.array(list(cells)))), kind)
        return nodes.Sequence([self.node(cell, f"{where}[{i}]") for i, cell in enumerate(cells)], kind)

    def _array(self, value: AnyArray, where: str, *, scalar: bool) -> nodes.AnyNode:
        if can_store(value.dtype):
            return nodes.Array(self._stored(value), scalar)
        if value.dtype.kind not in "OSUMm":
            raise NotSavableError(f"{where} has cells of type {value.dtype}", "numbers, text, dates and objects can be")
        cells = tuple((value.view(np.int64) if value.dtype.kind in "Mm" else value).reshape(-1).tolist())
        return nodes.ObjectsNode(value.dtype.str, list(value.shape), self._sequence(cells, where), scalar)

    def _stored(self, array: AnyArray) -> str:
        name = f"a{len(self.arrays)}"
        self.arrays[name] = array
        return name


def _text(value: str) -> nodes.AnyNode:
    try:
        value.encode()
        return value
    except UnicodeEncodeError:
        return nodes.Bytes(value.encode("utf-8", "surrogatepass"), text=True)
