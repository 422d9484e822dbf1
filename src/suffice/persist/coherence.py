"""Whether the parts of a model from a file are about the same classes and the same columns."""

from suffice.errors import ModelFileError
from suffice.model import Model
from suffice.persist.kinds import Kinds
from suffice.statistics import Statistic


def check_model(model: Model, statistics: Kinds) -> None:
    """Refuse a model whose parts do not belong together."""
    tally, blocks = model.tally, model.blocks
    names = [name for block in blocks for name in block.columns]
    if sorted(map(repr, names)) != sorted(map(repr, model.names)) or len(set(names)) != len(names):
        raise _incoherent("its blocks are not made of its columns")
    if len(tally.columns) != len(blocks) or len(tally.statistics) != len(blocks):
        raise _incoherent("it has not one sum a block")
    if len(set(tally.classes)) != len(tally.classes) or tally.weight.shape != (len(tally.classes),):
        raise _incoherent("it has not one weight a class")
    if not (tally.weight >= 0).all() or not set(model.declared) <= set(tally.classes):
        raise _incoherent("its classes are not those it counted")
    for block, columns, statistic in zip(blocks, tally.columns, tally.statistics, strict=True):
        if list(columns) != list(block.columns) or block.reads != block.family.reads:
            raise _incoherent(f"a block of {len(columns)} columns is not read as its family reads")
        _check_sizes(statistic, len(tally.classes), len(columns), statistics)
    if len(model.refinements) not in (0, len(blocks)):
        raise _incoherent("it has not one refinement a block")
    _ = model.declaring(()).log_prior  # families and prior look at what they are given


def _check_sizes(statistic: Statistic, classes: int, columns: int, statistics: Kinds) -> None:
    sizes = statistics.sizes(statistic)
    if sizes.get("c", classes) != classes or sizes.get("k", columns) != columns:
        raise _incoherent(f"a sum over {classes} classes and {columns} columns has {sizes}")


def _incoherent(how: str) -> ModelFileError:
    return ModelFileError(f"The model file does not hold together: {how}", "no model that was saved is like that")
