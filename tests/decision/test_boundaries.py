"""Where decisions change: along a line, and under another prior."""

import numpy as np
import pytest
from scipy import stats

from suffice.decision import boundaries, correct_priors, decide, expected_cost, prior_shift
from suffice.errors import ParameterError


def test_boundaries_of_normals_solve_their_quadratic(rng):
    for _ in range(20):
        (a, b), (s, t) = rng.normal(0, 2, 2), rng.uniform(0.5, 2, 2)
        found = boundaries(
            lambda x, a=a, b=b, s=s, t=t: np.column_stack([stats.norm(a, s).logpdf(x), stats.norm(b, t).logpdf(x)]),
            np.linspace(-60, 60, 4001),
        )
        roots = np.roots(
            [1 / t**2 - 1 / s**2, 2 * (a / s**2 - b / t**2), b**2 / t**2 - a**2 / s**2 + 2 * np.log(t / s)]
        )
        inside = sorted(float(r) for r in roots.real if abs(r) < 60)
        assert [f.at for f in found] == pytest.approx(inside, abs=1e-6)
        assert all(f.below != f.above for f in found)


def test_no_boundary():
    assert boundaries(lambda x: np.column_stack([x, x + 1]), np.linspace(0, 1, 5)) == ()


@pytest.mark.parametrize("costs", [None, [[0, 1, 4], [2, 0, 1], [1, 3, 0]]])
def test_prior_shift_is_what_resampling_would_cost(rng, costs):
    """Rows drawn in the proportions of the new prior, decided and paid for."""
    p = rng.dirichlet([1, 1, 1], 300)
    y = np.array([rng.choice(3, p=row) for row in p])
    trained = np.array([0.5, 0.3, 0.2])
    curve = prior_shift(p, y, 1, trained, costs, points=3)
    for i, share in enumerate((0.25, 0.5, 0.75)):
        true = np.array([0.5, 0, 0.2]) / 0.7 * (1 - share) + [0, share, 0]
        weight = true[y] / np.bincount(y)[y]
        for posterior, shown in ((p, curve.uncorrected), (correct_priors(p, trained, true), curve.corrected)):
            paid = expected_cost(y, decide(posterior, costs), costs, sample_weight=weight)
            assert shown[i] == pytest.approx(paid)
        table = 1 - np.eye(3) if costs is None else np.array(costs)
        assert curve.blind[i] == pytest.approx((true @ table).min())


def test_correcting_pays_where_posteriors_are_true(rng):
    y = (rng.random(20_000) < 0.5).astype(int)
    x = rng.normal(2.0 * y)
    p = 1 / (1 + np.exp(2 - 2 * x))  # of N(0, 1) against N(2, 1)
    curve = prior_shift(np.column_stack([1 - p, p]), y, 1, [0.5, 0.5])
    assert (curve.corrected <= curve.uncorrected + 0.005).all()
    assert (curve.corrected <= curve.blind + 0.005).all()
    assert curve.uncorrected[0] - curve.corrected[0] > 0.1


def test_a_prior_of_zero_is_refused():
    with pytest.raises(ParameterError, match="between 0 and 1"):
        prior_shift([[1.0, 0.0]], [0], 0, [1.0, 0.0])
