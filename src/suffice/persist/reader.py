"""Conversion of the nodes and arrays of a model file to values.

The tag of a node is looked up in a closed set; nothing is imported, evaluated or called by a name from the file.
"""

import datetime
import re
from collections.abc import Mapping
from typing import Any

import numpy as np
import scipy.sparse as sp

from suffice.errors import MissingPackageError, ModelFileError
from suffice.numerics import text
from suffice.numerics.arrays import AnyArray, SparseRows
from suffice.persist import nodes
from suffice.persist.budget import Budget
from suffice.persist.container import damaged_file
from suffice.persist.kinds import Kinds

_MAX_DEPTH = 24  # depth of nested records
_DTYPE = re.compile(r"[<>|=]?(b1|[iu][1248]|f[248]|c(8|16)|O|[SU]\d{1,6}|[Mm]8(\[\d{0,6}[A-Za-z]{1,2}\])?)")
_TEXT_BYTES, _NUMBER_BYTES = 80, 40  # bytes of a small Python object
_MAX_DIGITS = 1000
_SEQUENCES: dict[str, Any] = {"tuple": tuple, "list": list, "set": set, "frozenset": frozenset}
_MOMENTS: dict[str, Any] = {"date": datetime.date, "datetime": datetime.datetime, "time": datetime.time}


class Reader:
    """Builds values from the arrays of one file, within a memory budget."""

    def __init__(self, kinds: Kinds, arrays: Mapping[str, AnyArray], budget: Budget) -> None:
        self._kinds, self._arrays, self._budget = kinds, arrays, budget
        self._unused = set(arrays)

    def root(self, node: nodes.AnyNode) -> Any:
        """The top-level value of the file."""
        value = self.value(node)
        if self._unused:
            raise damaged_file(f"has {len(self._unused)} unused arrays")
        return value

    def value(self, node: nodes.AnyNode) -> Any:
        """The value of a node. Any error is raised as ``ModelFileError``."""
        try:
            return self._value(node, 0)
        except (ModelFileError, MissingPackageError):
            raise
        except Exception as error:  # a family may raise any error on invalid settings
            raise damaged_file(f"has invalid contents ({type(error).__name__}: {error})") from error

    def _value(self, node: nodes.AnyNode, depth: int) -> Any:
        if depth > _MAX_DEPTH:
            raise damaged_file("is nested too deeply")
        match node:
            case nodes.Record(kind, fields):
                return self._kinds.kind_of(kind).from_fields({k: self._value(v, depth + 1) for k, v in fields.items()})
            case nodes.Array(name, scalar):
                array = self._array(name)
                return array[()] if scalar and array.ndim == 0 else array
            case nodes.Sequence():
                return self._sequence(node, depth)
            case nodes.Sparse():
                return self._sparse(node)
            case nodes.ObjectsNode():
                return self._objects(node, depth)
            case nodes.Range(start, stop, step):
                found = range(start, stop, step)
                self._budget.check_length(len(found))
                return found
            case nodes.Mapping(keys, values):
                inner = ([self._value(v, depth + 1) for v in part] for part in (keys, values))
                return dict(zip(*inner, strict=True))
            case nodes.Special(value):
                if len(value) > _MAX_DIGITS:
                    raise damaged_file("has a number of too many digits")
                return float(value) if value in ("nan", "inf", "-inf") else int(value)
            case nodes.Bytes(value, is_text):
                return value.decode("utf-8", "surrogatepass") if is_text else value
            case nodes.Moment("timedelta", value):
                return datetime.timedelta(*map(int, value.split(" ", 2)))
            case nodes.Moment(type_, value):
                return _MOMENTS[type_].fromisoformat(value)
            case nodes.Type(value):
                return _dtype(value)
            case _:
                return node  # a plain value

    def _array(self, name: str) -> AnyArray:
        if name not in self._arrays:
            raise damaged_file(f"has no array {name!r}")
        self._unused.discard(name)
        return self._arrays[name]

    def _sequence(self, node: nodes.Sequence, depth: int) -> Any:
        match node.of:
            case nodes.NumbersNode(name):
                array = self._array(name)
                if array.ndim != 1:
                    raise damaged_file("has numbers that are not one-dimensional")
                self._budget.spend(len(array), _NUMBER_BYTES)
                cells = array.tolist()
            case nodes.Strings(data, offsets):
                cells = self._strings(self._array(data), self._array(offsets))
            case several:
                cells = [self._value(one, depth + 1) for one in several]
        return cells if node.type == "list" else _SEQUENCES[node.type](cells)

    def _strings(self, data: AnyArray, offsets: AnyArray) -> list[str]:
        if (data.ndim, data.dtype.str, offsets.ndim, offsets.dtype.str) != (1, "|u1", 1, "<i8") or not len(offsets):
            raise damaged_file("has texts of another type")
        if offsets[0] != 0 or offsets[-1] != len(data) or (offsets[1:] < offsets[:-1]).any():
            raise damaged_file("has text offsets that are not in order")
        self._budget.spend(len(offsets), _TEXT_BYTES)
        self._budget.spend(len(data), 1)
        return text.token_strings(data, offsets)

    def _sparse(self, node: nodes.Sparse) -> SparseRows:
        data, indices, indptr = (self._array(name) for name in (node.data, node.indices, node.indptr))
        for length in node.shape:
            self._budget.check_length(length)
        kind = sp.csr_matrix if node.matrix else sp.csr_array
        return kind((data, indices, indptr), shape=node.shape)

    def _objects(self, node: nodes.ObjectsNode, depth: int) -> Any:
        cells, dtype = self._sequence(node.cells, depth), _dtype(node.dtype)
        self._budget.spend(len(cells), dtype.itemsize)
        out = np.empty(len(cells), np.int64 if dtype.kind in "Mm" else dtype)
        for i, cell in enumerate(cells):  # one by one, so that tuples remain tuples
            out[i] = cell
        if dtype.kind in "Mm":
            out = out.view(dtype)
        out = out.reshape(node.shape)
        return out[()] if node.scalar and out.ndim == 0 else out


def _dtype(name: str) -> "np.dtype[Any]":
    if not _DTYPE.fullmatch(name):
        raise damaged_file(f"has cells of type {name[:40]!r}")
    return np.dtype(name)
