"""Every part there is, in the order in which they are planned: a later one is planned on what the earlier ones leave."""

from suffice.parts.holes import Holes
from suffice.parts.normals import NormalsPart
from suffice.parts.pairs import Pairs
from suffice.parts.part import PlannedPart

PARTS: tuple[type[PlannedPart], ...] = (Holes, NormalsPart, Pairs)
