"""Weights without a fold, beside those that are fitted to the other folds."""

import numpy as np
import pytest

from suffice.numerics.scored_rows import ScoredRows
from suffice.parts.weights import fit_beside, fit_weights, without_folds


def scored_rows(rng, classes, rows=1_500, parts=6):
    """Scores that tell the class, some of them better than others and the last one not at all."""
    y = rng.integers(0, classes, rows).astype(np.int32)
    right = np.arange(classes) == y[:, None]
    scores = [rng.normal(size=(rows, classes)) + strength * right for strength in np.linspace(1.0, 0.0, parts)]
    return ScoredRows.of(scores, y, np.ones(rows), classes)


@pytest.mark.parametrize("classes", [2, 4])
def test_weights_without_a_fold_are_those_of_the_others(rng, classes):
    rows = scored_rows(rng, classes)
    ridge, together, log_prior = (
        np.full(rows.parts, 10.0),
        np.ones(rows.parts, dtype=bool),
        np.full(classes, -np.log(classes)),
    )

    def fitted(some):
        return fit_weights(some, ridge, together, log_prior, None, 1, tol=1e-9)

    whole, fold = fitted(rows), (np.arange(len(rows.y)) % 5).astype(np.int32)
    steps = without_folds(rows, fold, ridge, together, log_prior, whole, 1)
    assert len(steps) == 5
    for k, step in enumerate(steps):
        exact = fitted(rows.some(np.flatnonzero(fold != k)))
        moved = np.linalg.norm(exact.scores - whole.scores)
        assert moved > 1e-3  # the fold counts
        assert np.linalg.norm(step.scores - exact.scores) < 0.3 * moved
        np.testing.assert_allclose(step.bias, exact.bias, atol=0.3 * np.abs(exact.bias - whole.bias).max() + 1e-3)
        assert (step.scores >= 0).all()


def test_a_search_that_begins_elsewhere_ends_at_the_same_weights(rng):
    rows = scored_rows(rng, 3)
    whole = fit_beside(rows, 10.0, 1, tol=1e-9)
    others = rows.some(np.arange(0, len(rows.y), 2))
    near, far = fit_beside(others, 10.0, 1, start=whole, tol=1e-9), fit_beside(others, 10.0, 1, tol=1e-9)
    np.testing.assert_allclose(near.scores, far.scores, atol=1e-4)
    np.testing.assert_allclose(near.bias, far.bias, atol=1e-4)
