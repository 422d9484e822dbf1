"""``suffice audit``"""

from typing import TYPE_CHECKING, Annotated

import typer

from suffice.cli.options import Encoding, Json, Kinds, Missing, Sources, Target
from suffice.cli.verbs.train import Kind

if TYPE_CHECKING:
    from suffice.cli.label_audit import Audit
    from suffice.cli.show import Page


def audit(
    rows: Sources,
    target: Target = None,
    model: Annotated[Kind | None, typer.Option("--model", help="As in suffice train.")] = None,
    most: Annotated[int, typer.Option("--most", min=1, metavar="N", help="Rows to list.")] = 20,
    missing: Missing = None,
    encoding: Encoding = None,
    kind: Kinds = None,
    as_json: Json = False,
) -> None:
    """List rows whose label may be wrong.

    Rows are sorted by the probability of their label under a model of all other rows. No file is written.

    \b
      suffice audit claims.csv --target fraud
      suffice audit mails/ --most 50
    """
    from suffice.cli.declarations import declared
    from suffice.cli.label_audit import audit_labels
    from suffice.cli.progress import progress
    from suffice.cli.rows import open_rows
    from suffice.cli.show import show

    declaration = declared(missing, encoding, kind)
    with progress() as show_step:
        found = audit_labels(
            open_rows(rows, declaration),
            target,
            model,
            most,
            declaration.ignored,
            " ".join(rows),
            show_step,
        )
    show(found, as_json, _draw)


def _draw(page: "Page", found: "Audit") -> None:
    page.line(f"{found.rows:,} rows of {found.source}, target {found.target}; least probable labels first")
    if found.unlabelled:
        page.line(f"{found.unlabelled:,} further rows have no label")
    named = any(one.file for one in found.suspects)
    page.table(
        ["row", "label", "p(label)", "more probable", "p", *(["file"] if named else [])],
        [
            (
                one.row,
                one.label,
                f"{one.probability:.3g}",
                one.instead if one.instead_probability > one.probability else "",
                f"{one.instead_probability:.3g}" if one.instead_probability > one.probability else "",
                *([one.file] if named else []),
            )
            for one in found.suspects
        ],
        right=(0, 2, 4),
    )
    page.line(f"{found.disputed:,} rows have a label less probable than another")
