"""How good are the answers: scores of posteriors, and learning curves."""

from suffice.evaluate.learning_curves import LearningCurve, learning_curve
from suffice.evaluate.scores import accuracy, brier_score, log_loss, pairwise_accuracies, pairwise_accuracy

__all__ = [
    "LearningCurve",
    "accuracy",
    "brier_score",
    "learning_curve",
    "log_loss",
    "pairwise_accuracies",
    "pairwise_accuracy",
]
