"""The default beside CatBoost, EBM, LightGBM and others on two suites of tables. Part of ``make quality``.

Ours is measured in this run, the peers' figures are read from ``peers.json``; ``make quality-peers`` regenerates them.
At most 4,000 rows a table, two halves of two folds each. The second suite, KEEL's, is never used for tuning.
"""

from collections.abc import Mapping

import numpy as np

from benchmarks.data import asked_for
from benchmarks.peers_file import Figures, Made, Peers, read
from benchmarks.small_protocol import HALVES, Table, measured, suites
from benchmarks.standing import common_sets, elo, wins
from suffice import BayesClassifier

OURS, ANCHOR = "suffice", "LightGBM"


def main() -> None:
    folder, wanted = asked_for(__doc__)
    if folder is None:
        return
    cached = read()
    print(_heading(cached.made))
    for suite, loads in suites(folder).items():
        tables = {name: load() for name, load in loads.items() if not wanted or name in wanted}
        if tables:
            _print_suite(suite, tables, cached)


def _print_suite(suite: str, tables: dict[str, Table], cached: Peers) -> None:
    for half, folds in HALVES.items():
        models = {OURS: {name: measured(BayesClassifier, *data, half) for name, data in tables.items()}}
        for peer, figures in cached.figures(suite, half).items():
            models[peer] = {name: found for name, found in figures.items() if name in tables}
        print(f"\n{suite}, {half} half (folds {folds[0]} and {folds[1]})")
        print(summary({name: figures for name, figures in models.items() if figures}), flush=True)


def _heading(made: Made) -> str:
    packages = ", ".join(f"{name} {number}" for name, number in made.packages.items())
    return f"Peers as cached on {made.date}: {packages}; {made.processor}, {made.threads}.\nProtocol: {made.protocol}"


def summary(models: Mapping[str, Mapping[str, Figures]]) -> str:
    """One line per model: means over common sets, its rating, and our wins against it on the sets of both.

    A peer with less than half of our sets has neither means nor a rating: they would be biased to the sets on which it
    was fast. Figures shipped with the data sets have no calibration error, and their times are from another machine.
    """
    losses = {model: {name: f.log_loss for name, f in of.items()} for model, of in models.items()}
    wide = {model: of for model, of in losses.items() if 2 * len(of) >= len(losses[OURS])}
    common = common_sets(wide)
    here = [name for name in common if all(models[model][name].calibration_error is not None for model in wide)]
    ratings = elo(wide, ANCHOR) if ANCHOR in wide else {}
    lines = [
        f"  means over {len(common)} sets, calibration error and seconds over {len(here)}; * cached",
        f"  {'':24s}{'accuracy':>9s}{'log-loss':>9s}{'ECE':>8s}{'fit, CPU s':>11s}{'Elo':>6s}"
        "   sets of both: our log-loss is better on, its mean and theirs",
    ]
    for model in sorted(models, key=lambda model: -ratings.get(model, -np.inf)):
        figures = [models[model][name] for name in common] if model in wide else []
        same = [models[model][name] for name in here] if model in wide else []
        line = (
            f"  {model:24s}{_mean([f.accuracy for f in figures]):>9s}{_mean([f.log_loss for f in figures]):>9s}"
            f"{_mean([f.calibration_error or 0.0 for f in same]):>8s}"
            f"{f'{sum(f.seconds for f in same):.1f}' if same else '–':>10s}{' ' if model == OURS else '*'}"
            f"{f'{ratings[model]:.0f}' if model in ratings else '–':>6s}"
        )
        lines.append(line if model == OURS else f"{line}   {_duel(losses[OURS], losses[model])}")
    return "\n".join(lines)


def _duel(ours: dict[str, float], theirs: dict[str, float]) -> str:
    both = ours.keys() & theirs.keys()
    won, of = wins(ours, theirs)
    return f"{won:g} of {of}, {_mean([ours[name] for name in both])} and {_mean([theirs[name] for name in both])}"


def _mean(values: list[float]) -> str:
    return f"{np.mean(values):.4f}" if values else "–"


if __name__ == "__main__":
    main()
