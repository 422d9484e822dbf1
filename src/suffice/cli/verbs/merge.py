"""``suffice merge``"""

from typing import Annotated

import typer

from suffice.cli.options import Force, Json


def merge(
    models: Annotated[list[str], typer.Argument(metavar="MODEL MODEL...", help="Model files of one kind.")],
    out: Annotated[str, typer.Option("--out", "-o", metavar="FILE", help="Where to write the sum.")],
    force: Force = False,
    as_json: Json = False,
) -> None:
    """Add models.

    As long as the files keep all rows (100,000 by default), the result equals the model trained on all of them; so does a
    textbook model of any size, up to rounding. Otherwise, counts of columns include all rows, and weights, pairs and forests
    are estimated from the kept rows. The output states which is the case.

    \b
      suffice merge north.model south.model -o country.model
    """
    import copy
    import warnings
    from functools import reduce

    from suffice.cli.change import changed, draw_change
    from suffice.cli.output_files import check_free
    from suffice.cli.show import show
    from suffice.errors import ParameterError, StaleWarning
    from suffice.estimators.model_file import load

    if len(models) < 2:
        raise ParameterError(f"One model was given, {models[0]!r}", "two or more are needed")
    check_free(out, force)
    parts = [load(path) for path in models]
    warnings.simplefilter("ignore", StaleWarning)  # the output has the warning
    total = reduce(lambda a, b: a.merge(b), parts[1:], copy.copy(parts[0]))
    total.save(out)
    added = total.model_.tally.weight.sum() - parts[0].model_.tally.weight.sum()
    show(changed(parts[0], total, int(added), out), as_json, draw_change)
