"""A cross-validated ridge correction of the words of all texts, in every view."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
import scipy.sparse as sp

from suffice.columns.analyser import CharacterRuns
from suffice.columns.class_codes import ClassCodes
from suffice.families.text import correction
from suffice.families.text.correction import Correction, ViewCorrection
from suffice.families.text.counting import presence, word_counts
from suffice.families.text.discounted import Discounted, ViewScores
from suffice.numerics.arrays import AnyArray, FloatArray, SparseRows
from suffice.numerics.ridge_correction import correction_weights

if TYPE_CHECKING:
    from suffice.columns.bags import Bags
    from suffice.columns.documents import Documents
    from suffice.parts.kept_rows import KeptRows

_OFFSET_FACTOR = 0.6  # factor of the offset, so that residuals remain to be fitted
_MIN_WORD_DOCUMENTS = 2.0  # with a corrected word of the first view
_MIN_NGRAM_DOCUMENTS = 5.0  # with a corrected pair or run of characters
_OTHER_SCALE = 0.7  # factor of the features of other views
_CORRECTED_NGRAM_LENGTH = 4  # characters
_MAX_CROSS_FITTED_ROWS = 8_000  # with more rows, the weights are fitted on one held-out half


@dataclass(frozen=True, eq=False)
class Corrected:
    """The correction of texts: the weight w of the offset, V of each text (None if it has no words to correct) and a
    common b; and the left-out log joint, corrected for the rows that were held out."""

    offset: float
    texts: list[Correction | None]
    bias: FloatArray
    left_out: FloatArray


def correct_words(
    given: "Sequence[tuple[Discounted, Documents]]", rows: "KeptRows", left_out: FloatArray, threads: int, *,
    every: bool = False,
) -> Corrected:  # fmt: skip
    """Fit softmax(w · left-out + Σ X V + b), with V fitted to a tempered offset.

    The weights of the offset, b, and V of each view are fitted on the half of the rows that these were not fitted to.
    Both halves are held out in turn if ``every`` row is to be scored.
    """
    n_classes = left_out.shape[1]
    texts = [_Text(text, block, rows, n_classes, threads) for text, block in given]
    used = [text for text in texts if text.views]
    there = np.flatnonzero(np.any([~text.block.views.missing for text in used], axis=0)) if used else np.zeros(0, int)
    if len(there) < 2 or len(np.unique(rows.y[there])) < 2:
        return Corrected(1.0, [None] * len(given), np.zeros(n_classes), left_out)
    y, weight, offset = rows.y[there], rows.weight[there], left_out[there]
    widths = [len(view.words) for text in used for view in text.views]
    across = np.zeros((len(widths) + 1, *offset.shape))
    first = np.arange(len(there)) % 2 == 0
    halves = (first, ~first) if every or len(there) <= _MAX_CROSS_FITTED_ROWS else (first,)
    for half in halves:
        x = _concatenated([text.features(there[half]) for text in used])[there]
        v, b = correction.fit(x[half], y[half], weight[half], _OFFSET_FACTOR * offset[half], threads)
        across[:, ~half] = _by_view(x[~half], v, b, widths)
    held = ~np.all(halves, axis=0)
    w, halfway = correction_weights(
        offset[held], across[:, held], y[held], weight[held] * (weight.sum() / weight[held].sum())
    )
    # a fit to all rows has half the noise; a weight above 1 would indicate too few steps
    beta = np.maximum(halfway, 2 * halfway / (1 + halfway))
    v, b = correction.fit(
        _concatenated([text.features() for text in used])[there], y, weight, _OFFSET_FACTOR * offset, threads
    )
    ends = np.cumsum([text.width for text in used])
    parts = iter(np.split(np.repeat(beta[:-1], widths)[:, None] / np.sqrt(len(used)) * v, ends[:-1]))
    corrected = w * left_out
    corrected[there] += np.tensordot(halfway, across, axes=1)
    return Corrected(
        w, [text.correction(next(parts)) if text.views else None for text in texts], beta[-1] * b, corrected
    )


def _by_view(x: SparseRows, v: FloatArray, b: FloatArray, widths: list[int]) -> FloatArray:
    """The scores of V of each view, and b, (views + 1, rows, classes)."""
    ends = np.cumsum(widths)
    each = [x[:, end - width : end] @ v[end - width : end] for end, width in zip(ends, widths, strict=True)]
    return np.stack([*each, np.broadcast_to(b, (x.shape[0], len(b)))])


def _concatenated(parts: list[SparseRows]) -> SparseRows:
    """Concatenated features, rows scaled to unit length if longer, so that two similar texts count as one."""
    if len(parts) == 1:
        return parts[0]
    return sp.csr_array(sp.hstack(parts, format="csr") / np.sqrt(len(parts)))


class _Text:
    """The views of one text, with the words of each that are worth correcting."""

    def __init__(self, text: Discounted, block: "Documents", rows: "KeptRows", n_classes: int, threads: int) -> None:
        self.block = block
        room = correction.room(n_classes)
        views = [_View(i, view, self, rows, n_classes, threads, room) for i, view in enumerate(text.views)]
        self.views = [view for view in views if len(view.words)]

    @property
    def width(self) -> int:
        return sum(len(view.words) for view in self.views)

    def features(self, rows: AnyArray | None = None) -> SparseRows:
        """X; the information of words is estimated from some of the rows alone, if given."""
        each = [(view.bags, view.information if rows is None else view.information_within(rows)) for view in self.views]
        return sp.csr_array(sp.hstack(correction.features(each), format="csr"))

    def correction(self, weights: FloatArray) -> Correction:
        ends = np.cumsum([len(view.words) for view in self.views])
        parts = zip(self.views, np.split(weights, ends[:-1]), strict=True)
        return Correction(tuple(ViewCorrection(v.place, v.bags.vocabulary, v.information, part) for v, part in parts))


class _View:
    """One view of a text."""

    def __init__(
        self, place: int, view: ViewScores, text: _Text, rows: "KeptRows", n_classes: int, threads: int, room: int
    ) -> None:
        self.place, self._view, self._text = place, view, text
        self._rows, self._classes, self._threads = rows, n_classes, threads
        self._scale = 1.0 if place == 0 else _OTHER_SCALE**2
        words = correction.informative(view.total, _MIN_WORD_DOCUMENTS if place == 0 else _MIN_NGRAM_DOCUMENTS, room)
        if isinstance(view.analyser, CharacterRuns):
            lengths = np.array([len(name) for name in view.counts.vocabulary.take(words).strings()], dtype=np.int64)
            words = words[lengths == _CORRECTED_NGRAM_LENGTH]
        self.words = words
        self._known: Bags = text.block.bags(view.analyser, threads).within(view.counts.vocabulary, threads)
        self.bags: Bags = self._known.selected(words, threads)

    @property
    def information(self) -> FloatArray:
        return self._scale * _information(self._view, self.words)

    def information_within(self, rows: AnyArray) -> FloatArray:
        """The information of each word, estimated from some of the rows alone."""
        weight = np.zeros(self._text.block.rows)
        weight[rows] = self._rows.weight[rows]
        there = ~self._text.block.views.missing
        y = ClassCodes(self._rows.y, self._classes, weight)
        counts = word_counts(self._known, there, (presence,), y, self._threads)
        place = counts.vocabulary.find(self._view.counts.vocabulary.take(self.words), self._threads)
        out = np.zeros(len(self.words))
        out[place >= 0] = _information(ViewScores(self._view.analyser, counts), place[place >= 0])
        return self._scale * out


def _information(view: ViewScores, words: AnyArray) -> FloatArray:
    """Root mean square over the classes of log θ_cw / p_w."""
    return np.asarray(np.sqrt((view.log_ratios(words) ** 2).mean(axis=1)))
