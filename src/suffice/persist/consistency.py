"""Checks that the components of a loaded model have the same classes and columns."""

from collections.abc import Sequence

from suffice.columns.kinds import Name
from suffice.errors import ModelFileError
from suffice.families.weights import ColumnWeights
from suffice.model import Model
from suffice.parts.weighted_parts import WeightedParts
from suffice.persist.kinds import Kinds
from suffice.statistics import Tally


def check_model(model: Model, statistics: Kinds) -> None:
    """Raise if the components of a model are inconsistent."""
    tally, blocks = model.tally, model.blocks
    if len(blocks) != 1 or not _same_names(blocks[0].columns, model.names):  # the names of a wide matrix are many
        names = [name for block in blocks for name in block.columns if name not in model.calendar]
        if len(names) != len(model.names) or len(set(names)) != len(names) or set(names) != set(model.names):
            raise _inconsistent("its blocks do not match its columns")
    check_tally(tally, statistics)
    if len(tally.columns) != len(blocks):
        raise _inconsistent("it does not have one statistic per block")
    _check_sample(tally)
    if not set(model.declared) <= set(tally.classes):
        raise _inconsistent("it declares classes that its statistics do not have")
    for block, columns in zip(blocks, tally.columns, strict=True):
        if not _same_names(columns, block.columns) or block.reads != block.family.reads:
            raise _inconsistent(f"a block of {len(columns)} columns does not match its statistic or family")
    if model.fitted is not None:
        _check_weighted_parts(model, model.fitted)
    _ = model.declaring(()).log_prior  # families and prior check their own statistics


def _check_weighted_parts(model: Model, weighted_parts: WeightedParts) -> None:
    """Raise if weights and parts are for other blocks and columns than those of the model."""
    weighted = model.weighted(model.blocks)
    columns = sum(len(block.columns) for block in model.tables(model.blocks))
    if weighted_parts.classes != model.classes or len(weighted_parts.weights) != len(weighted):
        raise _inconsistent("its weights are for other classes or blocks")
    for block, weights in zip(weighted, weighted_parts.weights, strict=True):
        if isinstance(weights, ColumnWeights) and len(weights.values) not in (1, len(block.columns)):
            raise _inconsistent(f"a block of {len(block.columns)} columns has {len(weights.values)} weights")
        if not weights.is_coherent:
            raise _inconsistent("a correction is for an unknown view")
    if not all(part.fits(columns) for part in weighted_parts.parts):
        raise _inconsistent("a part reads unknown columns")


def _same_names(a: Sequence[Name], b: Sequence[Name]) -> bool:
    return a is b or (a == b if type(a) is type(b) else list(a) == list(b))


def check_tally(tally: Tally, statistics: Kinds) -> None:
    """Raise if statistics have different classes."""
    if len(set(tally.classes)) != len(tally.classes) or tally.weight.shape != (len(tally.classes),):
        raise _inconsistent("it does not have one weight per class")
    if not (tally.weight >= 0).all():
        raise _inconsistent("it has classes of negative weight")
    for columns, statistic in zip(tally.columns, tally.statistics, strict=True):
        sizes = statistics.axis_lengths(statistic)
        if sizes.get("c", len(tally.classes)) != len(tally.classes) or sizes.get("k", len(columns)) != len(columns):
            raise _inconsistent(f"a statistic of {len(tally.classes)} classes and {len(columns)} columns has {sizes}")


def _check_sample(tally: Tally) -> None:
    cells = () if tally.sample is None else tally.sample.cells
    if cells and len(cells) != len(tally.columns):
        raise _inconsistent("its row sample has other blocks")
    for columns, kept in zip(tally.columns, cells, strict=False):
        if kept is not None and not kept.fits(len(columns)):
            raise _inconsistent(f"a block of its row sample does not have {len(columns)} columns")


def _inconsistent(how: str) -> ModelFileError:
    return ModelFileError(f"The model file is inconsistent: {how}", "it is damaged, or was not written by suffice")
