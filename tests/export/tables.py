"""A mixed table with holes, text beyond ASCII, levels never seen in training and cells far out."""

import numpy as np
import pandas as pd


def mixed(n, seed):
    """Numbers, counts, categories and truth values, three classes; a third of the columns has holes."""
    rng = np.random.default_rng(seed)
    z = rng.normal(size=n)
    frame = pd.DataFrame(
        {
            "größe": 3 * z + 10,
            "amount": np.round(rng.exponential(2, n), 1),
            "visits": rng.poisson(3, n).astype(float),
            "ort": rng.choice(["köln", "bonn", "日本", "x'y\"z"], n),
            "member": rng.choice([True, False], n),
            "code": rng.choice(["1", "2", "3"], n),
        }
    )
    y = np.where(
        (z > 0.3) ^ (frame["ort"] == "köln") | (frame["amount"] > 3), "ja", np.where(frame.member, "nein", "évtl")
    )
    noisy = rng.random(n) < 0.1
    y[noisy] = rng.choice(["ja", "nein"], noisy.sum())
    for name in ("größe", "amount", "ort"):
        frame.loc[rng.random(n) < np.where(y == "nein", 0.3, 0.1), name] = None
    return frame, y


def others(n, seed):
    """Rows of the same kind, with what training has not seen."""
    frame, _ = mixed(n, seed)
    frame.loc[::50, "ort"] = "new"
    frame.loc[5, "größe"] = 1e6
    return frame
