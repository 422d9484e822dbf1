"""Raw strings to a matrix of counts, ours against scikit-learn's, on real documents."""

from typing import Any

from sklearn.feature_extraction import text as theirs

from benchmarks.data import data_folder, documents
from benchmarks.race import Result, best, race
from suffice.numerics.threads import thread_count
from suffice.text import CountVectorizer

SETTINGS: dict[str, dict[str, Any]] = {
    "words": {},
    "words and bigrams": {"ngram_range": (1, 2)},
    "characters 3–5 in words": {"analyzer": "char_wb", "ngram_range": (3, 5)},
}


def vectorizer() -> list[Result]:
    folder = data_folder()
    if folder is None:
        print("(no text to count: there is no folder with data sets)")
        return []
    results = []
    for name in ("newsgroups20", "spamassassin"):
        docs = documents(folder, name)
        size = sum(map(len, docs)) / 1e6
        for what, settings in SETTINGS.items():
            result = race(
                f"CountVectorizer.fit_transform {name}, {what}",
                lambda docs=docs, settings=settings: CountVectorizer(**settings).fit_transform(docs),  # type: ignore[misc]
                lambda docs=docs, settings=settings: theirs.CountVectorizer(**settings).fit_transform(docs),  # type: ignore[misc]
                rounds=1,
                ours_each=5 if not settings else 2,
            )
            alone = best(lambda s=settings, d=docs: CountVectorizer(**s, n_jobs=1).fit_transform(d), 3)  # type: ignore[misc]
            speeds = f"{size / result.ours:.0f} MB/s with {thread_count()} threads, {size / alone:.0f} with one"
            print(f"{'':12s}{size:.0f} MB: {speeds}; scikit-learn {size / result.theirs:.1f}")
            results.append(result)
        us, them = CountVectorizer().fit(docs), theirs.CountVectorizer().fit(docs)
        results.append(
            race(
                f"CountVectorizer.transform {name}, words",
                lambda us=us, docs=docs: us.transform(docs),  # type: ignore[misc]
                lambda them=them, docs=docs: them.transform(docs),  # type: ignore[misc]
                rounds=1,
                ours_each=5,
            )
        )
        results.append(
            race(
                f"CountVectorizer.transform of one document of {name}",
                lambda us=us, docs=docs: us.transform(docs[:1]),  # type: ignore[misc]
                lambda them=them, docs=docs: them.transform(docs[:1]),  # type: ignore[misc]
                inner=100,
            )
        )
    return results
