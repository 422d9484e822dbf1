"""Deferred modules are the modules of an ordinary import: nothing can tell them apart but by when they were executed."""

import json
import subprocess
import sys

from suffice.deferred_imports import _DEFERRED_MODULES

FACTS = """
import importlib.util, inspect, json, pickle, sys, threading
from types import ModuleType

names = json.loads(sys.argv[1])
imported = {name: importlib.import_module(name) for name in names}
executed = [name for name in names if type(imported[name]) is ModuleType]
assert all(importlib.util.find_spec(name) for name in names)

import pyarrow.compute as pc
import scipy.sparse as sp
import scipy.sparse.linalg
from scipy import special, stats

found = []
together = threading.Barrier(8)

def use():
    together.wait()
    found.append(stats.norm)

threads = [threading.Thread(target=use) for _ in range(8)]
for thread in threads:
    thread.start()
for thread in threads:
    thread.join()
assert len(found) == 8 and len(set(map(id, found))) == 1
assert pickle.loads(pickle.dumps(special.expit)) is special.expit
assert sp.linalg is scipy.sparse.linalg is sys.modules["scipy.sparse.linalg"]
assert "class csr_array" in inspect.getsource(sp.csr_array)
assert pc.add(1, 2).as_py() == 3
assert not hasattr(special, "nothing of this name")

facts = {}
for name in names:
    module = imported[name]
    parent, _, child = name.rpartition(".")
    facts[name] = {
        "one object": module is sys.modules[name] is getattr(sys.modules[parent], child),
        "type": str(type(module)),
        "loader": [type(module.__loader__).__name__, module.__spec__.loader is module.__loader__],
        "place": [module.__file__, list(getattr(module, "__path__", [])), module.__package__, module.__doc__],
        "public": sorted(name for name in dir(module) if not name.startswith("_")),
    }
print(json.dumps([executed, facts]))
"""


def facts(first: str):
    words = [sys.executable, "-c", first + FACTS, json.dumps(_DEFERRED_MODULES)]
    return json.loads(subprocess.run(words, capture_output=True, text=True, check=True).stdout)


def test_a_deferred_module_is_the_module_itself():
    executed, plain = facts("")
    assert executed == list(_DEFERRED_MODULES)
    executed, light = facts("from suffice.deferred_imports import start_light; start_light()\n")
    assert executed == []
    assert light == plain
    assert all(fact["one object"] for fact in light.values())
