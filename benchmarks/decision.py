"""Decisions compared with the one matrix product that they require."""

import numpy as np

from benchmarks.race import Result, race
from suffice.decision import REJECT, Costs, decide


def least_risk() -> list[Result]:
    rng = np.random.default_rng(0)
    posterior, matrix = rng.dirichlet(np.ones(10), 1_000_000), rng.random((10, 11))
    costs = Costs(matrix, actions=[*range(10), REJECT])
    return [
        race(
            "decide 1,000,000 × 10 under 10 × 11 costs (and one product)",
            lambda: decide(posterior, costs),
            lambda: posterior @ matrix,
            bar="≥ 0.33× (≤ 3 products)",
            rounds=9,
        )
    ]
