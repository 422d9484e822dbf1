"""Real data sets, if available: the folder ``shared/data`` beside the checkout, or the one named by SUFFICE_DATA."""

import argparse
import gzip
import json
import os
from pathlib import Path
from typing import Any

import numpy as np

from suffice.numerics.arrays import AnyArray


def data_folder() -> Path | None:
    """The folder with the data sets; None if there is none."""
    beside = Path(__file__).resolve().parents[2] / "shared" / "data"
    folder = Path(os.environ.get("SUFFICE_DATA", beside))
    return folder if folder.is_dir() else None


def asked_for(description: str | None) -> tuple[Path | None, list[str]]:
    """The folder with the data sets, and the sets named on the command line; prints a note if there is no folder."""
    parser = argparse.ArgumentParser(description=description)
    parser.add_argument("sets", nargs="*")
    wanted: list[str] = parser.parse_args().sets
    folder = data_folder()
    if folder is None:
        print("No data sets: put them into ../shared/data, or name their folder in SUFFICE_DATA.")
    return folder, wanted


def text_sets(folder: Path) -> list[str]:
    """The names of the sets of documents."""
    found = [path.parent for path in folder.glob("*/meta.json") if json.loads(path.read_text()).get("kind") == "text"]
    return sorted(path.name for path in found)


def _lines(folder: Path, name: str) -> list[dict[str, Any]]:
    with gzip.open(folder / name / "data.jsonl.gz", "rt", encoding="utf-8") as lines:
        return [json.loads(line) for line in lines]


def documents(folder: Path, name: str) -> list[str]:
    """The documents of a set."""
    return [str(row["text"]) for row in _lines(folder, name)]


def labelled_documents(folder: Path, name: str) -> tuple[list[str], AnyArray, AnyArray | None]:
    """The documents of a set, stripped, with their labels and, where the set has one, the part each belongs to."""
    rows = _lines(folder, name)
    texts = [str(row["text"] or "").strip() for row in rows]
    y = np.array([str(row["label"]) for row in rows])
    return texts, y, np.array([row["split"] for row in rows]) if "split" in rows[0] else None
