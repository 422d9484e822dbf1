"""Inter-annotator agreement on the cases that several people labelled."""

import msgspec
import numpy as np


class Agreement(msgspec.Struct, frozen=True):
    """Over ``cases`` with two labels or more: the share on which ``all_agree``, and Krippendorff's ``alpha`` for nominal
    data, 1 for full agreement and 0 for agreement by chance; null where there is nothing to compare."""

    cases: int
    all_agree: float | None
    alpha: float | None


def agreement(counts: list[list[int]]) -> Agreement:
    """Agreement from the count of each label, one row per case.

    alpha = 1 − D_observed / D_expected, where D is the probability that two opinions differ: two on the same case (a case of m
    opinions weighs m), or any two.

    >>> agreement([[2, 0], [0, 2], [1, 1]])
    Agreement(cases=3, all_agree=0.6666666666666666, alpha=0.4444444444444444)
    """
    if not counts:
        return Agreement(0, None, None)
    table = np.asarray(counts, dtype=float)
    each, total = table.sum(axis=1), table.sum()
    differing = (each**2 - (table**2).sum(axis=1)) / (each - 1)
    by_chance = (total**2 - (table.sum(axis=0) ** 2).sum()) / (total - 1)
    alpha = 1.0 - differing.sum() / by_chance if by_chance > 0 else None
    return Agreement(len(counts), float((differing == 0).mean()), None if alpha is None else float(alpha))
