"""Families: class-conditional distributions, one file each, listed in ``registry``."""

from typing import TYPE_CHECKING

from suffice.families import registry
from suffice.lazy_names import lazy_names

if TYPE_CHECKING:
    from suffice.families.all_families import FAMILIES as FAMILIES
    from suffice.families.base import Family as Family
    from suffice.families.base import Rule as Rule
    from suffice.families.registry import *  # noqa: F403

FAMILY_NAMES = tuple(registry._LAZY_IMPORTS)
"""The names of all families, none of which is loaded for it."""

_LAZY_IMPORTS = {"FAMILIES": "all_families", "Family": "base", "Rule": "base", **registry._LAZY_IMPORTS}

if not TYPE_CHECKING:
    __all__ = list(_LAZY_IMPORTS)
    __getattr__, __dir__ = lazy_names(__name__, _LAZY_IMPORTS)
