"""What is compared at a pong, instead of looking: what a view may show anew though no bell rang.

That is the version, the names at the table and of its room, what the reader may see of it, and who
is here. The version counts everything else but friends, chips, lines an administrator adds to a
sheet that is over, and what absence offers once it was shown: where there may be such, a pong looks
at the whole table once a minute, else every five (``whole_after``). Read in one way there and back,
and one question to the cache, for any number.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import groupby
from operator import itemgetter
from typing import Any, NamedTuple

from django.utils import translation

from accounts import hot, sessions
from accounts.sessions import Pass
from games import clocks, facts, presence, talk
from games.admission import Terms, on_terms
from games.looking import View, name_in_view
from games.presence import Here

OFTEN, NOW_AND_THEN = 60.0, 300.0  # seconds

# A row for each seat that is taken. Constants put together, no outside text among them.
_TABLES = f"""
SELECT t.id, {facts.VERSION}, s.id, r.name, r.invitation, r.code, r.is_public, r.spectators,
       g.started_at, g.ended_at, c.seat, c.user_id, u.username, u.is_guest, u.bot
  FROM {facts.LATEST}
  JOIN games_room r ON r.id = t.room_id
  LEFT JOIN games_gameseat c ON c.game_id = g.id
  LEFT JOIN accounts_user u ON u.id = c.user_id
"""  # noqa: S608
_MEMBERS = """
SELECT a.table_id, a.user_id FROM {asked}
  JOIN games_table t ON t.id = a.table_id
  JOIN games_member m ON m.room_id = t.room_id AND m.user_id = a.user_id
"""
# As talk.stamp, of many tables.
_LAST = "SELECT id FROM games_message WHERE table_id = a.id ORDER BY id DESC LIMIT %s"
_STAMPS = f"""
SELECT a.id, (SELECT COUNT(*) FROM ({_LAST}) AS l),
       (SELECT COALESCE(SUM(id), 0) FROM ({_LAST}) AS l)
  FROM {{asked}}
"""  # noqa: S608

Stamp = tuple[int, int]  # how many lines there are among the last, and their numbers added up
NOTHING_SAID: Stamp = (0, 0)


class Asker(NamedTuple):
    """Who asks about which table, by their session."""

    table_id: int
    held: Pass
    language: str


class Stands(NamedTuple):
    """What is compared of a view."""

    version: int
    sheet_id: int | None
    room: tuple[str, str | None, str | None]  # its name, invitation and code
    seats: tuple[tuple[str, bool, str], ...]  # name, guest, level of the computer
    present: tuple[bool, ...]
    spectators: int


class Read(NamedTuple):
    """What was read for one who asks."""

    stands: Stands | None  # None: only a look can tell
    away: tuple[Any, ...]  # changes with what is known of those who are away
    talk: Stamp


def stands(view: View) -> Stands:
    """What is compared of this view."""
    room = view["room"]
    return Stands(
        view["version"],
        view["sheet_id"],
        (room["name"], room["invite"], room["code"]),
        tuple((chair["name"], chair["guest"], chair["bot"]) for chair in view["seats"]),
        tuple(view["present"]),
        view["spectators"],
    )


def whole_after(view: View) -> float:
    """For how long a view may be kept by what is compared, in seconds.

    Not at all, where time alone changes it and nobody's alarm waits for that: the computer may be
    late, or a claim by the clock judged only now.
    """
    if view["state"] == "playing" and not view["adjourned"]:
        to_act = (view["hand"] or {}).get("to_act")
        late = to_act is not None and bool(view["seats"][to_act]["bot"])
        if late or max(view["timeouts"], default=0) >= clocks.IN_A_ROW:
            return 0.0
    counted = view["state"] in ("playing", "between") and not view["game"]["staked"]
    return NOW_AND_THEN if counted and view["absence"] is None else OFTEN


def read(asking: Sequence[Asker]) -> list[Read | None]:
    """For each of these, how their table stands; None: their session speaks for nobody any more."""
    passes = [one.held for one in asking]
    places = sorted({one.table_id for one in asking})
    people = [{"table_id": one.table_id, "user_id": one.held.user_id} for one in asking]
    open_now, rows, members, said = hot.rows(
        sessions.asking(passes),
        (f"{_TABLES} {facts.among()} ORDER BY t.id, c.seat", [hot.numbers(places)]),
        (_MEMBERS.format(asked=hot.given(table_id=int, user_id=int)), [json.dumps(people)]),
        (_STAMPS.format(asked=hot.given(id=int)), [talk.SHOWN, talk.SHOWN, hot.numbers(places)]),
    )
    speaks, belong = sessions.answered(passes, open_now), set(members)
    tables = _tables(rows)
    stamps = {number: (int(count), int(total)) for number, count, total in said}
    return [
        _read_for(one, tables.get(one.table_id), stamps[one.table_id], belong) if speaking else None
        for one, speaking in zip(asking, speaks, strict=True)
    ]


@dataclass(frozen=True, slots=True)
class _Lying:
    """A table as it lies, and who is there; ``here`` None: nobody can say."""

    row: tuple[Any, ...]
    chairs: tuple[tuple[int | None, str, bool, str], ...]  # user, name, guest, level
    here: Here | None

    def seat_of(self, user_id: int) -> int | None:
        return next((at for at, chair in enumerate(self.chairs) if chair[0] == user_id), None)

    @property
    def present(self) -> tuple[bool, ...]:
        """By seat; the computer always is."""
        if self.here is None:
            return tuple(True for _ in self.chairs)
        there = zip(self.here.present, self.chairs, strict=True)
        return tuple(known or bool(level) for known, (*_, level) in there)

    @property
    def away(self) -> tuple[Any, ...]:
        """When each who is away was last seen, from when that counts, and what was chosen."""
        if self.here is None or all(self.present):
            return ()
        there = zip(self.here.seen, self.present, strict=True)
        seen = tuple(None if present else moment for moment, present in there)
        return (self.here.since, self.here.waited, seen)

    def stands_for(self, user_id: int, member: bool) -> Stands | None:
        """None where this person is shown out, or thought gone though they ask."""
        _id, version, sheet_id, name, invitation, code, public, spectators = self.row[:8]
        started, ended = (moment is not None for moment in self.row[8:10])
        seat, in_room = self.seat_of(user_id), Terms(member, bool(public), bool(spectators))
        terms = on_terms(seat is not None, started, ended, lambda: in_room)
        if terms is None or (seat is not None and not self.present[seat]):
            return None
        return Stands(
            version,
            sheet_id,
            (name, f"/j/{invitation}/", code) if terms.member else (name, None, None),
            tuple((name_in_view(name, bot), guest, bot) for _user, name, guest, bot in self.chairs),
            self.present,
            0 if self.here is None else self.here.spectators,
        )


def _read_for(one: Asker, lying: _Lying | None, said: Stamp, belong: set[tuple[Any, ...]]) -> Read:
    if lying is None:
        return Read(None, (), said)
    user_id = one.held.user_id
    with translation.override(one.language):
        standing = lying.stands_for(user_id, (one.table_id, user_id) in belong)
    return Read(standing, lying.away, said)


def _tables(rows: hot.Rows) -> dict[int, _Lying]:
    found = {number: list(seats) for number, seats in groupby(rows, itemgetter(0))}
    chairs = {
        number: tuple(
            (user, name or "", bool(guest), bot or "")
            for *_, seat, user, name, guest, bot in seats
            if seat is not None
        )
        for number, seats in found.items()
    }
    people = {number: [user for user, *_ in seats] for number, seats in chairs.items()}
    try:
        here = presence.at_each(people) if people else {}
    except presence.Unreachable:
        here = {}
    return {
        number: _Lying(seats[0], chairs[number], here.get(number))
        for number, seats in found.items()
    }
