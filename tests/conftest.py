import numpy as np
import pytest
from hypothesis import HealthCheck, settings

from suffice.model import Model

# the examples are small and the machine may be busy: judge answers, not seconds
settings.register_profile("ci", deadline=None, max_examples=40, suppress_health_check=[HealthCheck.too_slow])
settings.register_profile("long", parent=settings.get_profile("ci"), max_examples=20_000)
settings.load_profile("ci")


def pytest_itemcollected(item: pytest.Item) -> None:
    """Tests that share a fixture or a cached function of their module (a model, a server) stay on one worker, which makes it
    once."""
    fixtures = getattr(item, "_fixtureinfo", None)
    shared = fixtures is not None and any(f[-1].scope == "module" for f in fixtures.name2fixturedefs.values())
    shared |= any(hasattr(found, "cache_clear") for found in vars(getattr(item, "module", item)).values())
    if shared and item.get_closest_marker("xdist_group") is None:
        item.add_marker(pytest.mark.xdist_group(item.nodeid.split("::")[0]))


@pytest.fixture
def rng() -> np.random.Generator:
    return np.random.default_rng(20260101)


@pytest.fixture
def explained(monkeypatch) -> list[int]:
    """How many rows were explained at a time: n documents have n times the words, and n² cells of evidence."""
    rows = []
    evidence = Model.evidence

    def counted(model, table, **kind):
        rows.append(table.rows)
        return evidence(model, table, **kind)

    monkeypatch.setattr(Model, "evidence", counted)
    return rows
