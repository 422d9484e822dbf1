"""Which class was taken for which."""

from dataclasses import dataclass
from typing import Any

import numpy as np

from suffice.errors import DataError
from suffice.numerics.arrays import AnyArray, IntArray


@dataclass(frozen=True, eq=False)
class Confusion:
    """``count[i, a]`` rows of class i got answer a."""

    classes: AnyArray
    answers: AnyArray
    """The classes, then any other action that was taken, such as REJECT."""
    count: IntArray


def confusion(y: Any, answers: Any, classes: Any = None) -> Confusion:
    """Count the answers to the rows of each class. ``classes`` gives their order, by default that of the sorted labels.

    >>> table = confusion(["a", "a", "b"], ["a", "b", "reject"], ["a", "b"])
    >>> table.answers.tolist(), table.count.tolist()
    (['a', 'b', 'reject'], [[1, 1, 0], [0, 0, 1]])
    """
    truth, given = (np.asarray(v).tolist() for v in (y, answers))
    if len(truth) != len(given) or not truth:
        raise DataError(f"There are {len(truth)} labels and {len(given)} answers", "one answer a label is needed")
    seen = sorted({*truth, *given}, key=str)
    known = (
        (seen if all(a in truth for a in given) else sorted(set(truth), key=str)) if classes is None else list(classes)
    )
    known = [c.item() if isinstance(c, np.generic) else c for c in known]
    unknown = [v for v in truth if v not in known]
    if unknown:
        raise DataError(f"The labels include {unknown[0]!r}", f"the classes are {', '.join(map(repr, known))}")
    actions = [*known, *(a for a in seen if a in given and a not in known)]
    row, column = ({v: i for i, v in enumerate(names)} for names in (known, actions))
    count = np.zeros((len(known), len(actions)), dtype=np.int64)
    np.add.at(count, ([row[v] for v in truth], [column[v] for v in given]), 1)
    return Confusion(np.array(known), np.array(actions, dtype=object), count)
