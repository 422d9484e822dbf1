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

_MAX_DOT_AREA = 9e4  # square points, if every document has every word
_MAX_DOCUMENTS = 600  # drawn as dots
_SHADE_ROWS = 200  # rows and columns of the image of more documents
_FULL_COLOUR_QUANTILE = 0.99  # of the counts
_MAX_NAMES = 20  # of classes


@dataclass(eq=False)
class SpyDisplay(Display):
    """A dot per document and word. Documents are sorted by class, words by their dominant class, the most frequent first.

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
        """Display of texts, or of a word-count matrix with columns ``words``, with the ``max_words`` most frequent words."""
        if not (sp.issparse(X) or (isinstance(X, np.ndarray) and X.ndim == 2)):
            reader = CountVectorizer(binary=True)
            X, words = reader.fit_transform(X), reader.get_feature_names_out().tolist()
        table = sp.csc_array(X != 0)
        labels = encode_labels(plain_labels(y))
        if len(labels.codes) != table.shape[0]:
            raise DataError(
                f"There are {len(labels.codes)} labels for {table.shape[0]} documents", "one per document is needed"
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
        """Classes with room for their name, larger classes first."""
        documents = int(self.counts.sum())
        middle = np.cumsum(self.counts) - self.counts / 2
        shown: list[int] = []
        for c in np.argsort(-self.counts, kind="stable").tolist():
            if all(abs(middle[c] - middle[k]) > documents / _MAX_NAMES for k in shown):
                shown.append(c)
        return sorted(shown)

    def _draw(self, ax: "Axes") -> None:
        documents, words = self.matrix.shape
        ends = np.cumsum(self.counts)
        if documents > _MAX_DOCUMENTS:
            self._draw_shares(ax, ends)
        else:
            self._draw_dots(ax, ends)
        if len(ends) <= _MAX_NAMES:
            for end in ends[:-1]:
                ax.axhline(end - 0.5, color=style.text_colour(), linewidth=1)
        shown = self._named()
        ax.set_yticks(
            (ends - self.counts / 2 - 0.5)[shown],
            [f"{style.name(self.classes[c])} ({self.counts[c]:,})" for c in shown],
        )
        notes = [style.others(len(ends), len(shown), "classes not named")]
        notes += ["darker: more documents have the words"] if documents > _MAX_DOCUMENTS else []
        ax.set_title("\n".join(note for note in notes if note), fontsize="medium")
        ax.tick_params(axis="y", length=0)
        ax.set(xlim=(-0.5, words - 0.5), ylim=(documents - 0.5, -0.5), ylabel="documents by class")
        if words <= 40:
            ax.set_xticks(range(words), style.names(self.words), rotation=90)
        ax.set_xlabel("words, by dominant class")

    def _draw_dots(self, ax: "Axes", ends: IntArray) -> None:
        at = self.matrix.tocoo()
        klass = np.searchsorted(ends, at.row, side="right")
        dot = float(np.clip(_MAX_DOT_AREA / max(1, self.matrix.shape[0] * self.matrix.shape[1]), 0.3, 30.0))
        for c, class_style in enumerate(style.class_styles(len(self.classes))):
            selected = klass == c
            ax.scatter(at.col[selected], at.row[selected], s=dot, marker="s", color=class_style.colour, linewidths=0)

    def _draw_shares(self, ax: "Axes", ends: IntArray) -> None:
        """Draw many documents as an image of the share of documents with each word."""
        documents, words = self.matrix.shape
        at, lines, across = self.matrix.tocoo(), _SHADE_ROWS, min(words, _SHADE_ROWS)
        count = np.zeros((lines, across))
        np.add.at(count, (at.row * lines // documents, at.col * across // words), 1)
        shade = np.sqrt(count / max(float(np.quantile(count, _FULL_COLOUR_QUANTILE)), 1.0)).clip(0, 1)
        middle = (np.arange(lines) + 0.5) * documents / lines
        klass = np.searchsorted(ends, middle, side="right").clip(max=len(self.classes) - 1)
        own = np.array([style.rgb(class_style.colour) for class_style in style.class_styles(len(self.classes))])
        image = np.dstack([np.broadcast_to(own[klass][:, None], (lines, across, 3)), shade])
        ax.imshow(image, extent=(-0.5, words - 0.5, documents - 0.5, -0.5), aspect="auto", interpolation="nearest")
