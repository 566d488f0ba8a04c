"""What may be said over a socket."""

from __future__ import annotations

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from games.messages import MESSAGE_LENGTH, Allowance, MoveMessage, ReadyMessage, VerbMessage, read

anything = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(),
    lambda inner: st.lists(inner) | st.dictionaries(st.text(), inner),
)


def test_a_move_carries_where_the_player_stood():
    assert read('{"move": "draw stock", "at": [3, 17]}') == MoveMessage("draw stock", (3, 17))


def test_a_verb_is_a_word_of_the_table():
    assert read('{"verb": "ready"}') == ReadyMessage("ready")
    assert read('{"verb": "look"}') == VerbMessage("look")
    assert read('{"verb": "give me the deck"}') is None


@given(st.text())
def test_any_text_is_read_or_refused_and_never_raises(text):
    assert read(text) is None or isinstance(read(text), MoveMessage | VerbMessage)


@given(anything, anything)
def test_any_json_in_place_of_a_move_is_read_or_refused(move, at):
    message = read(json.dumps({"move": move, "at": at}))
    if message is not None:
        assert isinstance(message.move, str)
        assert all(isinstance(place, int) and place >= 0 for place in message.at)


@pytest.mark.parametrize("name", ["verb", "move", "at", "text", "nothing"])
def test_however_deep_it_is_nested_it_is_refused(name):
    deep = (MESSAGE_LENGTH - 20) // 2
    assert read(f'{{"{name}": {"[" * deep}{"]" * deep}}}') is None


def test_nothing_longer_than_the_bound_is_read():
    padded = '{"verb": "ready"' + " " * MESSAGE_LENGTH + "}"
    assert read(padded) is None


def test_who_says_too_much_is_first_slowed_and_then_shown_out():
    allowance = Allowance()
    answers = [allowance.spend() for _ in range(200)]
    assert answers[0] == "ok"
    assert "slow_down" in answers
    assert answers[-1] == "flood"
    assert answers == sorted(answers, key=["ok", "slow_down", "flood"].index)
