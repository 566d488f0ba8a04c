"""Codes are short: guessing them is slow, and one guesser does not lock everybody out."""

from __future__ import annotations

from games import tries


def test_a_player_has_ten_tries():
    assert not any(tries.too_many(1, "192.0.2.1") for _ in range(tries.TRIES["user"]))
    assert tries.too_many(1, "192.0.2.1")


def test_another_player_at_another_address_is_not_held_up():
    for _ in range(tries.TRIES["user"] + 1):
        tries.too_many(1, "192.0.2.1")
    assert not tries.too_many(2, "192.0.2.2")


def test_one_address_with_many_names_is_held_up():
    for user_id in range(tries.TRIES["address"]):
        assert not tries.too_many(user_id, "192.0.2.1")
    assert tries.too_many(1000, "192.0.2.1")
