"""Choice of rows to label: those most similar to many uncertain rows."""

from typing import Any

import numpy as np
from scipy import special

from suffice import posterior
from suffice.columns.blocks import Levels, Numbers
from suffice.columns.table import Table
from suffice.families.reading import read_block
from suffice.families.text.correction import features
from suffice.model import Model
from suffice.numerics.arrays import AnyArray, FloatArray, IntArray, SparseRows

_CANDIDATES = 200  # for the greedy choice; the same for any n, so that fewer suggestions are the first of more
_COVERED_ROWS = 10_000


def suggest(model: Model, table: Table, n: int, threads: int) -> IntArray:
    """``n`` rows, the most useful first.

    With H the entropy of a row's posterior, the set C of chosen rows covers Σᵢ Hᵢ² · max over c in C of similarity(i, c), and
    each row is chosen greedily to increase this sum most: it is similar to many uncertain rows and unlike the rows chosen
    before. Similarity is the cosine of weighted words for text, and exp(−mean squared difference) of standardised cells for
    other columns. Candidates are the rows of highest entropy, for texts multiplied by the root of the mean similarity to all.
    """
    joint = np.empty((table.rows, len(model.classes)))
    for _, part in model.log_joints(table, joint, threads):
        posterior.log_posterior(part, model.log_prior, threads)
    p = np.exp(joint)
    entropy = -np.where(p > 0, p * np.where(p > 0, joint, 0.0), 0.0).sum(axis=1)
    words = _words(model, table, threads)
    score = (entropy + 1e-12) * (1.0 if words is None else np.sqrt(words @ words.mean(axis=0)))
    order = np.argsort(-score, kind="stable")
    rows = order[:_COVERED_ROWS]
    if words is None:
        similarity = _cell_similarity(model, table, rows, threads)
    else:
        similarity = np.asarray((words[rows[:_CANDIDATES]] @ words[rows].T).toarray())
    chosen = _greedy_cover(similarity, entropy[rows] ** 2, n)
    return np.asarray(np.concatenate([rows[chosen], order[_CANDIDATES:]])[:n], dtype=np.int64)


def _greedy_cover(similarity: FloatArray, weight: FloatArray, n: int) -> list[int]:
    """Greedy choice of candidates by similarity (candidates, rows): each increases most the weighted similarity of the rows to
    their closest choice."""
    closest = np.zeros(similarity.shape[1])
    chosen: list[int] = []
    for _ in range(min(n, len(similarity))):
        gain = np.maximum(similarity - closest, 0.0) @ weight
        gain[chosen] = -1.0
        chosen.append(int(gain.argmax()))
        closest = np.maximum(closest, similarity[chosen[-1]])
    return chosen


def _words(model: Model, table: Table, threads: int) -> "SparseRows | None":
    """The words of each text weighted by rarity, rows of unit length; None if the model has no text."""
    texts = [block for block in model.blocks if block.reads in ("documents", "terms")]
    if not texts:
        return None
    documents: Any = read_block(table, texts[0], None, threads)
    bags = documents.bags(texts[0].family.analysers[0], threads)  # type: ignore[attr-defined]
    rare = np.log((1 + bags.rows) / (1 + bags.document_frequency)) ** 2
    return features([(bags, rare)])[0]


def _cell_similarity(model: Model, table: Table, rows: IntArray, threads: int) -> FloatArray:
    """Similarity of the first rows to all: exp(−d²), with d² the mean over columns of the squared difference, scaled to a mean
    of 2.

    Numbers are normal scores, levels are equal or not; a missing number has score 0, a missing level is a level of its own.
    Sparse numbers are not transformed, and count as one column.
    """
    first = min(_CANDIDATES, len(rows))
    square, columns = np.zeros((first, len(rows))), 0
    for block in model.blocks:
        read = read_block(table, block, None, threads)
        if isinstance(read, Numbers) and isinstance(read.values, np.ndarray):
            scores = np.stack([_normal_scores(cells) for cells in read.values[rows].T], axis=1)
            square += _squared_differences((scores**2).sum(axis=1), scores[:first] @ scores.T)
            columns += int(scores.any(axis=0).sum())
        elif isinstance(read, Numbers):
            cells: Any = read.values[rows]
            cells.data = np.nan_to_num(cells.data)
            found = _squared_differences(cells.multiply(cells).sum(axis=1), (cells[:first] @ cells.T).toarray())
            square += found * (2 / max(found.mean(), 1e-12))
            columns += 1
        elif isinstance(read, Levels):
            for codes in read.codes[rows].T:
                _, count = np.unique(codes, return_counts=True)
                differ = 1 - ((count / len(rows)) ** 2).sum()
                if len(count) > 1:
                    square += (codes[:first, None] != codes) * (2 / differ)
                    columns += 1
    return np.asarray(np.exp(-square / max(columns, 1)))


def _squared_differences(length: FloatArray, product: FloatArray) -> FloatArray:
    """Squared distances between the first rows and all rows, from squared lengths and inner products."""
    return np.maximum(length[: len(product), None] + length - 2 * product, 0.0)


def _normal_scores(cells: AnyArray) -> FloatArray:
    """Φ⁻¹ of the ranks, standardised; 0 for missing cells and for constants."""
    out = np.zeros(len(cells))
    present = ~np.isnan(cells)
    _, place, count = np.unique(cells[present], return_inverse=True, return_counts=True)
    if len(count) > 1:
        out[present] = special.ndtri((np.cumsum(count) - count / 2) / count.sum())[place]
        out /= np.sqrt((out**2).mean())
    return out
