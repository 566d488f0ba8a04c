"""The move the table makes for a player whose time is up (``live-play``, presence and clocks)."""

from __future__ import annotations

from accounts.refusal import N_
from games.engine.cards import BITS, NAMES, gather
from games.engine.melds import best_discard
from games.engine.position import IllegalMove, Position, legal_moves


def house_move(position: Position) -> str:
    """Pass the upcard, draw from the stock, discard the drawn card or else the best one.

    It never knocks and it is always legal: a card just taken from the pile stays.
    """
    legal = legal_moves(position)
    for move in ("pass", "draw stock"):
        if move in legal:
            return move
    if position.to_act is None or position.drawn is None:
        raise IllegalMove("over", N_("This hand is over."))
    if position.locked is None:
        return "discard " + NAMES[position.drawn]
    held = gather(position.held[position.to_act])
    return "discard " + NAMES[best_discard(held, BITS[position.locked])]
