"""Leave-one-out of models with fitted weights: from the left-out scores that weights are fitted on, of every row."""

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from suffice.columns.blocks import BlockData
from suffice.columns.labelled import Labelled
from suffice.columns.labels import Labels
from suffice.errors import DataError, ParameterError
from suffice.evaluate.folds import stratified_folds
from suffice.model import Model
from suffice.model.left_out import left_out_of_read
from suffice.numerics.arrays import FloatArray, IntArray

_REMEDY = "Pass an estimator that is not fitted: it learns these rows, and no others"


def joint_in_parts(blank: Model, rows: Labelled, threads: int) -> tuple[Model, FloatArray]:
    """A model of the rows, and their left-out log joint, up to a constant per row.

    If there are more rows than are kept, they are split into parts, each with a model of its own.
    """
    blank = blank.keeping
    read = blank.read(rows.table, threads)
    model = blank.with_tally(blank.count_read(read, rows.labels, rows.weight, threads))
    sample = model.tally.sample
    assert sample is not None
    if sample.is_complete:
        return _joint(model, read, rows.labels, rows.weight, threads)
    part = stratified_folds(rows.labels.codes, -(-rows.table.rows // max(sample.rows // 2, 1)))
    out = np.empty((rows.table.rows, len(model.classes)))
    for k in range(int(part.max()) + 1):
        here = np.flatnonzero(part == k)
        labels = Labels.of(rows.labels.classes, rows.labels.codes[here], threads)
        weight = None if rows.weight is None else rows.weight[here]
        cells = [block.take(here) for block in read]
        counted = blank.with_tally(blank.count_read(cells, labels, weight, threads)).declaring(model.classes)
        of_part, out[here] = _joint(counted, cells, labels, weight, threads)
    return replace(model, fitted=of_part.fitted), out


def joint_of_kept(model: Model, rows: Labelled, threads: int) -> tuple[Model, FloatArray]:
    """The left-out log joint of rows that a model has learned and keeps."""
    if model.tally.sample is None:
        raise ParameterError("The model keeps no rows", "weights are fitted on them, each row left out", _REMEDY)
    return _joint(model, model.read(rows.table, threads), rows.labels, rows.weight, threads)


def kept_places(model: Model, read: Sequence[BlockData], labels: Labels) -> IntArray:
    """The index of each row among the kept rows of a model, −1 if it is not kept."""
    sample = model.tally.sample
    assert sample is not None
    cells = [c if weighted else None for c, weighted in zip(read, model.is_weighted, strict=True)]
    return sample.indices(model.tally.columns, cells, model.places(labels))


def _joint(
    model: Model, read: Sequence[BlockData], labels: Labels, weight: FloatArray | None, threads: int
) -> tuple[Model, FloatArray]:
    has_weight = np.ones(len(labels.codes), dtype=bool) if weight is None else weight > 0
    learned, others = np.flatnonzero(has_weight), np.flatnonzero(~has_weight)
    place = kept_places(model, read, labels)[learned]
    if (place < 0).any():
        raise DataError(
            f"{int((place < 0).sum()):,} of {len(has_weight):,} rows are not among those that the model has learned and keeps",
            "only kept rows can be left out of what is fitted on them",
            _REMEDY,
        )
    settled, joint = model.left_out(threads)
    out = np.empty((len(has_weight), joint.shape[1]))
    out[learned] = joint[place]
    if not all(model.is_weighted):  # textbook families beside a text
        cells, y = [block.take(learned) for block in read], model.places(labels)[learned]
        w = None if weight is None else weight[learned]
        _, parts = left_out_of_read(replace(settled, class_weight=None), cells, y, w, threads)
        out[learned] += parts[[not weighted for weighted in model.is_weighted]].sum(axis=0)
    if len(others):  # rows without weight, which are in no model
        joint = np.empty((len(others), out.shape[1]))
        model.score([block.take(others) for block in read], joint, threads)
        out[others] = joint
    return settled, out
