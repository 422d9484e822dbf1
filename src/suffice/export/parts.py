"""Parts as terms of the scoring form."""

from collections.abc import Sequence
from functools import singledispatch

import numpy as np

from suffice.columns.kinds import Level, Name
from suffice.export import form
from suffice.export.cells import CodeScores, Polyline, Scores
from suffice.export.form import Term
from suffice.export.inputs import Inputs
from suffice.parts.byte_codes import ByteCodes, NumberCuts
from suffice.parts.coding import Coding, LevelCodes, NumberCodes
from suffice.parts.forest import ForestPart
from suffice.parts.fourier import Fourier
from suffice.parts.missing_indicators import MissingIndicators
from suffice.parts.normal_scores import NormalScores, NumberScores
from suffice.parts.normals import NormalsPart
from suffice.parts.pairs import Pairs
from suffice.parts.part import AnyPart


@singledispatch
def part_terms(part: AnyPart, columns: Sequence[tuple[Name, str]], inputs: Inputs) -> list[Term] | None:
    """The terms of a part, given the columns of all tables and their kinds; None if it has no such form."""
    return None


@part_terms.register
def _(part: MissingIndicators, columns: Sequence[tuple[Name, str]], inputs: Inputs) -> list[Term]:
    tables = part.table.T.reshape(len(part.columns), 2, -1)
    return [
        form.CodeTable(coding=inputs.presence(*columns[j]), values=table)
        for j, table in zip(part.columns.tolist(), tables, strict=True)
    ]


@part_terms.register
def _(part: Pairs, columns: Sequence[tuple[Name, str]], inputs: Inputs) -> list[Term]:
    codings = _codings(part.coding, columns, inputs)
    tables, rows, _ = part.scored
    (left, right), start = tables.steps, tables.start
    return [
        form.PairTable(
            left=codings[i],
            right=codings[j],
            left_steps=left[k, : part.coding.sizes[i]],
            right_steps=right[k, : part.coding.sizes[j]],
            values=rows[start[k] : start[k + 1], : part.n_classes],
        )
        for k, (i, j) in enumerate(part.columns.tolist())
    ]


def _codings(coding: Coding, columns: Sequence[tuple[Name, str]], inputs: Inputs) -> list[int]:
    """The coding of each column."""
    missing = [-1] * len(columns)
    for j in coding.holes.tolist():
        missing[j] = int(coding.sizes[j]) - 1
    out: list[int] = []
    for block in coding.blocks:
        for j in range(block.columns):
            name, _ = columns[len(out)]
            missing_code = missing[len(out)]
            if isinstance(block, NumberCodes):
                out.append(inputs.cuts(name, block.cuts[j], missing_code))
            else:
                out.append(_level_coding(block, j, name, missing_code, inputs))
    return out


def _level_coding(block: LevelCodes, j: int, name: Name, missing: int, inputs: Inputs) -> int:
    kept, others = block.levels[j], block.others[j]
    codes = [*range(len(kept)), *[len(kept)] * len(others)]
    return inputs.level_codes(name, (*kept, *others), codes, missing=missing)


@part_terms.register
def _(part: NormalsPart, columns: Sequence[tuple[Name, str]], inputs: Inputs) -> list[Term]:
    scores, density = _scores(part.scores, columns, inputs), part.discriminant.normals
    if density.is_shared:
        centre, slope, constant = density.linear_odds
        return [form.LinearOfScores(scores=scores, centre=centre, slope=slope, constant=constant, weight=part.weight)]
    each = density.covariances
    return [
        form.NormalsOfScores(
            scores=scores,
            mean=density.mean,
            root=np.stack([c.root for c in each]),  # type: ignore[attr-defined]
            constant=np.array([-0.5 * c.log_det for c in each]),
            weight=part.weight,
        )
    ]


def _scores(scores: NormalScores, columns: Sequence[tuple[Name, str]], inputs: Inputs) -> Scores:
    out: list[Polyline | CodeScores] = []
    first = 0
    for block in scores.blocks:
        names: list[Name] = [name for name, _ in columns[first : first + block.columns]]
        first += block.columns
        if isinstance(block, NumberScores):
            at = inputs.numbers(names)
            out += [Polyline(int(at[j]), *block.knots[j]) for j in block.owners]
            continue
        for name, kept, others, rows in zip(names, block.levels, block.others, block.by_level, strict=True):
            if rows.shape[1]:
                levels: tuple[Level, ...] = (*kept, *others)
                coding = inputs.level_codes(name, levels, [*range(len(kept)), *[len(kept)] * len(others)])
                out.append(CodeScores(coding, rows))
    return tuple(out)


@part_terms.register
def _(part: ForestPart, columns: Sequence[tuple[Name, str]], inputs: Inputs) -> list[Term]:
    flat = part.trees.flat(part.prior)
    return [
        form.Forest(
            codings=np.array(_byte_codings(part.codes, columns, inputs), dtype=np.int32),
            axes=_axes(part.codes, columns, inputs),
            nodes=flat.nodes.view("<i4"),
            roots=flat.root,
            shares=flat.shares,
            prior=part.prior,
            sure=part.tree_weight,
            weight=part.weight,
        )
    ]


@part_terms.register
def _(part: Fourier, columns: Sequence[tuple[Name, str]], inputs: Inputs) -> list[Term]:
    return [
        form.Waves(
            scores=_scores(part.scores, columns, inputs),
            frequencies=np.ascontiguousarray(part.frequencies.T, dtype=np.float64),
            coefficients=np.ascontiguousarray(part.coefficients.T),
        )
    ]


def _byte_codings(codes: ByteCodes, columns: Sequence[tuple[Name, str]], inputs: Inputs) -> list[int]:
    out: list[int] = []
    for block in codes.blocks:
        for j in range(block.columns):
            name, _ = columns[len(out)]
            if isinstance(block, NumberCuts):
                out.append(inputs.cuts(name, block.cuts[j]))
            else:
                out.append(_level_coding(block, j, name, -1, inputs))
    return out


def _axes(codes: ByteCodes, columns: Sequence[tuple[Name, str]], inputs: Inputs) -> form.Axes | None:
    if codes.axes is None:
        return None
    vectors = np.ascontiguousarray(codes.axes.vectors.T, dtype=np.float64)
    return form.Axes(_scores(codes.axes.scores, columns, inputs), vectors, codes.axes.cuts)
