"""``suffice learn``"""

from suffice.cli.options import Force, InPlace, Json, ModelFile, Out, Sources, Target


def learn(
    model: ModelFile,
    rows: Sources,
    target: Target = None,
    out: Out = None,
    in_place: InPlace = False,
    force: Force = False,
    as_json: Json = False,
) -> None:
    """Add rows to a saved model.

    Its counts become exactly those of all rows. Fitted weights of the default stay as they were fitted.

    \b
      suffice learn claims.model march.csv --target fraud --in-place
    """
    from suffice.cli.change import draw_change
    from suffice.cli.show import show
    from suffice.cli.teach import taught

    show(taught("learn", model, rows, target, out, in_place, force), as_json, draw_change)
