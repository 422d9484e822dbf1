"""Weights without a fold, beside those that are fitted to the other folds."""

import numpy as np
import pytest

from suffice.numerics.scored_rows import ScoredRows
from suffice.parts.weights import fit_second_stage, fit_weights, second_stage_without_folds, without_folds


def scored_rows(rng, classes, rows=1_500, parts=6):
    """Scores that tell the class, some of them better than others and the last one not at all."""
    y = rng.integers(0, classes, rows).astype(np.int32)
    right = np.arange(classes) == y[:, None]
    scores = [rng.normal(size=(rows, classes)) + strength * right for strength in np.linspace(1.0, 0.0, parts)]
    return ScoredRows.of(scores, y, np.ones(rows), classes)


def columns_of(rows):
    """What ``fit_weights`` is told of the scores."""
    equal = np.full(rows.classes, -np.log(rows.classes))
    return np.full(rows.parts, 10.0), np.ones(rows.parts, dtype=bool), equal


@pytest.mark.parametrize("classes", [2, 4])
@pytest.mark.parametrize("beside", [False, True])
def test_weights_without_a_fold_are_those_of_the_others(rng, classes, beside):
    rows = scored_rows(rng, classes)
    fold = (np.arange(len(rows.y)) % 5).astype(np.int32)

    def fitted(some):
        return (
            fit_second_stage(some, 10.0, 1, tol=1e-9)
            if beside
            else fit_weights(some, *columns_of(rows), None, 1, tol=1e-9)
        )

    whole = fitted(rows)
    steps = (
        second_stage_without_folds(rows, fold, 10.0, whole, 1)
        if beside
        else without_folds(rows, fold, *columns_of(rows), whole, 1)
    )
    assert len(steps) == 5
    for k, step in enumerate(steps):
        exact = fitted(rows.take(np.flatnonzero(fold != k)))
        moved = np.linalg.norm(exact.scores - whole.scores)
        assert moved > 1e-3  # the fold counts
        assert np.linalg.norm(step.scores - exact.scores) < 0.3 * moved
        np.testing.assert_allclose(step.bias, exact.bias, atol=0.3 * np.abs(exact.bias - whole.bias).max() + 1e-3)
        assert (step.scores >= 0).all()


def test_a_search_that_begins_elsewhere_ends_at_the_same_weights(rng):
    rows = scored_rows(rng, 3)
    whole = fit_weights(rows, *columns_of(rows), None, 1, tol=1e-9)
    others = rows.take(np.arange(0, len(rows.y), 2))
    near, far = (fit_weights(others, *columns_of(rows), start, 1, tol=1e-9) for start in (whole, None))
    np.testing.assert_allclose(near.scores, far.scores, atol=1e-4)
    np.testing.assert_allclose(near.bias, far.bias, atol=1e-4)
