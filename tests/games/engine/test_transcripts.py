"""Whole hands written down: what each ply offered and how it ended must never change unseen.

A transcript that is meant to change is deleted and written anew by running this test twice.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import asdict
from pathlib import Path
from random import Random

import pytest

from games.engine.cards import gather, texts
from games.engine.melds import best_discard, least_deadwood
from games.engine.position import Position, apply, deal, legal_moves
from games.engine.rules import PlayRules
from games.engine.view import view_for
from tests.games.engine.hands import random_deck

TRANSCRIPTS = Path(__file__).parents[2] / "transcripts"

HANDS = {
    "complete-1": (PlayRules(big_gin=True), 3),
    "complete-2": (PlayRules(big_gin=True), 8),
    "oklahoma-spades": (PlayRules(knock_limit="upcard", big_gin=True), 5),
    "gin-only-without-layoffs": (PlayRules(knock_limit=0, layoffs=False), 6),
    "first-to-knock": (PlayRules(format="first_knock"), 4),
    "open-pile": (PlayRules(discard_history="open", keep_drawn_card="any"), 12),
}


def chosen(position: Position, random: Random) -> str:
    """A player who takes what helps, keeps the best and knocks two times out of three."""
    legal = legal_moves(position)
    assert position.to_act is not None
    if position.phase != "discard":
        held = gather(position.held[position.to_act])
        top = 1 << position.pile[-1]
        if "draw discard" in legal and least_deadwood(held | top) < least_deadwood(held):
            return "draw discard"
        return "pass" if "pass" in legal else "draw stock"
    ends = [move for move in legal if move.startswith(("knock", "big"))]
    if ends and random.random() < 0.66:
        return min(ends)
    locked = 0 if position.locked is None else 1 << position.locked
    thrown = best_discard(gather(position.held[position.to_act]), locked)
    return f"discard {texts([thrown])[0]}"


def transcript(rules: PlayRules, seed: int) -> Iterator[str]:
    random = Random(seed)
    position = deal(rules, random_deck(random), seed % 2)
    yield json.dumps(asdict(rules))
    yield f"dealer {position.dealer}, deck {' '.join(texts(position.deck))}"
    while position.phase != "over":
        seat = position.to_act
        assert seat is not None
        held = position.held[seat]
        offered = [m for m in legal_moves(position) if not m.startswith("discard")]
        yield (
            f"{position.ply + 1:3} seat {seat} {position.phase:8}{' '.join(texts(held))} "
            f"({least_deadwood(gather(held))}) {offered}"
        )
        move = chosen(position, random)
        yield f"    {move}"
        position = apply(position, move)
    yield json.dumps(view_for(position, None)["result"], indent=1)


@pytest.mark.parametrize("name", HANDS)
def test_a_hand_goes_as_it_was_written_down(name):
    path = TRANSCRIPTS / f"{name}.txt"
    played = "\n".join(transcript(*HANDS[name])) + "\n"
    if not path.exists():
        path.parent.mkdir(exist_ok=True)
        path.write_text(played)
        pytest.fail(f"{path.name} was not there and is written now: read it before you commit it")
    assert played == path.read_text()
