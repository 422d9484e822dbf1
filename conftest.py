"""For the tests and the examples in docstrings alike."""

import atexit
import gc
import os
import sys
from collections.abc import Generator, Iterator

import pytest

# A worker a core: threads of BLAS beyond that wait for each other. It reads this when NumPy is imported, which is later.
os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")

# Threads of OpenMP (scikit-learn's trees, LightGBM) sleep while they wait: by default they spin, and a fit of trees on busy
# cores takes ten times the processor time. Fewer threads would change our own n_jobs=None, too.
os.environ.setdefault("OMP_WAIT_POLICY", "passive")

# Workers and the programs that tests start share compiled modules, whatever the environment says: some hundred processes
# would compile the package anew.
os.environ.pop("PYTHONDONTWRITEBYTECODE", None)
sys.dont_write_bytecode = False


gc.disable()


@pytest.hookimpl(wrapper=True)
def pytest_collection() -> Generator[None, object, object]:
    """The garbage collector is off until here: modules and tests are objects that stay, which it would traverse again and
    again."""
    result = yield
    gc.collect()
    gc.freeze()
    atexit.register(gc.unfreeze)  # or nanobind would report what is left as leaks
    gc.enable()
    return result


@pytest.fixture(autouse=True)
def _no_pictures_left_open() -> Iterator[None]:
    yield
    if "matplotlib.pyplot" in sys.modules:
        sys.modules["matplotlib.pyplot"].close("all")
