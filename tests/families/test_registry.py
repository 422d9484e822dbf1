"""Adding a family touches its file and one list: a family made up here, entered in the registry alone, is everywhere."""

import subprocess
import sys
from pathlib import Path

import pytest

from suffice.families import registry

FAMILY = '''
from dataclasses import dataclass
from suffice.families.exponential import Exponential

@dataclass(frozen=True)
class ShortWait(Exponential):
    """An exponential by another name."""
'''

ENTERED = f"""
import importlib.util, sys

spec = importlib.util.spec_from_file_location("suffice.families.registry", {registry.__file__!r})
registry = importlib.util.module_from_spec(spec)
sys.modules[spec.name] = registry
spec.loader.exec_module(registry)
registry._LAZY_IMPORTS["ShortWait"] = "short_wait"

import suffice, suffice.families
suffice.families.__path__.append(sys.argv[1])
"""


def run(code: str, folder: Path) -> str:
    (folder / "short_wait.py").write_text(FAMILY)
    done = subprocess.run(
        [sys.executable, "-c", ENTERED + code, str(folder)], capture_output=True, text=True, check=False
    )
    assert not done.returncode, done.stderr
    return done.stdout


def test_its_name_is_public_and_loaded_when_it_is_touched(tmp_path):
    code = """
    assert "ShortWait" in suffice.__all__ and "ShortWait" in dir(suffice) and "ShortWait" in suffice.families.__all__
    assert "suffice.families.short_wait" not in sys.modules
    assert suffice.ShortWait is suffice.families.ShortWait and suffice.ShortWait in suffice.families.FAMILIES
    print(suffice.ShortWait())
    """
    assert run("if True:" + code, tmp_path).startswith("ShortWait(")


def test_its_models_are_saved(tmp_path):
    code = """
    model = suffice.BayesClassifier(suffice.ShortWait()).fit([[1.0], [2.0], [8.0], [9.0]], ["a", "a", "b", "b"])
    model.save(sys.argv[1] + "/waits.model")
    print(suffice.load(sys.argv[1] + "/waits.model").families)
    """
    assert run("if True:" + code, tmp_path).startswith("ShortWait(")
    assert b"short wait" in (tmp_path / "waits.model").read_bytes()


def test_it_can_be_typed_on_the_command_line(tmp_path):
    pytest.importorskip("typer")
    code = """
    from suffice.cli.train_options import TrainOptions, build_estimator
    from suffice.columns.kinds import Kind
    print(build_estimator(TrainOptions(family=["wait=shortwait"]), {"wait": Kind.NUMBER}, ["a", "b"]).families)
    """
    assert run("if True:" + code, tmp_path).startswith("{'wait': ShortWait(")
