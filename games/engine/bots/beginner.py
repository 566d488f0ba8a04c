"""The Débutant: knows the rules, plays it safe, and makes the mistakes people make at first.

It now and then overlooks a card that would make a meld, is tempted by one that only makes a pair,
holds on to a hand it might knock with, and throws the highest card though it was half of a pair.
Its mistakes are drawn from chance, which is passed in.
"""

from __future__ import annotations

from typing import Final

from games.engine.bots.baseline import Chance, habitue, improves, meets_another
from games.engine.cards import CARDS, POINTS
from games.engine.view import View

OVERLOOKED: Final = 8  # one in so many cards that would make a meld
TEMPTED: Final = 5  # one in so many cards that would make a pair
ABSENT: Final = 6  # one in so many cards thrown without a thought
SURE: Final = 4  # with no more deadwood than this it dares to knock
DARING: Final = 3  # one in so many other knocks


def beginner(view: View, chance: Chance) -> str:
    """Return the move of the seat whose view this is, when it is to act."""
    legal: list[str] = view["legal"]
    if "draw discard" in legal:
        if improves(view):
            wanted = chance(OVERLOOKED) > 0
        else:
            wanted = meets_another(view) and chance(TEMPTED) == 0
        if wanted:
            return "draw discard"
    for move in ("pass", "draw stock", "big gin"):
        if move in legal:
            return move
    for knock in view["knocks"][:1]:
        if knock["deadwood"] <= SURE or chance(DARING) == 0:
            return f"knock {knock['card']}"
    return _discard(view, chance)


def _discard(view: View, chance: Chance) -> str:
    loose = [name for name in view["loose"] if name not in view["locked"]]
    if not loose:
        return f"discard {view['best_discard']}"
    if chance(ABSENT) == 0:
        return f"discard {loose[chance(len(loose))]}"
    if chance(2) == 0:
        return f"discard {max(loose, key=lambda name: POINTS[CARDS[name]])}"
    return habitue(view, chance, knock_at=-1)
