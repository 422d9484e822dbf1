"""log p(row) of a served model: the same in every process, and estimated only where somebody asks for it."""

import io
import pickle

import numpy as np
import pytest

from suffice import BayesClassifier, load
from suffice.columns.records_table import RecordsTable
from suffice.web.pickling import send
from suffice.web.policy import Policy, decided
from suffice.web.version import Version


@pytest.fixture
def path(rng, tmp_path):
    """A model of a table whose numbers are correlated."""
    y = rng.integers(0, 2, 400)
    x = rng.normal(y[:, None], 1, (400, 3))
    x[:, 1] = x[:, 0] + 0.1 * x[:, 1]
    path = tmp_path / "correlated.model"
    BayesClassifier().fit(x, y).save(path)
    return path


@pytest.fixture
def version(path):
    return Version.loaded(path)


@pytest.fixture
def table(rng):
    return RecordsTable([0, 1, 2], [dict(enumerate(row)) for row in rng.normal(size=(5, 3)).tolist()])


def test_a_worker_without_the_rows_has_the_same_densities(path, version, table):
    pipe = io.BytesIO()
    send(version.without_rows(), pipe)
    worker = pickle.loads(pipe.getvalue())
    assert worker.model.tally.sample is None
    expected = load(path).score_samples(table)
    np.testing.assert_allclose(worker.log_density(table), expected, rtol=1e-9)
    floor = Policy(least_log_density=float(np.median(expected)))
    rejected = [decided(each, floor, table).decision.rejected.tolist() for each in (version, worker)]
    assert rejected[0] == rejected[1] == (expected < np.median(expected)).tolist()


def test_a_policy_without_a_density_floor_estimates_no_correlations(version, table):
    decided(version, Policy(), table)
    assert "copula" not in vars(version.model)
    decided(version, Policy(least_log_density=-50.0), table)
    assert "copula" in vars(version.model)
