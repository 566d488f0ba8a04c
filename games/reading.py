"""What lies on a table right now, read in one statement: the facts a look is made from.

Rows are facts and never change their meaning, so what was read once may be kept: a sheet by its
number of lines, a frame by the rows it was made from. Such a cache cannot go stale.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any, NamedTuple

from django.db import connection

from games import positions
from games.engine import position as play
from games.presets import RuleSet
from scoring import ledger

_sheets: dict[int, tuple[tuple[Any, ...], ledger.SheetReading]] = {}
_frames: dict[int, tuple[Any, Frame]] = {}


@dataclass(frozen=True, slots=True)
class Chair:
    """A taken seat."""

    seat: int
    user_id: int | None
    name: str
    ready_after: int
    wants_rematch: bool


@dataclass(frozen=True, slots=True)
class Frame:
    """A table with its latest game and that game's latest hand. ``hand_id`` None: none dealt."""

    table_id: int
    table_number: int
    room_id: int
    room_name: str
    invitation: str
    code: str
    game_id: int
    game_number: int
    sheet_id: int | None
    started: bool
    ended: bool
    hand_id: int | None
    hand_number: int
    hand_ended_at: datetime | None
    ply: int
    bonuses_written: bool
    seats: tuple[Chair, ...]
    rules: RuleSet
    position: play.Position | None
    sheet: ledger.SheetReading | None

    @property
    def state(self) -> str:
        """waiting, playing, between or finished."""
        if self.ended:
            return "finished"
        if not self.started:
            return "waiting"
        return "between" if self.hand_ended_at else "playing"

    @property
    def points(self) -> tuple[int, ...]:
        """Hand points by seat; once the game is over, the totals."""
        if self.sheet is None:
            return tuple(0 for _ in self.seats)
        standing = self.sheet.standing
        return tuple(standing.totals if self.ended else standing.hand_points)

    @property
    def version(self) -> int:
        """Grows with everything that happens at this table, so that a client can drop the older.

        What happens within a ply (seats taken, players ready, rematch, the end, the bonuses) adds
        less than 16; a hand has fewer than 4,096 plies and a game fewer than 65,536 hands.
        """
        within = len(self.seats) + self.started + self.ended + self.bonuses_written
        within += sum(chair.wants_rematch for chair in self.seats)
        within += sum(chair.ready_after >= self.hand_number > 0 for chair in self.seats)
        within += self.hand_ended_at is not None
        return ((self.game_number << 16 | self.hand_number) << 12 | self.ply) << 4 | within

    def seat_of(self, user_id: int | None) -> int | None:
        """The seat this person holds in the game, if any."""
        for chair in self.seats:
            if user_id is not None and chair.user_id == user_id:
                return chair.seat
        return None

    def waits_for(self, seat: int) -> bool:
        """Whether the table waits for something this seat alone can do."""
        if self.state == "between":
            return self.seats[seat].ready_after < self.hand_number
        return self.position is not None and self.position.to_act == seat


_FACTS = """
SELECT t.id, t.number, r.id, r.name, r.invitation, r.code,
       g.id, g.number, g.sheet_id, g.started_at, g.ended_at,
       h.id, h.number, h.ended_at,
       (SELECT COUNT(*) FROM games_move m WHERE m.hand_id = h.id),
       (SELECT COUNT(*) FROM scoring_scoreline l WHERE l.sheet_id = g.sheet_id),
       s.bonuses_at,
       c.seat, c.user_id, u.username, c.ready_after, c.wants_rematch
  FROM games_table t
  JOIN games_room r ON r.id = t.room_id
  JOIN games_game g ON g.table_id = t.id
   AND g.number = (SELECT MAX(number) FROM games_game WHERE table_id = t.id)
  LEFT JOIN games_hand h ON h.game_id = g.id
   AND h.number = (SELECT MAX(number) FROM games_hand WHERE game_id = g.id)
  LEFT JOIN scoring_scoresheet s ON s.id = g.sheet_id
  LEFT JOIN games_gameseat c ON c.game_id = g.id
  LEFT JOIN accounts_user u ON u.id = c.user_id
"""
_ONE_TABLE = _FACTS + "WHERE t.id = %s ORDER BY c.seat"
_TABLES_OF_ROOM = _FACTS + "WHERE t.room_id = %s ORDER BY t.id, c.seat"
# Constants put together, no outside text among them.
_TABLES_OF_PLAYER = _FACTS + """
WHERE g.ended_at IS NULL AND g.id IN (SELECT game_id FROM games_gameseat WHERE user_id = %s)
ORDER BY t.id, c.seat"""  # noqa: S608


def frame_of(table_id: int) -> Frame | None:
    """What lies on this table, or None if there is no such table.

    One statement when nothing has moved since the last time.
    """
    rows = _select(_ONE_TABLE, table_id)
    if not rows:
        return None
    kept = _frames.get(table_id)
    if kept is not None and kept[0] == rows:
        return kept[1]
    frame = _frame(rows, positions.rules_of(rows[0][6]))
    positions.keep(_frames, table_id, (rows, frame))
    return frame


def frames_of(room_id: int | None = None, player_id: int | None = None) -> list[Frame]:
    """All tables of a room, or all at which a person waits or plays, oldest first.

    The number of statements does not grow with the number of tables.
    """
    rows = (
        _select(_TABLES_OF_ROOM, room_id)
        if room_id is not None
        else _select(_TABLES_OF_PLAYER, player_id)
    )
    tables: dict[int, list[tuple[Any, ...]]] = {}
    for row in rows:
        tables.setdefault(row[0], []).append(row)
    rules = _fetch(tables.values())
    return [_frame(of_table, rules[of_table[0][6]]) for of_table in tables.values()]


def forget() -> None:
    """Drop everything kept, as a process that has just started."""
    _sheets.clear()
    _frames.clear()
    positions.forget()


class Place(NamedTuple):
    """Where the open game of a table stands, and which seat of it a person holds."""

    game_id: int
    sheet_id: int
    hand_id: int | None
    hand_number: int
    ply: int
    seat: int | None


_LOCK = "SELECT id FROM games_game WHERE table_id = %s AND ended_at IS NULL FOR UPDATE"
_PLACE = """
SELECT g.id, g.sheet_id, h.id, COALESCE(h.number, 0),
       (SELECT COUNT(*) FROM games_move m WHERE m.hand_id = h.id),
       c.seat
  FROM games_game g
  LEFT JOIN games_hand h ON h.game_id = g.id AND h.ended_at IS NULL
  LEFT JOIN games_gameseat c ON c.game_id = g.id AND c.user_id = %s
 WHERE g.table_id = %s AND g.ended_at IS NULL AND g.started_at IS NOT NULL
"""


def lock_place(table_id: int, user_id: int) -> Place | None:
    """Lock the open game of a table and say where it stands; None if none is being played.

    The lock is a statement of its own: what is read after it is read behind every earlier move.
    SQLite needs none, since a writing transaction there is alone from its BEGIN IMMEDIATE on.
    A game that ended while its lock was waited for leaves nothing locked, hence no place: a
    rematch laid meanwhile must not be played on unlocked.
    """
    with connection.cursor() as cursor:
        if connection.features.has_select_for_update:
            cursor.execute(_LOCK, [table_id])
            if cursor.fetchone() is None:
                return None
        cursor.execute(_PLACE, [user_id, table_id])
        row = cursor.fetchone()
    return Place(*row) if row else None


def _frame(rows: Sequence[tuple[Any, ...]], rules: RuleSet) -> Frame:
    (table_id, table_number, room_id, room_name, invitation, code,
     game_id, game_number, sheet_id, started, ended,
     hand_id, hand_number, hand_ended, ply, lines, bonuses) = rows[0][:17]  # fmt: skip
    return Frame(
        table_id=table_id,
        table_number=table_number,
        room_id=room_id,
        room_name=room_name,
        invitation=invitation,
        code=code,
        game_id=game_id,
        game_number=game_number,
        sheet_id=sheet_id,
        started=started is not None,
        ended=ended is not None,
        hand_id=hand_id,
        hand_number=hand_number or 0,
        hand_ended_at=_moment(hand_ended),
        ply=ply,
        bonuses_written=bonuses is not None,
        seats=tuple(
            Chair(seat, user_id, name or "", ready_after, bool(rematch))
            for seat, user_id, name, ready_after, rematch in (row[17:] for row in rows)
            if seat is not None
        ),
        rules=rules,
        position=None if hand_id is None else positions.position_of(game_id, hand_id, ply),
        sheet=None if sheet_id is None else _sheet(sheet_id, (lines, ended, bonuses)),
    )


def _sheet(sheet_id: int, stamp: tuple[Any, ...]) -> ledger.SheetReading:
    kept = _sheets.get(sheet_id)
    if kept is None or kept[0] != stamp:
        kept = (stamp, ledger.read_sheet(sheet_id))
        positions.keep(_sheets, sheet_id, kept)
    return kept[1]


def _fetch(tables: Iterable[Sequence[tuple[Any, ...]]]) -> dict[int, RuleSet]:
    """Read what the frames of many tables need, in a few statements; returns rules by game."""
    first_rows = [rows[0] for rows in tables]
    rules = positions.rules_of_games([row[6] for row in first_rows])
    positions.load_positions(
        {row[11]: (row[14], rules[row[6]]) for row in first_rows if row[11] is not None}
    )
    sheets = {
        row[8]: (row[15], row[10], row[16])
        for row in first_rows
        if row[8] is not None and _sheets.get(row[8], (None,))[0] != (row[15], row[10], row[16])
    }
    for sheet_id, reading in ledger.read_sheets(list(sheets)).items():
        positions.keep(_sheets, sheet_id, (sheets[sheet_id], reading))
    return rules


def _select(statement: str, parameter: int | None) -> list[tuple[Any, ...]]:
    with connection.cursor() as cursor:
        cursor.execute(statement, [parameter])
        return list(cursor.fetchall())


def _moment(value: Any) -> datetime | None:
    """A stored time: SQLite hands it out in UTC without saying so."""
    if isinstance(value, str):
        value = datetime.fromisoformat(value)
    if not isinstance(value, datetime):
        return None
    return value if value.tzinfo else value.replace(tzinfo=UTC)
