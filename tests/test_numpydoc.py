"""Docstrings of estimators, families, priors and functions have numpydoc sections, and these name what there is."""

import importlib
import inspect
import re
from dataclasses import fields, is_dataclass

import numpy as np
import pytest
from sklearn.base import BaseEstimator

import suffice

CLASSES = {
    name: value
    for name in suffice._LAZY_IMPORTS
    if inspect.isclass(value := getattr(suffice, name)) and not issubclass(value, Exception)
}
FUNCTIONS = {
    f"{place}.{name}": value
    for place in ("suffice", *(f"suffice.{module}" for module in (*suffice._MODULES, "text.mail")))
    for name in importlib.import_module(place).__all__
    if inspect.isfunction(value := getattr(importlib.import_module(place), name))
}
X, Y = np.array([[0, 1], [1, 0], [2, 2], [3, 1], [1, 3], [0, 2]]), np.array([0, 1, 0, 1, 1, 0])


def entries(thing, section):
    """The names in a section of a docstring, which ends at the next heading."""
    found = re.search(rf"^{section}\n-+\n(.*?)(?=^\w+\n-+$|\Z)", inspect.getdoc(thing), re.M | re.S)
    return (
        []
        if found is None
        else [n for names in re.findall(r"^(\w[\w, ]*?)(?: :.*)?$", found[1], re.M) for n in names.split(", ")]
    )


def settings(thing):
    """The arguments of the constructor, but for fields of a family that are derived from rows and not shown."""
    hidden = {field.name for field in fields(thing) if not field.repr} if is_dataclass(thing) else set()
    return [name for name in inspect.signature(thing).parameters if name not in hidden]


@pytest.mark.parametrize("name", CLASSES)
def test_parameters_are_those_of_the_constructor(name):
    assert entries(CLASSES[name], "Parameters") == settings(CLASSES[name])


@pytest.mark.parametrize("name", CLASSES)
def test_there_are_examples(name):
    assert re.search(r"^Examples\n-+\n>>> ", inspect.getdoc(CLASSES[name]), re.M)


@pytest.mark.parametrize("name", [name for name, value in CLASSES.items() if issubclass(value, BaseEstimator)])
def test_attributes_are_set_by_fit(name):
    kind = CLASSES[name]
    model = kind(suffice.GaussianNB()) if name == "BayesDecision" else kind()
    named = entries(kind, "Attributes")
    assert named
    assert not [attribute for attribute in named if not hasattr(model.fit(X, Y), attribute)]


@pytest.mark.parametrize("name", FUNCTIONS)
def test_functions_document_arguments_and_results(name):
    signature = inspect.signature(FUNCTIONS[name])
    assert entries(FUNCTIONS[name], "Parameters") == list(signature.parameters)
    has_result = signature.return_annotation not in (None, "None")
    assert bool(re.search(r"^Returns\n-+\n", inspect.getdoc(FUNCTIONS[name]), re.M)) == has_result
