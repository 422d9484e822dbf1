"""Lazy loading of the names of a package: each is imported on first access.

A package lists the module of each name, and repeats the imports for type checkers:

    if TYPE_CHECKING:
        from suffice.families.gaussian import Gaussian as Gaussian

    _LAZY_IMPORTS = {"Gaussian": "gaussian"}

    if not TYPE_CHECKING:
        __all__ = list(_LAZY_IMPORTS)
        __getattr__, __dir__ = lazy_names(__name__, _LAZY_IMPORTS)

Type checkers must not see ``__getattr__``, with which they would accept any name, misspelt ones too.
"""

import importlib
import sys
from collections.abc import Callable, Collection, Mapping
from typing import Any


def lazy_names(
    package: str, module_of: Mapping[str, str], modules: Collection[str] = ()
) -> tuple[Callable[[str], Any], Callable[[], list[str]]]:
    """``__getattr__`` and ``__dir__`` of a package (PEP 562): ``module_of`` has the module of each name, ``modules`` are
    submodules that are imported on access.

    >>> load, names = lazy_names("suffice", {"SufficeError": "errors"}, ["plot"])
    >>> load("SufficeError").__module__, load("plot").__name__
    ('suffice.errors', 'suffice.plot')
    """

    def load(name: str) -> Any:
        if name in modules:
            return importlib.import_module(f"{package}.{name}")
        if name not in module_of:
            raise AttributeError(f"module {package!r} has no attribute {name!r}")
        value = getattr(importlib.import_module(f"{package}.{module_of[name]}"), name)
        setattr(sys.modules[package], name, value)  # cached: this function is not called again for the name
        return value

    return load, lambda: sorted([*sys.modules[package].__all__, *modules])
