"""A page that scores rows in the browser, with model, script and style in one file."""

import base64
import hashlib
import html
import os
import re
from collections.abc import Sequence
from importlib import resources
from pathlib import Path

from suffice.columns.kinds import Name
from suffice.export.scoring_file import scoring_bytes
from suffice.model import Model
from suffice.persist.atomic import write_atomically


def write_script(path: "str | os.PathLike[str]") -> None:
    """Write the script that scores rows from a scoring file, for browsers and Node."""
    data = _asset("scorer.js").encode()
    write_atomically(Path(path), lambda stream: stream.write(data))


def to_page(model: Model, path: "str | os.PathLike[str]", title: str, names: Sequence[Name] | None = None) -> None:
    """Write a page with a field for each column and the probability of each class. It works as a local file."""
    scripts, style = [_asset("scorer.js"), _asset("page.js")], _asset("page.css")
    policy = (
        f"default-src 'none'; script-src {' '.join(map(_csp_source, scripts))}; style-src {_csp_source(style)}; "
        "base-uri 'none'; form-action 'none'"
    )
    parts = {
        "@POLICY@": policy,
        "@TITLE@": html.escape(title),
        "@STYLE@": style,
        "@SCORER@": scripts[0],
        "@SCRIPT@": scripts[1],
        "@DATA@": base64.b64encode(scoring_bytes(model, names)).decode(),
    }
    data = re.sub("|".join(parts), lambda mark: parts[mark.group()], _asset("page.html")).encode()
    write_atomically(Path(path), lambda stream: stream.write(data))


def _asset(name: str) -> str:
    return (resources.files("suffice.export") / "assets" / name).read_text("utf-8")


def _csp_source(text: str) -> str:
    """The content security policy source of an inline script or style."""
    return f"'sha256-{base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()}'"
