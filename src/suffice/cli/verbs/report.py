"""``suffice report``"""

import shlex
import sys
from pathlib import Path
from typing import Annotated

import typer

from suffice.cli.options import Folds, Force, Group, Json, ModelFile, Seed, Sources, Target, Time


def report(
    model: ModelFile,
    rows: Sources,
    target: Target = None,
    out: Annotated[str | None, typer.Option("--out", "-o", metavar="FILE", help="The page, .html.")] = None,
    group: Group = None,
    time: Time = None,
    folds: Folds = 5,
    seed: Seed = 0,
    force: Force = False,
    as_json: Json = False,
) -> None:
    """Write one page about a model.

    Data, quality, calibration, decisions, drivers, held-out errors.

    The page is one file without scripts or external resources. --json prints its contents.

    \b
      suffice report claims.model claims.csv --target fraud -o claims.html
      suffice report visits.model visits.csv -t ill --group patient -o visits.html
    """
    from suffice.cli.columns import unknown_column
    from suffice.cli.held_out_rows import check_one_split
    from suffice.cli.output_files import check_free, write_whole
    from suffice.cli.progress import progress
    from suffice.cli.rows import open_rows
    from suffice.cli.subjects import estimator_of, subject_of
    from suffice.errors import ParameterError
    from suffice.report import page, pictures, summarise
    from suffice.report.judging import Judging

    if out is None and not as_json:
        raise ParameterError("No output file was given", "--out FILE.html or --json is needed")
    check_one_split({"--group": group, "--time": time})
    if out is not None:
        if Path(out).suffix.lower() not in (".html", ".htm"):
            raise ParameterError(
                f"The output file is {out!r}",
                "the page is HTML, so the name must end in .html",
                "For PDF, open the page in a browser and print it",
            )
        check_free(out, force)
    with progress() as show_step:
        show_step("reading")
        estimator = estimator_of(model)
        source = open_rows(rows, schema=estimator.model_.schema)
        subject = subject_of(estimator, source, target, " ".join(rows), seed)
        command = shlex.join(["suffice", *sys.argv[1:]])
        for name in (group, time):
            if name is not None and name not in subject.rows.column_names:
                raise unknown_column(name, subject.rows.column_names)
        judging = Judging(folds, seed, group, time)
        summary, assessment = summarise(subject, judging=judging, commands=[command], progress=show_step)
        if out is not None:
            show_step("drawing")
            text = page(summary, pictures(subject, assessment, summary)).encode()
            write_whole(out, lambda file: file.write(text))
    if as_json:
        from suffice.cli.show import print_json

        print_json(summary)
    else:
        print(f"{out} is written ({len(text):,} bytes)")
