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

    Counts are exactly those of all rows. The weights of the default are fitted to the rows that the file keeps: while it keeps
    all, the result is the model trained on all rows. (Beyond 10,000 rows, weights follow when a thousandth of them is new.)

    \b
      suffice learn claims.model march.csv --target fraud --in-place
    """
    from suffice.cli.change import draw_change
    from suffice.cli.show import show
    from suffice.cli.teach import taught

    show(taught("learn", model, rows, target, out, in_place, force), as_json, draw_change)
