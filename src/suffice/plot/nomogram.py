"""A nomogram: the log-odds of each value of each column, whose sum gives the probability."""

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
from suffice.plot.nomogram_scales import EDGE, NomogramScale, nomogram_scales, row_log_odds
from suffice.plot.views import aligned_table, model_of

if TYPE_CHECKING:
    from matplotlib.axes import Axes

_MAX_PANELS = 3
_MAX_LOG_ODDS = 8.0  # odds of 3,000 to 1; values with more are drawn at the edge
_MAX_SCALE_LOG_ODDS = 7.5
_TICK_PROBABILITIES = (0.001, 0.01, 0.1, 0.5, 0.9, 0.99, 0.999)


@dataclass(eq=False)
class NomogramDisplay(Display):
    """The log-odds of each class against a reference as a sum: prior log-odds plus the score of each column's value.

    Each class shown has a panel, each column a scale. The softmax of the sums is the exact posterior of all classes.

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
    log_odds: FloatArray | None = None
    """Log-odds of the cells of the marked row, (scales, classes)."""
    cells: tuple[Any, ...] = ()
    """Cells of the marked row, one per scale."""

    @property
    def lanes(self) -> tuple[NomogramScale, ...]:
        """Deprecated name of ``scales``."""
        warnings.warn("lanes is deprecated: use scales.", FutureWarning, stacklevel=2)
        return self.scales

    @property
    def worth(self) -> FloatArray | None:
        """Deprecated name of ``log_odds``."""
        warnings.warn("worth is deprecated: use log_odds.", FutureWarning, stacklevel=2)
        return self.log_odds

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
        """Nomogram of a Bayes classifier of suffice with columns independent given the class; scales have the range of X.

        ``row`` is the row to mark and to sum up. ``against`` is the reference class, by default the most probable one. ``of``
        are the classes with a panel, by default the three most probable; the probabilities include all classes.
        """
        model = model_of(estimator)
        if model.weighted_parts is not None and model.weighted_parts.parts:
            raise DataError(
                "The model has scores of several columns together",
                "a nomogram has one scale per column, and pairs, normals and forests are not sums over columns",
                "Fit with model='weighted' or model='naive', or use EvidenceDisplay; linear_form has pairs and normals",
            )
        log_prior = model.log_prior
        if model.weighted_parts is not None:  # the fitted bias is included in the prior odds
            log_prior = log_prior + model.weighted_parts.bias
            model = replace(model.current, fitted=replace(model.weighted_parts, bias=np.zeros(len(log_prior))))
        table, names = aligned_table(estimator, X)
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
        log_odds = None if marked is None else row_log_odds(found, model, marked, reference)
        cells = () if marked is None else tuple(marked.objects(scale.column).values[0] for scale in found)
        total = prior if log_odds is None else prior + log_odds.sum(axis=0)
        if of is None:
            likely = [int(c) for c in np.argsort(-total, kind="stable") if c != reference]
            shown = tuple(sorted(likely[:_MAX_PANELS]))
        else:
            shown = tuple(int(c) for c in places(list(of), classes, "There is no class"))
        return cls(tuple(found), prior, classes, reference, shown, most, log_odds, cells).plot(ax)

    @property
    def total(self) -> FloatArray:
        """Log-odds of each class against the reference: of the marked row, otherwise of the prior."""
        return self.prior if self.log_odds is None else np.asarray(self.prior + self.log_odds.sum(axis=0))

    @property
    def probability(self) -> FloatArray:
        """The exact probability of each class."""
        return np.asarray(posterior.posterior(self.total[None].copy(), self.prior)[0])

    def _figure_size(self) -> tuple[float, float]:
        return 1.8 + 4.2 * len(self.shown), 1.8 + 0.62 * min(self.most, len(self.scales))

    def _draw(self, ax: "Axes") -> None:
        ax.set_axis_off()
        width = 1.0 / (len(self.shown) + 0.08 * (len(self.shown) - 1))
        reach = min(_MAX_LOG_ODDS, max(scale.reach(self.shown) for scale in self.scales[: self.most]))
        share = 1.1 / (1.8 + 0.62 * min(self.most, len(self.scales)))
        for k, c in enumerate(self.shown):
            left = k * 1.08 * width
            self._draw_columns(ax.inset_axes((left, share, width, 1 - share)), c, reach, named=k == 0)
            self._draw_scale(ax.inset_axes((left, 0.0, width, 0.2 * share)), c)
        if self.log_odds is not None:
            probabilities = ",  ".join(
                f"{c} {p:.1%}" for c, p in zip(style.names(self.classes), self.probability, strict=True)
            )
            ax.set_title(
                f"probability: {probabilities}" if len(self.classes) <= 6 else self._most_probable(),
                fontsize="medium",
                pad=26,
            )

    def _most_probable(self) -> str:
        best = np.argsort(-self.probability, kind="stable")[:4]
        return (
            "probability: "
            + ",  ".join(f"{style.name(self.classes[c])} {self.probability[c]:.1%}" for c in best)
            + ", …"
        )

    def _draw_columns(self, part: "Axes", klass: int, reach: float, *, named: bool) -> None:
        drawn = self.scales[: self.most]
        class_style = style.class_styles(len(self.classes))[klass]
        for i, scale in enumerate(drawn):
            scale.draw(part, i, klass, reach, class_style)
            if self.log_odds is not None:
                x = float(np.clip(self.log_odds[i, klass], -EDGE * reach, EDGE * reach))
                y = i + scale.height(self.cells[i], reach, klass)
                part.plot(
                    x,
                    y,
                    marker="o",
                    markersize=9,
                    color=style.text_colour(),
                    markerfacecolor="none",
                    markeredgewidth=1.6,
                )
        part.axvline(0, color=style.text_colour(), linewidth=0.8)
        part.set(xlim=(-1.25 * reach, 1.25 * reach), ylim=(len(drawn) - 0.4, -0.6))
        part.set_yticks(range(len(drawn)), style.names([scale.name for scale in drawn]) if named else [""] * len(drawn))
        part.tick_params(axis="y", length=0)
        part.xaxis.set_major_locator(style.toolkit("ticker").MaxNLocator(6, prune="both"))
        part.set_xlabel("log-odds of the value")
        title = f"{style.name(self.classes[klass])} against {style.name(self.classes[self.against])}"
        part.set_title(title, fontsize="medium")

    def _draw_scale(self, part: "Axes", klass: int) -> None:
        """Draw the scale that maps the sum to a probability, conditional on the two classes if there are more."""
        total = float(self.total[klass])
        marker = "v" if abs(total) <= _MAX_SCALE_LOG_ODDS else (">" if total > 0 else "<")
        part.plot(
            np.clip(total, -_MAX_SCALE_LOG_ODDS, _MAX_SCALE_LOG_ODDS),
            0,
            marker=marker,
            markersize=9,
            color=style.text_colour(),
            clip_on=False,
        )
        part.set(xlim=(-_MAX_SCALE_LOG_ODDS, _MAX_SCALE_LOG_ODDS), ylim=(0, 1), yticks=[])
        part.spines[["top", "left", "right"]].set_visible(False)
        part.set_xticks(
            logit(np.array(_TICK_PROBABILITIES)), [f"{100 * p:g} %" for p in _TICK_PROBABILITIES], fontsize="small"
        )
        what = "prior" if self.log_odds is None else f"prior {self.prior[klass]:+.2f}, with the values"
        of_two = " of the two" if len(self.classes) > 2 else ""
        part.set_xlabel(f"{what} {total:+.2f} → {expit(total):.1%}{of_two}".replace("-", "−"))
