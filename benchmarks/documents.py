"""Raw strings to a fitted model, and raw strings to probabilities, beside scikit-learn's pipeline and one-pass learners."""

import importlib
import re
import tempfile
from pathlib import Path
from typing import Any

from sklearn.feature_extraction.text import CountVectorizer
from sklearn.naive_bayes import MultinomialNB
from sklearn.pipeline import make_pipeline

from benchmarks.data import data_folder, labelled_documents
from benchmarks.race import Result, best, extra_memory, race
from suffice import BayesClassifier, Text

_STREAM = """
import numpy as np
from suffice import BayesClassifier, Text
words = np.array([f"word{{i}}" for i in range(20_000)])

def batches():
    for k in range({documents} // 500):
        rng = np.random.default_rng(k)
        ids = (20_000 * rng.random((500, 200)) ** 3).astype(int)
        yield [{{"text": " ".join(words[row]), "label": int(row[0] % 4)}} for row in ids]

BayesClassifier(Text("multinomial")).fit([{{"text": "word0", "label": 0}}, {{"text": "word1", "label": 1}}], "label")
"""


def print_memory() -> None:
    """Memory of learning from an iterator, with four times as many documents of the same words."""
    for count in (50_000, 200_000):
        extra = extra_memory(
            _STREAM.format(documents=count), 'BayesClassifier(Text("multinomial")).fit(batches, "label")'
        )
        print(f"{f'text from an iterator, extra memory, {count:,} documents':58s} {extra:6.1f} MiB")


def documents() -> list[Result]:
    print_memory()
    folder = data_folder()
    if folder is None:
        print("(no text to learn: there is no folder with data sets)")
        return []
    results = []
    for name in ("newsgroups20", "spamassassin"):
        texts, y, _ = labelled_documents(folder, name)

        def ours(texts: Any = texts, y: Any = y) -> BayesClassifier:
            return BayesClassifier(Text("multinomial")).fit(texts, y)

        def theirs(texts: Any = texts, y: Any = y) -> Any:
            return make_pipeline(CountVectorizer(), MultinomialNB()).fit(texts, y)

        results.append(race(f"raw strings → multinomial model, {name}", ours, theirs, bar="≥ 20×", rounds=2))
        us, them = ours(), theirs()
        results.append(
            race(
                f"raw strings → probabilities, {name}",
                lambda us=us, texts=texts: us.predict_proba(texts),  # type: ignore[misc]
                lambda them=them, texts=texts: them.predict_proba(texts),  # type: ignore[misc]
                bar="≥ 15×",
                rounds=2,
            )
        )
        for other, run in (("fastText", _fasttext), ("Vowpal Wabbit", _vowpal)):
            seconds = run(texts, y)
            if seconds is not None:
                results.append(Result(f"… beside {other}, one pass", results[-2].ours, seconds, "≥ 1×"))
                print(results[-1].line())
    return results


def _package(module: str, name: str) -> Any:
    try:
        return importlib.import_module(module)
    except ImportError:
        print(f"(not beside {module}: pip install {name})")
        return None


def _words(text: str) -> str:
    return " ".join(re.findall(r"\w\w+", text.lower()))


def _fasttext(texts: list[str], y: Any) -> float | None:
    fasttext = _package("fasttext", "fasttext-wheel")
    if fasttext is None:
        return None
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "train.txt"
        file.write_text("\n".join(f"__label__{c} {_words(t)}" for c, t in zip(y, texts, strict=True)))
        return best(lambda: fasttext.train_supervised(str(file), epoch=1, thread=2, verbose=0), 2)


def _vowpal(texts: list[str], y: Any) -> float | None:
    vowpalwabbit = _package("vowpalwabbit", "vowpalwabbit")
    if vowpalwabbit is None:
        return None
    place = {c: i + 1 for i, c in enumerate(sorted(set(y)))}
    lines = [f"{place[c]} | {_words(t)}" for c, t in zip(y, texts, strict=True)]  # prepared beforehand, like a file

    def run() -> None:
        learner = vowpalwabbit.Workspace(f"--oaa {len(place)} --quiet -b 20")
        for line in lines:
            learner.learn(line)
        learner.finish()

    return best(run, 1)
