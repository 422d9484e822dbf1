"""Queries that score rows in a database by a model, or compute the statistics of a model there."""

from suffice.sql import forms, gammas, normals, texts, trees  # each registers its forms
from suffice.sql.counting import counting
from suffice.sql.query import to_sql
from suffice.sql.script import script
from suffice.sql.tokens import tokens, word_scores
from suffice.sql.words import WORD_KEY, TextTables

__all__ = [
    "WORD_KEY", "TextTables", "counting", "forms", "gammas", "normals", "script", "texts", "to_sql", "tokens", "trees",
    "word_scores",
]  # fmt: skip
