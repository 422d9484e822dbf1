"""The model as a query, to score rows where they are."""

from suffice.sql.query import to_sql

__all__ = ["to_sql"]
