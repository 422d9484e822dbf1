"""Nothing that loading can reach imports, evaluates or unpickles by a name that might come from the file."""

import ast
import subprocess
import sys
from functools import cache
from pathlib import Path

import suffice
from suffice import BayesClassifier

ROOT = Path(suffice.__file__).parent
FORBIDDEN = {"eval", "exec", "compile", "__import__", "globals", "locals", "getattr", "setattr", "delattr", "vars"}
MODULES = {
    "pickle",
    "marshal",
    "shelve",
    "dill",
    "joblib",
    "cloudpickle",
    "runpy",
    "ctypes",
    "subprocess",
    "code",
    "pty",
}
KNOWN = {  # where a call is fine, and why
    ("persist/shapes.py", "getattr"): "of the fields that a kind declares",
    ("persist/kinds.py", "getattr"): "of the fields of a dataclass",
    ("persist/container.py", "getattr"): "of a constant that Windows lacks",
    ("estimators/estimator_kinds.py", "vars"): "names are checked against a closed list",
}


def source(module: str) -> Path | None:
    path = ROOT.joinpath(*module.split(".")[1:])
    return next((p for p in (path.with_suffix(".py"), path / "__init__.py") if p.exists()), None)


def imported(tree: ast.AST) -> set[str]:
    found = set()
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            found |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom) and node.module:
            found |= {node.module} | {f"{node.module}.{alias.name}" for alias in node.names}
    return found


@cache
def reachable() -> dict[str, ast.Module]:
    """All modules of the package that loading an estimator imports, as trees."""
    trees: dict[str, ast.Module] = {}
    waiting = ["suffice.estimators.model_file"]
    while waiting:
        module = waiting.pop()
        path = source(module)
        if path is None or str(path.relative_to(ROOT)) in trees or module == "suffice":
            continue
        tree = ast.parse(path.read_text())
        trees[str(path.relative_to(ROOT))] = tree
        waiting += [name for name in imported(tree) if name.startswith("suffice")]
    return trees


def called(node: ast.AST) -> str:
    return ast.unparse(node.func) if isinstance(node, ast.Call) else ""


def test_the_walk_reaches_what_loading_does():
    assert {"persist/reader.py", "persist/model_kinds.py", "families/text/family.py", "columns/normalisers.py"} <= set(
        reachable()
    )


def test_no_module_that_runs_what_it_reads():
    for path, tree in reachable().items():
        assert not {name.split(".")[0] for name in imported(tree)} & MODULES, path


def test_the_file_layer_looks_nothing_up_by_name():
    layer = [p for p in reachable() if p.startswith("persist/") or "estimator_kinds" in p or "model_file" in p]
    assert len(layer) > 5
    for path in layer:
        for node in ast.walk(reachable()[path]):
            assert called(node) not in FORBIDDEN or (path, called(node)) in KNOWN, f"{path}: {ast.unparse(node)}"
            assert "importlib" not in called(node), f"{path}: {ast.unparse(node)}"


def test_elsewhere_nothing_is_evaluated_and_imports_name_their_module():
    for path, tree in reachable().items():
        for node in ast.walk(tree):
            assert called(node) not in {"eval", "exec", "compile", "__import__"}, f"{path}: {ast.unparse(node)}"
            if called(node) == "lazy_names":
                assert path == "lazy_names.py" or ast.unparse(node) == "lazy_names(__name__, _LAZY_IMPORTS)", path
                continue
            if (
                path != "lazy_names.py"
                and called(node) == "importlib.import_module"
                and not isinstance(node.args[0], ast.Constant)
            ):
                # an optional package, handed on by a function that is only ever called with the name spelled out
                owner = next(f for f in ast.walk(tree) if isinstance(f, ast.FunctionDef) and node in ast.walk(f))
                calls = [c for c in ast.walk(tree) if called(c) == owner.name]
                assert calls, path
                assert all(isinstance(c.args[0], ast.Constant) for c in calls), path


def test_names_that_are_loaded_later_are_spelled_out():
    """``lazy_names`` imports from the table it is given, and nothing else."""
    tables = [
        node.value
        for tree in reachable().values()
        for node in tree.body
        if isinstance(node, ast.Assign) and ast.unparse(node.targets[0]) == "_LAZY_IMPORTS"
    ]
    assert len(tables) > 3
    families = {
        "registry._LAZY_IMPORTS",
        "dict.fromkeys(FAMILY_NAMES, 'families')",
    }  # of the registry, which is among the tables
    for table in tables:
        assert isinstance(table, ast.Dict)
        for key, value in zip(table.keys, table.values, strict=True):
            if key is None:
                assert ast.unparse(value) in families
            else:
                assert isinstance(ast.literal_eval(key), str)
                assert isinstance(ast.literal_eval(value), str)


def test_scoring_a_file_needs_no_scikit_learn(tmp_path):
    rows = [
        {"a": float(i % 5), "b": "xy"[i % 2], "text": "some tea and some more of it, please " * (1 + i % 2)}
        for i in range(20)
    ]
    BayesClassifier().fit(rows, ["yes", "no"] * 10).save(tmp_path / "a.model")
    code = (
        "import sys, numpy as np\n"
        "from suffice.persist import load_model\n"
        "from suffice.sources import open_table\n"
        "from suffice.posterior import posterior\n"
        "model = load_model(sys.argv[1])\n"
        "print([m for m in ('sklearn', 'pandas', 'pyarrow', 'matplotlib') if m in sys.modules])\n"
        "rows = open_table([{'a': 1.0, 'b': 'x', 'text': 'some tea'}])\n"
        "(_, joint), = model.log_joints(rows, np.empty((1, 2)), 1)\n"
        "print(posterior(joint, model.log_prior, 1).round(6).tolist())\n"
        "print([m for m in ('sklearn', 'matplotlib') if m in sys.modules])"  # (Arrow looks for pandas by itself)
    )
    done = subprocess.run(
        [sys.executable, "-c", code, tmp_path / "a.model"], capture_output=True, text=True, check=True
    )
    answers = suffice.load(tmp_path / "a.model").predict_proba([{"a": 1.0, "b": "x", "text": "some tea"}])
    assert done.stdout.splitlines() == ["[]", str(answers.round(6).tolist()), "[]"]
