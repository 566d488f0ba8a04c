"""What lies beside the cards of a table: an offer, the orders of hands, the line.

Read only when something other than a move has happened since the last time, so that a move
pays nothing for them.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from accounts import hot
from games import clocks, positions
from games.fair.published import Published, published
from games.frames import Frame
from games.models import GameSeat, Rotation
from games.stakes.offers import Offer, terms_after

LOOKED_BACK = 80  # seats; who stayed longer has stayed long enough

_TABLE = """
SELECT g.id, r.spectators, t.rotation, r.rules, r.stakes, g.rules, g.stakes
  FROM {asked} JOIN games_game g ON g.id = a.id JOIN games_table t ON t.id = g.table_id
  JOIN games_room r ON r.id = t.room_id
"""
# It stands until a hand ends after it was made.
_OFFER = """
SELECT o.game_id, o.seat, o.offered_at FROM {asked} JOIN games_calloff o ON o.game_id = a.id
 WHERE NOT EXISTS (
SELECT 1 FROM games_hand h WHERE h.game_id = o.game_id AND h.ended_at >= o.offered_at)
"""
_LINE = """
SELECT w.table_id, w.user_id, u.username, u.is_guest, w.ready_after
  FROM {asked} JOIN games_waiting w ON w.table_id = a.id JOIN accounts_user u ON u.id = w.user_id
 ORDER BY w.id
"""
_ORDERS = """
SELECT o.game_id, o.seat, o.sort, o.cards
  FROM {asked} JOIN games_ownorder o ON o.game_id = a.id
"""

_kept: dict[int, tuple[tuple[int, int, bool], Beside]] = {}


@dataclass(frozen=True, slots=True)
class InLine:
    """Somebody who waits for the table's next game."""

    user_id: int
    name: str
    guest: bool
    ready_after: int


@dataclass(frozen=True, slots=True)
class Beside:
    """Everything stored of a table that its cards do not need."""

    spectators_admitted: bool
    rotation: str
    line: tuple[InLine, ...]  # first in line first
    since: dict[int, int]  # user: the game with which they came to this table, if turns are taken
    offered_by: int | None  # the seat that offers to call the game off
    offered_at: datetime | None  # an offer falls with the hand it was made in
    orders: dict[int, tuple[str, str]]  # seat: sort and cards; each is its own seat's alone
    shuffle: Published | None  # while the cards are being shuffled
    following: Offer | None  # what the next game is played by and for, once this one is over


def beside_of(frame: Frame) -> Beside:
    """What lies beside this table now, kept until something changes there."""
    return load_beside([frame])[frame.table_id]


def load_beside(frames: Sequence[Frame]) -> dict[int, Beside]:
    """The same of many tables by number, in as many statements as of one.

    But where people take turns, where a game is over, or where cards are being shuffled.
    """
    known, stale = dict[int, Beside](), list[Frame]()
    for frame in frames:
        stamp, beside = _kept.get(frame.table_id, (None, None))
        if beside is not None and stamp == _stamp(frame):
            known[frame.table_id] = beside
        else:
            stale.append(frame)
    for frame, beside in zip(stale, _read(stale) if stale else [], strict=True):
        positions.keep(_kept, frame.table_id, (_stamp(frame), beside))
        known[frame.table_id] = beside
    return known


def _stamp(frame: Frame) -> tuple[int, int, bool]:
    # A move may end the game, and is not counted among the changes.
    return (frame.changes, frame.game_id, frame.ended)


def here_since(table_id: int) -> dict[int, int]:
    """With which game each player of the table's last game came to it, without a break since."""
    rows = GameSeat.objects.filter(game__table_id=table_id, game__started_at__isnull=False)
    games: dict[int, set[int]] = {}
    for number, user_id in rows.order_by("-game__number").values_list("game__number", "user_id")[
        :LOOKED_BACK
    ]:
        games.setdefault(number, set()).add(user_id or 0)
    since: dict[int, int] = {}
    staying: set[int] | None = None
    for number, players in games.items():  # newest first
        staying = players if staying is None else staying & players
        since.update(dict.fromkeys(staying, number))
    return since


def forget() -> None:
    """Drop everything kept."""
    _kept.clear()


def _read(frames: Sequence[Frame]) -> list[Beside]:
    tables = hot.numbers([frame.table_id for frame in frames])
    games = hot.numbers([frame.game_id for frame in frames])
    asked = ((_TABLE, games), (_OFFER, games), (_LINE, tables), (_ORDERS, games))
    rows = hot.rows(*((text.format(asked=hot.given(id=int)), [ids]) for text, ids in asked))
    kinds, offers, lines, orders = map(_by_first, rows)
    return [
        _beside(
            frame, kinds[frame.game_id][0], offers.get(frame.game_id, []),
            lines.get(frame.table_id, []), orders.get(frame.game_id, []),
        )
        for frame in frames
    ]  # fmt: skip


def _by_first(rows: hot.Rows) -> dict[int, hot.Rows]:
    """Rows by the number each begins with, without it."""
    found: dict[int, hot.Rows] = {}
    for number, *row in rows:
        found.setdefault(number, []).append(tuple(row))
    return found


def _beside(
    frame: Frame, kind: tuple[Any, ...], offers: hot.Rows, line: hot.Rows, orders: hot.Rows
) -> Beside:
    spectators, rotation, *terms = kind
    offered_by, offered_at = offers[0] if offers else (None, None)
    return Beside(
        spectators_admitted=bool(spectators),
        rotation=rotation,
        line=tuple(InLine(user, name, bool(guest), after) for user, name, guest, after in line),
        since={} if rotation == Rotation.NONE else here_since(frame.table_id),
        offered_by=offered_by,
        offered_at=clocks.moment(offered_at),
        orders={seat: (sort, cards) for seat, sort, cards in orders},
        following=_following(rotation, *terms) if frame.ended else None,
        shuffle=None if frame.shuffle_until is None else published(frame.game_id),
    )


def _following(rotation: str, *terms: str) -> Offer:
    return Offer.of(*terms_after(rotation, *map(json.loads, terms)))


def standing_offer(game_id: int) -> int | None:
    """The seat whose offer to call this game off still stands, if there is one."""
    (found,) = hot.rows((_OFFER.format(asked=hot.given(id=int)), [hot.numbers([game_id])]))
    return found[0][1] if found else None
