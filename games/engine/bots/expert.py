"""The Expert: judges every alternative by what it learned from playing against itself.

The chances of all the ends of the hand come from ``net.py``, and their worth from the score: not
the points count but the chance to win the game.
"""

from __future__ import annotations

from collections.abc import Sequence

from games.engine.bots.baseline import Chance
from games.engine.bots.equity import Values, points_of_ends, values_of_ends
from games.engine.bots.judge import after_taking, leaving, tempting, throws
from games.engine.bots.memory import Memory, remember
from games.engine.bots.net import Net, shipped
from games.engine.bots.score import Score
from games.engine.cards import NAMES
from games.engine.view import View

PLAYOUTS = 0


def expert(
    views: Sequence[View], score: Score, chance: Chance, playouts: int = PLAYOUTS,
    net: Net | None = None,
) -> str:  # fmt: skip
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
    values = worths(net, score, view["spade"])
    if "draw discard" in legal:
        if takes(net, memory, values):
            return "draw discard"
        return "pass" if "pass" in legal else "draw stock"
    best = throws(net, memory, values)[0]
    return f"{'knock' if best.knock else 'discard'} {NAMES[best.card]}"


def worths(net: Net, score: Score, spade: bool) -> Values:
    """Return what each end of this hand is worth to the seat, at this score."""
    points = points_of_ends(score, net.bases, spade)
    return values_of_ends(score, points, net.bases, net.often)


def takes(net: Net, memory: Memory, values: Values) -> bool:
    """Tell whether the top of the pile is worth more than to leave it."""
    if not tempting(memory):
        return False
    return throws(net, after_taking(memory), values)[0].value > leaving(net, memory, values)
