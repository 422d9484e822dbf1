"""Which key is which class."""

import string

import pytest
from hypothesis import given
from hypothesis import strategies as st

from suffice.web.pages.choices import choices

names = st.lists(
    st.text(string.ascii_letters + string.digits, min_size=1, max_size=3), min_size=2, max_size=30, unique=True
)


@given(names, st.data())
def test_every_class_is_there_once_and_no_key_is_for_two(labels, data):
    shares = data.draw(st.lists(st.floats(0, 1), min_size=len(labels), max_size=len(labels)))
    posterior = data.draw(st.sampled_from([None, dict(zip(labels, shares, strict=True))]))
    found = choices(labels, posterior)
    assert sorted(choice.label for choice in found.shown) == sorted(labels)
    keys = [choice.key for choice in found.shown if choice.key]
    assert len(set(keys)) == len(keys)
    assert not set(keys) & set(found.commands.values())
    if not found.many:
        assert [choice.label for choice in found.shown] == labels
        assert len(keys) == len(labels)
        own = {choice.label for choice in found.shown if choice.label in set(string.digits)}
        assert all(choice.key == choice.label for choice in found.shown if choice.label in own)
    elif posterior is None:
        assert [choice.label for choice in found.shown] == labels
        assert not keys, "an order or keys by probability would be a suggestion"
    else:
        first = found.shown[:5]
        assert [choice.key for choice in first] == list(found.keys)
        assert min(posterior[choice.label] for choice in first) >= max(
            posterior[choice.label] for choice in found.shown[5:]
        )


def test_ten_digits_have_their_own_keys():
    digits = list(string.digits)
    assert [(choice.label, choice.key) for choice in choices(digits, None).shown] == list(
        zip(digits, digits, strict=True)
    )


@pytest.mark.parametrize(
    ("labels", "keys"), [([str(i) for i in range(12)], "abcde"), ([f"c{i}" for i in range(12)], "12345")]
)
def test_many_numbers_are_typed_so_that_their_keys_are_letters(labels, keys):
    assert choices(labels, dict.fromkeys(labels, 1 / 12)).keys == keys
