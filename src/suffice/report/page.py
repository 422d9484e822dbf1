"""A summary as one HTML file that needs nothing else: no network, no scripts, every text escaped."""

import importlib
from importlib.resources import files
from typing import Any

import msgspec

from suffice.errors import MissingPackageError
from suffice.report.holes import said_of_holes
from suffice.report.pictures import Pictures
from suffice.report.profile import QUANTILES
from suffice.report.summary import Summary


def page(summary: Summary, drawn: Pictures | None = None) -> str:
    """The page. What comes from the data goes through the escaping of the template engine, all of it.

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
        said_of_holes=said_of_holes(summary.data),
        quantiles=QUANTILES,
        json=msgspec.json.format(msgspec.json.encode(summary), indent=1).decode(),
    )
    return text


def _engine() -> Any:
    try:
        jinja2 = importlib.import_module("jinja2")
    except ImportError:
        raise MissingPackageError(
            "A report is asked for", "the package jinja2 writes it", "Install it: pip install 'suffice[cli]'"
        ) from None
    engine = jinja2.Environment(
        autoescape=True,
        undefined=jinja2.StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        keep_trailing_newline=True,
    )
    engine.filters["score"] = lambda found: f"{found.value:.4f} ± {found.error:.4f}"
    engine.filters["percent"] = lambda value: f"{value:.1%}"
    engine.filters["thousands"] = lambda value: f"{value:,}"
    return engine
