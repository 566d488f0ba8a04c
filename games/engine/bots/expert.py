"""The Expert: judges every alternative by what it learned from playing against itself.

The chances of all the ends of the hand come from ``net.py``, and their worth from the score: not
the points count but the chance to win the game. Given playouts, it tries discards that are close
in hands the other seat may hold (``lookahead.py``).
"""

from __future__ import annotations

from collections.abc import Sequence

from games.engine.bots.baseline import Chance
from games.engine.bots.equity import Worths, points_of_ends, worths_of_ends
from games.engine.bots.judge import draw, turn
from games.engine.bots.lookahead import Ahead
from games.engine.bots.memory import remember
from games.engine.bots.net import Net, shipped
from games.engine.bots.score import Score
from games.engine.cards import NAMES
from games.engine.rules import PlayRules
from games.engine.view import View

PLAYOUTS = 0
"""Hands of the other seat that a close decision is tried in, by default.

None: over some hundred games with and without, trying eighty was weaker and seven times slower.
"""


def expert(
    views: Sequence[View], rules: PlayRules, score: Score, chance: Chance,
    playouts: int = PLAYOUTS, net: Net | None = None,
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
    worths = worths_now(net, score, view["spade"])
    if "draw discard" in legal:
        found = draw(net, memory, worths)
        if found is not None and found.takes:
            return "draw discard"
        return "pass" if "pass" in legal else "draw stock"
    now = turn(net, memory, worths)
    if now.knock is not None and now.knocks:
        return f"knock {NAMES[now.knock.card]}"
    card = Ahead(net, memory, worths, rules).best(now, chance, playouts)
    return f"discard {NAMES[card]}"


def worths_now(net: Net, score: Score, spade: bool) -> Worths:
    """Return what each end of this hand is worth to the seat, at this score."""
    points = points_of_ends(score, net.bases, spade)
    return worths_of_ends(score, points, net.bases, net.often)
