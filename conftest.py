"""For the tests and the examples in docstrings alike."""

import os
import sys
from collections.abc import Iterator

import pytest

# A worker a core: threads of BLAS beyond that wait for each other. It reads this when NumPy is imported, which is later.
os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")


@pytest.fixture(autouse=True)
def _no_pictures_left_open() -> Iterator[None]:
    yield
    if "matplotlib.pyplot" in sys.modules:
        sys.modules["matplotlib.pyplot"].close("all")
