import itertools

import pytest

from suffice.web.service import Service
from suffice.web.settings import Settings
from suffice.web.store.opening import open_store
from web.browsing import open_browser
from web.claims import trained
from web.databases import postgres_server
from web.servers import server


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


@pytest.fixture(scope="module")
def module_model(tmp_path_factory, model_bytes):
    """The model in a folder of the module."""
    path = tmp_path_factory.mktemp("module") / "claims.suffice"
    path.write_bytes(model_bytes)
    return path


@pytest.fixture(scope="module")
def address(module_model):
    """A service of the module, without cases."""
    with server(module_model) as (address, _):
        yield address


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


def _empty_store(request, folder):
    """The address of an empty database: a file, or a schema of the server."""
    if request.param == "sqlite":
        return str(folder / "cases.db")
    psycopg = pytest.importorskip("psycopg")
    database = f"postgresql:///postgres?host={request.getfixturevalue('postgres')}&user=suffice"
    schema = f"cases{next(_names)}"
    with psycopg.connect(database, autocommit=True) as connection:
        connection.execute(f"CREATE SCHEMA {schema}")
    return f"{database}&options=-csearch_path%3D{schema}"


@pytest.fixture(params=["sqlite", "postgresql"])
def store(request, tmp_path):
    return _empty_store(request, tmp_path)


@pytest.fixture(scope="module", params=["sqlite", "postgresql"])
def shared_store(request, tmp_path_factory):
    """For tests of a module that leave no traces in it."""
    return _empty_store(request, tmp_path_factory.mktemp("store"))


@pytest.fixture
def tokens(store):
    """Tokens of three people, which are in the store before a service starts."""
    stores = open_store(store, None)
    made = {
        name: stores.tokens.add(name, role) for name, role in (("ann", "label"), ("bob", "label"), ("eve", "admin"))
    }
    stores.database.close()
    return made


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
