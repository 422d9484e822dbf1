"""Evaluation: scores of posteriors, cross-validation and leave-one-out, and learning curves."""

from suffice.evaluate.assessment import Assessment, Score
from suffice.evaluate.confusion import Confusion, confusion
from suffice.evaluate.cross_validation import cross_validate
from suffice.evaluate.description import ColumnDescription, Description, describe
from suffice.evaluate.difference import ClassDifference, ColumnDifference, Difference, difference
from suffice.evaluate.evidence import log_evidence
from suffice.evaluate.learning_curves import LearningCurve, learning_curve
from suffice.evaluate.leave_one_out import leave_one_out
from suffice.evaluate.ranking import Ranking, ranking
from suffice.evaluate.scores import (
    accuracy,
    brier_score,
    log_loss,
    log_loss_of_logs,
    pairwise_accuracies,
    pairwise_accuracy,
)
from suffice.evaluate.suspects import Suspect, Suspects, suspects
from suffice.model.drift import ColumnDrift, drift

__all__ = [
    "Assessment",
    "ClassDifference",
    "ColumnDescription",
    "ColumnDifference",
    "ColumnDrift",
    "Confusion",
    "Description",
    "Difference",
    "LearningCurve",
    "Ranking",
    "Score",
    "Suspect",
    "Suspects",
    "accuracy",
    "brier_score",
    "confusion",
    "cross_validate",
    "describe",
    "difference",
    "drift",
    "learning_curve",
    "leave_one_out",
    "log_evidence",
    "log_loss",
    "log_loss_of_logs",
    "pairwise_accuracies",
    "pairwise_accuracy",
    "ranking",
    "suspects",
]
