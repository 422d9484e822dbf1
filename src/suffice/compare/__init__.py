"""Comparison of models of this package and others on the same folds."""

from suffice.compare.contestants import check_known, contestants
from suffice.compare.leaderboard import Entry, leaderboard

__all__ = ["Entry", "check_known", "contestants", "leaderboard"]
