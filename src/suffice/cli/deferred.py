"""Modules that are loaded when they are first touched.

Most of what scipy and Arrow's functions take to load is not needed to score a few rows. The models import these modules, and
touch them where they are used; ``start_light`` puts stand-ins in their place before that. It is for programs, which know what
they do next: a library must not change what ``import`` means for others.
"""

import gc
import importlib
import sys
from types import ModuleType
from typing import Any

_LATER = ("scipy.linalg", "scipy.optimize", "scipy.sparse", "scipy.special", "scipy.stats", "pyarrow.compute")
_OBJECTS = 100_000
"""Made before any are looked through for garbage. Loading modules makes objects that stay, and they would be looked through
again and again; a tenth of the time until the first answer went there."""


class _Deferred(ModuleType):
    """Stands for a module until something of it is asked for."""

    def __getattr__(self, name: str) -> Any:
        if name.startswith("__") and name not in ("__path__", "__all__"):
            raise AttributeError(name)  # asked by the import system itself, which may be content without an answer
        own = self.__name__
        if sys.modules.get(own) is self:
            del sys.modules[own]
        real = importlib.import_module(own)
        value = getattr(real, name)
        setattr(self, name, value)
        return value


class _Hidden:
    """Finds that a package is not there."""

    def __init__(self, package: str) -> None:
        self.package = package

    def find_spec(self, name: str, path: Any = None, target: Any = None) -> None:
        if name == self.package:
            raise ModuleNotFoundError(f"{name} is not used here", name=name)


def start_light() -> None:
    """Put off what takes long to load until it is used; go without pandas, which Arrow loads before it converts anything."""
    for name in _LATER:
        if name not in sys.modules:
            sys.modules[name] = _Deferred(name)
    sys.meta_path.insert(0, _Hidden("pandas"))
    gc.set_threshold(_OBJECTS)
