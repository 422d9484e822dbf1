"""A model of rows that were gathered."""

from typing import Any

from suffice.cli.columns import unknown_column
from suffice.cli.gather import Gathered
from suffice.errors import DataError
from suffice.estimators.bayes import BayesClassifier
from suffice.sources.batches import Tables


def dropped(names: str | None, rows: Any, target: str) -> list[str]:
    """The columns that were asked to be left out, checked to be there."""
    wanted = [name for name in (names or "").split(",") if name]
    for name in wanted:
        if name not in rows.column_names or name == target:
            raise unknown_column(name, [n for n in rows.column_names if n != target])
    return wanted


def fitted(estimator: BayesClassifier, found: Gathered, target: str, drop: list[str]) -> BayesClassifier:
    """Learned from all rows, also where only a sample of them was gathered."""
    away = set(drop) | ({"file"} - set(found.sample.column_names))
    source = found.learnable
    if away:
        full = source
        source = Tables(full.name, lambda: (_without(t.table, away) for t in full.batches()))
    classes = found.sample.column(target).unique().drop_null()
    if len(classes) < 2:
        raise DataError(
            f"Every row has the class {classes[0].as_py()!r}" if len(classes) else f"Column {target!r} is empty",
            "at least two classes are needed to tell apart",
            "Name another column with --target",
        )
    return estimator.fit(source, target)


def _without(table: Any, names: set[str]) -> Any:
    return table.drop_columns([name for name in table.column_names if name in names])
