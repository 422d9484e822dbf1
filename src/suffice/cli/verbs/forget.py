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
    """Take rows out of a saved model.

    While the file keeps all rows (100,000 by default), the result is the model trained without these, and so is a textbook
    model of any size, up to rounding. Beyond that, counts of columns are of the other rows, and weights, pairs and forests are
    estimated from the rows kept. What holds is printed.

    \b
      suffice forget claims.model withdrawn.csv --target fraud -o clean.model
    """
    from suffice.cli.change import draw_change
    from suffice.cli.model_update import update_model
    from suffice.cli.show import show

    show(update_model("forget", model, rows, target, out, in_place, force, encoding), as_json, draw_change)
