"""A nomogram: the log-odds of every value of every column, to add up by hand."""

import warnings
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, Self

import numpy as np
from scipy.special import expit, logit

from suffice import posterior
from suffice.columns.inputs import LabelsLike, TableLike
from suffice.decision.intake import places
from suffice.errors import DataError, ParameterError
from suffice.explain import Marginals
from suffice.numerics.arrays import AnyArray, FloatArray
from suffice.plot import style
from suffice.plot.display import Display
from suffice.plot.nomogram_scales import EDGE, NomogramScale, nomogram_scales, worth_of
from suffice.plot.views import model_of, opened

if TYPE_CHECKING:
    from matplotlib.axes import Axes

_MOST_PANELS = 3
_REACH = 8.0  # log-odds of 3,000 to 1: a value that is worth more is beyond doubt, and stands at the edge
_SCALE = 7.5
_CHANCES = (0.001, 0.01, 0.1, 0.5, 0.9, 0.99, 0.999)


@dataclass(eq=False)
class NomogramDisplay(Display):
    """The log-odds of each class against a reference as a sum: prior log-odds plus the score of each column's value.

    There is a panel for each class shown, a scale for each column. The sums give the probabilities of all classes exactly, as
    their softmax, for however many classes.

    >>> from suffice import BayesClassifier
    >>> rows = [{"sky": "sun", "wind": 3.0}, {"sky": "rain", "wind": 9.0}, {"sky": "sun", "wind": 5.0}]
    >>> model = BayesClassifier(model="naive").fit(rows, ["play", "stay", "play"])
    >>> display = NomogramDisplay.from_estimator(model, rows, row=1)
    >>> bool(np.allclose(display.probability, model.predict_proba(rows)[1]))
    True
    """

    scales: tuple[NomogramScale, ...]
    """Scales, the most informative first."""
    prior: FloatArray
    """Log prior odds of each class against the reference."""
    classes: AnyArray
    against: int
    """The index of the reference class."""
    shown: tuple[int, ...]
    """The indices of the classes with a panel."""
    most: int
    """Number of scales to draw."""
    worth: FloatArray | None = None
    """(scales, classes) of the marked row."""
    cells: tuple[Any, ...] = ()
    """Its value in each scale's column."""

    @property
    def lanes(self) -> tuple[NomogramScale, ...]:
        """Deprecated name of ``scales``."""
        warnings.warn("lanes is deprecated: use scales.", FutureWarning, stacklevel=2)
        return self.scales

    @classmethod
    def from_estimator(
        cls,
        estimator: Any,
        X: TableLike,
        y: LabelsLike = None,
        *,
        row: int | None = None,
        against: Any = None,
        of: Sequence[Any] | None = None,
        most: int = 8,
        ax: "Axes | None" = None,
    ) -> Self:
        """Nomogram of a Bayes classifier of suffice with columns independent given the class; values range as in X.

        ``row`` is one to mark and to add up. ``against`` is the class all others are measured against, by default the one
        that is most probable. ``of`` are the classes to draw a panel for, by default the three most probable; all of them
        count in the probabilities.
        """
        model = model_of(estimator)
        if model.weighted_parts is not None and model.weighted_parts.parts:
            raise DataError(
                "The model has scores of several columns together",
                "a nomogram has one scale a column, and pairs, normals and forests are no sum over columns",
                "Fit with model='weighted' or model='naive', or use EvidenceDisplay; linear_form has pairs and normals",
            )
        log_prior = model.log_prior
        if model.weighted_parts is not None:  # the fitted bias is included in the prior odds
            log_prior = log_prior + model.weighted_parts.bias
            model = replace(model.current, fitted=replace(model.weighted_parts, bias=np.zeros(len(log_prior))))
        table, names = opened(estimator, X)
        classes = np.asarray(estimator.classes_)
        if row is not None and not 0 <= row < table.rows:
            raise ParameterError(f"row is {row!r}", f"X has {table.rows} rows")
        marked = None if row is None else table.slice(row, row + 1)
        if against is None:
            best = log_prior if marked is None else log_prior + model.evidence(marked)[1][0].sum(axis=0)
            reference = int(best.argmax())
        else:
            reference = int(places([against], classes, "There is no class")[0])
        found = nomogram_scales(Marginals(model), table, names, reference)
        prior = np.asarray(log_prior - log_prior[reference])
        worth = None if marked is None else worth_of(found, model, marked, reference)
        cells = () if marked is None else tuple(marked.objects(scale.column).values[0] for scale in found)
        total = prior if worth is None else prior + worth.sum(axis=0)
        if of is None:
            likely = [int(c) for c in np.argsort(-total, kind="stable") if c != reference]
            shown = tuple(sorted(likely[:_MOST_PANELS]))
        else:
            shown = tuple(int(c) for c in places(list(of), classes, "There is no class"))
        return cls(tuple(found), prior, classes, reference, shown, most, worth, cells).plot(ax)

    @property
    def total(self) -> FloatArray:
        """Log-odds of each class against the reference: of the marked row, or else of the prior."""
        return self.prior if self.worth is None else np.asarray(self.prior + self.worth.sum(axis=0))

    @property
    def probability(self) -> FloatArray:
        """The exact probability of each class."""
        return np.asarray(posterior.posterior(self.total[None].copy(), self.prior)[0])

    def _figure_size(self) -> tuple[float, float]:
        return 1.8 + 4.2 * len(self.shown), 1.8 + 0.62 * min(self.most, len(self.scales))

    def _draw(self, ax: "Axes") -> None:
        ax.set_axis_off()
        width = 1.0 / (len(self.shown) + 0.08 * (len(self.shown) - 1))
        reach = min(_REACH, max(scale.reach(self.shown) for scale in self.scales[: self.most]))
        share = 1.1 / (1.8 + 0.62 * min(self.most, len(self.scales)))
        for k, c in enumerate(self.shown):
            left = k * 1.08 * width
            self._draw_columns(ax.inset_axes((left, share, width, 1 - share)), c, reach, named=k == 0)
            self._draw_scale(ax.inset_axes((left, 0.0, width, 0.2 * share)), c)
        if self.worth is not None:
            said = ",  ".join(f"{c} {p:.1%}" for c, p in zip(style.names(self.classes), self.probability, strict=True))
            ax.set_title(
                f"probability: {said}" if len(self.classes) <= 6 else self._likeliest(), fontsize="medium", pad=26
            )

    def _likeliest(self) -> str:
        best = np.argsort(-self.probability, kind="stable")[:4]
        return (
            "probability: "
            + ",  ".join(f"{style.name(self.classes[c])} {self.probability[c]:.1%}" for c in best)
            + ", …"
        )

    def _draw_columns(self, part: "Axes", klass: int, reach: float, *, named: bool) -> None:
        drawn = self.scales[: self.most]
        look = style.looks(len(self.classes))[klass]
        for i, scale in enumerate(drawn):
            scale.draw(part, i, klass, reach, look)
            if self.worth is not None:
                x = float(np.clip(self.worth[i, klass], -EDGE * reach, EDGE * reach))
                y = i + scale.height(self.cells[i], reach, klass)
                part.plot(
                    x, y, marker="o", markersize=9, color=style.ink(), markerfacecolor="none", markeredgewidth=1.6
                )
        part.axvline(0, color=style.ink(), linewidth=0.8)
        part.set(xlim=(-1.25 * reach, 1.25 * reach), ylim=(len(drawn) - 0.4, -0.6))
        part.set_yticks(range(len(drawn)), style.names([scale.name for scale in drawn]) if named else [""] * len(drawn))
        part.tick_params(axis="y", length=0)
        part.xaxis.set_major_locator(style.toolkit("ticker").MaxNLocator(6, prune="both"))
        part.set_xlabel("worth of the value, in log-odds")
        title = f"{style.name(self.classes[klass])} against {style.name(self.classes[self.against])}"
        part.set_title(title, fontsize="medium")

    def _draw_scale(self, part: "Axes", klass: int) -> None:
        """Draw the scale from the sum to a probability, conditional on the two classes if there are more."""
        total = float(self.total[klass])
        marker = "v" if abs(total) <= _SCALE else (">" if total > 0 else "<")
        part.plot(np.clip(total, -_SCALE, _SCALE), 0, marker=marker, markersize=9, color=style.ink(), clip_on=False)
        part.set(xlim=(-_SCALE, _SCALE), ylim=(0, 1), yticks=[])
        part.spines[["top", "left", "right"]].set_visible(False)
        part.set_xticks(logit(np.array(_CHANCES)), [f"{100 * p:g} %" for p in _CHANCES], fontsize="small")
        what = "prior" if self.worth is None else f"prior {self.prior[klass]:+.2f}, with the values"
        of_two = " of the two" if len(self.classes) > 2 else ""
        part.set_xlabel(f"{what} {total:+.2f} → {expit(total):.1%}{of_two}".replace("-", "−"))
