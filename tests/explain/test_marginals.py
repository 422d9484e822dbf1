"""Densities of single columns."""

import numpy as np

from suffice import BayesClassifier
from suffice.explain import Marginals
from suffice.model import Model
from suffice.sources import open_table


def test_densities_of_all_columns_are_estimated_once(monkeypatch):
    """A report asks for one column after the other; of a wide table that was most of its time."""
    rng = np.random.default_rng(0)
    model = BayesClassifier(model="naive").fit({name: rng.normal(size=30) for name in "abc"}, np.arange(30) % 2).model_
    asked = []
    estimates = Model.estimates
    monkeypatch.setattr(Model, "estimates", lambda model: (asked.append(model), estimates(model))[1])
    for name in "abc":
        assert np.isfinite(Marginals(model.unweighted).log_density(open_table({name: [0.0, 1.0]}))).all()
    assert len(asked) == 1
