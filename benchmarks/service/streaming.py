"""``python -m benchmarks.service.streaming [sets]``: a service of 200 rows is given 2,000 labels at a steady rate.

After every 500, its served log-loss on held-out rows is compared with that of a refit on all rows so far.
"""

import sys
import tempfile
import time
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd

from benchmarks.data import data_folder, labelled_documents, text_sets
from benchmarks.table_quality import table
from suffice import BayesClassifier
from suffice.numerics.arrays import AnyArray
from suffice.web.service import Service
from suffice.web.settings import Settings
from suffice.web.writer import Change

SETS = ("sms_spam", "subjectivity", "ag_news_7600", "adult", "telco_churn")
_START, _LABELS, _EACH, _HELD_OUT = 200, 2000, 500, 2000
_RATE = 25.0  # labels a second, as of a team at work
_BAR = 0.03


def rows_of(folder: Path, name: str) -> tuple[pd.DataFrame, AnyArray]:
    """A set in random order."""
    if name in text_sets(folder):
        texts, y, _ = labelled_documents(folder, name)
        rows = pd.DataFrame({"text": texts})
    else:
        rows, y = table(folder, name)
    order = np.random.default_rng(0).permutation(len(y))[: _START + _LABELS + _HELD_OUT]
    return rows.iloc[order].reset_index(drop=True), y[order]


def records(rows: pd.DataFrame) -> list[dict[str, Any]]:
    """Rows as JSON values."""
    cells = rows.astype(object).where(rows.notna(), None)
    found: list[dict[str, Any]] = cells.to_dict("records")
    return found


def stream(name: str, folder: Path, place: Path) -> float:
    """The largest excess over a refit, as a share of its log-loss."""
    rows, y = rows_of(folder, name)
    end = _START + _LABELS
    held_out, truth = records(rows[end:]), y[end:].tolist()
    BayesClassifier().fit(rows[:_START], y[:_START]).save(place / name)
    service = Service(Settings(place / name))
    service.start()
    typed = [service.columns.row_type(*row.values()) for row in records(rows[_START:end])]
    table_held_out, worst, started = service.columns.table_from_json(held_out), 0.0, time.perf_counter()
    for i, row in enumerate(typed, start=1):
        time.sleep(max(0.0, started + i / _RATE - time.perf_counter()))
        label = str(y[_START + i - 1])
        service.writer.submit(_learning(str(i), row, label)).result()
        if i % _EACH == 0:
            version = service.version
            found = float(version.losses(table_held_out, truth).mean())
            refit = BayesClassifier().fit(rows[: _START + i], y[: _START + i])
            place_of = {label: j for j, label in enumerate(refit.classes_)}
            p = refit.predict_proba(rows[end:])[np.arange(len(truth)), [place_of[label] for label in truth]]
            best = float(-np.log(p).mean())
            worst = max(worst, found / best - 1)
            print(
                f"{name:14s} {i:5d} labels   served {found:.4f}   refit {best:.4f}   {100 * (found / best - 1):+5.1f} %"
                f"   weights of version {version.fitted_at}",
                flush=True,
            )
            started = time.perf_counter() - i / _RATE  # excludes the refit
    follows = service.refitter.counts
    print(
        f"{name:14s} fits: {follows.served} served, {follows.refused} refused, {follows.failed} failed; {follows.seconds:.1f} s"
    )
    service.stop()
    return worst


def _learning(case_id: str, row: Any, label: str) -> Change:
    return lambda draft: draft.learn(case_id, row, label, None)


def main() -> None:
    folder = data_folder()
    if folder is None:
        print("No data sets: put them into ../shared/data, or name their folder in SUFFICE_DATA.")
        return
    with tempfile.TemporaryDirectory() as place:
        worst = {name: stream(name, folder, Path(place)) for name in sys.argv[1:] or SETS}
    name = max(worst, key=lambda each: worst[each])
    print(f"largest excess over a refit: {100 * worst[name]:.1f} % ({name}); bar: {100 * _BAR:.0f} %")


if __name__ == "__main__":
    main()
