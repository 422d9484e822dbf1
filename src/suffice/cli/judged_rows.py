"""Rows left out: one way to choose them, and answers to them, kept in the model file to learn limits and sets from later."""

from collections.abc import Mapping
from typing import Any

import numpy as np

from suffice.decision.held_out import HeldOut
from suffice.errors import ParameterError
from suffice.evaluate import Assessment

_BATCH_PROBABILITIES, _LEAST_BATCH_ROWS = 1 << 17, 1_000  # a MiB of probabilities, or so many rows of very many classes


def keep_judged(estimator: Any, assessment: Assessment, seed: int) -> None:
    """Keep the posteriors of rows that were left out, and their classes, in the estimator; a sample of very many."""
    rng = np.random.default_rng([seed, 17])
    labels = estimator.classes_.tolist()
    place = np.array([labels.index(label) for label in assessment.classes])
    most = max(_BATCH_PROBABILITIES // len(labels), _LEAST_BATCH_ROWS)
    rows = np.sort(rng.permutation(len(assessment.codes))[:most])
    posterior = np.zeros((len(rows), len(labels)))
    posterior[:, place] = assessment.posterior[rows]
    codes = place[assessment.codes[rows]].astype(np.int32)
    posterior /= posterior.sum(axis=1, keepdims=True)
    estimator.held_out_ = HeldOut(posterior, codes, None, rng.random(len(rows)))


def check_one_way(given: Mapping[str, object]) -> None:
    """Refuse several options that each decide which rows are left out."""
    named = [name for name, value in given.items() if value is not None]
    if len(named) > 1:
        raise ParameterError(f"{' and '.join(named)} are given", "quality is estimated in one way", "Leave one out")
