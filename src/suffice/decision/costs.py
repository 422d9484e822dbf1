"""Costs of actions by class, from arrays, mappings and frames, aligned with the classes."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, TypeAlias

import numpy as np

from suffice.columns.inputs import LabelsLike
from suffice.columns.labels import Label
from suffice.decision.intake import label_array, places
from suffice.errors import ParameterError, quoted
from suffice.numerics.arrays import AnyArray, FloatArray
from suffice.sources import open_table

REJECT = "reject"
"""The action to reject a row, which then goes to a person."""

CostsLike: TypeAlias = Any
"""``Costs``, a table of them (an array or a frame), a mapping from (class, action), or None for 0 and 1."""


@dataclass(frozen=True, eq=False)
class Costs:
    """``values[i, a]`` is the cost of action a under class i; (rows, classes, actions) if costs differ by row.

    ``actions`` are the names of the columns: by default the classes if there are as many, and 0, 1, 2, … otherwise.
    ``classes`` are the names of the rows: by default in the order of the posterior's columns.

    >>> Costs([[0, 5, 1], [50, 0, 1]], actions=["send home", "treat", REJECT], classes=["well", "ill"]).actions[2]
    'reject'
    """

    values: Any
    actions: Any = None
    classes: LabelsLike = None


@dataclass(frozen=True, eq=False)
class Utilities:
    """Gains instead of costs, in any form of costs; losses are negative.

    The regret is minimised: the additional gain of the best action for the true class.
    """

    values: Any


def aligned(costs: CostsLike, classes: AnyArray) -> Costs:
    """Costs of any form, checked, with a row for each class in order and a name for each action; None is 0-1.

    >>> pairs = {("ill", "well"): 9.0, ("well", "ill"): 1.0, ("ill", REJECT): 0.5, ("well", REJECT): 0.5}
    >>> aligned(pairs, np.array(["ill", "well"])).values
    array([[0. , 9. , 0.5],
           [1. , 0. , 0.5]])
    """
    if costs is None:
        return Costs(1.0 - np.eye(len(classes)), classes, classes)
    gains = isinstance(costs, Utilities)
    table = _read(costs.values if gains else costs, classes)
    values = table.values
    if table.classes is not None:
        values = values.take(_order(label_array(table.classes).tolist(), classes), axis=-2)
    if values.ndim not in (2, 3) or values.shape[-2] != len(classes) or not values.shape[-1]:
        raise ParameterError(
            f"The costs have shape {values.shape}",
            f"a row for each of the {len(classes)} classes {quoted(classes.tolist())} is needed, a column an action",
        )
    actions = _names(table.actions, classes, values.shape[-1])
    if gains:
        _check_numbers(values, actions, classes, "utility")
        values = values.max(axis=-1, keepdims=True) - values
    _check_numbers(values, actions, classes, "cost")
    return Costs(np.ascontiguousarray(values), actions, classes)


def _read(table: Any, known: AnyArray) -> Costs:
    """The table with its labels, if it has any."""
    if isinstance(table, Costs):
        actions, classes = (None if names is None else label_array(names) for names in (table.actions, table.classes))
        return Costs(_numbers(table.values), actions, classes)
    if isinstance(table, Mapping):
        return _from_pairs(table, known)
    if hasattr(table, "index") and hasattr(table, "columns"):  # pandas: the index names the classes
        return Costs(_numbers(table), label_array(table.columns), label_array(table.index))
    if hasattr(table, "__arrow_c_stream__"):  # other frames have no index: their first column does
        opened = open_table(table)
        first, *others = opened.names
        values = np.column_stack([_numbers(opened.column(name)) for name in others])
        return Costs(values, label_array(others), label_array(opened.column(first)))
    return Costs(_numbers(table))


def _from_pairs(pairs: Mapping[Any, Any], classes: AnyArray) -> Costs:
    """Costs from {(class, action): cost or array of costs by row}. The action of the true class costs 0 by default."""
    wrong = [key for key in pairs if not (isinstance(key, tuple) and len(key) == 2)]
    if wrong or not pairs:
        raise ParameterError(
            f"The costs have the keys {quoted(list(pairs))}", "a mapping of costs has keys (class, action)"
        )
    rows: list[Label] = list(dict.fromkeys(row for row, _ in pairs))
    _refuse_unknown(rows, classes)
    named = dict.fromkeys(action for _, action in pairs)
    known = set(classes.tolist())
    # the classes in their order, then the other actions in order of appearance, REJECT last
    actions = [c for c in classes.tolist() if c in named] + [a for a in named if a not in known and a != REJECT]
    actions += [REJECT] if REJECT in named and REJECT not in actions else []
    missing = [(r, a) for r in rows for a in actions if (r, a) not in pairs and r != a]
    if missing:
        raise ParameterError(f"The costs lack {quoted(missing)}", "every pair of class and action needs a cost")
    cells = [[_numbers(pairs.get((r, a), 0.0)) for a in actions] for r in rows]
    lengths = {cell.shape for row in cells for cell in row} - {()}
    if len(lengths) > 1 or any(len(shape) > 1 for shape in lengths):
        raise ParameterError(
            f"The costs of the pairs have the shapes {quoted(sorted(lengths))}",
            "a cost is a number, or an array with one number a row",
        )
    return Costs(_stacked(cells, lengths.pop() if lengths else ()), label_array(actions), rows)


def _stacked(cells: list[list[FloatArray]], shape: tuple[int, ...]) -> FloatArray:
    out = np.empty((*shape, len(cells), len(cells[0])))
    for i, row in enumerate(cells):
        for a, cell in enumerate(row):
            out[..., i, a] = cell
    return out


def _numbers(values: Any) -> FloatArray:
    try:
        return np.asarray(values, dtype=np.float64)
    except (TypeError, ValueError):
        raise ParameterError(f"The costs hold {values!r}", "costs are numbers") from None


def _order(rows: list[Label], classes: AnyArray) -> AnyArray:
    """The row of each class; every class must have one, and no other."""
    _refuse_unknown(rows, classes)
    missing = [c for c in classes.tolist() if c not in rows]
    if missing or len(set(rows)) != len(rows):
        raise ParameterError(
            f"The rows of the costs are {quoted(rows)}", f"each of the classes {quoted(classes.tolist())} needs one row"
        )
    return np.array([rows.index(c) for c in classes.tolist()])


def _refuse_unknown(rows: list[Label], classes: AnyArray) -> None:
    places(rows, classes, "The costs name class")


def _names(actions: AnyArray | None, classes: AnyArray, width: int) -> AnyArray:
    if actions is None:
        return classes if width == len(classes) else np.arange(width)
    if actions.shape != (width,) or len(set(actions.tolist())) != width:
        raise ParameterError(
            f"The actions are {quoted(actions.tolist())}", f"each of the {width} columns of the costs needs a name"
        )
    return actions


def _check_numbers(values: FloatArray, actions: AnyArray, classes: AnyArray, what: str) -> None:
    least = -np.inf if what == "utility" else 0.0
    wrong = ~(np.isfinite(values) & (values >= least))
    if wrong.any():
        at = np.argwhere(wrong)[0]
        row = f" in row {at[0]}" if values.ndim == 3 else ""
        raise ParameterError(
            f"The {what} of action {actions.tolist()[at[-1]]!r} for class {classes.tolist()[at[-2]]!r}{row} "
            f"is {values[tuple(at)]:g}",
            "it must be a finite number" if what == "utility" else "it must be a finite number ≥ 0",
            "" if what == "utility" else "Gains go into Utilities(...)",
        )
