"""``suffice forget``"""

from suffice.cli.options import Force, InPlace, Json, ModelFile, Out, Sources, Target


def forget(
    model: ModelFile,
    rows: Sources,
    target: Target = None,
    out: Out = None,
    in_place: InPlace = False,
    force: Force = False,
    as_json: Json = False,
) -> None:
    """Take rows out of a saved model.

    Counts are exactly those of the other rows. The weights of the default are fitted again to the rows that the file keeps:
    while it keeps all, the result is the model trained without these rows.

    \b
      suffice forget claims.model withdrawn.csv --target fraud -o clean.model
    """
    from suffice.cli.change import draw_change
    from suffice.cli.show import show
    from suffice.cli.teach import taught

    show(taught("forget", model, rows, target, out, in_place, force), as_json, draw_change)
