import numpy as np
from scipy.special import gammaln

from suffice.numerics.stirling import ACCURATE_FROM, COEFFICIENTS


def test_the_series_is_log_gamma_to_double_precision():
    z = np.linspace(ACCURATE_FROM, 1000, 10_000)
    series = sum(c * z ** (1.0 - 2 * i) for i, c in enumerate(COEFFICIENTS, 1))
    np.testing.assert_allclose((z - 0.5) * np.log(z) - z + 0.5 * np.log(2 * np.pi) + series, gammaln(z), rtol=1e-15)
