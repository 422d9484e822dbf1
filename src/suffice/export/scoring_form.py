"""Conversion of a model to its scoring form."""

from collections.abc import Sequence

import numpy as np

from suffice.columns.kinds import Name
from suffice.errors import NotExportableError, quoted
from suffice.export.densities import density_terms
from suffice.export.form import ScoringForm, Term
from suffice.export.inputs import Inputs
from suffice.export.parts import part_terms
from suffice.families.assignment import Block
from suffice.model import Model
from suffice.model.outside_python import check_readable


def scoring_form(model: Model, names: Sequence[Name] | None = None) -> ScoringForm:
    """The scoring form of a model. Raises for components without one.

    ``names`` are the column names of the rows, if the model has only positions.
    """
    names = model.names if names is None else names
    check_readable(model, names, NotExportableError)
    inputs = Inputs(model.names)
    terms: list[Term] = []
    for block, density in zip(model.blocks, model.densities, strict=True):
        inputs.register(block.columns, block.reads)
        found = density_terms(density, block.columns, inputs)
        if found is None:
            raise _no_form_of_block(block)
        terms += found
    weighted_parts, offset = model.weighted_parts, model.log_prior
    if weighted_parts is not None:
        offset = offset + weighted_parts.bias
        columns: list[tuple[Name, str]] = [
            (name, block.reads) for block in model.tables(model.blocks) for name in block.columns
        ]
        for part in weighted_parts.parts:
            found = part_terms(part, columns, inputs)
            if found is None:
                raise NotExportableError(
                    f"The model has a {type(part).__name__} part",
                    "tables, pairs, normals, forests and Fourier features can be exported",
                    "Fit with model='naive' and without text columns",
                )
            terms += found
    return ScoringForm(
        classes=model.classes,
        prior=np.exp(model.log_prior),
        offset=np.asarray(offset, dtype=np.float64),
        marginalise=model.marginalise,
        columns=inputs.columns([str(name) for name in names]),
        codings=inputs.all_codings(),
        terms=tuple(terms),
    )


def _no_form_of_block(block: Block) -> NotExportableError:
    family = type(block.family).__name__
    todo = {
        "documents": "Omit the text column, or score the rows in Python",
        "terms": "Use Multinomial() for these columns",
        "levels": "Use TAN() or Categorical() for these columns",
    }.get(block.reads, "Use another family for it, or omit it")
    return NotExportableError(
        f"Column {quoted(list(block.columns))} is modelled by {family}",
        "it cannot be scored outside Python; families of numbers, counts, categories and booleans can",
        todo,
    )
