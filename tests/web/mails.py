"""Mails of two kinds, some of which could be either."""

import csv
from pathlib import Path

import numpy as np

_HAM = "lunch thursday minutes meeting report monday printer train photos garden seminar keys dinner friday"
_SPAM = "win money click cheap pills free shipping prize claim earn watch account locked offer"
_EITHER = "please your order today account meeting offer home here now report the and for you"


def some_mails(n: int, seed: int) -> list[tuple[str, str]]:
    """Texts with their kinds."""
    rng = np.random.default_rng(seed)
    mails = []
    for _ in range(n):
        kind, own, other = ("spam", _SPAM, _HAM) if rng.random() < 0.5 else ("ham", _HAM, _SPAM)
        plain = rng.uniform(0.45, 0.95)
        said = [
            str(rng.choice((_EITHER if rng.random() < 0.4 else own if rng.random() < plain else other).split()))
            for _ in range(int(rng.integers(6, 24)))
        ]
        mails.append((" ".join(said).capitalize() + ".", kind))
    return mails


def write_mails(path: Path, n: int, seed: int) -> None:
    """A table of mails, to train on."""
    with path.open("w", newline="") as file:
        csv.writer(file).writerows([("text", "kind"), *some_mails(n, seed)])
