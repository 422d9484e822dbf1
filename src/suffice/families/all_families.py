"""Every family of the registry, loaded."""

from suffice import families
from suffice.families.base import AnyFamily

FAMILIES: tuple[type[AnyFamily], ...] = tuple(getattr(families, name) for name in families.FAMILY_NAMES)
"""All families; ``tests/families/cases.py`` has rows for each, and the laws do the rest."""
