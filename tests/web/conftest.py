import itertools

import pytest

from suffice.web.service import Service
from suffice.web.settings import Settings
from web.browsing import open_browser
from web.claims import trained
from web.databases import postgres_server


@pytest.fixture(scope="session")
def model_bytes(tmp_path_factory):
    path = tmp_path_factory.mktemp("model") / "claims.suffice"
    trained().save(path)
    return path.read_bytes()


@pytest.fixture
def model_path(tmp_path, model_bytes):
    path = tmp_path / "claims.suffice"
    path.write_bytes(model_bytes)
    return path


@pytest.fixture(scope="session")
def postgres():
    with postgres_server() as folder:
        yield folder


@pytest.fixture(scope="session")
def browser():
    driver = open_browser()
    yield driver
    driver.quit()


_names = itertools.count()


@pytest.fixture(params=["sqlite", "postgresql"])
def store(request, tmp_path):
    """The address of an empty database."""
    if request.param == "sqlite":
        return str(tmp_path / "cases.db")
    psycopg = pytest.importorskip("psycopg")
    where = f"host={request.getfixturevalue('postgres')}&user=suffice"
    name = f"cases{next(_names)}"
    with psycopg.connect(f"postgresql:///postgres?{where}", autocommit=True) as connection:
        connection.execute(f"CREATE DATABASE {name}")
    return f"postgresql:///{name}?{where}"


@pytest.fixture
def open_service():
    """Services that are stopped at the end, unless a test has."""
    opened = []

    def opening(path, store, **settings):
        service = Service(Settings(path, store=store, **settings))
        service.start()
        opened.append(service)
        return service

    yield opening
    for service in opened:
        if service.writer._thread.is_alive():
            service.stop()
