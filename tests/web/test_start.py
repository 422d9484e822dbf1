"""What the service and its processes load before the first request. Modules of training and of rare requests load later."""

import subprocess
import sys

import pytest

from suffice import GaussianNB, load
from suffice.errors import MissingPackageError
from suffice.web import server as web_server
from suffice.web.child_process import command
from suffice.web.version import Version
from web.claims import some_rows

UNUSED = (
    "attr",
    "jinja2",
    "matplotlib",
    "pandas",
    "polars",
    "pyarrow",
    "pydantic",
    "pygments",
    "rich",
    "scipy.linalg._basic",
    "scipy.optimize._optimize",
    "scipy.stats._stats_py",
    "sklearn",
    "suffice.estimators.base",
    "suffice.evaluate",
    "suffice.export.form",
    "suffice.parts.fitting",
    "websockets",
)
SHOW = f"print(*(name for name in {UNUSED!r} if name in sys.modules))"


def loaded(code, *arguments):
    words = [sys.executable, "-c", f"import sys\n{code}", *map(str, arguments)]
    return set(subprocess.run(words, capture_output=True, text=True, check=True).stdout.splitlines()[-1].split())


def test_the_service_starts_and_scores_without_modules_of_training(model_path):
    code = f"""
from suffice.cli import main
import asyncio, uvicorn

async def ask(app):
    import httpx

    async with httpx.AsyncClient(transport=httpx.ASGITransport(app), base_url="http://127.0.0.1") as api:
        for answer in await api.get("/health"), await api.post("/v1/score", json={{"rows": [{some_rows(1)[0][0]!r}]}}):
            answer.raise_for_status()

def run(app, **options):
    uvicorn.Config(app, **options).load()
    asyncio.run(ask(app))
    {SHOW}

uvicorn.run = run
main()
"""
    assert loaded(code, "serve", model_path) == set()


@pytest.mark.parametrize(
    ("module", "more"), [("worker", ("litestar",)), ("fitting_process", ("litestar", "uvicorn", "httpx"))]
)
def test_its_processes_load_less(module, more):
    *_, code = command(f"suffice.web.{module}")
    imports, _, call = code.rpartition("; ")
    assert call == "main()"
    assert loaded(f"{imports}\n{SHOW}\nprint(*(name for name in {more!r} if name in sys.modules))") == set()


def test_the_fitting_process_starts_with_the_first_fit(model_path, tmp_path, open_service):
    service = open_service(model_path, str(tmp_path / "cases.db"), follow_labels=10**9, follow_seconds=1e9)
    assert service.refitter._process._process is None
    service.refitter._process.with_fitted_weights(service.version.model)
    assert service.refitter._process._process.poll() is None
    process = service.refitter._process._process
    service.stop()
    assert process.poll() is not None


def test_versions_without_and_with_scikit_learn_are_saved_alike(model_path, tmp_path, rng):
    version = Version.loaded(model_path)
    version.saved(tmp_path / "again.suffice")
    estimator = load(model_path)
    estimator.model_ = version.model
    estimator.save(tmp_path / "loaded.suffice")
    assert (tmp_path / "again.suffice").read_bytes() == (tmp_path / "loaded.suffice").read_bytes()
    assert version.kind == "BayesClassifier"
    GaussianNB().fit(rng.normal(size=(20, 2)), [0, 1] * 10).save(tmp_path / "drop-in.suffice")
    assert Version.loaded(tmp_path / "drop-in.suffice").kind == "GaussianNB"


def test_a_missing_package_is_named_at_the_start(model_path, monkeypatch):
    monkeypatch.setattr(web_server, "find_spec", lambda name: None)
    with pytest.raises(MissingPackageError, match="The service needs jinja2; it is not installed"):
        web_server.serve(model_path)
