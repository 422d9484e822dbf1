"""What a second look at documents that were counted adds: temperatures, biases, a correction of the words."""

from dataclasses import dataclass, replace

import numpy as np

from suffice.columns.bags import Bags
from suffice.columns.documents import Documents
from suffice.columns.labels import Label
from suffice.families.text import correction
from suffice.families.text.correction import Correction
from suffice.families.text.counting import presence, word_counts
from suffice.families.text.discounted import Discounted, Refinement, ViewScores
from suffice.families.text.temperatures import fit_temperatures
from suffice.numerics.arrays import AnyArray, CodeArray, FloatArray
from suffice.numerics.ridge_correction import trust

_SAMPLE = 5000  # documents that temperatures are fitted on …
_SCORES = 1 << 17  # … or as many as have so many scores, if there are very many classes


@dataclass(frozen=True, eq=False)
class SecondLook:
    """Documents and what was counted of them."""

    density: Discounted
    block: Documents
    y: CodeArray
    weight: FloatArray | None
    classes: tuple[Label, ...]
    threads: int

    def refinement(self, log_prior: FloatArray, *, corrects: bool) -> Refinement | None:
        there = np.flatnonzero(~self.block.views.missing)
        if len(there) < 2 or len(np.unique(self.y[there])) < 2:
            return None
        parts = self.density.parts(self.block, self.y, self.weight, self.threads)
        size = min(_SAMPLE, max(1000, _SCORES // len(self.classes)))
        some = there if len(there) <= size else there[np.linspace(0, len(there) - 1, size).astype(np.int64)]
        temperatures, bias = fit_temperatures(parts[:, some], self.y[some], self._weights(some), log_prior)
        found = Refinement(self.classes, temperatures, bias)
        if not corrects:
            return found
        left_out = np.tensordot(temperatures, parts, 1) + log_prior + bias
        return replace(found, correction=self._corrected(left_out, there))

    def _weights(self, rows: AnyArray) -> FloatArray | None:
        return None if self.weight is None else self.weight[rows]

    @property
    def _words(self) -> ViewScores:
        return self.density.views[0]

    def _corrected(self, left_out: FloatArray, there: AnyArray) -> Correction | None:
        """V and b, believed as far as one fitted on half of the documents helps with the other half."""
        words = correction.informative(self._words.total, len(self.classes))
        if not len(words):
            return None
        known = self.block.bags(self._words.analyser, self.threads).within(self._words.counts.vocabulary, self.threads)
        bags = known.kept(words, self.threads)
        across = np.zeros((len(there), len(self.classes)))
        first = np.arange(len(there)) % 2 == 0
        for half in (first, ~first):
            x = correction.features(bags, self._information_within(known, there[half], words))[there]
            rows = there[half]
            v, b = correction.fit(x[half], self.y[rows], self._weights(rows), left_out[rows], self.threads)
            across[~half] = x[~half] @ v + b
        y, w = self.y[there], self._weights(there)
        halfway = trust(left_out[there], across, y, w)
        # all documents leave half the noise; more than 1 says that the steps were too few
        beta = max(halfway, 2 * halfway / (1 + halfway))
        information = _information(self._words, words)
        v, b = correction.fit(correction.features(bags, information)[there], y, w, left_out[there], self.threads)
        return Correction(self.classes, bags.vocabulary, information, beta * v, beta * b)

    def _information_within(self, known: Bags, rows: AnyArray, words: AnyArray) -> FloatArray:
        """How much each word tells, read off some of the documents alone."""
        w = np.zeros(self.block.rows)
        w[rows] = 1.0 if self.weight is None else self.weight[rows]
        there = ~self.block.views.missing
        counts = word_counts(known, there, (presence,), self.y, len(self.classes), w, self.threads)
        part = ViewScores(self._words.analyser, counts)
        place = counts.vocabulary.find(self._words.counts.vocabulary.take(words), self.threads)
        out = np.zeros(len(words))
        out[place >= 0] = _information(part, place[place >= 0])
        return out


def _information(view: ViewScores, words: AnyArray) -> FloatArray:
    """Root mean square over the classes of log θ_cw / p_w."""
    return np.asarray(np.sqrt((view.log_ratios(words) ** 2).mean(axis=1)))
