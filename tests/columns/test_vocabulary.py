"""Vocabularies grow and are brought together by their tokens."""

import pickle

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from suffice.columns.vocabulary import EMPTY_VOCABULARY, Vocabulary
from texts import documents

tokens = st.lists(documents, max_size=20)
distinct = st.lists(documents, max_size=20, unique=True)


def of(strings):
    return Vocabulary.of(strings)[0]


@given(st.lists(documents | st.none(), max_size=20))
def test_tokens_are_numbered_as_they_come(strings):
    vocabulary, numbers = Vocabulary.of(strings)
    assert vocabulary.strings() == [s for s in dict.fromkeys(strings) if s is not None]
    known = vocabulary.strings()
    assert [known[n] if n >= 0 else None for n in numbers] == strings
    assert len(vocabulary) == len(known)


@given(distinct, distinct)
def test_growing_keeps_the_old_numbers(first, second):
    vocabulary, numbers = of(first).extended(of(second))
    assert vocabulary.strings() == list(dict.fromkeys([*first, *second]))
    assert [vocabulary.strings()[n] for n in numbers] == second
    assert of(first).extended(of(first))[0] == of(first)
    assert EMPTY_VOCABULARY.extended(of(first))[0] == of(first)


@given(distinct, distinct, distinct)
def test_the_union_does_not_depend_on_the_way(a, b, c):
    one = of(a).extended(of(b))[0].extended(of(c))[0]
    other = of(a).extended(of(b).extended(of(c))[0])[0]
    assert one == other
    assert of(c).extended(of(a))[0].extended(of(b))[0].sorted()[0] == one.sorted()[0]


@given(distinct, distinct)
def test_find(known, wanted):
    place = {token: i for i, token in enumerate(known)}
    assert of(known).find(of(wanted)).tolist() == [place.get(token, -1) for token in wanted]


@given(distinct)
def test_sorted_take_and_pickle(strings):
    vocabulary = of(strings)
    ordered, numbers = vocabulary.sorted()
    assert ordered.strings() == sorted(strings)
    assert [ordered.strings()[n] for n in numbers] == strings
    assert vocabulary.take(np.arange(len(strings))[::-1]).strings() == strings[::-1]
    assert pickle.loads(pickle.dumps(vocabulary)) == vocabulary


def test_growing_in_many_small_steps():
    vocabulary = EMPTY_VOCABULARY
    for start in range(0, 5000, 7):
        vocabulary, numbers = vocabulary.extended(of([f"w{i}" for i in range(start, start + 9)]))
        assert numbers.tolist() == list(range(start, start + 9))
    assert vocabulary.strings() == [f"w{i}" for i in range(len(vocabulary))]
    assert repr(vocabulary) == "<Vocabulary of 5,007 tokens>"
