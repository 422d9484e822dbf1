"""Pictures, after scikit-learn's displays: ``from_estimator`` or ``from_predictions``, ``plot(ax=...)``, ``ax_``, ``figure_``.

They need the extra ``plot``; matplotlib is imported when the first picture is drawn. The plotted numbers are attributes of the
display.
"""

from typing import TYPE_CHECKING

from suffice.lazy_names import lazy_names

if TYPE_CHECKING:
    from suffice.plot.confusion import ConfusionDisplay as ConfusionDisplay
    from suffice.plot.cost_curve import CostCurveDisplay as CostCurveDisplay
    from suffice.plot.curves import CurvesDisplay as CurvesDisplay
    from suffice.plot.densities import DensityDisplay as DensityDisplay
    from suffice.plot.effects import EffectDisplay as EffectDisplay
    from suffice.plot.ellipses import EllipsesDisplay as EllipsesDisplay
    from suffice.plot.evidence import EvidenceDisplay as EvidenceDisplay
    from suffice.plot.images import ImagesDisplay as ImagesDisplay
    from suffice.plot.learning_curves import LearningCurveDisplay as LearningCurveDisplay
    from suffice.plot.nomogram import NomogramDisplay as NomogramDisplay
    from suffice.plot.prior_shift import PriorShiftDisplay as PriorShiftDisplay
    from suffice.plot.ranking import RankingDisplay as RankingDisplay
    from suffice.plot.regions import RegionsDisplay as RegionsDisplay
    from suffice.plot.reliability import ReliabilityDisplay as ReliabilityDisplay
    from suffice.plot.risk_coverage import RiskCoverageDisplay as RiskCoverageDisplay
    from suffice.plot.spy import SpyDisplay as SpyDisplay
    from suffice.plot.words import WordsDisplay as WordsDisplay

_LAZY_IMPORTS = {
    "ConfusionDisplay": "confusion",
    "CostCurveDisplay": "cost_curve",
    "CurvesDisplay": "curves",
    "DensityDisplay": "densities",
    "EffectDisplay": "effects",
    "EllipsesDisplay": "ellipses",
    "EvidenceDisplay": "evidence",
    "ImagesDisplay": "images",
    "LearningCurveDisplay": "learning_curves",
    "NomogramDisplay": "nomogram",
    "PriorShiftDisplay": "prior_shift",
    "RankingDisplay": "ranking",
    "RegionsDisplay": "regions",
    "ReliabilityDisplay": "reliability",
    "RiskCoverageDisplay": "risk_coverage",
    "SpyDisplay": "spy",
    "WordsDisplay": "words",
}

if not TYPE_CHECKING:
    __all__ = list(_LAZY_IMPORTS)
    __getattr__, __dir__ = lazy_names(__name__, _LAZY_IMPORTS)
