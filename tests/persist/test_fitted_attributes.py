"""A model file has every attribute that fitting sets: none can be added to an estimator and left out of its file."""

import ast
import inspect
import textwrap

import numpy as np
import pytest

import suffice
from persist.cases import DROP_INS, TABLES, Saved, judged, mixed
from suffice import BayesClassifier
from suffice.errors import ModelFileError
from suffice.estimators.estimator_kinds import _SAVED_ATTRIBUTES, ESTIMATORS
from suffice.estimators.saved_bayes_classifier import (
    FITTED_ATTRIBUTES,
    PARAMETERS,
    SavedBayesClassifier,
    load_without_estimator,
)


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
    assert assigned(estimator) <= {*_SAVED_ATTRIBUTES, *estimator._get_param_names()}


@pytest.mark.parametrize("case", [*DROP_INS, *TABLES], ids=str)
def test_a_bayes_classifier_is_loaded_and_saved_without_its_estimator(case: Saved, tmp_path):
    """The attributes and the bytes are the same; other estimators are refused."""
    case.fitted().save(tmp_path / "a.model")
    if case.new().__class__ is not BayesClassifier:
        with pytest.raises(ModelFileError):
            load_without_estimator(tmp_path / "a.model")
        return
    found = load_without_estimator(tmp_path / "a.model")
    assert isinstance(found, SavedBayesClassifier)
    assert attributes(found) == attributes(suffice.load(tmp_path / "a.model"))
    found.save(tmp_path / "b.model")
    assert (tmp_path / "b.model").read_bytes() == (tmp_path / "a.model").read_bytes()


def test_what_a_bayes_classifier_sets_is_loaded_without_its_estimator():
    assert tuple(BayesClassifier._get_param_names()) == PARAMETERS
    assert assigned(BayesClassifier) <= {*FITTED_ATTRIBUTES, *PARAMETERS}


@pytest.mark.parametrize(
    ("attribute", "value"),
    [("odd", 1), ("n_features_in_", 7), ("n_features_in_", "two"), ("classes_", np.array(["x", "y"]))],
)
def test_attributes_that_do_not_go_together_are_refused(attribute, value, tmp_path, monkeypatch):
    rows, labels = mixed(np.random.default_rng(1))
    model = BayesClassifier(model="naive").fit(rows, labels)
    setattr(model, attribute, value)
    monkeypatch.setitem(_SAVED_ATTRIBUTES, "odd", int)
    model.save(tmp_path / "a.model")
    monkeypatch.undo()
    for load in (suffice.load, load_without_estimator):
        with pytest.raises(ModelFileError):
            load(tmp_path / "a.model")
