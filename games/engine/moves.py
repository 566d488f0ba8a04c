"""Moves as text, one spelling everywhere: on the wire, in the row, in logs and exports."""

from __future__ import annotations

from typing import Final, Literal, NamedTuple

from accounts.refusal import N_, Refusal
from games.engine.cards import DECK, NAMES, Card

Verb = Literal["pass", "draw stock", "draw discard", "discard", "knock", "big gin"]

LONGEST: Final = 40
"""``knock 7h`` and ten cards in three melds take 32 characters; more is never read."""


class IllegalMove(Refusal):
    """A move that may not be made now. The player is still in the same turn, nothing is lost."""


class Move(NamedTuple):
    """A move read: what is done, with which card, and the arrangement a knock shows."""

    verb: Verb
    card: Card | None = None
    arrangement: str | None = None


DISCARDS: Final = tuple(f"discard {name}" for name in NAMES)
KNOCKS: Final = tuple(f"knock {name}" for name in NAMES)
BARE: Final[dict[str, Move]] = {
    "pass": Move("pass"),
    "draw stock": Move("draw stock"),
    "draw discard": Move("draw discard"),
    "big gin": Move("big gin"),
    **{DISCARDS[card]: Move("discard", card) for card in DECK},
    **{KNOCKS[card]: Move("knock", card) for card in DECK},
}
"""Every move there is, but for the arrangement that may follow a knock."""


def read(text: str) -> Move:
    """Read a move; ``IllegalMove`` if it is none. Anything at all may be passed in."""
    if isinstance(text, str) and len(text) <= LONGEST:
        move = BARE.get(text)
        if move is not None:
            return move
        knock = BARE.get(text[:8])
        if knock is not None and knock.verb == "knock" and text[8] == " ":
            return knock._replace(arrangement=text[9:])
    raise IllegalMove("malformed", N_("This is not a move."))
