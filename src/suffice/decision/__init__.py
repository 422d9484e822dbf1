"""Decisions: posteriors of any classifier in, actions out. The meta-estimator over all of it is ``suffice.BayesDecision``."""

from suffice.decision.boundaries import Boundary, boundaries
from suffice.decision.budgets import ErrorBudget, Novelty, Workload, learn_reject
from suffice.decision.calibration import calibrate
from suffice.decision.cost_curve import CostCurve, cost_curve
from suffice.decision.costs import REJECT, Costs, Utilities
from suffice.decision.decide import Decision, decide
from suffice.decision.expected_cost import expected_cost
from suffice.decision.fusion import fuse
from suffice.decision.isotonic import Isotonic
from suffice.decision.prior_shift import PriorShift, prior_shift
from suffice.decision.priors import PriorEstimate, correct_priors, estimate_priors
from suffice.decision.reject import Chow, ConfidenceFloor, DensityFloor, RiskLimit
from suffice.decision.reliability import (
    BrierParts,
    ReliabilityCurve,
    brier_decomposition,
    calibration_error,
    reliability,
)
from suffice.decision.risk_coverage import RiskCoverage, risk_coverage
from suffice.decision.scaling import Scaling
from suffice.decision.sets import ConformalSets, conformal
from suffice.decision.thresholds import Threshold
from suffice.decision.value_of import CellValue, ValueOf, value_of
from suffice.decision.worth_measuring import worth_measuring

__all__ = [
    "REJECT",
    "Boundary",
    "BrierParts",
    "CellValue",
    "Chow",
    "ConfidenceFloor",
    "ConformalSets",
    "CostCurve",
    "Costs",
    "Decision",
    "DensityFloor",
    "ErrorBudget",
    "Isotonic",
    "Novelty",
    "PriorEstimate",
    "PriorShift",
    "ReliabilityCurve",
    "RiskCoverage",
    "RiskLimit",
    "Scaling",
    "Threshold",
    "Utilities",
    "ValueOf",
    "Workload",
    "boundaries",
    "brier_decomposition",
    "calibrate",
    "calibration_error",
    "conformal",
    "correct_priors",
    "cost_curve",
    "decide",
    "estimate_priors",
    "expected_cost",
    "fuse",
    "learn_reject",
    "prior_shift",
    "reliability",
    "risk_coverage",
    "value_of",
    "worth_measuring",
]
