"""The document of a model file: JSON of only these types, validated while it is read.

None, booleans, strings and numbers are plain JSON. Any other value has a tag; the ``kind`` of a ``record`` is looked up in
a closed set (``kinds``), so a file cannot name code.
"""

from typing import Literal, TypeAlias, Union

import msgspec


class Node(msgspec.Struct, forbid_unknown_fields=True, omit_defaults=True, tag_field="is"):
    """A value that is not plain JSON."""


class Array(Node, tag="array"):
    """An array of numbers, by its name in the container; with ``scalar``, its only cell."""

    name: str
    scalar: bool = False


class Sparse(Node, tag="sparse"):
    """Compressed sparse rows; with ``matrix``, a sparse matrix of scipy rather than a sparse array."""

    data: str
    indices: str
    indptr: str
    shape: tuple[int, int]
    matrix: bool = False


class ObjectsNode(Node, tag="objects"):
    """An array of text, dates or objects."""

    dtype: str
    shape: list[int]
    cells: "Sequence"
    scalar: bool = False


class Strings(Node, tag="strings"):
    """Many strings, as concatenated UTF-8 and offsets."""

    bytes: str
    offsets: str


class NumbersNode(Node, tag="numbers"):
    """Many numbers of one type, in an array."""

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
    """A number without a JSON form: not finite, or an integer beyond 64 bits."""

    value: str


class Bytes(Node, tag="bytes"):
    value: bytes
    text: bool = False
    """Whether the string contains lone surrogates, which JSON cannot encode."""


class Moment(Node, tag="moment"):
    """A date, a time of day or both, in ISO 8601, or a duration in days, seconds and microseconds."""

    type: Literal["date", "datetime", "time", "timedelta"]
    value: str


class Type(Node, tag="dtype"):
    """The dtype of an array."""

    value: str


class Record(Node, tag="record"):
    """The fields of a value of one of the saved kinds."""

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
