"""``suffice export``"""

from typing import Annotated

import typer

from suffice.cli.options import Force, Json, ModelFile


def export(
    model: ModelFile,
    js: Annotated[
        str | None, typer.Option("--js", metavar="FILE", help="The scoring file: final tables for the script.")
    ] = None,
    script: Annotated[
        str | None, typer.Option("--script", metavar="FILE", help="The script that scores by it (JavaScript).")
    ] = None,
    html: Annotated[
        str | None, typer.Option("--html", metavar="FILE", help="A page that scores rows, with no server.")
    ] = None,
    force: Force = False,
    as_json: Json = False,
) -> None:
    """Write a model so that rows are scored without Python.

    \b
      suffice export claims.model --html claims.html
      suffice export claims.model --js claims.scorer --script scorer.js
    """
    import json
    from collections.abc import Callable
    from pathlib import Path

    from suffice.cli.model_summary import model_of
    from suffice.cli.writing import check_free, write_whole
    from suffice.errors import ParameterError
    from suffice.export import script as scorer
    from suffice.export import to_page, to_scorer
    from suffice.model import Model

    title = Path(model).stem
    ways: list[tuple[str | None, Callable[[Model, str], object]]] = [
        (js, to_scorer),
        (html, lambda found, path: to_page(found, path, title)),
        (script, lambda _, path: write_whole(path, lambda file: file.write(scorer().encode()))),
    ]
    asked = [(path, write) for path, write in ways if path is not None]
    if not asked:
        raise ParameterError("It is not said what to write", "--js, --script and --html name the files")
    for path, _ in asked:
        check_free(path, force)
    found = model_of(model)
    for path, write in asked:
        write(found, path)
    written = [path for path, _ in asked]
    print(json.dumps({"written": written}) if as_json else "\n".join(f"{path} is written" for path in written))
