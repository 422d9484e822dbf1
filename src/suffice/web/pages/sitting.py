"""State of a sitting at the queue, kept by the browser and sent with forms: skipped cases, and the last action."""

from collections.abc import Mapping
from dataclasses import dataclass

NONE_SKIPPED: frozenset[str] = frozenset()


@dataclass(frozen=True)
class Sitting:
    """``case`` is the id to show, empty for the first waiting case; ``done`` was labelled last and can be undone."""

    case: str = ""
    done: str = ""
    skipped: frozenset[str] = NONE_SKIPPED

    @classmethod
    def of(cls, form: Mapping[str, str], case: str = "", done: str = "") -> "Sitting":
        """A sitting from the fields that the page's script adds to a form; one id per line."""
        return cls(case, done, frozenset(form.get("skipped", "").splitlines()))
