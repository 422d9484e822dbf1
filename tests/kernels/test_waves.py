import numpy as np
import pytest

from suffice.numerics.fourier_sums import FourierSum


@pytest.mark.parametrize(
    ("rows", "numbers", "waves", "classes"), [(1, 1, 1, 1), (7, 3, 16, 2), (200, 40, 37, 5), (0, 4, 8, 2)]
)
@pytest.mark.parametrize("far", [1.0, 1e4])
def test_sums_of_waves(rng, rows, numbers, waves, classes, far):
    z = (far * rng.normal(size=(rows, numbers))).astype(np.float32)
    frequencies, coefficients = rng.normal(size=(numbers, waves)), rng.normal(size=(2 * waves, classes))
    angle = z.astype(np.float64) @ frequencies
    expected = np.concatenate([np.cos(angle), np.sin(angle)], axis=1) @ coefficients
    found = FourierSum(frequencies, coefficients)
    # an angle of 1e5 has eleven digits after the point left
    assert found.scores(z) == pytest.approx(expected, abs=1e-13 * far * waves)
    assert np.array_equal(found.scores(z, threads=4), found.scores(z))
    for row in range(min(rows, 5)):
        assert np.array_equal(found.scores(z[row : row + 1]), found.scores(z)[row : row + 1])


def test_shapes_that_do_not_fit():
    with pytest.raises(ValueError, match="3 coefficients do not fit 2 cosines"):
        FourierSum(np.ones((2, 2)), np.ones((3, 2)))
    with pytest.raises(ValueError, match="3 numbers do not fit 2 frequencies"):
        FourierSum(np.ones((2, 2)), np.ones((4, 2))).scores(np.ones((5, 3), dtype=np.float32))
