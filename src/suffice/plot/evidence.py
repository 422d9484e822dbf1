"""Weights of evidence of one row."""

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, Self

import numpy as np

from suffice.columns.inputs import LabelsLike, TableLike
from suffice.errors import ParameterError
from suffice.explain import Explanation, explain
from suffice.numerics.arrays import FloatArray
from suffice.plot import style
from suffice.plot.display import Display
from suffice.plot.views import aligned_table, cell, label_of, model_of

if TYPE_CHECKING:
    from matplotlib.axes import Axes


_MAX_LINE_CHARACTERS = 24  # of the names of two classes in one line


@dataclass(eq=False)
class EvidenceDisplay(Display):
    """One bar per feature, to the right in favour of the class and to the left against it; they sum to the log-odds.

    >>> from suffice import GaussianNB
    >>> from sklearn.datasets import load_iris
    >>> X, y = load_iris(return_X_y=True)
    >>> display = EvidenceDisplay.from_estimator(GaussianNB().fit(X, y), X, row=60)
    >>> bool(np.isclose(display.weights.sum(), display.log_odds))
    True
    """

    names: tuple[str, ...]
    weights: FloatArray
    log_odds: float
    of: Any
    against: Any

    @classmethod
    def from_estimator(
        cls,
        estimator: Any,
        X: TableLike,
        y: LabelsLike = None,
        *,
        row: int = 0,
        of: Any = None,
        against: Any = None,
        most: int = 12,
        ax: "Axes | None" = None,
    ) -> Self:
        """Evidence of one row of X under a Bayes classifier of suffice: the ``most`` strongest features, the rest merged."""
        model = model_of(estimator)
        table, names = aligned_table(estimator, X)
        if not 0 <= row < table.rows:
            raise ParameterError(f"row is {row!r}", f"X has {table.rows} rows")
        if most < 1:
            raise ParameterError(f"most is {most!r}", "it must be at least 1")
        cells = table.slice(row, row + 1)
        texts = {str(inner): f"{label_of(name)} = {cell(cells, inner)}" for name, inner in names.items()}
        one = estimator._open(X, reset=False).slice(row, row + 1)
        found = explain(model, one, estimator.classes_, of, against)
        named = replace(found, features=tuple(texts.get(f, f) for f in found.features))
        return cls.from_explanation(named, most=most, ax=ax)

    @classmethod
    def from_explanation(
        cls, explanation: Explanation, *, row: int = 0, most: int = 12, ax: "Axes | None" = None
    ) -> Self:
        """Display of a result of ``explain``."""
        parts = explanation.row(row)
        prior = parts.pop("(prior)")
        named, rest = list(parts.items())[:most], list(parts.values())[most:]
        if rest:
            named.append((f"{len(rest):,} other features", float(np.sum(rest))))
        named.append(("prior odds", prior))
        return cls(
            tuple(name for name, _ in named),
            np.array([weight for _, weight in named]),
            float(explanation.log_odds[row]),
            explanation.of[row],
            explanation.against[row],
        ).plot(ax)

    def _figure_size(self) -> tuple[float, float]:
        return 6.4, 1.4 + 0.3 * len(self.names)

    def _draw(self, ax: "Axes") -> None:
        known = np.abs(self.weights[np.isfinite(self.weights)])
        reach = float(known.max(initial=0.0)) or 1.0
        shown = np.clip(self.weights, -1.3 * reach, 1.3 * reach)  # infinite: drawn to the edge of the frame
        place = np.arange(len(shown))
        left, right = style.class_styles(2)
        for selected, side in ((shown >= 0, right), (shown < 0, left)):
            ax.barh(
                place[selected],
                shown[selected],
                height=0.72,
                color=side.colour,
                hatch=side.hatch,
                edgecolor=style.background(ax),
            )
        for i, weight in enumerate(self.weights):
            text = f"{weight:+.2f}" if np.isfinite(weight) else ("+∞" if weight > 0 else "−∞")
            ax.annotate(
                text.replace("-", "−"), (shown[i], i), (4 if weight >= 0 else -4, 0),
                textcoords="offset points", ha="left" if weight >= 0 else "right", va="center", fontsize="small",
            )  # fmt: skip
        ax.axvline(0, color=style.text_colour(), linewidth=1)
        ax.set_yticks(place, [style.name(name, 36) for name in self.names])
        ax.invert_yaxis()
        ax.margins(x=0.16)
        ax.spines[["top", "right", "left"]].set_visible(False)
        ax.tick_params(axis="y", length=0)
        of, against = style.name(self.of), style.name(self.against)
        odds = f"{self.log_odds:+.2f}".replace("-", "−") if np.isfinite(self.log_odds) else "infinite"
        short = len(of) + len(against) <= _MAX_LINE_CHARACTERS
        between = (" ", ": ") if short else ("\n", "\n")
        sides = f"← {style.name(self.against, 16)}      {style.name(self.of, 16)} →\nlog-odds"
        ax.set_xlabel(f"← {against}      log-odds      {of} →" if short else sides)
        ax.set_title(f"{of}{between[0]}against {against}{between[1]}log-odds {odds}", fontsize="medium")
