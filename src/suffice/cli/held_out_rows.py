"""Held-out posteriors in the model file, to which limits and conformal sets are fitted later."""

from collections.abc import Mapping
from typing import Any

import numpy as np

from suffice.decision.held_out import HeldOut
from suffice.errors import ParameterError
from suffice.evaluate import Assessment

_BATCH_PROBABILITIES, _MIN_BATCH_ROWS = 1 << 17, 1_000  # a MiB of probabilities, and a minimum number of rows


def store_held_out(estimator: Any, assessment: Assessment, seed: int) -> None:
    """Store held-out posteriors and class codes in the estimator; a sample if there are very many."""
    rng = np.random.default_rng([seed, 17])
    labels = estimator.classes_.tolist()
    place = np.array([labels.index(label) for label in assessment.classes])
    most = max(_BATCH_PROBABILITIES // len(labels), _MIN_BATCH_ROWS)
    rows = np.sort(rng.permutation(len(assessment.codes))[:most])
    posterior = np.zeros((len(rows), len(labels)))
    posterior[:, place] = assessment.posterior[rows]
    codes = place[assessment.codes[rows]].astype(np.int32)
    posterior /= posterior.sum(axis=1, keepdims=True)
    estimator.held_out_ = HeldOut(posterior, codes, None, rng.random(len(rows)))


def check_one_split(given: Mapping[str, object]) -> None:
    """Raise an error for several options that each determine the held-out rows."""
    named = [name for name, value in given.items() if value is not None]
    if len(named) > 1:
        raise ParameterError(f"{' and '.join(named)} are given", "quality is estimated in one way", "Give one of them")
