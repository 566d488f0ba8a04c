"""Who is here: short-lived marks that open sockets renew, kept in the cache that processes share.

A mark says when somebody was last seen and by which process. The sockets of a process renew theirs
together every few seconds (pulse.py), so those of a process that was killed age out by
themselves. Nothing of this is a fact: where the cache cannot be reached nobody is held absent.
"""

from __future__ import annotations

import logging
import os
import time
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from typing import Any, Literal, NamedTuple, TypeVar
from uuid import uuid4

from django.core.cache import cache
from django.utils import timezone

T = TypeVar("T")
Kind = Literal["table", "room"]

logger = logging.getLogger(__name__)

HERE_FOR = timedelta(seconds=20)  # without a sign of life
REMEMBERED = 8 * 24 * 3600  # seconds; when somebody was last seen
KNOWN_FOR, KNOWN_AT_MOST = 20.0, 5_000  # seconds; tables
AGAIN_AFTER = 2.0  # seconds; a cache that does not answer must not hold up every look
STORE_SINCE = "presence.since"
PROCESS = f"{os.getpid()}.{uuid4().hex[:8]}"
STARTED = timezone.now()

_known: dict[int, tuple[float, Here]] = {}  # by table: when it was last asked, and told
_failed = 0.0  # when the cache did not answer, by the monotonic clock
_silent_at: datetime | None = None  # the same by the site's


class Unreachable(Exception):
    """The cache does not answer: nobody can say who is here."""


class Spot(NamedTuple):
    """Somebody's place: a table where they play or watch, or a room."""

    kind: Kind
    place: int
    user_id: int
    plays: bool = False


@dataclass(frozen=True, slots=True)
class Here:
    """Who is at a table, by seat, and when each was last seen (None: not that we know)."""

    present: tuple[bool, ...]
    seen: tuple[datetime | None, ...]
    waited: datetime | None  # when somebody last chose to wait for the other
    spectators: int
    since: datetime  # absence can be judged from here on
    user_ids: tuple[int | None, ...] = ()  # whose seats these are


def seen(table_id: int, seat: int | None, user_id: int) -> bool:
    """Mark a player or, without a seat, a spectator of a table; whether they were away before."""
    return mark([Spot("table", table_id, user_id, seat is not None)])


def room_seen(room_id: int, user_id: int) -> bool:
    """Mark somebody who looks at a room's page; whether they were away before."""
    return mark([Spot("room", room_id, user_id)])


def present(table_id: int, user_ids: Sequence[int | None]) -> list[bool]:
    """Who of these, seat by seat, is at the table. All, where nobody can say."""
    try:
        return list(here(table_id, user_ids).present)
    except Unreachable:
        return [True for _ in user_ids]


def room_present(room_id: int) -> set[int]:
    """The people who look at a room's page now."""
    try:
        return set(_fresh(_ask(cache.get, _crowd("room", room_id))))
    except Unreachable:
        return set()


def here(table_id: int, user_ids: Sequence[int | None]) -> Here:
    """Who is at a table. Raises Unreachable."""
    return _asked({table_id: user_ids})[table_id]


def at_each(people: Mapping[int, Sequence[int | None]]) -> dict[int, Here]:
    """The same of so many tables, told by who plays there, by one question. Raises Unreachable."""
    return _asked(people)


def lately(people: Mapping[int, Sequence[int | None]]) -> dict[int, Here]:
    """Who is at each of these tables, told by who plays there. Raises Unreachable.

    By what was told a moment ago where all were there: whoever comes or goes rings the table's
    bell, upon which it is asked anew.
    """
    told = {table_id: _remembered(table_id, user_ids) for table_id, user_ids in people.items()}
    unknown = {table_id: people[table_id] for table_id, here in told.items() if here is None}
    return {table_id: here for table_id, here in told.items() if here} | (
        _asked(unknown) if unknown else {}
    )


def _remembered(table_id: int, user_ids: Sequence[int | None]) -> Here | None:
    told, here = _known.get(table_id, (0.0, None))
    if here is None or time.monotonic() - told > KNOWN_FOR:
        return None
    return here if here.user_ids == tuple(user_ids) and all(here.present) else None


def _asked(people: Mapping[int, Sequence[int | None]]) -> dict[int, Here]:
    """Ask the cache who is at these tables, all at once."""
    keys = {STORE_SINCE}
    for table_id, user_ids in people.items():
        keys |= {_crowd("table", table_id), f"waited.{table_id}"}
        keys |= {_key(table_id, user_id) for user_id in user_ids}
    found: dict[str, Any] = _ask(cache.get_many, keys)
    since = _since(found.get(STORE_SINCE))
    if len(_known) >= KNOWN_AT_MOST:
        _known.clear()
    now = time.monotonic()
    told = {
        table_id: _here_by(found, table_id, user_ids, since)
        for table_id, user_ids in people.items()
    }
    _known.update({table_id: (now, here) for table_id, here in told.items()})
    return told


def _here_by(
    found: Mapping[str, Any], table_id: int, user_ids: Sequence[int | None], since: datetime
) -> Here:
    marks = [found.get(_key(table_id, user_id)) for user_id in user_ids]
    watching = set(_fresh(found.get(_crowd("table", table_id)))) - {one for one in user_ids if one}
    return Here(
        present=tuple(_is_here(mark) for mark in marks),
        seen=tuple(None if mark is None else _moment(mark[0]) for mark in marks),
        waited=_moment(waited) if (waited := found.get(f"waited.{table_id}")) else None,
        spectators=len(watching),
        since=since,
        user_ids=tuple(user_ids),
    )


def forget() -> None:
    """Drop what was told."""
    _known.clear()


def since() -> datetime | None:
    """From when on absence can be judged; None: not at all, the cache does not answer."""
    try:
        return _since(_ask(cache.get, STORE_SINCE))
    except Unreachable:
        return None


def mark(spots: Iterable[Spot]) -> bool:
    """Renew the marks of these; whether one of them was away before. Never raises."""
    return bool(mark_each(spots))


def mark_each(spots: Iterable[Spot]) -> set[Spot]:
    """Renew the marks of these; which of them were away before. Never raises."""
    spots, away = list(spots), set[Spot]()
    now = stamp()
    crowds: dict[str, dict[int, int]] = {}
    try:
        _ask(cache.add, STORE_SINCE, now, None)
        keys = [_key(spot.place, spot.user_id) for spot in spots if spot.plays]
        keys += {_crowd(spot.kind, spot.place) for spot in spots if not spot.plays}
        found: dict[str, Any] = _ask(cache.get_many, keys)
        for spot in spots:
            if spot.plays:
                if not _is_here(found.get(_key(spot.place, spot.user_id))):
                    away.add(spot)
                continue
            name = _crowd(spot.kind, spot.place)
            crowd = crowds.setdefault(name, _fresh(found.get(name)))
            if spot.user_id not in crowd:
                away.add(spot)
            crowd[spot.user_id] = now
        marks = {
            _key(spot.place, spot.user_id): (now, PROCESS) for spot in spots if spot.plays
        }
        if marks:
            _ask(cache.set_many, marks, REMEMBERED)
        if crowds:
            _ask(cache.set_many, crowds, int(HERE_FOR.total_seconds()))
    except Unreachable:
        return set()
    return away


def left(spot: Spot, at: int | None = None) -> bool:
    """Take a mark away as the last socket behind it closes; whether somebody is away by this.

    One that another process renewed last is left to age out there. In a room, and among those who
    watch, one that was renewed after ``at`` (``stamp``), when the socket closed.
    """
    try:
        if not spot.plays:
            name = _crowd(spot.kind, spot.place)
            crowd = _fresh(_ask(cache.get, name))
            renewed = crowd.pop(spot.user_id, None)
            if renewed is None or (at is not None and renewed > at):
                return False
            _ask(cache.set, name, crowd, int(HERE_FOR.total_seconds()))
            return True
        key = _key(spot.place, spot.user_id)
        mark = _ask(cache.get, key)
        if mark is None or mark[1] != PROCESS:
            return False
        _ask(cache.set, key, (stamp(), ""), REMEMBERED)
    except Unreachable:
        return False
    return True


def wait(table_id: int) -> None:
    """Note that somebody chose to wait: what absence offers is offered anew only later."""
    try:
        _ask(cache.set, f"waited.{table_id}", stamp(), REMEMBERED)
    except Unreachable:
        return


def _since(stored: int | None) -> datetime:
    """From when on absence may be judged: this process lives, and the store answers and keeps."""
    if stored is None:  # it is new, or has forgotten everything
        stored = stamp()
        _ask(cache.add, STORE_SINCE, stored, None)
    return max(_moment(stored), STARTED, _silent_at or STARTED)


def _ask(call: Callable[..., T], *arguments: Any) -> T:
    """Ask the cache; while it does not answer, ask again only now and then."""
    global _failed, _silent_at
    if _failed and time.monotonic() - _failed < AGAIN_AFTER:
        raise Unreachable
    try:
        answer = call(*arguments)
    except Exception as error:  # each backend has its own
        if not _failed:
            logger.warning("Who is here cannot be told: %s", type(error).__name__)
        _failed, _silent_at = time.monotonic(), timezone.now()
        raise Unreachable from None
    _failed = 0.0
    return answer


def _key(table_id: int, user_id: int | None) -> str:
    return f"seen.{table_id}.{user_id}"


def _crowd(kind: str, place: int) -> str:
    return f"crowd.{kind}.{place}"


def _fresh(crowd: dict[int, int] | None) -> dict[int, int]:
    least = stamp() - int(HERE_FOR.total_seconds() * 1000)
    return {user_id: at for user_id, at in (crowd or {}).items() if at > least}


def _is_here(mark: tuple[int, str] | None) -> bool:
    return mark is not None and bool(mark[1]) and timezone.now() - _moment(mark[0]) < HERE_FOR


def stamp() -> int:
    """The time as marks have it, in milliseconds."""
    return int(timezone.now().timestamp() * 1000)


def _moment(ms: int) -> datetime:
    return datetime.fromtimestamp(ms / 1000, UTC)
