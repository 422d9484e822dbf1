"""The application without a network."""

from contextlib import contextmanager

from litestar.testing import TestClient

from suffice.web.application import application
from suffice.web.settings import Settings


@contextmanager
def client(model_path, **settings):
    app = application(Settings(model_path, **settings))
    with TestClient(app, base_url="http://127.0.0.1:8000") as made:
        yield made
