"""What one seat may know of a hand: THE secrecy rule. Nothing else ever shows a hand.

A view is built up from nothing: a fact is secret until it is named here. Other hands are a count
until the showdown, a card drawn from the stock belongs to its drawer, and the order of the stock
is nobody's. Seat ``None`` is a spectator, who holds nothing. Once a hand is over its course may be
told again with every hand open; the cards nobody drew stay unknown to every view.
"""

from __future__ import annotations

from typing import Any

from games.engine.arrangements import Arrangement, arrangements, meld_text
from games.engine.cards import BITS, CARDS, NAMES, Card, gather, spread, texts
from games.engine.melds import best_discard, least_deadwood
from games.engine.position import Entry, Position, legal_moves
from games.engine.seats import round_from
from games.engine.showdown import Layout, Outcome

View = dict[str, Any]


def view_for(position: Position, seat: int | None, *, open_hands: bool = False) -> View:
    """Return what this seat may know, ready for JSON; what stays secret never gets in.

    ``open_hands`` is for a moment of a hand that is over, told again: every hand lies open, and
    the log is the move that led here, with its card. Only the caller can know that the hand is
    over: that is ``games/replay/finding.py`` and nobody else.
    """
    view = {
        "phase": position.phase,
        "to_act": position.to_act,
        "dealer": position.dealer,
        "knock_limit": position.limit,
        "gin_only": position.limit == 0,
        "oklahoma": position.rules.knock_limit == "upcard",
        "spade": position.spade,
        "upcard": NAMES[position.upcard],
        "stock": position.stock,
        "pile": _pile(position),
        "pile_count": len(position.pile),
        "others": _others(position, seat),
        **_own_hand(position, seat),
        **_own_turn(position, seat),
        "log": _log(position, seat, open_hands),
        "result": None if position.outcome is None else _result(position.outcome),
    }
    if open_hands:
        view["hands"] = [_open_hand(position, each) for each in range(position.seats)]
    return view


def _open(position: Position) -> bool:
    """Tell whether the past is open: at the showdown, or where the room says so (section 4)."""
    return position.phase == "over" or position.rules.discard_history == "open"


def _pile(position: Position) -> list[str]:
    pile = position.pile if _open(position) else position.pile[-1:]
    return texts(reversed(pile))


def _others(position: Position, seat: int | None) -> list[dict[str, int]]:
    others = round_from(0, position.seats) if seat is None else round_from(seat, position.seats)[1:]
    return [{"seat": other, "count": len(position.held[other])} for other in others]


def _own_hand(position: Position, seat: int | None) -> View:
    if seat is None:
        return {"held": None, "melds": [], "loose": [], "deadwood": None}
    held = position.held[seat]
    best = arrangements(gather(held))[0]
    return {
        "held": texts(held),
        "melds": [texts(spread(meld)) for meld in best.melds],
        "loose": texts(spread(best.loose)),
        "deadwood": best.deadwood,
    }


def _open_hand(position: Position, seat: int) -> View:
    """One hand laid open, as its holder saw it then."""
    return {"seat": seat, **_own_hand(position, seat), **_own_draw(position, seat)}


def _own_turn(position: Position, seat: int | None) -> View:
    """Say what the seat to act may do. Nobody else learns anything of it."""
    turn: View = {**_own_draw(position, seat), "legal": [], "knocks": []}
    if seat is None or seat != position.to_act:
        return turn
    turn["legal"] = legal_moves(position)
    if position.drawn is not None:
        turn["knocks"] = _knocks(position.held[seat], turn["legal"])
    return turn


def _own_draw(position: Position, seat: int | None) -> View:
    """Say what the card just drawn changes, to the seat that drew it."""
    if seat is None or seat != position.to_act or position.drawn is None:
        return {"after_best_discard": None, "best_discard": None, "drawn": None, "locked": []}
    cards = gather(position.held[seat])
    locked = position.locked
    thrown = best_discard(cards, 0 if locked is None else BITS[locked])
    return {
        "after_best_discard": least_deadwood(cards ^ BITS[thrown]),
        "best_discard": NAMES[thrown],
        "drawn": NAMES[position.drawn],
        "locked": [] if locked is None else [NAMES[locked]],
    }


def _knocks(held: tuple[Card, ...], legal: list[str]) -> list[View]:
    """List the knocks that may be made, the lowest first, with every way to lay them out."""
    cards = gather(held)
    knocks = []
    for name in (move[6:] for move in legal if move.startswith("knock ")):
        possible = arrangements(cards ^ BITS[CARDS[name]])
        knocks.append(
            {
                "card": name,
                "deadwood": possible[0].deadwood,
                "arrangements": [_arrangement(arrangement) for arrangement in possible],
            }
        )
    return sorted(knocks, key=lambda knock: knock["deadwood"])


def _arrangement(arrangement: Arrangement) -> View:
    return {
        "melds": [meld_text(meld) for meld in arrangement.melds],
        "loose": texts(spread(arrangement.loose)),
    }


def _log(position: Position, seat: int | None, open_hands: bool) -> list[View]:
    """Tell the moves since the seat's own last turn, or all of them where the past is open.

    A spectator, who has no turn, sees the last two turns.
    """
    if open_hands:
        first = max(0, position.ply - 1)
    else:
        first = 0 if _open(position) else _log_from(position.log, seat)
    return [
        _log_line(ply, entry, open_hands or position.phase == "over")
        for ply, entry in enumerate(position.log[first:], start=first + 1)
    ]


def _log_from(log: tuple[Entry, ...], seat: int | None) -> int:
    """Return where the log begins for a seat: after the end of its last turn."""
    turns = 0
    for index in range(len(log) - 1, -1, -1):
        entry = log[index]
        ends_a_turn = not entry.move.startswith("draw")
        if seat is None:
            turns += ends_a_turn or index == len(log) - 1
            if turns > 2:
                return index + 1
        elif ends_a_turn and entry.seat == seat:
            return index + 1
    return 0


def _log_line(ply: int, entry: Entry, over: bool) -> View:
    line: View = {"ply": ply, "seat": entry.seat, "move": entry.move}
    if entry.card is not None and (over or entry.move == "draw discard"):
        line["card"] = NAMES[entry.card]
    return line


def _result(outcome: Outcome) -> View:
    """Tell how the hand ended, every hand laid open."""
    return {
        "end": outcome.end,
        "knocker": outcome.knocker,
        "winner": outcome.winner,
        "knocker_deadwood": outcome.knocker_deadwood,
        "defender_deadwood": outcome.defender_deadwood,
        "thrown": None if outcome.thrown is None else NAMES[outcome.thrown],
        "spade": outcome.spade,
        "hands": [_layout(seat, layout) for seat, layout in enumerate(outcome.layout)],
    }


def _layout(seat: int, layout: Layout) -> View:
    return {
        "seat": seat,
        "melds": [texts(meld) for meld in layout.melds],
        "laid_off": [{"card": NAMES[card], "meld": meld} for card, meld in layout.laid_off],
        "loose": texts(layout.loose),
        "deadwood": layout.deadwood,
        "before": layout.before,
    }
