"""Saving and loading of values."""

import os
from pathlib import Path
from typing import Any

import msgspec

from suffice import __version__
from suffice.errors import ModelFileError
from suffice.model import Model
from suffice.persist import container, nodes
from suffice.persist.atomic import write_atomically
from suffice.persist.kinds import Kinds
from suffice.persist.model_kinds import KINDS
from suffice.persist.reader import Reader
from suffice.persist.writer import NodeWriter

VERSION = 4
MAX_BYTES = 4 << 30


def save(value: Any, path: "str | os.PathLike[str]", kinds: Kinds = KINDS) -> None:
    """Write a value of one of the kinds, atomically: ``path`` always has the complete old or new file."""
    writer = NodeWriter(kinds)
    content = writer.node(value, type(value).__name__)
    assert isinstance(content, nodes.Record), "the value must be of one of the kinds"
    document = msgspec.json.encode(nodes.Document(VERSION, __version__, content))
    write_atomically(Path(path), lambda stream: container.write(stream, document, writer.arrays))


def load(path: "str | os.PathLike[str]", kinds: Kinds = KINDS, max_bytes: int = MAX_BYTES) -> Any:
    """The value in a file. Raises ``ModelFileError`` if the file is damaged or forged."""
    content, reader = _open(path, kinds, max_bytes)
    return reader.root(content)


def load_model(path: "str | os.PathLike[str]", max_bytes: int = MAX_BYTES) -> Model:
    """The model of a saved estimator, for scoring without scikit-learn.

    (The drop-ins have families of their own, which need scikit-learn: use ``suffice.load`` for their files.)

    Parameters
    ----------
    path : str or path
        A file written by ``save``.
    max_bytes : int, default=4 GiB
        Maximum size of the file.

    Returns
    -------
    Model
        The model, for scoring.
    """
    content, reader = _open(path, KINDS, max_bytes)
    model = reader.value(content if content.kind == "model" else _attribute(content, "model_"))
    if not isinstance(model, Model):
        raise ModelFileError(f"The file contains a {content.kind}", "it has no class statistics to score with")
    return model


def load_attribute(path: "str | os.PathLike[str]", name: str, kinds: Kinds = KINDS, max_bytes: int = MAX_BYTES) -> Any:
    """One fitted attribute of the estimator in a file, without loading the rest; None if it does not exist."""
    content, reader = _open(path, kinds, max_bytes)
    return reader.value(_attribute(content, name))


def _attribute(content: nodes.Record, name: str) -> Any:
    estimator = content.fields.get("estimator", content)  # of a checkpoint
    return estimator.fields.get(name) if isinstance(estimator, nodes.Record) else None


def _open(path: "str | os.PathLike[str]", kinds: Kinds, max_bytes: int) -> tuple[nodes.Record, Reader]:
    text, arrays, budget = container.read(Path(path), max_bytes)
    try:
        version = msgspec.json.decode(text, type=_Versioned).version
        document = msgspec.json.decode(text, type=nodes.Document) if version == VERSION else None
    except (msgspec.MsgspecError, ValueError, RecursionError) as error:
        raise container.damaged_file(f"has a document that cannot be read ({error})") from None
    if document is None:
        todo = "Upgrade suffice" if version > VERSION else "Train the model again, and save it"
        raise ModelFileError(f"The model file is of version {version}", f"version {VERSION} is read here", todo)
    return document.content, Reader(kinds, arrays, budget)


class _Versioned(msgspec.Struct):
    version: int
