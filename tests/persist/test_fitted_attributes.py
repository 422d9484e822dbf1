"""A model file has every attribute that fitting sets: none can be added to an estimator and left out of its file."""

import ast
import inspect
import textwrap

import numpy as np
import pytest

import suffice
from persist.cases import DROP_INS, TABLES, Saved, judged, mixed
from suffice import BayesClassifier
from suffice.estimators.estimator_kinds import _LEARNED, ESTIMATORS


def attributes(estimator):
    return set(vars(estimator))


@pytest.mark.parametrize("case", [*DROP_INS, *TABLES], ids=str)
def test_what_is_set_is_saved(case: Saved, tmp_path):
    model = case.fitted()
    x, y = case.rows(np.random.default_rng(2))
    states = [model]
    if case.adds:
        states.append(case.fitted().partial_fit(x, y).forget(x, y))
    for state in states:
        state.save(tmp_path / "a.model")
        assert attributes(suffice.load(tmp_path / "a.model")) == attributes(state)


def test_what_rarer_methods_set_is_saved(tmp_path):
    rows, labels = mixed(np.random.default_rng(1))
    model = BayesClassifier(model="naive").fit_unlabelled(rows, labels, rows[:20])
    model.held_out_ = judged()
    assert {"log_likelihood_", "held_out_"} <= attributes(model)
    model.save(tmp_path / "a.model")
    assert attributes(suffice.load(tmp_path / "a.model")) == attributes(model)


def test_every_case_is_here():
    assert {type(case.new()) for case in (*DROP_INS, *TABLES)} == {kind.type for kind in ESTIMATORS.values()}


def assigned(estimator: type) -> set[str]:
    """The attributes that the methods of a class and its bases assign, on whichever path."""
    own = [base for base in estimator.__mro__ if base.__module__.startswith("suffice")]
    nodes = [node for base in own for node in ast.walk(ast.parse(textwrap.dedent(inspect.getsource(base))))]
    stored = [node for node in nodes if isinstance(node, ast.Attribute) and isinstance(node.ctx, ast.Store)]
    return {node.attr for node in stored if isinstance(node.value, ast.Name)}  # tags of scikit-learn lie deeper


@pytest.mark.parametrize("tag", ESTIMATORS)
def test_what_is_assigned_is_known_to_the_file(tag):
    estimator = ESTIMATORS[tag].type
    assert assigned(estimator) <= {*_LEARNED, *estimator._get_param_names()}
