"""Which rows are worth a person's time: those the model is unsure of, and unlike each other."""

from typing import Any

import numpy as np

from suffice import posterior
from suffice.columns.table import Table
from suffice.families.reading import read_block
from suffice.families.text.correction import features
from suffice.model import Model
from suffice.numerics.arrays import FloatArray, IntArray

_POOL = 20  # candidates for each requested row


def suggest(model: Model, table: Table, n: int, threads: int) -> IntArray:
    """``n`` rows, the most useful first.

    A row's worth is the entropy of its posterior, times one less its likeness to the rows already chosen: of words for
    text, of how the classes compare for other columns.
    """
    joint = np.empty((table.rows, len(model.classes)))
    for _, part in model.log_joints(table, joint, threads):
        posterior.log_posterior(part, model.log_prior, threads)
    p = np.exp(joint)
    entropy = -np.where(p > 0, p * np.where(p > 0, joint, 0.0), 0.0).sum(axis=1)
    pool = np.argsort(-entropy, kind="stable")[: max(n * _POOL, n)]
    likeness = _likeness(model, table, joint, pool, threads)
    worth, closest = entropy[pool] + 1e-12, np.zeros(len(pool))
    chosen: list[int] = []
    for _ in range(min(n, len(pool))):
        scores = worth * (1 - np.clip(closest, 0.0, 1.0))
        scores[chosen] = -1.0
        best = int(scores.argmax())
        chosen.append(best)
        closest = np.maximum(closest, likeness[best])
    return np.asarray(pool[chosen], dtype=np.int64)


def _likeness(model: Model, table: Table, log_p: FloatArray, pool: IntArray, threads: int) -> FloatArray:
    """How alike any two candidates are, from 0 to 1."""
    texts = [block for block in model.blocks if block.reads in ("documents", "terms")]
    if texts:
        documents: Any = read_block(table, texts[0], None, threads)
        bags = documents.bags(texts[0].family.analysers[0], threads)  # type: ignore[attr-defined]
        rare = np.log((1 + bags.rows) / (1 + bags.document_frequency)) ** 2
        x = features([(bags, rare)])[0][pool]
        return np.asarray((x @ x.T).toarray())
    profile = np.exp(log_p[pool])
    profile /= np.linalg.norm(profile, axis=1, keepdims=True)
    return np.asarray(profile @ profile.T)
