"""The kernels on text against their plain twins; the same bytes for any number of threads; nothing read out of bounds."""

import itertools
from collections import Counter

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from kernels import text_twins as twins
from suffice.numerics import text
from suffice.numerics.text import Form, Split
from texts import corpora, documents

numbers = st.integers(1, 5)


def strings(found):
    return text.token_strings(found.bytes, found.offsets)


def vocabulary(tokens):
    encoded = [t.encode("utf-8", "surrogatepass") for t in tokens]
    return np.frombuffer(b"".join(encoded), np.uint8), np.cumsum([0, *map(len, encoded)])


def utf8(docs):
    """The documents as Arrow would hold them, lone surrogates aside."""
    encoded = [d.encode("utf-8", "ignore") for d in docs]
    data = np.frombuffer(b"".join(encoded), np.uint8)
    return text.view_bytes(data, np.cumsum([0, *map(len, encoded)]), Form.UTF_8), [e.decode() for e in encoded]


@given(corpora, st.sampled_from(Split), st.booleans())
def test_words_are_those_of_re_in_their_order(docs, split, lower):
    for views, expected in ((text.view_strings(list(docs)), docs), utf8(docs)):
        found, bad = text.split_words(views, split, lower=lower, counting=False, threads=2)
        tokens = [strings(found)[i] for i in found.ids]
        assert bad == -1
        for doc, a, b in zip(expected, found.indptr[:-1], found.indptr[1:], strict=True):
            assert tokens[a:b] == twins.words(doc, split, lower)
        assert strings(found) == list(dict.fromkeys(tokens))  # numbered as they come


@given(corpora, st.sampled_from(Split), st.booleans())
def test_words_are_counted(docs, split, lower):
    found, _ = text.split_words(text.view_strings(list(docs)), split, lower=lower, counting=True, threads=2)
    expected = [Counter(twins.words(doc, split, lower)) for doc in docs]
    assert twins.rows(found, strings(found)) == expected
    assert found.lengths.tolist() == [c.total() for c in expected]


@given(corpora, numbers, numbers, st.booleans())
def test_character_runs(docs, low, more, lower):
    views = text.view_strings(list(docs))
    found, _ = text.split_characters(views, low, low + more, words=False, lower=lower, threads=2)
    expected = [Counter(twins.character_runs(doc, low, low + more, lower)) for doc in docs]
    assert twins.rows(found, strings(found)) == expected


@given(st.lists(documents.map(lambda d: "".join(d.split())).filter(bool), max_size=9), numbers, numbers)
def test_character_runs_of_words(words, low, more):
    found, _ = text.split_characters(
        text.view_strings(list(words)), low, low + more, words=True, lower=False, threads=2
    )
    assert twins.rows(found, strings(found)) == [Counter(twins.word_runs(word, low, low + more)) for word in words]


@given(st.lists(st.lists(st.integers(0, 5), max_size=9), max_size=6), numbers, numbers)
def test_ngrams(docs, low, more):
    keep = np.array([0, -1, 2, 2, 1, 4], np.int32)  # one left out, two alike
    indptr = np.cumsum([0, *map(len, docs)])
    ids = np.array([i for doc in docs for i in doc], np.int32)
    found = text.ngrams(indptr, ids, keep, low, low + more, 2)
    tokens, starts = text.run_numbers(found)
    runs = [tuple(run) for run in np.split(tokens, starts[1:-1])]
    kept = [[int(keep[i]) for i in doc if keep[i] >= 0] for doc in docs]
    assert twins.rows(found, runs) == [Counter(twins.ngrams(doc, low, low + more)) for doc in kept]


def test_runs_are_spelled_with_spaces():
    data, offsets = vocabulary(["tea", "", "é", "milk"])
    runs = np.array([0, 3, 2, 1, 0], np.int32), np.array([0, 2, 2, 3, 5])
    joined = text.join_tokens(runs, np.array([0, 1, 2, 3, 0], np.int32), data, offsets, 1)
    assert text.token_strings(*joined) == ["tea milk", "", "é", " tea", "tea milk"]
    taken = text.take_tokens(data, offsets, np.array([3, 0, 0]), 1)
    assert text.token_strings(*taken) == ["milk", "tea", "tea"]


@given(st.lists(st.dictionaries(st.integers(0, 7), st.integers(1, 9)), max_size=8), st.data())
def test_renumber(rows, data):
    numbers = np.array(data.draw(st.lists(st.integers(-1, 5), min_size=8, max_size=8)), np.int32)
    indptr, ids, counts = sparse(rows)
    indptr, ids, counts = text.renumber(indptr, ids, counts, numbers, 2)
    for a, b, expected in zip(indptr[:-1], indptr[1:], twins.renumbered(rows, numbers), strict=True):
        assert list(zip(ids[a:b].tolist(), counts[a:b].tolist(), strict=True)) == sorted(expected.items())


@pytest.mark.parametrize("size", [15, 17, 300, 5000])
@pytest.mark.parametrize("spread", [1, 1000])
def test_long_rows_come_in_order(rng, size, spread):
    ids = rng.permutation(size).astype(np.int32)
    numbers = (np.arange(size) * spread).astype(np.int32)
    numbers[: size // 2] = np.arange(size // 2)  # half of them close together
    _, found, counts = text.renumber(np.array([0, size]), ids, ids + 1, numbers, 1)
    expected = Counter()
    for i in range(size):
        expected[int(numbers[i])] += i + 1
    assert dict(zip(found.tolist(), counts.tolist(), strict=True)) == expected
    assert (np.diff(found) > 0).all()


def sparse(rows):
    indptr = np.cumsum([0, *map(len, rows)])
    cells = list(itertools.chain.from_iterable(row.items() for row in rows))
    return indptr, np.array([i for i, _ in cells], np.int32), np.array([n for _, n in cells], np.int32)


@given(st.lists(st.dictionaries(st.integers(0, 3), st.integers(1, 4)), max_size=6), st.data())
def test_expand_is_a_product_of_matrices(rows, data):
    parts = [data.draw(st.dictionaries(st.integers(0, 6), st.integers(1, 3))) for _ in range(4)]
    numbers = np.array(data.draw(st.permutations(range(7))), np.int32)
    product = text.expand(sparse(rows), sparse(parts), numbers, 2)
    dense = np.zeros((len(rows), 4), int), np.zeros((4, 7), int)
    for table, filled in zip(dense, (rows, parts), strict=True):
        for i, row in enumerate(filled):
            table[i, list(row)] = list(row.values())
    indptr, ids, counts = product
    out = np.zeros((len(rows), 7), int)
    out[np.repeat(np.arange(len(rows)), np.diff(indptr)), ids] = counts
    np.testing.assert_array_equal(out[:, numbers], dense[0] @ dense[1])
    assert all((np.diff(ids[a:b]) > 0).all() for a, b in itertools.pairwise(indptr))


@given(st.lists(documents, unique=True, max_size=30), st.lists(documents, unique=True, max_size=30))
def test_tokens_are_found_and_sorted_as_python_does(known, wanted):
    data, offsets = vocabulary(known)
    assert text.token_strings(data, offsets) == known
    assert [known[i] for i in text.sort_tokens(data, offsets, 2)] == sorted(known)
    half = len(known) // 2
    index = text.index_tokens(*vocabulary(known[:half]))
    index = text.index_tokens(data, offsets, index, half)
    place = {token: i for i, token in enumerate(known)}
    found = text.find_tokens(data, offsets, index, *vocabulary(wanted), 2)
    assert found.tolist() == [place.get(token, -1) for token in wanted]


def test_many_tokens_are_sorted_as_python_does(rng):
    tokens = list({"".join(rng.choice(list("abé字"), rng.integers(0, 12))) for _ in range(30_000)})
    for threads in (1, 2):
        assert [tokens[i] for i in text.sort_tokens(*vocabulary(tokens), threads)] == sorted(tokens)


def test_hashes_stay_what_they_are():
    """Models stand on them: not to be changed."""
    tokens = ["", "a", "tea", "a token of sixteen", "exactly 16 bytes", "字", "x" * 100]
    hashed = text.hash_tokens(*vocabulary(tokens), 1 << 20).tolist()
    assert hashed == [794445, 263047, 333240, 692136, 421533, 160846, 355694]
    assert text.hash_tokens(*vocabulary(tokens), 7).max() < 7


def test_hashes_are_spread_evenly():
    tokens = [f"word{i}" for i in range(40_000)]
    counts = np.bincount(text.hash_tokens(*vocabulary(tokens), 100), minlength=100)
    assert abs(counts - 400).max() < 100  # five standard deviations


def some_corpus(rng):
    words = ["w" + np.base_repr(i, 36).lower() * (1 + i % 4) for i in range(20_000)] + [
        "é" * (1 + i) for i in range(20)
    ]
    lengths = rng.integers(0, 400, 3000)
    return [" ".join(words[int(k)] for k in 20_020 * rng.random(n) ** 3) for n in lengths]


def test_the_same_bytes_for_any_number_of_threads(rng):
    docs = some_corpus(rng)
    runs = []
    for threads in (1, 2, 3, 8):
        views = text.view_strings(docs)
        found, _ = text.split_words(views, Split.LONG_WORDS, lower=True, counting=True, threads=threads)
        order, _ = text.split_words(views, Split.PIECES, lower=True, counting=False, threads=threads)
        chars, _ = text.split_characters(views, 2, 3, words=False, lower=True, threads=threads)
        alone = np.arange(len(order.offsets) - 1, dtype=np.int32)
        pairs = text.ngrams(order.indptr, order.ids, alone, 1, 2, threads)
        back = alone[::-1].copy()
        runs.append(
            [
                *found, *order, *chars, *pairs,
                *text.renumber(pairs.indptr, pairs.ids, pairs.counts, pairs.ids[: len(pairs.offsets) - 1] % 999, threads),
                *text.join_tokens(text.run_numbers(pairs), alone, order.bytes, order.offsets, threads),
                text.sort_tokens(order.bytes, order.offsets, threads),
                *text.expand(order_counts(pairs), order_counts(pairs, len(pairs.offsets) - 1), back, threads),
            ]
        )  # fmt: skip
    for other in runs[1:]:
        for a, b in zip(runs[0], other, strict=True):
            assert a.tobytes() == b.tobytes()


def order_counts(found, rows=None):
    """Some sparse rows of the sizes at hand: the bags, or for each token a part of its own."""
    if rows is None:
        return found.indptr, found.ids, found.counts
    return np.arange(rows + 1), (np.arange(rows) % 17).astype(np.int32), np.ones(rows, np.int32)


NOT_UTF8 = [
    b"\xff", b"\x80", b"\xc3", b"\xc3a", b"\xc0\x80", b"\xe2\x82", b"\xe0\x80\x80", b"\xed\xa0\x80", b"\xf0\x80\x80\x80",
    b"\xf4\x90\x80\x80", b"\xf5\x80\x80\x80",
]  # fmt: skip


@pytest.mark.parametrize("bad", NOT_UTF8)
@pytest.mark.parametrize(
    "around", [b"", b" and a long tail of plain words that fills more than one block of sixty-four"]
)
def test_what_is_not_utf8_is_named(bad, around):
    with pytest.raises(UnicodeDecodeError):
        bad.decode()
    docs = [b"fine", around + bad, b"fine too", bad + around]
    views = text.view_bytes(np.frombuffer(b"".join(docs), np.uint8), np.cumsum([0, *map(len, docs)]), Form.UTF_8)
    assert text.split_words(views, Split.WORDS, lower=True, counting=True, threads=2)[1] == 1


def test_arrays_that_do_not_fit_are_refused_not_read():
    data, offsets = vocabulary(["tea", "milk"])
    one = np.array([0, 1]), np.array([5], np.int32), np.array([1], np.int32)
    calls = [
        lambda: text.token_strings(data, offsets + 1),
        lambda: text.token_strings(data, np.array([0, 7, 3, 7])),
        lambda: text.renumber(*one, np.zeros(2, np.int32), 1),
        lambda: text.renumber(one[0], one[1], np.ones(3, np.int32), np.zeros(9, np.int32), 1),
        lambda: text.ngrams(one[0], one[1], np.zeros(2, np.int32), 1, 1, 1),
        lambda: text.join_tokens((one[1], one[0]), np.zeros(1, np.int32), data, offsets, 1),
        lambda: text.take_tokens(data, offsets, np.array([2]), 1),
        lambda: text.take_tokens(data, offsets, np.array([-1]), 1),
        lambda: text.expand(one, one, np.arange(9, dtype=np.int32), 1),
        lambda: text.expand(one, (np.arange(10), *(np.full(9, 9, np.int32),) * 2), np.arange(9, dtype=np.int32), 1),
    ]
    for call in calls:
        with pytest.raises(ValueError):
            call()
    assert text.view_strings(["tea", b"milk"]) == 1
