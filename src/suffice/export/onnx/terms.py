"""Terms of the scoring form as tensors (rows, classes)."""

from functools import singledispatch
from itertools import product

import numpy as np

from suffice.errors import NotExportableError
from suffice.export import form
from suffice.export.form import with_zero_row
from suffice.export.onnx.cells import OnnxInputs
from suffice.export.onnx.graph import DOUBLE, INTEGER, Graph, Tensor
from suffice.families.multivariate_normal.normals import log_density
from suffice.numerics.arrays import AnyArray, FloatArray
from suffice.numerics.covariances import FullCovariance
from suffice.numerics.stirling import ACCURATE_FROM, COEFFICIENTS

_MAX_MARGINALISED = 5  # columns for which every pattern of missing cells is marginalised


@singledispatch
def term_value(term: form.Term, cells: OnnxInputs) -> Tensor:
    """The value of a term, before its weight."""
    if isinstance(term, (form.Forest, form.Waves)):
        what = "forests" if isinstance(term, form.Forest) else "Fourier features"
        raise NotExportableError(
            f"The model has {what}",
            "tables, pairs and normals have operators in ONNX",
            "Fit with model='additive'",
        )
    raise NotExportableError(f"The model has a {type(term).__name__}", "it has no operators in ONNX")


@term_value.register
def _(term: form.CodeTable, cells: OnnxInputs) -> Tensor:
    return cells.graph.gather(with_zero_row(term.values), cells.code(term.coding))


@term_value.register
def _(term: form.PairTable, cells: OnnxInputs) -> Tensor:
    graph, nowhere = cells.graph, len(term.values)
    left = graph.gather(np.append(term.left_steps, nowhere).astype(np.int64), cells.code(term.left))
    right = graph.gather(np.append(term.right_steps, nowhere).astype(np.int64), cells.code(term.right))
    at = graph.add("Min", graph.add("Add", left, right), graph.constant(np.int64(nowhere)))
    return graph.gather(with_zero_row(term.values), at)


@term_value.register
def _(term: form.Linear, cells: OnnxInputs) -> Tensor:
    graph, (x, there) = cells.graph, cells.numbers(term.columns)
    is_there = graph.cast(there, DOUBLE)
    known = graph.add("Mul", x, is_there)
    finite = np.isfinite(term.slope)
    slope = graph.add("MatMul", known, graph.constant(np.where(finite, term.slope, 0.0).T.copy()))
    score = graph.add("Add", slope, graph.add("MatMul", is_there, graph.constant(term.constant.T.copy())))
    if finite.all():
        return score
    # −∞ · 0 is 0
    some = graph.cast(graph.add("Not", graph.add("Equal", known, graph.constant(0.0))), DOUBLE)
    fatal = graph.add("MatMul", some, graph.constant((~finite).T.astype(np.float64)))
    return graph.add("Where", graph.add("Greater", fatal, graph.constant(0.0)), graph.constant(-np.inf), score)


@term_value.register
def _(term: form.Quadratic, cells: OnnxInputs) -> Tensor:
    graph, (x, there) = cells.graph, _by_class(term, cells)
    score = graph.add(
        "Sub", _parameters(graph, term.constant), _squared_deviation(graph, x, term.centre, term.curvature)
    )
    return _sum_of_present(graph, score, there)


@term_value.register
def _(term: form.Student, cells: OnnxInputs) -> Tensor:
    graph, (x, there) = cells.graph, _by_class(term, cells)
    log = _log1p(graph, _squared_deviation(graph, x, term.centre, term.curvature))
    score = graph.add("Sub", _parameters(graph, term.constant), graph.add("Mul", _parameters(graph, term.power), log))
    return _sum_of_present(graph, score, there)


@term_value.register
def _(term: form.Amounts, cells: OnnxInputs) -> Tensor:
    graph, (x, there) = cells.graph, _by_class(term, cells)
    score = graph.add("Add", _parameters(graph, term.constant), graph.add("Mul", _parameters(graph, term.slope), x))
    if term.log_slope.any():
        score = graph.add("Add", score, graph.add("Mul", _parameters(graph, term.log_slope), graph.add("Log", x)))
    if term.tail.any():
        log = _log1p(graph, graph.add("Div", x, _parameters(graph, term.scale)))
        score = graph.add("Sub", score, graph.add("Mul", _parameters(graph, term.tail), log))
    return _sum_of_present(graph, score, there)


@term_value.register
def _(term: form.LogGamma, cells: OnnxInputs) -> Tensor:
    graph, (x, there) = cells.graph, _by_class(term, cells)
    score = graph.add("Add", _parameters(graph, term.constant), graph.add("Mul", _parameters(graph, term.slope), x))
    score = graph.add("Add", score, _log_gamma(graph, graph.add("Add", x, _parameters(graph, term.shape))))
    return _sum_of_present(graph, score, there)


@term_value.register
def _(term: form.LogGammaOfSum, cells: OnnxInputs) -> Tensor:
    graph, (x, there) = cells.graph, cells.numbers(term.columns)
    words = graph.reduce_sum(graph.add("Mul", x, graph.cast(there, DOUBLE)), 1, keep=True)
    log = _log_gamma(graph, graph.add("Add", words, graph.constant(term.shape[None])))
    return graph.add("Sub", graph.constant(term.constant[None]), log)


@term_value.register
def _(term: form.LinearOfScores, cells: OnnxInputs) -> Tensor:
    graph = cells.graph
    away = graph.add("Sub", cells.normal_scores(term.scores), graph.constant(term.centre[None]))
    product_ = graph.add("MatMul", away, graph.constant(term.slope.T.copy()))
    return graph.add("Add", product_, graph.constant(term.constant[None]))


@term_value.register
def _(term: form.NormalsOfScores, cells: OnnxInputs) -> Tensor:
    graph = cells.graph
    half = graph.add(
        "Mul", _squared_distance(graph, cells.normal_scores(term.scores), term.mean, term.root), graph.constant(0.5)
    )
    return graph.add("Sub", graph.constant(term.constant[None]), half)


@term_value.register
def _(term: form.Normals, cells: OnnxInputs) -> Tensor:
    """Rows with missing cells are scored only if there are few columns; otherwise their score is NaN."""
    graph, (x, there) = cells.graph, cells.numbers(term.columns)
    size = len(term.columns)
    out = _normals(graph, x, term, np.arange(size))
    patterns = (
        [np.flatnonzero(p) for p in product([False, True], repeat=size)][:-1] if size <= _MAX_MARGINALISED else []
    )
    whole = graph.add("Equal", graph.reduce_sum(graph.cast(there, INTEGER), 1, keep=True), graph.constant([[size]]))
    score = graph.add("Where", whole, out, graph.constant(np.nan))
    for columns in patterns if term.sums_out else []:
        wanted = np.zeros((1, size), dtype=np.int64)
        wanted[0, columns] = 1
        differ = graph.add("Abs", graph.add("Sub", graph.cast(there, INTEGER), graph.constant(wanted)))
        matches = graph.add("Equal", graph.reduce_sum(differ, 1, keep=True), graph.constant([[0]]))
        found = _normals(graph, x, term, columns) if len(columns) else graph.constant(0.0)
        score = graph.add("Where", matches, found, score)
    return score


def _normals(graph: Graph, x: Tensor, term: form.Normals, columns: AnyArray) -> Tensor:
    """The log density of the present columns."""
    some = [FullCovariance(matrix[np.ix_(columns, columns)]) for matrix in term.covariance]
    roots = term.root if len(columns) == len(term.columns) else np.stack([each.root for each in some])
    known = x if len(columns) == len(term.columns) else graph.add("Gather", x, graph.constant(columns), axis=1)
    square = _squared_distance(graph, known, term.mean[:, columns], roots)
    constant, rank = term.constant, term.rank.astype(np.float64)
    if len(columns) < len(term.columns):
        each = [some[c if len(some) > 1 else 0] for c in range(len(term.mean))]
        rank = np.array([float(c.rank) for c in each])
        dof = [None] * len(each) if term.dof is None else term.dof.tolist()
        pairs = zip(each, dof, strict=True)
        constant = np.array([float(log_density(np.zeros(1), c.rank, c.log_det, v)[0]) for c, v in pairs])
    if term.dof is None:
        return graph.add("Sub", graph.constant(constant[None]), graph.add("Mul", square, graph.constant(0.5)))
    log = _log1p(graph, graph.add("Div", square, graph.constant(term.dof[None])))
    power = graph.constant((0.5 * (term.dof + rank))[None])
    return graph.add("Sub", graph.constant(constant[None]), graph.add("Mul", power, log))


# — helpers —


def _by_class(term: form.OfColumns, cells: OnnxInputs) -> tuple[Tensor, Tensor]:
    """Cells and the mask of present ones, (rows, 1, columns)."""
    graph, (x, there) = cells.graph, cells.numbers(term.columns)
    if getattr(term, "of_log", False):
        x = graph.add("Log", x)
    return graph.unsqueeze(x, 1), graph.unsqueeze(there, 1)


def _parameters(graph: Graph, values: FloatArray) -> Tensor:
    """Parameters (1, classes, columns)."""
    return graph.constant(values[None])


def _squared_deviation(graph: Graph, x: Tensor, centre: FloatArray, curvature: FloatArray) -> Tensor:
    away = graph.add("Sub", x, _parameters(graph, centre))
    return graph.add("Mul", _parameters(graph, curvature), graph.add("Mul", away, away))


def _sum_of_present(graph: Graph, score: Tensor, there: Tensor) -> Tensor:
    """The sum over the present cells; NaN from an overflow becomes −∞."""
    score = graph.add("Where", graph.add("IsNaN", score), graph.constant(-np.inf), score)
    return graph.reduce_sum(graph.add("Where", there, score, graph.constant(0.0)), 2)


def _squared_distance(graph: Graph, x: Tensor, mean: FloatArray, root: FloatArray) -> Tensor:
    """|root (x − mean)|² under each class, (rows, classes)."""
    away = graph.add("Sub", graph.unsqueeze(x, 0), graph.constant(mean[:, None, :]))
    along = graph.add("MatMul", away, graph.constant(np.ascontiguousarray(root.transpose(0, 2, 1))))
    return graph.add("Transpose", graph.reduce_sum(graph.add("Mul", along, along), 2), perm=[1, 0])


def _log1p(graph: Graph, x: Tensor) -> Tensor:
    """log(1 + x)"""
    return graph.add("Log", graph.add("Add", x, graph.constant(1.0)))


def _log_gamma(graph: Graph, z: Tensor) -> Tensor:
    """Stirling's series at z + 10, and back by Γ(z + 1) = z Γ(z)."""
    far = graph.add("Add", z, graph.constant(float(ACCURATE_FROM)))
    inverse = graph.add("Div", graph.constant(1.0), far)
    square = graph.add("Mul", inverse, inverse)
    series = graph.constant(COEFFICIENTS[-1])
    for term in reversed(COEFFICIENTS[:-1]):
        series = graph.add("Add", graph.add("Mul", series, square), graph.constant(term))
    main = graph.add("Mul", graph.add("Sub", far, graph.constant(0.5)), graph.add("Log", far))
    rest = graph.add("Add", graph.add("Mul", series, inverse), graph.constant(0.5 * float(np.log(2 * np.pi))))
    back = z
    for i in range(1, ACCURATE_FROM):
        back = graph.add("Mul", back, graph.add("Add", z, graph.constant(float(i))))
    return graph.add("Sub", graph.add("Add", graph.add("Sub", main, far), rest), graph.add("Log", back))
