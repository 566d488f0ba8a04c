"""What lies on a table right now, read in one statement: the facts a look is made from.

Rows are facts and never change their meaning, so what was read once may be kept: a sheet by its
number of lines, a frame by the rows it was made from. Such a cache cannot go stale.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from dataclasses import replace
from datetime import datetime
from typing import Any

from accounts import hot
from games import clocks, facts, positions
from games.engine import position as play
from games.facts import Facts
from games.frames import Chair, Frame
from games.presets import RuleSet
from scoring import ledger
from scoring.rules.stakes import Stakes

_sheets: dict[int, tuple[tuple[Any, ...], ledger.SheetReading]] = {}
_frames: dict[int, tuple[Any, Frame]] = {}


def frame_of(table_id: int) -> Frame | None:
    """What lies on this table, or None if there is no such table.

    One statement when nothing has moved since the last time.
    """
    return frame_of_rows(facts.select(facts.ONE_TABLE, table_id))


def frame_of_rows(
    found: Sequence[tuple[Any, ...]], written: Sequence[hot.Rows] = ()
) -> Frame | None:
    """What lies on the table of which these rows of that statement were just read.

    ``written``: what its sheet gave (ledger.asking), where it was asked for after those.
    """
    rows = [Facts(*row) for row in found]
    if not rows:
        return None
    for sheet_id, sheet in (ledger.readings(*written) if written else {}).items():
        if sheet_id == rows[0].sheet_id:
            positions.keep(_sheets, sheet_id, (_stamp(rows), sheet))
    table_id, game_id = rows[0].table_id, rows[0].game_id
    kept = _frames.get(table_id)
    if kept is not None and kept[0] == rows:
        return kept[1]
    frame = _frame(rows, positions.terms_of_games([game_id])[game_id])
    positions.keep(_frames, table_id, (rows, frame))
    return frame


def frames_by_rows(found: Sequence[tuple[Any, ...]]) -> dict[int, Frame]:
    """The same of many tables, and what their views tell of the hands before.

    What is not kept of them is read by statements whose number does not grow with theirs.
    """
    tables = _by_table(Facts(*row) for row in found)
    frames, changed = dict[int, Frame](), dict[int, list[Facts]]()
    for table_id, rows in tables.items():
        before, frame = _frames.get(table_id, (None, None))
        if frame is not None and before == rows:
            frames[table_id] = frame
        else:
            changed[table_id] = rows
    terms = _fetch(changed.values())
    before = ((rows[0].game_id, (rows[0].hand_number or 0) - 1) for rows in changed.values())
    positions.load_ended({hand: terms[hand[0]][0] for hand in before if hand[1] > 0})
    for table_id, rows in changed.items():
        frames[table_id] = _frame(rows, terms[rows[0].game_id])
        positions.keep(_frames, table_id, (rows, frames[table_id]))
    return frames


def known(table_id: int) -> Frame | None:
    """What lay on this table when this process last looked, if it remembers: maybe no longer."""
    kept = _frames.get(table_id)
    return None if kept is None else kept[1]


def move_on(frame: Frame, after: play.Position, made_at: Any) -> Frame:
    """What lies on a table once a usual move is stored there, as of which nothing else changed.

    It is not read again: as long as the count of changes is the same, so are all other facts.
    ``made_at``: as it is given to the database.
    """
    positions.keep_position(frame.hand_id or 0, after)
    moved = replace(frame, ply=after.ply, position=after, moved_at=clocks.moment(made_at))
    rows, kept = _frames.get(frame.table_id, (None, None))
    if kept is frame and rows is not None:
        # As it will be read: SQLite takes a text, and hands out a time.
        read = datetime.fromisoformat(made_at) if isinstance(made_at, str) else made_at
        rows = [row._replace(ply=after.ply, moved=read, last=after.log[-1].move) for row in rows]
        positions.keep(_frames, frame.table_id, (rows, moved))
    return moved


def frames_of(
    room_id: int | None = None,
    player_id: int | None = None,
    table_ids: Sequence[int] = (),
) -> list[Frame]:
    """All tables of a room, all at which a person waits or plays, or these, oldest first.

    The number of statements does not grow with the number of tables.
    """
    rows = []
    if room_id is not None:
        rows = facts.select(facts.TABLES_OF_ROOM, room_id)
    elif player_id is not None:
        rows = facts.select(facts.TABLES_OF_PLAYER, player_id)
    elif table_ids:
        rows = facts.these_tables(table_ids)
    tables = _by_table(rows)
    terms = _fetch(tables.values())
    return [_frame(of_table, terms[of_table[0].game_id]) for of_table in tables.values()]


def forget() -> None:
    """Drop everything kept, as a process that has just started."""
    _sheets.clear()
    _frames.clear()
    positions.forget()


def _by_table(rows: Iterable[Facts]) -> dict[int, list[Facts]]:
    tables: dict[int, list[Facts]] = {}
    for row in rows:
        tables.setdefault(row.table_id, []).append(row)
    return tables


def _frame(rows: Sequence[Facts], terms: tuple[RuleSet, Stakes]) -> Frame:
    row, (rules, stakes) = rows[0], terms
    return Frame(
        table_id=row.table_id,
        table_number=row.table_number,
        room_id=row.room_id,
        room_name=row.room_name,
        invitation=row.invitation,
        code=row.code,
        changes=row.changes,
        game_id=row.game_id,
        game_number=row.game_number,
        sheet_id=row.sheet_id,
        started=row.started is not None,
        ended=row.ended is not None,
        hand_id=row.hand_id,
        hand_number=row.hand_number or 0,
        hand_ended_at=clocks.moment(row.hand_ended),
        ply=row.ply,
        bonuses_written=row.bonuses is not None,
        seats=tuple(
            Chair(
                one.seat, one.user_id, one.name or "", bool(one.guest), one.ready_after,
                bool(one.rematch), one.bot or "",
            )
            for one in rows
            if one.seat is not None
        ),
        rules=rules,
        stakes=stakes,
        position=_position(row),
        sheet=None if row.sheet_id is None else _sheet(row.sheet_id, _stamp(rows)),
        moved_at=clocks.moment(row.moved) or clocks.moment(row.dealt),
        time=_time(rows),
        shuffle_until=clocks.moment(row.shuffle_until),
    )


def _position(row: Facts) -> play.Position | None:
    if row.hand_id is None:
        return None
    return positions.position_of(row.game_id, row.hand_id, row.ply, row.last)


def _time(rows: Sequence[Facts]) -> clocks.Time | None:
    row = rows[0]
    if row.pace is None:
        return None
    return clocks.Time(
        pace=row.pace,
        seat=row.clock_seat,
        turn_from=clocks.moment(row.turn_from),
        deadline=clocks.moment(row.deadline),
        adjourned=row.adjourned is not None,
        resumed_at=clocks.moment(row.resumed),
        reserve_ms=tuple(one.reserve_ms or 0 for one in rows if one.seat is not None),
        timeouts=tuple(one.timeouts or 0 for one in rows if one.seat is not None),
    )


def _stamp(rows: Sequence[Facts]) -> tuple[Any, ...]:
    """What a sheet is kept by: what is written on it, and whose it is, since that may change."""
    return (*rows[0].sheet_stamp, *(one.user_id for one in rows))


def _sheet(sheet_id: int, stamp: tuple[Any, ...]) -> ledger.SheetReading:
    kept = _sheets.get(sheet_id)
    if kept is None or kept[0] != stamp:
        kept = (stamp, ledger.read_sheet(sheet_id))
        positions.keep(_sheets, sheet_id, kept)
    return kept[1]


def _fetch(tables: Collection[Sequence[Facts]]) -> dict[int, tuple[RuleSet, Stakes]]:
    """Read what the frames of many tables need, in a few statements; returns terms by game."""
    first_rows = [rows[0] for rows in tables]
    terms = positions.terms_of_games([row.game_id for row in first_rows])
    positions.load_positions(
        {
            row.hand_id: (row.ply, terms[row.game_id][0])
            for row in first_rows
            if row.hand_id is not None
        }
    )
    stale = {
        rows[0].sheet_id: _stamp(rows)
        for rows in tables
        if rows[0].sheet_id is not None
        and _sheets.get(rows[0].sheet_id, (None,))[0] != _stamp(rows)
    }
    for sheet_id, reading in ledger.read_sheets(list(stale)).items():
        positions.keep(_sheets, sheet_id, (stale[sheet_id], reading))
    return terms
