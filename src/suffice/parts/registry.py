"""The list of planned parts, in order: each is planned on the residuals of the previous ones."""

from suffice.parts.missing_indicators import MissingIndicators
from suffice.parts.normals import NormalsPart
from suffice.parts.pairs import Pairs
from suffice.parts.part import AnyPlannedPart

PARTS: tuple[type[AnyPlannedPart], ...] = (MissingIndicators, NormalsPart, Pairs)
