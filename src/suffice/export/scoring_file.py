"""The scoring file: the scoring form in the container of model files, with a document that names its arrays."""

import io
import os
from collections.abc import Sequence
from dataclasses import is_dataclass
from pathlib import Path
from typing import Any

import msgspec
import numpy as np

from suffice import __version__
from suffice.columns.kinds import Name
from suffice.export import form
from suffice.export.form import values_of
from suffice.export.scoring_form import scoring_form
from suffice.model import Model
from suffice.numerics.arrays import AnyArray
from suffice.persist import container
from suffice.persist.atomic import write_atomically

VERSION = 1
_TAGS: dict[type, str] = {form.CodeTable: "Table"}
"""Tags of components in the file, if they are not the names of their classes."""


def to_scorer(model: Model, path: "str | os.PathLike[str]", names: Sequence[Name] | None = None) -> None:
    """Write the scoring file of a model for ``scorer.js``, atomically: ``path`` always has the complete old or new file."""
    data = scoring_bytes(model, names)
    write_atomically(Path(path), lambda stream: stream.write(data))


def scoring_bytes(model: Model, names: Sequence[Name] | None = None) -> bytes:
    """The scoring file of a model; ``names`` as in ``scoring_form``."""
    arrays: dict[str, AnyArray] = {}
    content = _node(scoring_form(model, names), arrays)
    document = msgspec.json.encode({"version": VERSION, "library": __version__, "content": content})
    out = io.BytesIO()
    container.write(out, document, arrays, "suffice scorer")
    return out.getvalue()


def _node(value: Any, arrays: dict[str, AnyArray]) -> Any:
    """A component of the form as JSON; arrays are collected by name."""
    if is_dataclass(value):
        found = {name: _node(each, arrays) for name, each in values_of(value).items()}
        return {"is": _TAGS.get(type(value), type(value).__name__), **found}
    if isinstance(value, np.ndarray):
        name = f"a{len(arrays)}"
        arrays[name] = value
        return {"array": name}
    if isinstance(value, (tuple, list)):
        return [_node(each, arrays) for each in value]
    if isinstance(value, np.generic):
        return value.item()
    return value if value is None or isinstance(value, (bool, int, float, str)) else str(value)
