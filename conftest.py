"""For the tests and the examples in docstrings alike."""

import os
import sys
from collections.abc import Iterator

import pytest

# A worker a core: threads of BLAS beyond that wait for each other. It reads this when NumPy is imported, which is later.
os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")

# Workers and the programs that tests start share compiled modules, whatever the environment says: some hundred processes
# would compile the package anew.
os.environ.pop("PYTHONDONTWRITEBYTECODE", None)
sys.dont_write_bytecode = False


@pytest.fixture(autouse=True)
def _no_pictures_left_open() -> Iterator[None]:
    yield
    if "matplotlib.pyplot" in sys.modules:
        sys.modules["matplotlib.pyplot"].close("all")
