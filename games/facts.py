"""The statements by which a table is read and locked: raw, since every click runs them."""

from __future__ import annotations

import functools
import json
from collections.abc import Sequence
from typing import Any, NamedTuple, get_type_hints

from django.db import connection

from accounts import hot, sessions
from accounts.sessions import SPEAKS, Pass


class Facts(NamedTuple):
    """One row of the statement below: a table, its latest game and hand, and one seat of it."""

    table_id: int
    table_number: int
    room_id: int
    room_name: str
    invitation: str
    code: str
    changes: int
    game_id: int
    game_number: int
    sheet_id: int | None  # of a game that is over, the latest edition
    started: Any
    ended: Any
    hand_id: int | None
    hand_number: int | None
    hand_ended: Any
    ply: int
    lines: int
    bonuses: Any
    seat: int | None
    user_id: int | None
    name: str | None
    guest: Any
    bot: str | None
    ready_after: int
    rematch: Any
    dealt: Any
    moved: Any
    last: str | None  # the last move
    pace: str | None
    clock_seat: int | None
    turn_from: Any
    deadline: Any
    adjourned: Any
    resumed: Any
    reserve_ms: int | None
    timeouts: int | None
    shuffle_until: Any

    @property
    def sheet_stamp(self) -> tuple[Any, ...]:
        """Changes whenever the sheet does: a void hand has no line, but is written all the same."""
        hands_over = (self.hand_number or 0) - (self.hand_ended is None)
        return (self.lines, hands_over, self.ended, self.bonuses)


_FACTS = """
SELECT t.id, t.number, r.id, r.name, r.invitation, r.code, t.changes,
       g.id, g.number, s.id, g.started_at, g.ended_at,
       h.id, h.number, h.ended_at,
       (SELECT COUNT(*) FROM games_move m WHERE m.hand_id = h.id),
       (SELECT COUNT(*) FROM scoring_scoreline l WHERE l.sheet_id = s.id),
       s.bonuses_at,
       c.seat, c.user_id, u.username, u.is_guest, u.bot, c.ready_after, c.wants_rematch,
       h.dealt_at,
       (SELECT m.made_at FROM games_move m WHERE m.hand_id = h.id ORDER BY m.ply DESC LIMIT 1),
       (SELECT m.text FROM games_move m WHERE m.hand_id = h.id ORDER BY m.ply DESC LIMIT 1),
       k.pace, k.seat, k.turn_from, k.deadline, k.adjourned_at, k.resumed_at,
       x.reserve_ms, x.timeouts,
       f.deadline
  FROM games_table t
  JOIN games_room r ON r.id = t.room_id
  JOIN games_game g ON g.table_id = t.id
   AND g.number = (SELECT MAX(number) FROM games_game WHERE table_id = t.id)
  LEFT JOIN games_hand h ON h.game_id = g.id
   AND h.number = (SELECT MAX(number) FROM games_hand WHERE game_id = g.id)
  LEFT JOIN scoring_scoresheet s ON s.id = CASE WHEN g.ended_at IS NULL THEN g.sheet_id
   ELSE COALESCE((SELECT MAX(e.id) FROM scoring_scoresheet e
                   WHERE e.original_id = g.sheet_id AND e.ended_at IS NOT NULL), g.sheet_id) END
  LEFT JOIN games_gameseat c ON c.game_id = g.id
  LEFT JOIN accounts_user u ON u.id = c.user_id
  LEFT JOIN games_clock k ON k.game_id = g.id
  LEFT JOIN games_seattime x ON x.clock_id = k.id AND x.seat = c.seat
  LEFT JOIN games_shuffle f ON f.game_id = g.id AND f.settled_at IS NULL AND g.ended_at IS NULL
"""
# How new the view of a table is: ``Frame.version``.
VERSION = """t.changes + (SELECT COUNT(*) FROM games_move m WHERE m.hand_id =
        (SELECT h.id FROM games_hand h WHERE h.game_id = g.id ORDER BY h.number DESC LIMIT 1))
       + CASE WHEN s.bonuses_at IS NULL THEN 0 ELSE 1 END"""
# A table, its latest game, and the sheet of that.
LATEST = """games_table t
  JOIN games_game g ON g.table_id = t.id
   AND g.number = (SELECT MAX(number) FROM games_game WHERE table_id = t.id)
  LEFT JOIN scoring_scoresheet s ON s.id = CASE WHEN g.ended_at IS NULL THEN g.sheet_id
   ELSE COALESCE((SELECT MAX(e.id) FROM scoring_scoresheet e
                   WHERE e.original_id = g.sheet_id AND e.ended_at IS NOT NULL), g.sheet_id) END"""
ONE_TABLE = _FACTS + "WHERE t.id = %s ORDER BY c.seat"
TABLES_OF_ROOM = _FACTS + "WHERE t.room_id = %s ORDER BY t.id, c.seat"
# Constants put together, no outside text among them.
TABLES_OF_PLAYER = _FACTS + """
WHERE g.ended_at IS NULL AND g.id IN (SELECT game_id FROM games_gameseat WHERE user_id = %s)
ORDER BY t.id, c.seat"""  # noqa: S608


def these_tables(table_ids: Sequence[int]) -> list[Facts]:
    """The same of so many tables by their ids."""
    text, parameters = asking(table_ids)
    return select(text, *parameters)


def asking(table_ids: Sequence[int]) -> hot.Statement:
    """The statement that reads them, to be sent together with others."""
    return _FACTS + among() + " ORDER BY t.id, c.seat", [hot.numbers(table_ids)]


def versions(table_ids: Sequence[int]) -> dict[int, int]:
    """How new the view of each of these tables is: ``Frame.version``, without reading the table."""
    asked = f"SELECT t.id, {VERSION} FROM {LATEST} {among()}"  # noqa: S608
    (found,) = hot.rows((asked, [hot.numbers(table_ids)]))
    return dict(found)


def among() -> str:
    """One text for any number of them, so that it is planned once."""
    return f"WHERE t.id IN (SELECT a.id FROM {hot.given(id=int)})"  # noqa: S608


def select(statement: str, *parameters: int | str) -> list[Facts]:
    with hot.cursor() as cursor:
        cursor.execute(statement, parameters)
        return [Facts(*row) for row in cursor.fetchall()]


class Place(NamedTuple):
    """Where the open game of a table stands, and which seat of it a person holds."""

    game_id: int
    sheet_id: int
    hand_id: int | None
    hand_number: int
    ply: int
    seat: int | None
    clock_id: int | None
    pace: str | None
    turn_from: Any
    deadline: Any
    adjourned: Any
    table_id: int
    room_id: int
    bots: int  # the seats the computer holds, one bit a seat


_LOCK = "SELECT id FROM games_game WHERE table_id = %s AND ended_at IS NULL FOR UPDATE"
# Moves, each only if the place it is made from is still the present one, if nothing else has
# changed at its table, and if the session speaks for the player (strokes.py). Constants put
# together, no outside text among them.
_STROKES = f"""
INSERT INTO games_move (hand_id, ply, seat, text, made_at)
SELECT h.id, a.ply, a.seat, a.text, %s
  FROM {{asked}}
  JOIN games_game g ON g.id = a.game_id AND g.ended_at IS NULL AND g.started_at IS NOT NULL
  JOIN games_table t ON t.id = g.table_id AND t.changes = a.changes
  JOIN games_hand h ON h.id = a.hand_id AND h.game_id = g.id AND h.ended_at IS NULL
  JOIN games_gameseat c ON c.game_id = g.id AND c.user_id = a.user_id AND c.seat = a.seat
 WHERE a.ply = 1 + (SELECT COALESCE(MAX(ply), 0) FROM games_move WHERE hand_id = h.id)
   AND NOT EXISTS (SELECT 1 FROM games_clock k WHERE k.game_id = g.id)
   AND {SPEAKS}
{{alone}}
ON CONFLICT DO NOTHING
RETURNING hand_id"""  # noqa: S608
_BOTS = """(SELECT COALESCE(SUM(1 << b.seat), 0) FROM games_gameseat b
          JOIN accounts_user w ON w.id = b.user_id AND w.bot <> '' WHERE b.game_id = g.id)"""
_PLACE = f"""
SELECT g.id, g.sheet_id, h.id, COALESCE(h.number, 0),
       (SELECT COUNT(*) FROM games_move m WHERE m.hand_id = h.id),
       c.seat, k.id, k.pace, k.turn_from, k.deadline, k.adjourned_at, g.table_id,
       t.room_id, {_BOTS}
  FROM games_game g
  JOIN games_table t ON t.id = g.table_id
  LEFT JOIN games_hand h ON h.game_id = g.id AND h.ended_at IS NULL
  LEFT JOIN games_gameseat c ON c.game_id = g.id AND c.user_id = %s
  LEFT JOIN games_clock k ON k.game_id = g.id
 WHERE g.table_id = %s AND g.ended_at IS NULL AND g.started_at IS NOT NULL
"""  # noqa: S608


class Between(NamedTuple):
    """The latest game of a table with its latest hand, and which seat of it a person holds."""

    table_id: int
    room_id: int
    game_id: int
    ended: Any
    hand_id: int | None
    hand_number: int
    dealer: int | None
    hand_ended: Any
    ply: int
    seat: int | None
    pace: str | None
    adjourned: Any
    bots: int  # the seats the computer holds, one bit a seat
    waited_for: int  # the seats that have not left the showdown, likewise
    shuffling: bool


_BETWEEN = f"""
SELECT t.id, t.room_id, g.id, g.ended_at, h.id, COALESCE(h.number, 0), h.dealer, h.ended_at,
       (SELECT COUNT(*) FROM games_move m WHERE m.hand_id = h.id),
       c.seat, k.pace, k.adjourned_at, {_BOTS},
       (SELECT COALESCE(SUM(1 << w.seat), 0) FROM games_gameseat w
         WHERE w.game_id = g.id AND w.ready_after < h.number),
       EXISTS (SELECT 1 FROM games_shuffle f WHERE f.game_id = g.id AND f.settled_at IS NULL)
  FROM games_table t
  JOIN games_game g ON g.table_id = t.id
   AND g.number = (SELECT MAX(number) FROM games_game WHERE table_id = t.id)
  LEFT JOIN games_hand h ON h.game_id = g.id
   AND h.number = (SELECT MAX(number) FROM games_hand WHERE game_id = g.id)
  LEFT JOIN games_gameseat c ON c.game_id = g.id AND c.user_id = %s
  LEFT JOIN games_clock k ON k.game_id = g.id
 WHERE t.id = %s
"""  # noqa: S608


class Stroke(NamedTuple):
    """A usual move, where it is made from, and the session it is made by."""

    hand_id: int
    game_id: int
    changes: int
    ply: int
    seat: int
    text: str
    user_id: int
    session_key: str
    password: str
    times_signed_out: int


def strokes(made: Sequence[Stroke], made_at: Any) -> hot.Statement:
    """The statement that stores moves of different tables, and gives the hands of those it stored.

    Whatever changes a game otherwise holds it locked. One that is locked by somebody is passed
    over on PostgreSQL, so that no table waits for another; whoever ended it, or stored this ply,
    between the reading and the lock is found out by the lock, and by ``one_move_a_ply``.
    """
    asked = json.dumps([stroke._asdict() for stroke in made])
    return _strokes_on(connection.vendor), [made_at, asked, made_at]


@functools.cache
def _strokes_on(vendor: str) -> str:
    asked = hot.given(**get_type_hints(Stroke))
    alone = " FOR NO KEY UPDATE OF g SKIP LOCKED" if vendor == "postgresql" else ""
    return _STROKES.format(asked=asked, alone=alone)


def lock_place(table_id: int, user_id: int, held: Pass | None = None) -> Place | None:
    """Lock the open game of a table and say where it stands; None if none is being played.

    A game that ended while its lock was waited for leaves nothing locked, hence no place: a
    rematch laid meanwhile must not be played on unlocked. Raises SignedOut where the session
    ``held``, if one is given, does not speak for its user any more.
    """
    asked = [] if held is None else [sessions.asking([held])]
    *speaking, found = _locked(table_id, *asked, (_PLACE, [user_id, table_id]))
    if held is not None and sessions.answered([held], *speaking) != [True]:
        raise sessions.signed_out()
    return Place(*found[0]) if found else None


def lock_between(table_id: int, user_id: int | None) -> Between | None:
    """The same of a table's open game at any moment; None if none is open."""
    (found,) = _locked(table_id, (_BETWEEN, [user_id, table_id]))
    return Between(*found[0]) if found else None


def between(table_id: int) -> Between:
    """Where the latest game of a table stands, which the caller has locked."""
    (found,) = hot.rows((_BETWEEN, [None, table_id]))
    return Between(*found[0])


def _locked(table_id: int, *statements: hot.Statement) -> list[hot.Rows]:
    """What these give once the open game of a table is locked; the last, nothing without one.

    The lock is a statement of its own: what is read after it is read behind every earlier move.
    SQLite needs none, since a writing transaction there is alone from its BEGIN IMMEDIATE on.
    """
    if not connection.features.has_select_for_update:
        return hot.rows(*statements)
    locked, *others, found = hot.rows((_LOCK, [table_id]), *statements)
    return [*others, found if locked else []]
