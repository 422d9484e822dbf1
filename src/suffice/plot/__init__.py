"""Pictures, after scikit-learn's displays: ``from_estimator`` or ``from_predictions``, ``plot(ax=...)``, ``ax_``, ``figure_``.

They need the extra ``plot`` (matplotlib), which is loaded when the first is drawn. The numbers drawn are attributes; they
come from the layers below.
"""

from suffice.plot.confusion import ConfusionDisplay
from suffice.plot.cost_curve import CostCurveDisplay
from suffice.plot.curves import CurvesDisplay
from suffice.plot.densities import DensityDisplay
from suffice.plot.ellipses import EllipsesDisplay
from suffice.plot.evidence import EvidenceDisplay
from suffice.plot.images import ImagesDisplay
from suffice.plot.learning_curves import LearningCurveDisplay
from suffice.plot.nomogram import NomogramDisplay
from suffice.plot.prior_shift import PriorShiftDisplay
from suffice.plot.regions import RegionsDisplay
from suffice.plot.reliability import ReliabilityDisplay
from suffice.plot.risk_coverage import RiskCoverageDisplay
from suffice.plot.spy import SpyDisplay
from suffice.plot.words import WordsDisplay

__all__ = [
    "ConfusionDisplay",
    "CostCurveDisplay",
    "CurvesDisplay",
    "DensityDisplay",
    "EllipsesDisplay",
    "EvidenceDisplay",
    "ImagesDisplay",
    "LearningCurveDisplay",
    "NomogramDisplay",
    "PriorShiftDisplay",
    "RegionsDisplay",
    "ReliabilityDisplay",
    "RiskCoverageDisplay",
    "SpyDisplay",
    "WordsDisplay",
]
