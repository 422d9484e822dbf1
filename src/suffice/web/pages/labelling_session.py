"""State of a labelling session, stored by the browser and sent with forms: skipped cases and the last label."""

from collections.abc import Mapping
from dataclasses import dataclass

NONE_SKIPPED: frozenset[str] = frozenset()


@dataclass(frozen=True)
class LabellingSession:
    """``case`` is the id to show, empty for the first waiting case; ``done`` is the id labelled last, which can be undone."""

    case: str = ""
    done: str = ""
    skipped: frozenset[str] = NONE_SKIPPED

    @classmethod
    def of(cls, form: Mapping[str, str], case: str = "", done: str = "") -> "LabellingSession":
        """A session from the fields that the page's script adds to a form; one id per line."""
        return cls(case, done, frozenset(form.get("skipped", "").splitlines()))
