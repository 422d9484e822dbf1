"""A summary as one HTML file without scripts or external resources; all text is escaped."""

import importlib
import re
from importlib.resources import files
from typing import Any

import msgspec

from suffice.errors import MissingPackageError
from suffice.explain.column_effects import AVERAGED_ROWS
from suffice.report.columns import short_number
from suffice.report.decisions import probability
from suffice.report.missing_cells import missing_cells_sentence
from suffice.report.pictures import Pictures
from suffice.report.profile import QUANTILES
from suffice.report.summary import ColumnProfile, Summary


def page(summary: Summary, drawn: Pictures | None = None) -> str:
    """Render the page. All text from the data is escaped by the template engine.

    Parameters
    ----------
    summary : Summary
        Of ``summarise``.
    drawn : Pictures or None, default=None
        Of ``pictures``.

    Returns
    -------
    str
        HTML.
    """
    template = _engine().from_string((files("suffice.report") / "page.html.jinja").read_text("utf-8"))
    text: str = template.render(
        s=summary,
        pictures=drawn or Pictures(),
        missing_cells_sentence=missing_cells_sentence(summary.data),
        quantiles=QUANTILES,
        effect_rows=min(AVERAGED_ROWS, summary.data.judged_rows) if drawn is not None and drawn.drivers else 0,
        json=msgspec.json.format(msgspec.json.encode(summary), indent=1).decode(),
    )
    return text


def _engine() -> Any:
    try:
        jinja2 = importlib.import_module("jinja2")
    except ImportError:
        raise MissingPackageError(
            "Reports need jinja2", "it is not installed", "Install it: pip install 'suffice[cli]'"
        ) from None
    engine = jinja2.Environment(
        autoescape=True,
        undefined=jinja2.StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        keep_trailing_newline=True,
    )
    engine.filters["score"] = lambda found: _with_error(found.value, found.error, 4)
    engine.filters["change"] = lambda found: _with_error(found.value, found.error, 4, "+")
    engine.filters["evidence"] = lambda found: _with_error(found.evidence, found.error, 3)
    engine.filters["percent"] = lambda value: f"{value:.1%}"
    engine.filters["thousands"] = lambda value: f"{value:,}"
    engine.filters["number"] = short_number
    engine.filters["probability"] = probability
    engine.filters["pieces"] = lambda name: re.split(r"(?<=[_./:-])(?=\w)", str(name))
    engine.filters["others"] = _others
    return engine


def _others(found: ColumnProfile) -> list[float]:
    """The share of each class's rows with a value that is not shown."""
    shown = zip(*(level.by_class for level in found.levels), strict=True)
    return [max(0.0, 1.0 - sum(shares) - missing) for shares, missing in zip(shown, found.missing, strict=True)]


def _with_error(value: float, error: float, digits: int, sign: str = "") -> str:
    """A value ± its error, which may break only before the ±; a value that rounds to zero has no sign."""
    shown = format(value, f"{sign}z.{digits}f")
    bare = shown if any(c in "123456789" for c in shown) else shown.removeprefix("+")
    return f"{bare.replace('-', '−')} ±\N{NO-BREAK SPACE}{error:.{digits}f}"
