"""The fixtures scikit-learn's own tests ask for."""

import numpy as np
import pytest


@pytest.fixture(params=[0, 1, 42])
def global_random_seed(request):
    return request.param


@pytest.fixture(params=["float32", "float64"])
def global_dtype(request):
    return np.dtype(request.param).type
