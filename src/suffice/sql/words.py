"""Words of texts in a query: sums over a table of tokens joined with a table of word scores."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

import numpy as np

from suffice.columns.kinds import Name
from suffice.columns.vocabulary import Vocabulary
from suffice.errors import NoSqlError
from suffice.numerics.arrays import FloatArray
from suffice.sql.dialects import Dialect
from suffice.sql.steps import QueryStep

VIEW, TOKEN, COUNT = "view", "token", "count"
"""Columns of the table of tokens, beside the key of the row."""
WORD_KEY = (VIEW, TOKEN)
"""The primary key of the table of words."""

_MAX_COLUMNS = 1600  # of a table in PostgreSQL; SQLite allows 2,000


@dataclass(frozen=True)
class WordScores:
    """Scores of the words of one view: one number per word for each column of the table of words."""

    vocabulary: Vocabulary
    columns: dict[str, FloatArray]


@dataclass(frozen=True)
class TextTables:
    """Names of the tables of tokens and words, and the key that joins rows and tokens."""

    key: Name = "id"
    tokens: "str | Sequence[str]" = "tokens"
    words: "str | Sequence[str]" = "words"


@dataclass
class WordSums:
    """Sums over the words of each row, for log densities."""

    dialect: Dialect
    sums: QueryStep = field(default_factory=lambda: QueryStep("t"))
    views: dict[str, Callable[[], WordScores]] = field(default_factory=dict)
    """The rows of the table of words by view, computed lazily."""

    def add_view(self, view: str, scores: Callable[[], WordScores]) -> None:
        if view in self.views:
            raise NoSqlError(f"Two texts have views named {view!r}", "names must differ", "Rename one of the columns")
        self.views[view] = scores

    def check_classes(self, columns: int, n_classes: int) -> None:
        """Raise if the table of words would be too wide."""
        if columns * n_classes + 3 > _MAX_COLUMNS:
            raise NoSqlError(
                f"The model scores words for {n_classes:,} classes",
                f"a table of words has {columns} columns a class, and databases allow {_MAX_COLUMNS:,}",
                "Score the rows in Python",
            )

    def sum(self, views: Sequence[str], each: str) -> str:
        """Σ over the distinct words of views; ``each`` is an expression of the count ``n`` and of columns of ``w``."""
        named = ", ".join(self.dialect.text(view) for view in views)
        return self.sums.name(f"SUM(CASE WHEN q.v IN ({named}) THEN {each} ELSE 0e0 END)")

    def column(self, name: str) -> str:
        """A column of the table of words; NULL for an unknown word."""
        return f"w.{self.dialect.name(name)}"

    def steps(self, tables: TextTables, before: str) -> list[tuple[str, str]]:
        """Named steps of the query, which count the words of each row, sum their scores, and join the sums to the step
        ``before`` on its key ``d``."""
        dialect = self.dialect
        key, view, token, count = (dialect.name(name) for name in (tables.key, VIEW, TOKEN, COUNT))
        counted = f"SELECT {key} AS d, {view} AS v, {token} AS t, CAST(SUM({count}) AS {dialect.double}) AS n"
        joined = f"LEFT JOIN {dialect.table(tables.words)} w ON w.{view} = q.v AND w.{token} = q.t"
        sums = [f"COALESCE(s.{alias}, 0e0) AS {alias}" for alias in self.sums.aliases.values()]
        return [
            ("suffice_tokens", f"{counted} FROM {dialect.table(tables.tokens)} GROUP BY {key}, {view}, {token}"),
            (
                "suffice_words",
                f"SELECT q.d, {', '.join(self.sums.columns)} FROM suffice_tokens q {joined} GROUP BY q.d",
            ),
            ("suffice_texts", f"SELECT c.*, {', '.join(sums)} FROM {before} c LEFT JOIN suffice_words s ON s.d = c.d"),
        ]

    def rows(self) -> tuple[list[str], list[str], dict[str, FloatArray]]:
        """The table of words: view, token, and columns of numbers, zero where a view has no such column. Words that cannot
        be stored in a database are skipped."""
        views: list[str] = []
        tokens: list[str] = []
        parts: list[tuple[int, dict[str, FloatArray]]] = []
        for view, make in self.views.items():
            scores = make()
            strings = scores.vocabulary.strings()
            storable = [i for i, word in enumerate(strings) if self.dialect.can_store(word)]
            views += [view] * len(storable)
            tokens += [strings[i] for i in storable]
            parts.append((len(storable), {name: values[storable] for name, values in scores.columns.items()}))
        names = dict.fromkeys(name for _, columns in parts for name in columns)
        return views, tokens, {
            name: np.concatenate([columns.get(name, np.zeros(n)) for n, columns in parts]) for name in names
        }  # fmt: skip
