"""The secrecy test: nothing a seat may not know changes anything it is shown.

At a given moment every card that has become known to a seat stays where it is; the others change
places among themselves, in the other hand and in the stock, and the same moves are made again.
If any part of the view differs, it said something about them.
"""

from __future__ import annotations

from collections.abc import Callable
from random import Random
from typing import Any

from games.engine.cards import Card
from games.engine.position import Position, replay

ViewFor = Callable[[Position, int | None], dict[str, Any]]


def unknown_to(position: Position, seat: int | None) -> set[Card]:
    """The cards a seat cannot know: the stock, and what others were dealt or drew from it."""
    hidden = set(position.deck[position.stock_from :])
    if position.phase == "over":
        return hidden
    seen = {entry.card for entry in position.log if entry.move == "draw discard"}
    for other, held in enumerate(position.held):
        if other != seat:
            hidden |= set(held) - seen
    return hidden


def with_secrets_moved(position: Position, seat: int | None, random: Random) -> Position:
    """The same hand to this seat's eyes, with the cards it cannot know in other places."""
    hidden = unknown_to(position, seat)
    places = [place for place, card in enumerate(position.deck) if card in hidden]
    cards = [position.deck[place] for place in places]
    moved = cards[:]
    while moved == cards and len(cards) > 1:
        random.shuffle(moved)
    deck = list(position.deck)
    for place, card in zip(places, moved, strict=True):
        deck[place] = card
    moves = [entry.move for entry in position.log]
    return replay(position.rules, deck, position.dealer, moves, position.seats)


def assert_secrets_kept(view_for: ViewFor, position: Position, random: Random) -> None:
    """Every seat and the spectator see the same when what they cannot know is moved."""
    for seat in (*range(position.seats), None):
        other = with_secrets_moved(position, seat, random)
        assert other.deck != position.deck
        assert view_for(other, seat) == view_for(position, seat)
