"""The model as a query, to score rows where they are; and a query that counts rows where they are."""

from suffice.sql import forms, gammas, normals, trees  # each registers what it knows
from suffice.sql.counting import counting
from suffice.sql.query import to_sql

__all__ = ["counting", "forms", "gammas", "normals", "to_sql", "trees"]
