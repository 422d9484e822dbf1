"""Packages whose names are imported on first access."""

import ast
import importlib
import pkgutil
import subprocess
import sys
from operator import attrgetter
from pathlib import Path

import pytest

import suffice
from suffice.families import registry

LAZY = [
    found.name
    for found in pkgutil.walk_packages(suffice.__path__, "suffice.", onerror=lambda name: None)
    if found.ispkg
    and "lazy_names(" in Path(found.module_finder.path, found.name.rpartition(".")[2], "__init__.py").read_text()
]


def test_there_are_some():
    assert {"suffice.families", "suffice.statistics"} <= set(LAZY)


def reexported(module) -> dict[str, str]:
    """The names that type checkers see in a module, each with the module it is imported from."""
    found = {}
    for node in ast.walk(ast.parse(Path(module.__file__).read_text())):
        if isinstance(node, ast.ImportFrom):
            if node.names[0].name == "*":
                found |= reexported(importlib.import_module(node.module))
            found |= {alias.asname: node.module for alias in node.names if alias.asname is not None}
    return found


@pytest.mark.parametrize("package", ["suffice", *LAZY])
def test_what_type_checkers_see_is_what_is_loaded(package):
    module = importlib.import_module(package)
    modules = dict.fromkeys(getattr(module, "_MODULES", ()), package)
    modules_of_names = {name: f"{package}.{home}" for name, home in module._LAZY_IMPORTS.items()}
    if package == "suffice":  # loads families through their package; type checkers see their files
        modules_of_names |= {name: f"suffice.families.{home}" for name, home in registry._LAZY_IMPORTS.items()}
    assert modules_of_names | modules == reexported(module)
    assert sorted({*module.__all__, *modules}) == dir(module)
    assert set(module.__all__) - {"__version__"} == set(module._LAZY_IMPORTS)
    for name, home in module._LAZY_IMPORTS.items():
        assert getattr(module, name) is getattr(importlib.import_module(f"{package}.{home}"), name)


@pytest.mark.parametrize("package", ["suffice", *LAZY])
def test_other_names_are_not_there(package):
    module = importlib.import_module(package)
    with pytest.raises(AttributeError, match=f"module {package!r} has no attribute 'Nonsense'"):
        attrgetter("Nonsense")(module)
    with pytest.raises(ImportError, match="cannot import name 'Nonsense'"):
        exec(f"from {package} import Nonsense")


def test_a_family_comes_alone():
    code = (
        "import sys; from suffice.families import Poisson; print(*(m for m in sys.modules if 'suffice.families' in m))"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert "suffice.families.poisson" in done.stdout.split()
    assert not {"suffice.families.text.family", "suffice.families.gamma"} & set(done.stdout.split())
