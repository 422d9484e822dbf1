"""Held-out posteriors in a model file, loaded without the estimator."""

import os

import numpy as np

from suffice.decision.held_out import HeldOut
from suffice.persist.kinds import SavedKind
from suffice.persist.model_file import load_attribute
from suffice.persist.model_kinds import KINDS
from suffice.persist.shapes import Sizes, invalid_field


def _check(found: HeldOut, sizes: Sizes) -> None:
    p = found.posterior
    if found.log_density is not None or (len(p) and (p.min() < 0 or not np.allclose(p.sum(axis=1), 1.0, atol=1e-5))):
        raise invalid_field("posterior", "is none")
    if len(p) and not 0 <= found.codes.min() <= found.codes.max() < sizes["c"]:
        raise invalid_field("codes", "names no class")


HELD_OUT_KIND = {"held out": SavedKind(lambda: HeldOut, {"posterior": "nc", "codes": "n:i4", "chance": "n"}, _check)}


def load_held_out(path: "str | os.PathLike[str]") -> HeldOut | None:
    """The held-out posteriors stored by ``suffice train``; None if the model was changed since."""
    found = load_attribute(path, "held_out_", KINDS.extended(HELD_OUT_KIND))
    return found if isinstance(found, HeldOut) else None
