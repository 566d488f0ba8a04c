"""Draws up what one person sees of a table: the envelope around the engine's view.

Built up from nothing, like the view itself: a fact is not shown until it is named here. Nothing
here knows cards; all that a browser sees of a hand comes out of ``engine.view.view_for``.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from accounts import bots
from accounts.called import called
from games import clocks, stakes
from games.beside import Beside, beside_of
from games.engine.position import Position
from games.engine.view import view_for
from games.frames import Frame
from games.positions import hand_before
from games.presets import preset_name
from games.stakes.offers import Offer
from scoring.ledger import SheetReading
from scoring.rules import Line

View = dict[str, Any]

NEXT_DEAL_AFTER = clocks.next_deal_after(None)


def draw_up(frame: Frame, seat: int | None, now: int) -> View:
    """The whole view of a table for one seat, or for someone who only watches (None).

    ``now`` is the server's time in epoch milliseconds, so that a browser's clock need not agree.
    """
    beside = beside_of(frame)
    hand = _hand(frame, seat)
    return {
        "type": "table",
        "at": [frame.hand_number, frame.ply],
        "version": frame.version,
        "state": frame.state,
        "seat": seat,
        "table": {
            "id": frame.table_id,
            "number": frame.table_number,
            "url": f"/tables/{frame.table_id}/",
        },
        "room": {
            "id": frame.room_id,
            "name": frame.room_name,
            "url": f"/rooms/{frame.room_id}/",
            "invite": f"/j/{frame.invitation}/",
            "code": frame.code,
        },
        "game": {
            "id": frame.game_id,
            "number": frame.game_number,
            "rules": str(preset_name(frame.rules.preset)),
            "target": frame.rules.scoring.target,
            "stakes": stakes.in_brief(frame.stakes, frame.rules.scoring),
            "staked": frame.stakes.played_for,
            "terms": Offer(frame.rules, frame.stakes).mark if frame.state == "waiting" else "",
            "doubles_spades": frame.rules.scoring.spades_double,
        },
        "seats": [_chair(frame, index, seat) for index in range(len(frame.seats))],
        "hand": hand,
        "order": _order(beside, seat, hand),
        "shuffle": _shuffle(frame, beside),
        "call_off": _call_off(frame, beside),
        "hand_line": _line_of_hand(frame, frame.hand_number, frame.position),
        "previous": _previous(frame),
        "next_deal_at": _next_deal_at(frame),
        "now": now,
        "end": _end(frame),
        "following": _following(frame, beside),
        "sheet_id": frame.sheet_id,
        "sheet_url": None if frame.sheet_id is None else f"/sheets/{frame.sheet_id}/",
    }


def _hand(frame: Frame, seat: int | None) -> View | None:
    """The engine's view of the hand on the table; nobody acts any more once it was cut short."""
    if frame.position is None:
        return None
    view = view_for(frame.position, seat)
    if frame.state != "playing":
        view.update(to_act=None, legal=[], knocks=[])
    if frame.adjourned:
        view.update(legal=[], knocks=[])
    return view


def _order(beside: Beside, seat: int | None, hand: View | None) -> View | None:
    """How this seat holds its cards, told to nobody else: a card drawn since comes last."""
    if seat is None or seat not in beside.orders:
        return None
    sort, kept = beside.orders[seat]
    held = (hand["held"] if hand else None) or []
    own = [kept[at : at + 2] for at in range(0, len(kept), 2)]
    ordered = [card for card in own if card in held]
    return {"sort": sort, "cards": ordered + [card for card in held if card not in ordered]}


def _call_off(frame: Frame, beside: Beside) -> View | None:
    """The offer to call the game off. It falls with the hand it was made in."""
    made, ended = beside.offered_at, frame.hand_ended_at
    if made is None or frame.ended or (ended is not None and ended >= made):
        return None
    return {"by": beside.offered_by}


def _shuffle(frame: Frame, beside: Beside) -> View | None:
    """What is public of the shuffle that waits for somebody."""
    if frame.shuffle_until is None or beside.shuffle is None:
        return None
    return {**beside.shuffle.as_dict(), "deadline": clocks.in_ms(frame.shuffle_until)}


def name_in_view(name: str, bot: str) -> str:
    """What a view calls who sits somewhere; ``bot``: the level, where the computer does."""
    return bots.name_of(bot) if bot else called(name)


def _chair(frame: Frame, index: int, seat: int | None) -> View:
    chair = frame.seats[index]
    standing = frame.sheet.standing if frame.sheet else None
    return {
        "seat": chair.seat,
        "name": name_in_view(chair.name, chair.bot),
        "you": chair.seat == seat,
        "guest": chair.guest,
        "bot": chair.bot,
        "points": standing.hand_points[chair.seat] if standing else 0,
        "hands_won": standing.hands_won[chair.seat] if standing else 0,
        "ready": frame.hand_number > 0 and chair.ready_after >= frame.hand_number,
        "rematch": chair.wants_rematch,
    }


def _next_deal_at(frame: Frame) -> int | None:
    return clocks.in_ms(frame.next_deal_at)


def _previous(frame: Frame) -> View | None:
    number = frame.hand_number - 1
    if number < 1:
        return None
    return _line_of_hand(frame, number, hand_before(frame.game_id, number))


def _line_of_hand(frame: Frame, number: int, last: Position | None) -> View | None:
    """The score line of a hand that is over, with both deadwoods from its last position."""
    line = _find(frame.sheet.lines, number) if frame.sheet else None
    if line is None:
        return None
    drawn = line_view(line)
    outcome = last.outcome if last is not None else None
    if outcome is not None:
        drawn["knocker_deadwood"] = outcome.knocker_deadwood
        drawn["defender_deadwood"] = outcome.defender_deadwood
    return drawn


def _following(frame: Frame, beside: Beside) -> View | None:
    """What the next game would be, for whoever agrees to it; said where it is not the same."""
    offer = beside.following
    if offer is None:
        return None
    same = offer == Offer(frame.rules, frame.stakes)
    return {
        "terms": offer.mark,
        "words": stakes.offered(offer),
        "staked": offer.stakes.played_for,
        "same": same,
    }


def _find(lines: Sequence[Line], number: int) -> Line | None:
    for line in reversed(lines):
        if line.hand == number:
            return line
    return None


def _end(frame: Frame) -> View | None:
    reading: SheetReading | None = frame.sheet
    if not frame.ended or reading is None or reading.ended is None:
        return None
    standing = reading.standing
    return {
        "how": reading.ended.how,
        "by": reading.ended.by,
        "reached": standing.reached,
        "winner": standing.winner,
        "bonuses_written": reading.bonuses_written,
        "lines": [line_view(line) for line in reading.lines],
        "hand_points": list(standing.hand_points),
        "totals": list(standing.totals),
    }


def line_view(line: Line) -> View:
    """A line of the sheet as pages and sockets carry it."""
    return {
        "seat": line.seat,
        "kind": line.kind,
        "hand": line.hand,
        "base": line.base,
        "bonus": line.bonus,
        "multiplier": line.multiplier,
        "points": line.points,
    }
