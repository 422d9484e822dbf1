"""scikit-learn's own tests, taken as they are from the copy installed beside us, with our classes in place of its own."""

import importlib
from pathlib import Path
from types import ModuleType
from unittest.mock import patch

import pytest
import sklearn


def adopted(file: str, ours: ModuleType, not_ours: dict[str, tuple[type[Exception], str]]) -> dict[str, object]:
    """The tests of one of its files, with the public names of ``ours`` put in place of those of its namesake.

    Those of ``not_ours`` must fail, with the named error and for the named reason.
    """
    path = Path(sklearn.__file__).parent / file
    names: dict[str, object] = {"__name__": f"adopted_{path.stem}", "__file__": str(path)}
    theirs = importlib.import_module(ours.__name__.replace("suffice", "sklearn"))
    shared = {name: getattr(ours, name) for name in ours.__all__ if hasattr(theirs, name)}
    with patch.multiple(theirs, **shared):
        exec(compile(path.read_text(), str(path), "exec"), names)
    assert all(names.get(name, one) is one for name, one in shared.items())
    tests = {name: test for name, test in names.items() if name.startswith("test_")}
    for name, (error, reason) in not_ours.items():
        tests[name] = pytest.mark.xfail(reason=reason, raises=error, strict=True)(tests[name])
    return tests
