"""Costs of errors, from options or from a file."""

from collections.abc import Sequence
from typing import Any

from suffice.cli.class_numbers import label_named
from suffice.decision.costs import REJECT
from suffice.errors import DataError, ParameterError

OPTION = "--cost"


def costs_of(typed: Sequence[str], classes: Sequence[Any]) -> dict[tuple[Any, Any], float] | None:
    """{(class, action): cost}, from a table in a file or from ``ill:well=10`` for each error with a cost other than 1."""
    if not typed:
        return None
    if len(typed) == 1 and "=" not in typed[0]:
        return _table(typed[0], classes)
    pairs = {(a, b): float(a != b) for a in classes for b in classes}
    for one in typed:
        left, _, amount = one.rpartition("=")
        try:
            cost = float(amount)
        except ValueError:
            cost = -1.0
        if not left or ":" not in left or not cost >= 0:
            raise ParameterError(
                f"{OPTION} is {one!r}",
                "TRUE_CLASS:PREDICTED=COST is needed, with a cost of at least 0, or a file with a row for each class",
                f"Type {OPTION} '{classes[0]}:{classes[-1]}=10'; other errors cost 1",
            )
        pairs[_ends(left, classes)] = cost
    return pairs


def _ends(typed: str, classes: Sequence[Any]) -> tuple[Any, Any]:
    """Class and action; names may contain colons."""
    known = {str(label) for label in classes}
    cuts = [(typed[:i], typed[i + 1 :]) for i, c in enumerate(typed) if c == ":"]
    truth, answer = next((cut for cut in cuts if set(cut) <= known), cuts[0])
    return _named(truth, classes), REJECT if answer == REJECT else _named(answer, classes)


def _named(name: str, classes: Sequence[Any]) -> Any:
    return label_named(name, classes, f"{OPTION} has {name!r}")


def _table(place: str, classes: Sequence[Any]) -> dict[tuple[Any, Any], float]:
    """A cost table with a row per class, whose name is in the first column, and a column per action."""
    from suffice.cli.rows import open_rows

    known = {str(label): label for label in classes}
    pairs: dict[tuple[Any, Any], float] = {}
    for table in open_rows([place]).batches():
        for row in table.table.to_pylist():
            (_, name), *cells = row.items()
            truth = _named(str(name), classes)
            for action, cost in cells:
                if isinstance(cost, bool) or not isinstance(cost, (int, float)):
                    raise DataError(
                        f"The cost of {action!r} for class {name!r} in {place!r} is {cost!r}", "a number is needed"
                    )
                pairs[truth, known.get(action, action)] = float(cost)
    return pairs
