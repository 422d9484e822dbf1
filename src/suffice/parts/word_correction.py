"""A ridge correction of the words of all texts, as far as it helps with rows it was not fitted on."""

from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np
import scipy.sparse as sp

from suffice.families.text import correction
from suffice.families.text.correction import Correction
from suffice.families.text.counting import presence, word_counts
from suffice.families.text.discounted import Discounted, ViewScores
from suffice.numerics.arrays import AnyArray, FloatArray, SparseRows
from suffice.numerics.ridge_correction import trust

if TYPE_CHECKING:
    from suffice.columns.bags import Bags
    from suffice.columns.documents import Documents
    from suffice.parts.kept_rows import KeptRows


def correct_words(
    given: "Sequence[tuple[Discounted, Documents]]", rows: "KeptRows", left_out: FloatArray, threads: int
) -> tuple[list[Correction | None], FloatArray]:
    """V of each text, None where it has no words to correct, and b of all: softmax(left-out + Σ X V + b).

    They are believed as far as those fitted on half of the rows help with the other half.
    """
    n_classes = left_out.shape[1]
    nothing: tuple[list[Correction | None], FloatArray] = ([None] * len(given), np.zeros(n_classes))
    texts = [_Words.of(text, block, rows, n_classes, threads) for text, block in given]
    used = [text for text in texts if text is not None]
    there = np.flatnonzero(np.any([~text.block.views.missing for text in used], axis=0)) if used else np.zeros(0, int)
    if len(there) < 2 or len(np.unique(rows.y[there])) < 2:
        return nothing
    y, weight, offset = rows.y[there], rows.weight[there], left_out[there]
    across = np.zeros(offset.shape)
    first = np.arange(len(there)) % 2 == 0
    for half in (first, ~first):
        x = _beside([text.features(text.information_within(there[half])) for text in used])[there]
        v, b = correction.fit(x[half], y[half], weight[half], offset[half], threads)
        across[~half] = x[~half] @ v + b
    halfway = trust(offset, across, y, weight)
    # all rows leave half the noise; more than 1 says that the steps were too few
    beta = max(halfway, 2 * halfway / (1 + halfway))
    x = _beside([text.features(text.information) for text in used])[there]
    v, b = correction.fit(x, y, weight, offset, threads)
    ends = np.cumsum([len(text.words) for text in used])
    parts = iter(np.split(beta / np.sqrt(len(used)) * v, ends[:-1]))
    return [None if text is None else text.correction(next(parts)) for text in texts], beta * b


def _beside(parts: list[SparseRows]) -> SparseRows:
    """Rows of unit length at most: two texts that are alike count as one."""
    if len(parts) == 1:
        return parts[0]
    return sp.csr_array(sp.hstack(parts, format="csr") / np.sqrt(len(parts)))


class _Words:
    """The words of one text that are worth correcting."""

    def __init__(
        self, view: ViewScores, block: "Documents", rows: "KeptRows", n_classes: int, threads: int, words: AnyArray
    ) -> None:
        self.view, self.block, self.words = view, block, words
        self._rows, self._classes, self._threads = rows, n_classes, threads
        self._known: Bags = block.bags(view.analyser, threads).within(view.counts.vocabulary, threads)
        self._bags: Bags = self._known.kept(words, threads)

    @classmethod
    def of(
        cls, text: Discounted, block: "Documents", rows: "KeptRows", n_classes: int, threads: int
    ) -> "_Words | None":
        view = text.views[0]
        words = correction.informative(view.total, n_classes)
        return cls(view, block, rows, n_classes, threads, words) if len(words) else None

    @property
    def information(self) -> FloatArray:
        return _information(self.view, self.words)

    def features(self, information: FloatArray) -> SparseRows:
        return correction.features(self._bags, information)

    def information_within(self, rows: AnyArray) -> FloatArray:
        """How much each word tells, read off some of the rows alone."""
        weight = np.zeros(self.block.rows)
        weight[rows] = self._rows.weight[rows]
        there = ~self.block.views.missing
        y = self._rows.y
        counts = word_counts(self._known, there, (presence,), y, self._classes, weight, self._threads)
        place = counts.vocabulary.find(self.view.counts.vocabulary.take(self.words), self._threads)
        out = np.zeros(len(self.words))
        out[place >= 0] = _information(ViewScores(self.view.analyser, counts), place[place >= 0])
        return out

    def correction(self, weights: FloatArray) -> Correction:
        return Correction(self._bags.vocabulary, self.information, weights)


def _information(view: ViewScores, words: AnyArray) -> FloatArray:
    """Root mean square over the classes of log θ_cw / p_w."""
    return np.asarray(np.sqrt((view.log_ratios(words) ** 2).mean(axis=1)))
