"""Occurrence of words in documents, sorted by class."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, ClassVar, Self

import numpy as np
import scipy.sparse as sp

from suffice.columns.inputs import LabelsLike, TableLike
from suffice.columns.labels import encode_labels, plain_labels
from suffice.errors import DataError, ParameterError
from suffice.estimators.text import CountVectorizer
from suffice.numerics.arrays import AnyArray, IntArray
from suffice.plot import style
from suffice.plot.display import Display

if TYPE_CHECKING:
    from matplotlib.axes import Axes

_PAPER = 9e4  # square points that dots may cover, if every document has every word
_MOST_DOCUMENTS = 600  # drawn as dots
_LINES = 200  # of shades, in place of more documents
_DARKEST = 0.99  # quantile of the counts that is drawn in full colour
_MOST_NAMES = 20  # of classes


@dataclass(eq=False)
class SpyDisplay(Display):
    """A dot where a document has a word. Documents are sorted by class, words by their dominant class, common ones first.

    >>> display = SpyDisplay.from_data(["cheap pills", "cheap prize", "lunch today"], ["spam", "spam", "ham"])
    >>> display.words
    ('lunch', 'today', 'cheap', 'pills', 'prize')
    >>> display.matrix.toarray().astype(int).tolist()
    [[1, 1, 0, 0, 0], [0, 0, 1, 1, 0], [0, 0, 1, 0, 1]]
    """

    matrix: Any
    """(documents, words), sparse booleans in the order shown."""
    classes: AnyArray
    counts: IntArray
    """Number of documents of each class."""
    words: tuple[str, ...]
    size: ClassVar[tuple[float, float]] = (7.0, 4.4)

    @classmethod
    def from_data(
        cls,
        X: TableLike,
        y: LabelsLike,
        *,
        words: Sequence[str] | None = None,
        max_words: int = 1000,
        ax: "Axes | None" = None,
    ) -> Self:
        """Display of texts, or of a word-count matrix with columns ``words``; shows the ``max_words`` most common."""
        if not (sp.issparse(X) or (isinstance(X, np.ndarray) and X.ndim == 2)):
            reader = CountVectorizer(binary=True)
            X, words = reader.fit_transform(X), reader.get_feature_names_out().tolist()
        table = sp.csc_array(X != 0)
        labels = encode_labels(plain_labels(y))
        if len(labels.codes) != table.shape[0]:
            raise DataError(
                f"There are {len(labels.codes)} labels for {table.shape[0]} documents", "one each is needed"
            )
        named = [str(j) for j in range(table.shape[1])] if words is None else [str(w) for w in words]
        if len(named) != table.shape[1]:
            raise ParameterError(f"There are {len(named)} words", f"the matrix has {table.shape[1]} columns")
        in_class = np.stack([np.asarray(table[labels.codes == c].sum(axis=0)) for c in range(len(labels.classes))])
        counts = np.bincount(labels.codes, minlength=len(labels.classes))
        total = in_class.sum(axis=0)
        own = (in_class / counts[:, None]).argmax(axis=0)
        common = np.sort(np.argsort(-total, kind="stable")[:max_words])
        order = common[np.lexsort((-total[common], own[common]))]
        rows = np.argsort(labels.codes, kind="stable")
        matrix = sp.csr_array(table[:, order])[rows]
        return cls(matrix, np.array(labels.classes), counts, tuple(named[j] for j in order)).plot(ax)

    def _named(self) -> list[int]:
        """Classes that have room for their name, the larger ones first."""
        documents = int(self.counts.sum())
        middle = np.cumsum(self.counts) - self.counts / 2
        shown: list[int] = []
        for c in np.argsort(-self.counts, kind="stable").tolist():
            if all(abs(middle[c] - middle[k]) > documents / _MOST_NAMES for k in shown):
                shown.append(c)
        return sorted(shown)

    def _draw(self, ax: "Axes") -> None:
        documents, words = self.matrix.shape
        ends = np.cumsum(self.counts)
        if documents > _MOST_DOCUMENTS:
            self._draw_shares(ax, ends)
        else:
            self._draw_dots(ax, ends)
        if len(ends) <= _MOST_NAMES:
            for end in ends[:-1]:
                ax.axhline(end - 0.5, color=style.ink(), linewidth=1)
        shown = self._named()
        ax.set_yticks(
            (ends - self.counts / 2 - 0.5)[shown],
            [f"{style.name(self.classes[c])} ({self.counts[c]:,})" for c in shown],
        )
        notes = [style.others(len(ends), len(shown), "classes without a name")]
        notes += ["the darker, the more documents have the words"] if documents > _MOST_DOCUMENTS else []
        ax.set_title("\n".join(note for note in notes if note), fontsize="medium")
        ax.tick_params(axis="y", length=0)
        ax.set(xlim=(-0.5, words - 0.5), ylim=(documents - 0.5, -0.5), ylabel="documents by class")
        if words <= 40:
            ax.set_xticks(range(words), style.names(self.words), rotation=90)
        ax.set_xlabel("words, by the class that uses them most")

    def _draw_dots(self, ax: "Axes", ends: IntArray) -> None:
        at = self.matrix.tocoo()
        klass = np.searchsorted(ends, at.row, side="right")
        dot = float(np.clip(_PAPER / max(1, self.matrix.shape[0] * self.matrix.shape[1]), 0.3, 30.0))
        for c, look in enumerate(style.looks(len(self.classes))):
            mine = klass == c
            ax.scatter(at.col[mine], at.row[mine], s=dot, marker="s", color=look.colour, linewidths=0)

    def _draw_shares(self, ax: "Axes", ends: IntArray) -> None:
        """Draw shades for more documents than lines: the share of documents with each word."""
        documents, words = self.matrix.shape
        at, lines, across = self.matrix.tocoo(), _LINES, min(words, _LINES)
        count = np.zeros((lines, across))
        np.add.at(count, (at.row * lines // documents, at.col * across // words), 1)
        shade = np.sqrt(count / max(float(np.quantile(count, _DARKEST)), 1.0)).clip(0, 1)
        middle = (np.arange(lines) + 0.5) * documents / lines
        klass = np.searchsorted(ends, middle, side="right").clip(max=len(self.classes) - 1)
        own = np.array([style.rgb(look.colour) for look in style.looks(len(self.classes))])
        image = np.dstack([np.broadcast_to(own[klass][:, None], (lines, across, 3)), shade])
        ax.imshow(image, extent=(-0.5, words - 0.5, documents - 0.5, -0.5), aspect="auto", interpolation="nearest")
