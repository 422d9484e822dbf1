"""The triage service: sure cases are decided, unsure ones go to a person, and what the person says is learned at once."""

from suffice.web.server import serve
from suffice.web.settings import Settings

__all__ = ["Settings", "serve"]
