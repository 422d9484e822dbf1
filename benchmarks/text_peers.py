"""Our tokens compared with scikit-learn's on every available set of documents: ``make text-peers``.

``python -m benchmarks.text_peers --fuzz 600`` continues with generated text of all scripts for that many seconds.
"""

import argparse
import sys
import time
from typing import Any

import numpy as np
from sklearn.feature_extraction.text import CountVectorizer as Theirs

from benchmarks.data import data_folder, documents, text_sets
from suffice.text import CountVectorizer

SETTINGS: dict[str, dict[str, Any]] = {
    "words": {},
    "words and marks": {"token_pattern": r"\w+|[^\w\s]"},
    "bigrams": {"ngram_range": (1, 2)},
    "without stop words": {"stop_words": "english", "ngram_range": (1, 2)},
    "accents stripped": {"strip_accents": "unicode"},
    "characters": {"analyzer": "char", "ngram_range": (2, 3)},
    "characters in words": {"analyzer": "char_wb", "ngram_range": (3, 4)},
}


def differ(docs: list[str], settings: dict[str, Any]) -> str:
    """The difference between the two; empty if none."""
    ours, theirs = CountVectorizer(**settings), Theirs(**settings)
    try:
        expected = theirs.fit_transform(docs)
    except ValueError:  # no tokens at all
        return ""
    found = ours.fit_transform(docs)
    if ours.vocabulary_ != theirs.vocabulary_:
        return f"tokens {sorted(set(ours.vocabulary_) ^ set(theirs.vocabulary_))[:10]}"
    if (found != expected).nnz or (ours.transform(docs[::-1]) != theirs.transform(docs[::-1])).nnz:
        return "counts"
    return ""


def compare(name: str, docs: list[str], settings: dict[str, dict[str, Any]]) -> bool:
    wrong = {what: difference for what, kwargs in settings.items() if (difference := differ(docs, kwargs))}
    size = sum(map(len, docs))
    print(
        f"{name:20s} {len(docs):8,d} documents {size / 1e6:7.1f} million characters  {wrong or 'the same'}", flush=True
    )
    return not wrong


def generated(seed: int) -> list[str]:
    """Documents of neighbouring characters, with ASCII between them, of all lengths."""
    rng = np.random.default_rng(seed)
    docs = []
    for _ in range(rng.integers(1, 300)):
        centre, width = rng.integers(0, 0x110000), 4 ** rng.integers(1, 11)
        near = np.clip(centre + rng.integers(-width, width, rng.integers(0, 300)), 0, 0x10FFFF)
        plain = rng.choice(np.frombuffer(b"aAzZ09_ \t\n.,'\xa0\xdf", np.uint8), len(near))
        codes = np.where(rng.random(len(near)) < rng.random(), plain, near).astype("<u4")
        docs.append(codes.tobytes().decode("utf-32-le", "surrogatepass"))
    return docs


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--fuzz", type=float, default=0.0, metavar="SECONDS")
    parser.add_argument("sets", nargs="*")
    wanted = parser.parse_args()
    folder, same = data_folder(), True
    if folder is None:
        print("There is no folder with data sets; nothing to compare on.")
    else:
        for name in wanted.sets or text_sets(folder):
            same &= compare(name, documents(folder, name), SETTINGS)
    end, seed = time.monotonic() + wanted.fuzz, int(time.time())
    while time.monotonic() < end:
        docs = [doc for k in range(20) for doc in generated(seed + k)]
        same &= compare(f"seed {seed}", docs, SETTINGS)
        seed += 20
    sys.exit(0 if same else 1)


if __name__ == "__main__":
    main()
