"""For the tests and the examples in docstrings alike."""

import sys
from collections.abc import Iterator

import pytest


@pytest.fixture(autouse=True)
def _no_pictures_left_open() -> Iterator[None]:
    yield
    if "matplotlib.pyplot" in sys.modules:
        sys.modules["matplotlib.pyplot"].close("all")
