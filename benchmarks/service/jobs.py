"""Jobs for both services: a table, its model on either side, and a row."""

import pickle
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
from sklearn.compose import make_column_transformer
from sklearn.naive_bayes import GaussianNB as TheirGaussianNB
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import OneHotEncoder, StandardScaler

from suffice import BayesClassifier, GaussianNB

NUMBERS = ["age", "income", "claims", "years", "distance", "amount"]
CATEGORIES = {"branch": ["north", "south", "online"], "job": ["clerk", "smith", "cook", "pilot"], "car": ["old", "new"]}


@dataclass(frozen=True)
class Job:
    """Numbers alone on both sides as an array, or numbers and categories as a frame."""

    name: str
    columns: dict[str, str]
    row: dict[str, Any]


def numbers(folder: Path) -> Job:
    rng = np.random.default_rng(0)
    X, y = rng.normal(size=(5000, len(NUMBERS))), rng.choice(["yes", "no"], 5000)
    GaussianNB().fit(pd.DataFrame(X, columns=NUMBERS), y).save(folder / "numbers.suffice")
    (folder / "numbers.pickle").write_bytes(pickle.dumps(TheirGaussianNB().fit(X, y)))
    return Job("numbers", dict.fromkeys(NUMBERS, "float"), dict.fromkeys(NUMBERS, 0.25))


def table(folder: Path) -> Job:
    rng = np.random.default_rng(0)
    frame = pd.DataFrame(rng.normal(size=(5000, len(NUMBERS))), columns=NUMBERS)
    for name, levels in CATEGORIES.items():
        frame[name] = rng.choice(levels, 5000)
    y = rng.choice(["yes", "no"], 5000)
    BayesClassifier().fit(frame, y).save(folder / "table.suffice")
    encoder = make_column_transformer(
        (StandardScaler(), NUMBERS), (OneHotEncoder(handle_unknown="ignore", sparse_output=False), list(CATEGORIES))
    )
    theirs = make_pipeline(encoder, TheirGaussianNB()).fit(frame, y)
    (folder / "table.pickle").write_bytes(pickle.dumps(theirs))
    columns = {**dict.fromkeys(NUMBERS, "float"), **dict.fromkeys(CATEGORIES, "str")}
    return Job("table", columns, {**dict.fromkeys(NUMBERS, 0.25), "branch": "north", "job": "cook", "car": "old"})
