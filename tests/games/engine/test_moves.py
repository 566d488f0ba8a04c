"""Moves as text: one spelling, and anything else refused."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from games.engine.cards import card
from games.engine.moves import BARE, IllegalMove, Move, read


def test_every_bare_move_reads_as_itself():
    assert len(BARE) == 108
    assert read("pass") == Move("pass")
    assert read("discard 7h") == Move("discard", card("7h"))
    assert read("knock Ts") == Move("knock", card("Ts"))


def test_a_knock_may_name_its_arrangement():
    assert read("knock 7h 3d3h3s 7c8c9cTc") == Move("knock", card("7h"), "3d3h3s 7c8c9cTc")


@pytest.mark.parametrize(
    "text",
    [
        "",
        " ",
        "Pass",
        "pass ",
        " pass",
        "draw",
        "draw  stock",
        "draw stock 7h",
        "discard",
        "discard 10h",
        "discard 7H",
        "discard 7h 7d",
        "knock",
        "knock7h",
        "knock 7hx",
        "knock 7h\n3d3h3s",
        "discard 7h 3d3h3s",
        "big gin 7h",
        "big  gin",
        "gin",
        "knock 7h " + "3d" * 40,
        "pass" * 100_000,
        "pass\x00",
        "passé",
        None,
        7,
        b"pass",
        ["pass"],
        {"move": "pass"},
    ],
)
def test_anything_else_is_refused(text):
    with pytest.raises(IllegalMove) as refused:
        read(text)
    assert refused.value.code == "malformed"


@given(st.text(max_size=60))
def test_no_text_is_too_strange_to_refuse(text):
    try:
        move = read(text)
    except IllegalMove:
        return
    assert text in BARE or move.arrangement is not None
