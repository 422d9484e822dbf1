"""Random number generators from ``random_state``."""

from typing import Any, TypeAlias

import numpy as np

from suffice.errors import ParameterError

RandomState: TypeAlias = "int | np.integer[Any] | np.random.Generator | np.random.RandomState | None"
"""A seed, a generator, or None for a random seed."""


def generator(random_state: RandomState) -> "np.random.Generator":
    """A Generator from a seed, a Generator, a RandomState, or None for a random seed.

    >>> generator(7).integers(10**6) == generator(7).integers(10**6)
    np.True_
    """
    if isinstance(random_state, np.random.RandomState):
        return np.random.Generator(random_state._bit_generator)
    try:
        return np.random.default_rng(random_state)
    except (TypeError, ValueError):
        raise ParameterError(
            f"random_state is {random_state!r}", "it must be an integer ≥ 0, a Generator, a RandomState or None"
        ) from None
