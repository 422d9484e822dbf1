"""A model of 100,000 words and 20 classes to a file and back, beside pickle."""

import pickle
import tempfile
from pathlib import Path
from typing import Any

import numpy as np

import suffice
from benchmarks.race import Result, extra_memory, race
from suffice import BayesClassifier, Text

WORDS, CLASSES = 100_000, 20


def model() -> BayesClassifier:
    """Each word in about half of the classes."""
    rng = np.random.default_rng(0)
    words = np.array([f"word{i}" for i in range(WORDS)])
    docs = [" ".join(words[rng.random(WORDS) < 0.5]) for _ in range(CLASSES)]
    return BayesClassifier(Text("multinomial")).fit({"text": docs}, np.arange(CLASSES))


def words() -> list[Result]:
    fitted = model()
    with tempfile.TemporaryDirectory() as folder:
        ours, theirs = Path(folder, "a.model"), Path(folder, "a.pickle")
        results = [
            race("save 100,000 words × 20 classes", lambda: fitted.save(ours), lambda: _dump(fitted, theirs)),
            race("load", lambda: suffice.load(ours), lambda: pickle.loads(theirs.read_bytes())),
        ]
        size, arrays = ours.stat().st_size, _array_bytes(fitted.model_.tally.statistics[0])
        bar = "at most 1.2"
        print(f"{'':12s}{size / 1e6:.1f} MB, {size / arrays:.3f} times its arrays ({bar}); the other side is pickle")
        more = extra_memory("import suffice\nsuffice.load", f"model = suffice.load({str(ours)!r})")
        print(f"{'':12s}memory to load it: {more * 2**20 / size:.2f} times the file (at most 4)")
    return results


def _dump(fitted: Any, path: Path) -> None:
    path.write_bytes(pickle.dumps(fitted))


def _array_bytes(counts: Any) -> int:
    """Words and counts, as they lie in memory."""
    return sum(
        view.documents.nbytes
        + view.vocabulary.bytes.nbytes
        + view.vocabulary.offsets.nbytes
        + sum(t.data.nbytes + t.indices.nbytes + t.indptr.nbytes for t in view.tables)
        for view in counts.views
    )
