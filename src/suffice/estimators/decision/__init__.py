"""The decision as an estimator."""

from suffice.estimators.decision.bayes_decision import BayesDecision

__all__ = ["BayesDecision"]
