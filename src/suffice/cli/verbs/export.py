"""``suffice export``"""

from typing import Annotated

import typer

from suffice.cli.options import Force, Json, ModelFile


def export(
    model: ModelFile,
    js: Annotated[str | None, typer.Option("--js", metavar="FILE", help="The scoring file for the script.")] = None,
    script: Annotated[
        str | None, typer.Option("--script", metavar="FILE", help="The JavaScript that scores with the scoring file.")
    ] = None,
    html: Annotated[
        str | None, typer.Option("--html", metavar="FILE", help="A page that scores rows without a server.")
    ] = None,
    onnx: Annotated[
        str | None, typer.Option("--onnx", metavar="FILE", help="An ONNX graph, for models without forests and text.")
    ] = None,
    force: Force = False,
    as_json: Json = False,
) -> None:
    """Export a model to score rows without Python.

    \b
      suffice export claims.model --html claims.html
      suffice export claims.model --js claims.scorer --script scorer.js
      suffice train claims.csv --target fraud --model additive -o claims.model
      suffice export claims.model --onnx claims.onnx
    """
    from collections.abc import Callable
    from pathlib import Path

    from suffice import export as exports
    from suffice.cli.json_output import Exported, as_json_text
    from suffice.cli.model_summary import model_of
    from suffice.cli.output_files import check_free
    from suffice.errors import ParameterError
    from suffice.model import Model

    title = Path(model).stem
    ways: list[tuple[str | None, Callable[[Model, str], object]]] = [
        (js, lambda found, path: exports.to_scorer(found, path)),
        (html, lambda found, path: exports.to_page(found, path, title)),
        (onnx, lambda found, path: exports.to_onnx(found, path)),
        (script, lambda _, path: exports.write_script(path)),
    ]
    asked = [(path, write) for path, write in ways if path is not None]
    if not asked:
        raise ParameterError("No output file was given", "--html, --js, --script and --onnx name the files")
    for path, _ in asked:
        check_free(path, force)
    found = model_of(model)
    for path, write in asked:
        write(found, path)
    written = [path for path, _ in asked]
    print(as_json_text(Exported(written=written)) if as_json else "\n".join(f"{path} is written" for path in written))
