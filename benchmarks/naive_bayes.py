"""The drop-ins against the originals, on generated data of the sizes for which the project states bars."""

from concurrent.futures import ThreadPoolExecutor

import numpy as np
import scipy.sparse as sp
from sklearn import naive_bayes as theirs

from benchmarks.race import Result, best, extra_memory, race
from suffice import naive_bayes as ours
from suffice.numerics.arrays import AnyArray
from suffice.numerics.threads import thread_count


def read_once(array: AnyArray) -> None:
    """One threaded read of an array: a lower bound for any algorithm that reads every cell."""
    parts = np.array_split(array.reshape(-1), thread_count())
    with ThreadPoolExecutor(len(parts)) as pool:
        list(pool.map(lambda part: np.dot(part, part), parts))


def print_memory(what: str, dtype: str, bar: str) -> None:
    setup = f"""
import numpy as np
from suffice.naive_bayes import GaussianNB
X, y = np.ones((2_000_000, 40), np.{dtype}), np.zeros(2_000_000, np.int64)
y[::5] = 1
GaussianNB().fit(X[:1000], y[:1000])"""
    print(f"{what:58s} {extra_memory(setup, 'GaussianNB().fit(X, y)'):6.1f} MiB {'':21s} {bar}")


def gaussian() -> list[Result]:
    rng = np.random.default_rng(0)
    X, y = rng.normal(size=(2_000_000, 40)), rng.integers(0, 5, 2_000_000)
    results = [
        race(
            "GaussianNB.fit 2,000,000 × 40, 5 classes",
            lambda: ours.GaussianNB().fit(X, y),
            lambda: theirs.GaussianNB().fit(X, y),
            bar="≥ 40×",
            ours_each=7,
        )
    ]
    read = best(lambda: read_once(X), 9)
    results.append(Result("… beside one threaded read of the array", results[0].ours, read, "≥ 0.67× (≤ 1.5 reads)"))
    print(results[-1].line())
    print_memory("… extra memory", "float64", "≤ 64 MiB")
    us, them = ours.GaussianNB().fit(X, y), theirs.GaussianNB().fit(X, y)
    results.append(
        race(
            "GaussianNB.predict_proba, the same table",
            lambda: us.predict_proba(X),
            lambda: them.predict_proba(X),
            bar="≥ 15×",
            rounds=2,
        )
    )
    single = X.astype(np.float32)
    results.append(
        race(
            "GaussianNB.fit, the same table as float32",
            lambda: ours.GaussianNB().fit(single, y),
            lambda: theirs.GaussianNB().fit(single, y),
            ours_each=7,
            rounds=2,
        )
    )
    results.append(
        race(
            "… float32 (ours) beside float64 (ours)",
            lambda: ours.GaussianNB().fit(single, y),
            lambda: ours.GaussianNB().fit(X, y),
            bar="≥ 1×",
            ours_each=1,
            rounds=15,
        )
    )
    print_memory("… extra memory for float32 (a float64 copy: 610 MiB)", "float32", "≤ 64 MiB")
    return results


def categorical() -> list[Result]:
    rng = np.random.default_rng(0)
    X, y = rng.integers(0, 10, (1_000_000, 20)), rng.integers(0, 5, 1_000_000)
    us, them = ours.CategoricalNB().fit(X, y), theirs.CategoricalNB().fit(X, y)
    return [
        race(
            "CategoricalNB.fit 1,000,000 × 20, 10 levels",
            lambda: ours.CategoricalNB().fit(X, y),
            lambda: theirs.CategoricalNB().fit(X, y),
            bar="≥ 15×",
        ),
        race("CategoricalNB.predict", lambda: us.predict(X), lambda: them.predict(X), bar="≥ 15×"),
    ]


def sparse() -> list[Result]:
    """100 cells a row in columns drawn at random, the worst case for a cache: words of a language repeat."""
    rng = np.random.default_rng(0)
    rows, columns, each = 100_000, 100_000, 100
    indices = rng.integers(0, columns, (rows, each)).ravel()
    X = sp.csr_matrix(
        (rng.integers(1, 5, rows * each).astype(np.float64), indices, np.arange(rows + 1) * each),
        shape=(rows, columns),
    )
    X.sum_duplicates()
    y, half = rng.integers(0, 20, rows), X[: rows // 2]
    results = []
    for name in ("BernoulliNB", "MultinomialNB", "ComplementNB"):
        mine, other = getattr(ours, name), getattr(theirs, name)
        us, them = mine().fit(X, y), other().fit(X, y)
        results += [
            race(
                f"{name}.fit 100,000 × 100,000 sparse, 20 classes",
                lambda mine=mine: mine().fit(X, y),  # type: ignore[misc]
                lambda other=other: other().fit(X, y),  # type: ignore[misc]
                bar="≥ 4×",
            ),
            race(
                f"{name}.predict",
                lambda us=us: us.predict(X),  # type: ignore[misc]
                lambda them=them: them.predict(X),  # type: ignore[misc]
                bar="≥ 4×",
            ),
            race(
                f"{name}.predict_proba of 50,000 of these rows",
                lambda us=us: us.predict_proba(half),  # type: ignore[misc]
                lambda them=them: them.predict_proba(half),  # type: ignore[misc]
                bar="≥ 4×",
                rounds=5,
            ),
        ]
    return results


def one_row() -> list[Result]:
    rng = np.random.default_rng(0)
    X, y = rng.normal(size=(10_000, 40)), rng.integers(0, 5, 10_000)
    counts = rng.integers(0, 10, (10_000, 20))
    results = []
    for name, table in (
        ("GaussianNB", X),
        ("CategoricalNB", counts),
        ("MultinomialNB", counts),
        ("BernoulliNB", counts),
    ):
        us, them = getattr(ours, name)().fit(table, y), getattr(theirs, name)().fit(table, y)
        row = table[:1]
        results.append(
            race(
                f"{name}.predict_proba of one row",
                lambda us=us, row=row: us.predict_proba(row),  # type: ignore[misc]
                lambda them=them, row=row: them.predict_proba(row),  # type: ignore[misc]
                bar="≥ 5×",
                inner=200,
            )
        )
    return results


def wide() -> list[Result]:
    """Many features, few rows: a 128 × 128 binary image, and a brain scan."""
    rng = np.random.default_rng(0)
    images, digit = rng.integers(0, 2, (1000, 16_384)).astype(np.float64), rng.integers(0, 10, 1000)
    scans, word = rng.normal(size=(100, 15_000)), rng.integers(0, 2, 100)
    return [
        race(
            "BernoulliNB fit and predict 1,000 × 16,384 (row E1)",
            lambda: ours.BernoulliNB().fit(images, digit).predict(images),
            lambda: theirs.BernoulliNB().fit(images, digit).predict(images),
        ),
        race(
            "GaussianNB fit and predict 100 × 15,000 (row B11's size)",
            lambda: ours.GaussianNB().fit(scans, word).predict(scans),
            lambda: theirs.GaussianNB().fit(scans, word).predict(scans),
        ),
    ]
