"""The Expert: judges every alternative by what it learned from playing.

The chances of all the ends of the hand come from ``net.py``, and their worth from the score: not
the points count but the chance to win the game.
"""

from __future__ import annotations

from collections.abc import Sequence

from games.engine.bots.equity import Values, points_of_ends, worths_of_ends
from games.engine.bots.judge import Judge
from games.engine.bots.memory import remember
from games.engine.bots.net import Net, shipped
from games.engine.bots.score import Score
from games.engine.cards import NAMES
from games.engine.view import View


def expert(views: Sequence[View], score: Score, net: Net | None = None) -> str:
    """Return the move of the seat whose views these are, when it is to act."""
    view, memory = views[-1], remember(views)
    legal: list[str] = view["legal"]
    if legal == ["draw stock"]:
        return legal[0]
    if "big gin" in legal:
        return "big gin"
    if any(knock["deadwood"] == 0 for knock in view["knocks"][:1]):
        return f"knock {view['knocks'][0]['card']}"
    net = net or shipped()
    judge = Judge(net, score, values_now(net, score, view["spade"]))
    if "draw discard" in legal:
        found = judge.draw(memory)
        if found is not None and found.takes:
            return "draw discard"
        return "pass" if "pass" in legal else "draw stock"
    now = judge.turn(memory)
    if now.knock is not None and now.knocks:
        return f"knock {NAMES[now.knock.card]}"
    return f"discard {NAMES[now.discards[0].card]}"


def values_now(net: Net, score: Score, spade: bool) -> Values:
    """Return what each end of this hand is worth to the seat, at this score."""
    return worths_of_ends(score, points_of_ends(score, net.bases, spade), net.bases, net.often)
