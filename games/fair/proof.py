"""What is shown of a deal once its hand is over, and whether it holds. Pure: values in, values out.

Anybody can check it without this site: the page of help prints the same in twenty lines.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Final

from accounts.refusal import N_
from games.engine.cards import texts
from games.engine.shuffle import Stream, first_dealer, shuffled
from games.fair import chain

FORMAT: Final = "ginrami-deal-1"
SEATS: Final = 2  # at least: a deck that nobody gave to would be the server's alone
FAULTS: Final = {
    "chain": N_("The secret of this hand does not belong to the chain that was published."),
    "seeds": N_("A value that counted is not the one whose hash was published."),
    "dealer": N_("The first dealer is not the one that was drawn."),
    "deck": N_("The deck that was dealt is not the one these values make."),
}


@dataclass(frozen=True, slots=True)
class Given:
    """The value that counted for a seat, and the hash it was bound by before the deal."""

    value: str
    bound_by: str
    substitute: str  # the hash of its substitute
    replaced: bool


@dataclass(frozen=True, slots=True)
class Proof:
    """Of one hand. ``deck`` is the one that was dealt, as it is stored."""

    game: int
    hand: int
    first: int  # the hand its chain begins with
    dealer: int
    commitment: str
    secret: str
    seats: Sequence[Given]
    deck: str

    def __repr__(self) -> str:
        return f"<Proof: hand {self.hand} of game {self.game}>"

    def as_dict(self) -> dict[str, Any]:
        """As it is written into a file, and printed on the page of help."""
        return {
            "format": FORMAT,
            "game": self.game,
            "hand": self.hand,
            "first": self.first,
            "dealer": self.dealer,
            "commitment": self.commitment,
            "secret": self.secret,
            "seats": [
                {
                    "value": seat.value,
                    "bound_by": seat.bound_by,
                    "substitute": seat.substitute,
                    "replaced": seat.replaced,
                }
                for seat in self.seats
            ],
            "deck": self.deck,
        }


def faults(proof: Proof) -> list[str]:
    """What does not hold, by its code (``FAULTS``); nothing where all does."""
    secret = bytes.fromhex(proof.secret)
    steps = chain.place_of(proof.hand, proof.first)
    stream = Stream(secret, proof.game, proof.hand, [bytes.fromhex(s.value) for s in proof.seats])
    drawn = first_dealer(stream, len(proof.seats) or 1) if proof.hand == 1 else proof.dealer
    held = {
        # The published link itself is no secret, and a chain is good for so many hands alone.
        "chain": 0 < steps <= chain.LINKS
        and chain.hashed_back(secret, steps).hex() == proof.commitment,
        "seeds": len(proof.seats) >= SEATS and all(map(_is_bound, proof.seats)),
        "dealer": drawn == proof.dealer,
        "deck": "".join(texts(shuffled(stream))) == proof.deck,
    }
    return [code for code, holds in held.items() if not holds]


def _is_bound(seat: Given) -> bool:
    """Whether a value is the one announced; only who was replaced is bound by a substitute."""
    held = chain.hashed(bytes.fromhex(seat.value)).hex() == seat.bound_by
    return held and (seat.bound_by == seat.substitute) == seat.replaced
