"""What a player with a memory knows: the views of their own seat since the deal, nothing else."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from games.engine.cards import BITS, CARDS, DECK, Card, Cards, gather, parse
from games.engine.position import course
from games.engine.rules import PlayRules
from games.engine.view import View, view_for

ALL = gather(DECK)


def seen(
    rules: PlayRules, deck: Sequence[Card], dealer: int, moves: Iterable[str], seat: int
) -> list[View]:
    """Return the seat's view at each of its decisions; the last one is now, whoever is to act."""
    positions = course(rules, deck, dealer, moves)
    last = positions.pop()
    decisions = [position for position in positions if position.to_act == seat]
    return [view_for(position, seat) for position in (*decisions, last)]


@dataclass
class Memory:
    """All that one seat knows now, the other seat's doings added up over the whole hand.

    ``known`` are cards the other took and still holds, ``thrown`` those it threw, ``left`` those it
    might have taken and did not. ``shown`` are cards of one's own that the other saw taken.
    ``last`` is what the other threw last, ``before`` what it threw the turn before that.
    """

    phase: str
    held: Cards
    limit: int
    deals: bool
    stock: int
    top: Card | None
    locked: Cards = 0
    turns: int = 0
    idle: int = 0
    pile: Cards = 0
    known: Cards = 0
    thrown: Cards = 0
    left: Cards = 0
    shown: Cards = 0
    last: Card | None = None
    before: Card | None = None

    @property
    def unseen(self) -> Cards:
        """The cards that lie in the stock or are held by the other, nobody can tell which."""
        return ALL & ~(self.held | self.pile | self.known)

    @property
    def round(self) -> int:
        """How many turns each has had."""
        return self.turns // 2


class _Event(NamedTuple):
    own: bool
    verb: str
    card: Card | None


def remember(views: Sequence[View]) -> Memory:
    """Return what the seat of these views knows at the last one, where it is to act.

    A view forgets what lies before the seat's last turn; the earlier views still tell it.
    """
    now = views[-1]
    memory = Memory(
        phase=now["phase"],
        held=parse(now["held"]),
        limit=now["knock_limit"],
        deals=now["dealer"] == now["to_act"],
        stock=now["stock"],
        top=CARDS[now["pile"][0]] if now["pile"] else None,
        locked=parse(now["locked"]),
    )
    top: Card | None = CARDS[now["upcard"]]
    must_draw = False
    memory.pile = BITS[CARDS[now["upcard"]]]
    for event in _events(views):
        if event.verb in ("pass", "draw stock"):
            memory.idle = 0
            if not (event.own or top is None or must_draw):
                memory.left |= BITS[top]
            must_draw = event.verb == "pass" and event.own == memory.deals
        elif event.card is not None:
            top = _moved(memory, event.own, event.verb, BITS[event.card], event.card)
    return memory


def _moved(memory: Memory, own: bool, verb: str, bit: Cards, card: Card) -> Card | None:
    """Note a card that went from the pile to a hand, or back. Return the new top where it shows."""
    if verb == "draw discard":
        memory.pile &= ~bit
        memory.idle += 1
        if own:
            memory.shown |= bit
        else:
            memory.known |= bit
        return None
    memory.pile |= bit
    memory.turns += 1
    if own:
        memory.shown &= ~bit
    else:
        memory.known &= ~bit
        memory.thrown |= bit
        memory.before, memory.last = memory.last, card
    return card


def _events(views: Sequence[View]) -> Iterator[_Event]:
    """Yield every move of the hand that the seat knows of, in order."""
    seat = views[-1]["to_act"]
    events: dict[int, _Event] = {}
    for place, view in enumerate(views):
        for line in view["log"]:
            verb, card = line["move"], line.get("card")
            if verb.startswith("discard"):
                verb, card = "discard", line["move"][-2:]
            events[line["ply"]] = _Event(
                line["seat"] == seat, verb, None if card is None else CARDS[card]
            )
        ply = (view["log"][-1]["ply"] if view["log"] else 0) + 1
        if place + 1 < len(views):
            own = _own_move(view, views[place + 1])
            if own is not None:
                events[ply] = own
    return (events[ply] for ply in sorted(events))


def _own_move(view: View, later: View) -> _Event | None:
    """Return the move made between two views where the later one need not tell it any more."""
    if view["phase"] == "upcard" and later["phase"] != "discard":
        return _Event(True, "pass", None)
    if view["phase"] == "discard":
        gone = [name for name in view["held"] if name not in later["held"]]
        return _Event(True, "discard", CARDS[gone[0]]) if len(gone) == 1 else None
    return None
