"""The two tables that are joined by a query over texts: the tokens of rows, and the scores of words."""

from typing import Any

import numpy as np
import pyarrow as pa

from suffice.columns.bags import Bags
from suffice.columns.documents import Documents
from suffice.columns.kinds import Name
from suffice.columns.table import Table
from suffice.errors import DataError, NoSqlError, quoted
from suffice.families.base import WeightedDensity
from suffice.families.reading import read_block
from suffice.families.text.discounted import Discounted
from suffice.families.text.textbook import WordDensity
from suffice.model import Model
from suffice.numerics.arrays import AnyArray
from suffice.numerics.threads import thread_count
from suffice.sources import open_table
from suffice.sql.dialects import DIALECTS
from suffice.sql.query import cells_of
from suffice.sql.texts import views
from suffice.sql.words import COUNT, TOKEN, VIEW


def tokens(model: Any, rows: Any, key: Name = "id") -> Any:
    """The words of texts as a table to load into a database, for the query of ``to_sql``.

    Parameters
    ----------
    model : fitted classifier
        With columns of text.
    rows : table
        Rows with these columns and the ``key``.
    key : str, default="id"
        Column of unique values; the query joins rows and tokens on it.

    Returns
    -------
    pyarrow.Table
        A row for each distinct token of a view of a text: the key, ``view``, ``token``, ``count``.

    Examples
    --------
    >>> from suffice import BayesClassifier, Text
    >>> mails = {"id": [1, 2], "body": ["cheap cheap pills", "lunch at noon"]}
    >>> model = BayesClassifier({"body": Text("multinomial")}, model="naive").fit({"body": mails["body"]}, ["spam", "ham"])
    >>> tokens(model, mails).to_pylist()[0]
    {'id': 1, 'view': 'body', 'token': 'cheap', 'count': 2}
    """
    inner: Model = getattr(model, "model_", model)
    table = open_table(rows)
    keys = _keys(table, key)
    threads, parts = thread_count(None), []
    for block, density in zip(inner.blocks, inner.densities, strict=True):
        plain = density.density if isinstance(density, WeightedDensity) else density
        if not isinstance(plain, WordDensity | Discounted) or block.reads != "documents":
            continue
        documents = read_block(table, block, density, threads)
        assert isinstance(documents, Documents)
        parts += [
            _tokens_of(documents.bags(analyser, threads), view, keys, str(key))
            for view, analyser in views(plain, block.columns[0])
        ]
    if not parts:
        raise _no_text_columns(inner)
    return pa.concat_tables(parts)


def word_scores(model: Any) -> Any:
    """The scores of words as a table to load into a database, for the query of ``to_sql``.

    Parameters
    ----------
    model : fitted classifier
        With columns of text.

    Returns
    -------
    pyarrow.Table
        ``view``, ``token``, and for class i of ``classes_`` the score of the token, ``score_i``. The default also has
        ``correction_i`` and ``feature``, which normalises it.
    """
    inner: Model = getattr(model, "model_", model)
    cells, _ = cells_of(inner, DIALECTS["duckdb"], by_column=False)
    if not cells.words.views:
        raise _no_text_columns(inner)
    found, spelled, columns = cells.words.rows()
    return pa.table({VIEW: pa.array(found, pa.string()), TOKEN: pa.array(spelled, pa.string()), **columns})


def _tokens_of(bags: Bags, view: str, keys: Any, key: str) -> Any:
    spelled = bags.vocabulary.strings()
    storable = np.array([DIALECTS["duckdb"].can_store(word) for word in spelled], dtype=bool)
    if not storable.all():
        bags, spelled = (
            bags.selected(np.flatnonzero(storable)),
            [word for word, yes in zip(spelled, storable, strict=True) if yes],
        )
    row: AnyArray = np.repeat(np.arange(bags.rows), np.diff(bags.indptr))
    return pa.table({
        key: keys.take(pa.array(row)),
        VIEW: pa.array([view] * len(row), pa.string()),
        TOKEN: pa.array(spelled, pa.string()).take(pa.array(bags.ids)),
        COUNT: pa.array(bags.counts.astype(np.int64)),
    })  # fmt: skip


def _keys(table: Table, key: Name) -> Any:
    """The keys of the rows, checked to be unique and present."""
    if key not in table.names:
        raise DataError(
            f"There is no column {key!r}",
            f"tokens are joined to rows on it; the table has {quoted(list(table.names), most=10)}",
            "Name a column that identifies rows",
        )
    keys = pa.array(np.asarray(table.column(key), dtype=object).tolist(), from_pandas=True)
    if keys.null_count:
        raise DataError(f"Column {key!r} is missing in {keys.null_count:,} rows", "keys must be unique")
    twice = len(keys) - len(keys.unique())
    if twice:
        raise DataError(
            f"Column {key!r} has {twice:,} duplicate values",
            "keys must be unique",
            "Name a column that identifies rows",
        )
    return keys


def _no_text_columns(model: Model) -> NoSqlError:
    return NoSqlError(
        f"The model has no column of text among {quoted(list(model.names), most=10)}",
        "only texts have tokens",
        "Use the query of to_sql alone",
    )
