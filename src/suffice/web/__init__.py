"""The triage service: sure cases are decided, unsure ones go to a person, whose label is learned at once."""

from suffice.web.server import serve
from suffice.web.settings import Settings

__all__ = ["Settings", "serve"]
