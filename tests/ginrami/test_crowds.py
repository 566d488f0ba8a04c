"""Bells for many sockets: a few at a time, nobody left out, and once more when rung again."""

from __future__ import annotations

import asyncio
from collections import Counter

from ginrami import crowds


async def test_a_few_are_told_at_once_but_for_those_who_know():
    told: list[str] = []
    crowds.Crowds().tell("lobby", lambda: {"a", "b", "c"}, told.append, but={"b"})
    assert sorted(told) == ["a", "c"]


async def test_a_crowd_is_told_a_few_at_a_time_and_once_more_if_it_was_rung_meanwhile(monkeypatch):
    monkeypatch.setattr(crowds, "EVERY", 0.0)
    here = {str(number) for number in range(3 * crowds.CROWD)}
    told: Counter[str] = Counter()
    lobby = crowds.Crowds()
    lobby.tell("lobby", lambda: here, lambda one: told.update([one]), but={"7"})
    assert len(told) == crowds.AT_ONCE
    for _ in range(5):
        lobby.tell("lobby", lambda: here, lambda one: told.update([one]))
    assert len(told) == crowds.AT_ONCE
    here |= {"late"}
    while lobby._under_way:
        await asyncio.sleep(0)
    assert told == {**dict.fromkeys(here, 2), "7": 1, "late": 1}
    lobby.tell("lobby", lambda: here, lambda one: told.update([one]))  # it begins anew
    assert sum(told.values()) == 6 * crowds.CROWD + crowds.AT_ONCE
