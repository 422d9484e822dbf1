"""The graph: cells, log joint, posterior."""

import os
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np

from suffice.columns.kinds import Name
from suffice.columns.labels import Label
from suffice.export.form import ScoringForm
from suffice.export.onnx.cells import LABEL, PROBABILITIES, OnnxInputs
from suffice.export.onnx.graph import BOOLEAN, DOUBLE, INTEGER, TEXT, Graph, Tensor
from suffice.export.onnx.terms import term_value
from suffice.export.scoring_form import scoring_form
from suffice.model import Model
from suffice.persist.atomic import write_atomically


def to_onnx(model: Model, path: "str | os.PathLike[str]", names: Sequence[Name] | None = None) -> None:
    """Write a model as an ONNX graph with outputs ``predicted`` and ``probabilities``; raises for forests and text."""
    data = _graph(scoring_form(model, names)).SerializeToString()
    write_atomically(Path(path), lambda stream: stream.write(data))


def _graph(form: ScoringForm) -> Any:
    graph = Graph()
    cells = OnnxInputs(graph, form)
    scores = [graph.constant(form.offset[None])]
    for term in form.terms:
        score = term_value(term, cells)
        scores.append(score if term.weight == 1.0 else graph.add("Mul", score, graph.constant(term.weight)))
    probabilities = _posterior(graph, cells.broadcast(graph.total(scores), len(form.classes)), form)
    best = graph.add("ArgMax", probabilities, axis=1, keepdims=0)
    labels, kind = _labels(form.classes)
    graph.output(graph.gather(labels, best), LABEL, kind, ["rows"])
    graph.output(probabilities, PROBABILITIES, DOUBLE, ["rows", len(form.classes)])
    return graph.build()


def _posterior(graph: Graph, joint: Tensor, form: ScoringForm) -> Tensor:
    """exp(log joint − maximum), normalised; the prior if the row has zero probability under every class."""
    most = graph.add("ReduceMax", joint, axes=[1], keepdims=1)
    impossible = graph.add("Equal", most, graph.constant(-np.inf))
    odds = graph.add("Exp", graph.add("Sub", joint, graph.add("Where", impossible, graph.constant(0.0), most)))
    shares = graph.add("Div", odds, graph.reduce_sum(odds, 1, keep=True))
    return graph.add("Where", impossible, graph.constant(form.prior[None]), shares)


def _labels(classes: Sequence[Label]) -> tuple["np.ndarray[Any, Any]", int]:
    """The labels as one type: booleans, integers, floats or strings."""
    if all(isinstance(c, bool) for c in classes):
        return np.array(classes, dtype=bool), BOOLEAN
    if all(isinstance(c, (int, np.integer)) and not isinstance(c, bool) for c in classes):
        return np.array(classes, dtype=np.int64), INTEGER
    if all(isinstance(c, (int, float)) and not isinstance(c, bool) for c in classes):
        return np.array(classes, dtype=np.float64), DOUBLE
    return np.array([str(c) for c in classes], dtype=object), TEXT
