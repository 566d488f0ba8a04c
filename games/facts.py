"""The statements by which a table is read and locked: raw, since every click runs them."""

from __future__ import annotations

from typing import Any, NamedTuple

from django.db import connection

from accounts import hot
from accounts.sessions import SPEAKS


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
ONE_TABLE = _FACTS + "WHERE t.id = %s ORDER BY c.seat"
TABLES_OF_ROOM = _FACTS + "WHERE t.room_id = %s ORDER BY t.id, c.seat"
# Constants put together, no outside text among them.
TABLES_OF_PLAYER = _FACTS + """
WHERE g.ended_at IS NULL AND g.id IN (SELECT game_id FROM games_gameseat WHERE user_id = %s)
ORDER BY t.id, c.seat"""  # noqa: S608


def these_tables(count: int) -> str:
    """The statement that reads so many tables by their ids."""
    places = ", ".join(["%s"] * count)
    return _FACTS + f"WHERE t.id IN ({places}) ORDER BY t.id, c.seat"


def select(statement: str, *parameters: int) -> list[Facts]:
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
    bots: int  # the seats the computer holds, one bit a seat


_LOCK = "SELECT id FROM games_game WHERE table_id = %s AND ended_at IS NULL FOR UPDATE"
# A move, if the place it is made from is still the present one and the session speaks for the
# player (strokes.py). Constants put together, no outside text among them.
STROKE = f"""
INSERT INTO games_move (hand_id, ply, seat, text, made_at)
SELECT h.id, %s, %s, %s, %s
  FROM games_hand h
  JOIN games_game g ON g.id = h.game_id AND g.ended_at IS NULL AND g.started_at IS NOT NULL
  JOIN games_gameseat c ON c.game_id = g.id
 WHERE h.id = %s AND h.ended_at IS NULL AND g.id = %s AND c.user_id = %s AND c.seat = %s
   AND %s = (SELECT COALESCE(MAX(ply), 0) FROM games_move WHERE hand_id = h.id)
   AND NOT EXISTS (SELECT 1 FROM games_clock k WHERE k.game_id = g.id)
   AND {SPEAKS}"""  # noqa: S608
_PLACE = """
SELECT g.id, g.sheet_id, h.id, COALESCE(h.number, 0),
       (SELECT COUNT(*) FROM games_move m WHERE m.hand_id = h.id),
       c.seat, k.id, k.pace, k.turn_from, k.deadline, k.adjourned_at, g.table_id,
       (SELECT COALESCE(SUM(1 << b.seat), 0) FROM games_gameseat b
          JOIN accounts_user w ON w.id = b.user_id AND w.bot <> '' WHERE b.game_id = g.id)
  FROM games_game g
  LEFT JOIN games_hand h ON h.game_id = g.id AND h.ended_at IS NULL
  LEFT JOIN games_gameseat c ON c.game_id = g.id AND c.user_id = %s
  LEFT JOIN games_clock k ON k.game_id = g.id
 WHERE g.table_id = %s AND g.ended_at IS NULL AND g.started_at IS NOT NULL
"""


def lock(table_id: int) -> hot.Statement:
    """The statement that locks the open game of a table; what follows is read behind it."""
    return _LOCK, [table_id]


def lock_place(table_id: int, user_id: int) -> Place | None:
    """Lock the open game of a table and say where it stands; None if none is being played.

    The lock is a statement of its own: what is read after it is read behind every earlier move.
    SQLite needs none, since a writing transaction there is alone from its BEGIN IMMEDIATE on.
    A game that ended while its lock was waited for leaves nothing locked, hence no place: a
    rematch laid meanwhile must not be played on unlocked.
    """
    place = _PLACE, [user_id, table_id]
    if not connection.features.has_select_for_update:
        (found,) = hot.rows(place)
    else:
        locked, found = hot.rows(lock(table_id), place)
        if not locked:
            return None
    return Place(*found[0]) if found else None
