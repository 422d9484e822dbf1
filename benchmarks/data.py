"""Real data sets, where there are any: a folder ``shared/data`` beside the checkout, or the one that SUFFICE_DATA names."""

import gzip
import json
import os
from pathlib import Path


def data_folder() -> Path | None:
    """The folder with the data sets; None if there is none."""
    beside = Path(__file__).resolve().parents[2] / "shared" / "data"
    folder = Path(os.environ.get("SUFFICE_DATA", beside))
    return folder if folder.is_dir() else None


def text_sets(folder: Path) -> list[str]:
    """The names of the sets of documents."""
    found = [path.parent for path in folder.glob("*/meta.json") if json.loads(path.read_text()).get("kind") == "text"]
    return sorted(path.name for path in found)


def documents(folder: Path, name: str) -> list[str]:
    """The documents of a set."""
    with gzip.open(folder / name / "data.jsonl.gz", "rt", encoding="utf-8") as lines:
        return [str(json.loads(line)["text"]) for line in lines]
