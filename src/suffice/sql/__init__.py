"""The model as a query, to score rows where they are."""

from suffice.sql import forms, gammas, normals, trees  # each registers what it knows
from suffice.sql.query import to_sql

__all__ = ["forms", "gammas", "normals", "to_sql", "trees"]
