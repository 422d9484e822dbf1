"""Word probabilities by class, over the vocabulary."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Self

import numpy as np

from suffice.columns.inputs import LabelsLike, TableLike
from suffice.errors import ParameterError
from suffice.estimators.base import SufficeClassifier
from suffice.explain import word_probabilities
from suffice.numerics.arrays import AnyArray, FloatArray, IntArray
from suffice.plot import style
from suffice.plot.display import Display

if TYPE_CHECKING:
    from matplotlib.axes import Axes

_MAX_PANELS = 12
_MAX_LINE_CHARACTERS = 8  # of the name of a class beside the axis, in one line
_TEXT_LINES = (0.62, 0.74, 0.86)  # of the height of a panel


@dataclass(eq=False)
class WordsDisplay(Display):
    """One panel per class: p(word | class) over the vocabulary, with the most characteristic words named.

    >>> from suffice import BayesClassifier, Text
    >>> model = BayesClassifier(Text("bernoulli")).fit(["cheap pills", "lunch today"], ["spam", "ham"])
    >>> display = WordsDisplay.from_estimator(model)
    >>> sorted(display.words)
    ['cheap', 'lunch', 'pills', 'today']
    >>> display.probability.max().round(2)
    np.float64(0.67)
    """

    words: tuple[str, ...]
    probability: FloatArray
    """(classes, words)"""
    classes: AnyArray
    most: int = 5
    """Number of words to name in each class."""

    @classmethod
    def from_estimator(
        cls,
        estimator: Any,
        X: TableLike = None,
        y: LabelsLike = None,
        *,
        words: Sequence[str] | None = None,
        most: int = 5,
        ax: "Axes | None" = None,
    ) -> Self:
        """Words of a Bayes classifier of text or counts, or any classifier with ``feature_log_prob_``; X and y are not used.

        ``words`` are the names of the columns, if the classifier has none.
        """
        if isinstance(estimator, SufficeClassifier):
            found = word_probabilities(estimator.model_)
            known, probability = found.words, found.probability
        elif hasattr(estimator, "feature_log_prob_"):
            probability = np.exp(np.asarray(estimator.feature_log_prob_, dtype=np.float64))
            known = tuple(map(str, getattr(estimator, "feature_names_in_", range(probability.shape[1]))))
        else:
            raise ParameterError(
                f"{type(estimator).__name__} has no word probabilities",
                "a naive Bayes classifier of word counts is needed",
            )
        named = known if words is None else tuple(map(str, words))
        if len(named) != probability.shape[1]:
            raise ParameterError(f"There are {len(named)} words", f"the classifier has {probability.shape[1]}")
        return cls(named, probability, np.asarray(estimator.classes_), most).plot(ax)

    def own(self, klass: int) -> IntArray:
        """The words to name in a class: probable in it and less probable in any other; strongest first."""
        p = np.maximum(self.probability, 1e-300)
        others = np.delete(p, klass, axis=0)
        weight = p[klass] * np.log(p[klass] / others.max(axis=0)) if len(others) else p[klass]
        return np.argsort(-weight, kind="stable")[: self.most]

    def _figure_size(self) -> tuple[float, float]:
        return 7.0, 1.0 + 1.5 * min(len(self.classes), _MAX_PANELS)

    def _draw(self, ax: "Axes") -> None:
        place = np.arange(len(self.words))
        top = 1.8 * float(self.probability.max())
        parts = style.panels(ax, min(len(self.classes), _MAX_PANELS), 1, gap=(0.0, 0.15))
        for c, (part, class_style) in enumerate(zip(parts, style.class_styles(len(parts)), strict=True)):
            bars = part.vlines(
                place, 0, self.probability[c], color=class_style.colour, linewidth=max(0.4, min(3.0, 400 / len(place)))
            )
            bars.set_snap(False)  # rounded to pixels, many words would have gaps
            for j, line in self._without_overlap(self.own(c)):
                part.vlines(
                    j, self.probability[c, j], line * top, color=style.text_colour(), linewidth=0.6, linestyles=":"
                )
                side = "left" if j < 0.1 * len(place) else "right" if j > 0.9 * len(place) else "center"
                part.text(
                    j, line * top, style.name(self.words[j]), ha=side, va="bottom", fontsize="small",
                    path_effects=style.halo(part),
                )  # fmt: skip
            name = style.name(self.classes[c])
            part.set_yticks([t for t in part.get_yticks() if t <= max(self.probability.max(), 1e-12)])
            part.set(
                xlim=(-0.5 - 0.02 * len(place), 1.02 * len(place) - 0.5),
                ylim=(0, top),
                ylabel="p(word |" + ("\n" if len(name) > _MAX_LINE_CHARACTERS else " ") + f"{name})",
            )
            if c < len(parts) - 1:
                part.set_xticklabels([])
        others = style.others(len(self.classes), len(parts), "classes")
        parts[-1].set_xlabel(f"word index in the vocabulary{'; not shown: ' if others else ''}{others}")

    def _without_overlap(self, chosen: IntArray) -> list[tuple[int, float]]:
        """Words with their line, so that none overlap; the strongest first."""
        room = 0.017 * len(self.words)  # width of a character
        kept: list[tuple[int, float]] = []
        for j in chosen.tolist():
            for line in _TEXT_LINES:
                beside = [k for k, at in kept if at == line]
                if all(abs(j - k) > room * (len(self.words[j]) + len(self.words[k])) for k in beside):
                    kept.append((j, line))
                    break
        return kept
