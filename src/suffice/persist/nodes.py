"""The document of a model file: JSON of these types and no others, checked while it is read.

Plain values (None, booleans, strings, numbers) stand for themselves. Any other value has a short tag; for a
``record``, the ``kind`` is looked up in a closed list (``kinds``), so nothing in a file names code.
"""

from typing import Literal, TypeAlias, Union

import msgspec


class Node(msgspec.Struct, forbid_unknown_fields=True, omit_defaults=True, tag_field="is"):
    """A value that JSON has no form for."""


class Array(Node, tag="array"):
    """An array of numbers, by its name in the container; ``scalar`` if it stands for its one cell."""

    name: str
    scalar: bool = False


class Sparse(Node, tag="sparse"):
    """Compressed sparse rows; ``matrix`` for scipy's older kind."""

    data: str
    indices: str
    indptr: str
    shape: tuple[int, int]
    matrix: bool = False


class ObjectsNode(Node, tag="objects"):
    """An array of dtype object: text, dates, any value."""

    dtype: str
    shape: list[int]
    cells: "Sequence"
    scalar: bool = False


class Strings(Node, tag="strings"):
    """Many strings, as concatenated UTF-8 and offsets."""

    bytes: str
    offsets: str


class NumbersNode(Node, tag="numbers"):
    """Many numbers of one kind, in an array."""

    name: str


class Sequence(Node, tag="sequence"):
    """Several values."""

    of: "list[AnyNode] | Strings | NumbersNode"
    type: Literal["tuple", "list", "set", "frozenset"] = "tuple"


class Range(Node, tag="range"):
    start: int
    stop: int
    step: int


class Mapping(Node, tag="mapping"):
    keys: list["AnyNode"]
    values: list["AnyNode"]


class Special(Node, tag="number"):
    """A number that JSON cannot write: not finite, or an integer beyond 64 bits."""

    value: str


class Bytes(Node, tag="bytes"):
    value: bytes
    text: bool = False
    """Whether the string contains lone surrogates, which JSON cannot encode."""


class Moment(Node, tag="moment"):
    """A date, a time of day or both, in ISO 8601, or a span of time in days, seconds and microseconds."""

    type: Literal["date", "datetime", "time", "timedelta"]
    value: str


class Type(Node, tag="dtype"):
    """The type of an array's cells."""

    value: str


class Record(Node, tag="record"):
    """A value of one of the kinds that may be in a file, field by field."""

    kind: str
    fields: dict[str, "AnyNode"]


AnyNode: TypeAlias = Union[  # noqa: UP007  # forward references need it
    bool, int, float, str,
    Array, Sparse, ObjectsNode, Sequence, Range, Mapping, Special, Bytes, Moment, Type, Record,
    None,
]  # fmt: skip


class Document(msgspec.Struct, forbid_unknown_fields=True):
    """The document of a model file."""

    version: int
    library: str
    """The version of this library that wrote it."""
    content: Record
