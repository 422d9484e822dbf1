"""``suffice learn``"""

from suffice.cli.options import Encoding, Force, InPlace, Json, ModelFile, Out, Sources, Target


def learn(
    model: ModelFile,
    rows: Sources,
    target: Target = None,
    out: Out = None,
    in_place: InPlace = False,
    encoding: Encoding = None,
    force: Force = False,
    as_json: Json = False,
) -> None:
    """Add rows to a saved model.

    As long as the file keeps all rows (100,000 by default), the result equals the model trained on all of them; so does a
    textbook model of any size, up to rounding. Beyond 10,000 rows, weights are refitted when more than a thousandth of the rows
    is new. Otherwise, counts of columns include all rows, and weights, pairs and forests are estimated from the kept rows. The
    output states which is the case.

    \b
      suffice learn claims.model march.csv --target fraud --in-place
    """
    from suffice.cli.change import draw_change
    from suffice.cli.model_update import update_model
    from suffice.cli.show import show

    show(update_model("learn", model, rows, target, out, in_place, force, encoding), as_json, draw_change)
