"""Invariance of the default: ``make laws``. Held-out log-loss of one fit beside other ways to learn the same rows.

Each table with 20,000 rows at most and each text with 4,000 documents, a quarter of them held out: 8 shards merged; batches of
500, the first of one row; the held-out rows learned and then forgotten; a Parquet file. A ``!`` marks a log-loss more
than 1 % above that of one fit.
"""

import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
from sklearn.model_selection import train_test_split

from benchmarks.data import asked_for, labelled_documents, text_sets
from benchmarks.table_quality import peers, table
from suffice import BayesClassifier
from suffice.numerics.arrays import AnyArray

SHARDS, BATCH, DOCUMENTS = 8, 500, 4_000
WORSE = 1.01

Split = tuple[pd.DataFrame, AnyArray, pd.DataFrame, AnyArray]


def log_loss(model: Any, rows: pd.DataFrame, y: AnyArray) -> float:
    place = {label: i for i, label in enumerate(model.classes_.tolist())}
    p = model.predict_proba(rows)[np.arange(len(y)), [place[label] for label in y.tolist()]]
    return float(-np.log(np.maximum(p, 1e-15)).mean())


def merged(rows: pd.DataFrame, y: AnyArray, other: pd.DataFrame, labels: AnyArray) -> BayesClassifier:
    parts = [BayesClassifier().fit(rows[k::SHARDS], y[k::SHARDS]) for k in range(SHARDS)]
    total = parts[0]
    for part in parts[1:]:
        total = total.merge(part)
    return total


def streamed(rows: pd.DataFrame, y: AnyArray, other: pd.DataFrame, labels: AnyArray) -> BayesClassifier:
    model = BayesClassifier().partial_fit(rows[:1], y[:1])
    for start in range(1, len(y), BATCH):
        model.partial_fit(rows[start : start + BATCH], y[start : start + BATCH])
    return model


def forgotten(rows: pd.DataFrame, y: AnyArray, other: pd.DataFrame, labels: AnyArray) -> BayesClassifier:
    model = BayesClassifier().fit(pd.concat([rows, other]), np.concatenate([y, labels]))
    return model.forget(other, labels)


def from_file(rows: pd.DataFrame, y: AnyArray, other: pd.DataFrame, labels: AnyArray) -> BayesClassifier:
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "rows.parquet"
        rows.rename(columns=str).assign(**{"(label)": y}).to_parquet(path)
        return BayesClassifier().fit(path, "(label)")


WAYS = {"merged": merged, "streamed": streamed, "forgotten": forgotten, "file": from_file}


def splits(folder: Path, wanted: list[str]) -> Iterator[tuple[str, Split]]:
    texts = text_sets(folder)
    for name in wanted or [*sorted(peers(folder)), *texts]:
        if name in texts:
            documents, y, _ = labelled_documents(folder, name)
            rows = pd.DataFrame({"text": documents})
            order = np.random.default_rng(0).permutation(len(y))[:DOCUMENTS]
            rows, y = rows.iloc[order].reset_index(drop=True), y[order]
        else:
            rows, y = table(folder, name)
        there = pd.Series(y).map(pd.Series(y).value_counts()).to_numpy() >= 4
        train, test, y_train, y_test = train_test_split(
            rows[there], y[there], test_size=0.25, random_state=0, stratify=y[there]
        )
        yield name, (train.reset_index(drop=True), y_train, test.reset_index(drop=True), y_test)


def main() -> None:
    folder, wanted = asked_for(__doc__)
    if folder is None:
        return
    print(f"{'':24s}{'rows':>7s}{'one fit':>10s}" + "".join(f"{way:>12s}" for way in WAYS))
    worse = 0
    for name, (rows, y, test, labels) in splits(folder, wanted):
        once = log_loss(BayesClassifier().fit(rows, y), test, labels)
        line = f"{name:24s}{len(y):7d}{once:10.4f}"
        for way in WAYS.values():
            loss = log_loss(way(rows, y, test, labels), test, labels)
            worse += (bad := loss > once * WORSE + 1e-6)
            line += f"{loss:11.4f}{'!' if bad else ' '}"
        print(line, flush=True)
    print(f"{worse} worse than one fit by more than 1 %")


if __name__ == "__main__":
    main()
