"""``suffice forget``"""

from suffice.cli.options import Encoding, Force, InPlace, Json, ModelFile, Out, Sources, Target


def forget(
    model: ModelFile,
    rows: Sources,
    target: Target = None,
    out: Out = None,
    in_place: InPlace = False,
    encoding: Encoding = None,
    force: Force = False,
    as_json: Json = False,
) -> None:
    """Remove rows from a saved model.

    As long as the file keeps all rows (100,000 by default), the result equals the model trained without these; so does a
    textbook model of any size, up to rounding. Otherwise, counts of columns exclude these rows, and weights, pairs and forests
    are estimated from the kept rows. The output states which is the case.

    \b
      suffice forget claims.model withdrawn.csv --target fraud -o clean.model
    """
    from suffice.cli.change import draw_change
    from suffice.cli.model_update import update_model
    from suffice.cli.show import show

    show(update_model("forget", model, rows, target, out, in_place, force, encoding), as_json, draw_change)
