"""Modules that are executed on their first use.

Scoring a few rows needs only a small part of scipy and Arrow, whose import is slow. ``start_light`` registers each of
these modules unexecuted; it is executed when one of its names is first looked up. It is the module of an ordinary
import: one object in ``sys.modules`` before and after, filled by the import system under its own locks, of the ordinary
type once executed. Only the order of execution changes.
"""

import gc
import importlib
import sys
from collections.abc import Sequence
from importlib.abc import Loader, MetaPathFinder
from importlib.machinery import ModuleSpec, PathFinder
from types import ModuleType
from typing import Any

_DEFERRED_MODULES = (
    "scipy.linalg",
    "scipy.optimize",
    "scipy.sparse",
    "scipy.special",
    "scipy.stats",
    "pyarrow.compute",
)
_HIDDEN_PACKAGES = frozenset({"pandas", "attr", "pydantic", "pygments"})
"""Arrow looks for the first before its first conversion, Litestar for the next two, and httpx for the last."""
_COLLECTION_THRESHOLD = 100_000
"""Allocations before a garbage collection. Loading modules allocates objects that stay, which would be traversed again and
again; a tenth of the time to the first answer went there."""


class _Deferred(ModuleType):
    """A module that is imported and not yet executed: its spec has no loader."""

    def __init__(self, name: str) -> None:
        super().__init__(name)
        self.__spec__ = ModuleSpec(name, None)

    def __getattr__(self, name: str) -> Any:
        own, waiting = self.__name__, self.__spec__ is not None and self.__spec__.loader is None
        if name.startswith("__") and not (waiting and name in ("__path__", "__all__")):
            raise AttributeError(name)  # looked up by the import system, which accepts that it is absent
        if waiting and sys.modules.get(own) is self:
            del sys.modules[own]
        importlib.import_module(own)
        return ModuleType.__getattribute__(self, name)


class _IntoDeferred(MetaPathFinder, Loader):
    """Executes deferred modules in place, with their own loaders."""

    def __init__(self, modules: Sequence[_Deferred]) -> None:
        self._modules = {module.__name__: module for module in modules}
        self._loaders: dict[str, Loader] = {}

    def find_spec(
        self, fullname: str, path: Sequence[str] | None = None, target: ModuleType | None = None
    ) -> ModuleSpec | None:
        spec = PathFinder.find_spec(fullname, path, target) if fullname in self._modules else None
        if spec is not None and spec.loader is not None:
            self._loaders[fullname] = spec.loader
            spec.loader = self
        return spec

    def create_module(self, spec: ModuleSpec) -> ModuleType:
        module = self._modules[spec.name]
        module.__spec__ = spec
        return module

    def exec_module(self, module: ModuleType) -> None:
        loader = self._loaders.pop(module.__name__)
        if module.__spec__ is not None:
            module.__spec__.loader = loader
        module.__loader__ = loader
        loader.exec_module(module)
        module.__class__ = ModuleType
        del self._modules[module.__name__]


class _Hidden(MetaPathFinder):
    """Makes packages appear not to be installed."""

    def __init__(self, packages: frozenset[str]) -> None:
        self._packages = packages

    def find_spec(self, fullname: str, path: Sequence[str] | None = None, target: ModuleType | None = None) -> None:
        if fullname in self._packages:
            raise ModuleNotFoundError(f"{fullname} is not used here", name=fullname)


def start_light() -> None:
    """Defer the modules that are slow to load, and hide packages that a dependency would import only if they are installed.

    Only for a program that owns its process: a library must not affect the imports of other code.
    """
    modules = [_Deferred(name) for name in _DEFERRED_MODULES if name not in sys.modules]
    sys.modules.update({module.__name__: module for module in modules})
    sys.meta_path[:0] = [_IntoDeferred(modules), _Hidden(_HIDDEN_PACKAGES)]
    gc.set_threshold(_COLLECTION_THRESHOLD)
