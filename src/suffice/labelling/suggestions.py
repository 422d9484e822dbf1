"""Which rows are worth a person's time: those the model is unsure of, and unlike each other."""

from typing import Any

import numpy as np

from suffice import posterior
from suffice.columns.table import Table
from suffice.families.reading import read_block
from suffice.families.text.correction import features
from suffice.model import Model
from suffice.numerics.arrays import FloatArray, IntArray, SparseRows

_POOL = 20  # candidates for each requested row


def suggest(model: Model, table: Table, n: int, threads: int) -> IntArray:
    """``n`` rows, the most useful first.

    A row's worth is the entropy of its posterior, times one less its likeness to the rows already chosen: of words for
    text, of how the classes compare for other columns. A text counts by its likeness to all others too, so that one of words
    that no other has counts less.
    """
    joint = np.empty((table.rows, len(model.classes)))
    for _, part in model.log_joints(table, joint, threads):
        posterior.log_posterior(part, model.log_prior, threads)
    p = np.exp(joint)
    entropy = -np.where(p > 0, p * np.where(p > 0, joint, 0.0), 0.0).sum(axis=1)
    words = _words(model, table, threads)
    worth = (entropy + 1e-12) * (1.0 if words is None else np.sqrt(words @ words.mean(axis=0)))
    pool = np.argsort(-worth, kind="stable")[: n * _POOL]
    likeness = _likeness(p[pool] if words is None else words[pool])
    worth, closest = worth[pool], np.zeros(len(pool))
    chosen: list[int] = []
    for _ in range(min(n, len(pool))):
        scores = worth * (1 - np.clip(closest, 0.0, 1.0))
        scores[chosen] = -1.0
        best = int(scores.argmax())
        chosen.append(best)
        closest = np.maximum(closest, likeness[best])
    return np.asarray(pool[chosen], dtype=np.int64)


def _words(model: Model, table: Table, threads: int) -> "SparseRows | None":
    """The words of each text, rare ones heavier, rows of unit length; None where the model has no text."""
    texts = [block for block in model.blocks if block.reads in ("documents", "terms")]
    if not texts:
        return None
    documents: Any = read_block(table, texts[0], None, threads)
    bags = documents.bags(texts[0].family.analysers[0], threads)  # type: ignore[attr-defined]
    rare = np.log((1 + bags.rows) / (1 + bags.document_frequency)) ** 2
    return features([(bags, rare)])[0]


def _likeness(rows: "FloatArray | SparseRows") -> FloatArray:
    """How alike any two rows are, from 0 to 1."""
    if isinstance(rows, np.ndarray):
        unit = rows / np.linalg.norm(rows, axis=1, keepdims=True)
        return np.asarray(unit @ unit.T)
    return np.asarray((rows @ rows.T).toarray())
