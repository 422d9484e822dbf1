"""Every part there is, in the order in which they are planned: a later one is planned on the residuals of the earlier ones."""

from suffice.parts.holes import Holes
from suffice.parts.normals import NormalsPart
from suffice.parts.pairs import Pairs
from suffice.parts.part import AnyPlannedPart

PARTS: tuple[type[AnyPlannedPart], ...] = (Holes, NormalsPart, Pairs)
