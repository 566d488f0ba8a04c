"""Looking: what a person sees of a table now, from the first paint to a reconnect."""

from __future__ import annotations

import contextlib
import logging
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import NamedTuple

from django.db import DatabaseError, InterfaceError
from django.utils import timezone, translation

from accounts import hot, sessions
from accounts.sessions import Pass, SignedOut
from games import facts, reading
from games.admission import Terms, on_terms, terms_of
from games.beside import beside_of, load_beside
from games.frames import Frame
from games.looking import View, draw_up
from games.presence import Here
from games.reading import frame_of
from games.rotation import line_view
from games.strangers import strangers
from games.table.absence import absence_of, here_at, here_at_each
from games.table.bots import is_late, may_bring, move_late
from games.table.chips import say_of_the_last, tell_of_chips
from games.table.hands import deal_overdue
from games.table.rights import Refused, not_found
from games.table.seeds import end_shuffle
from games.table.time import run_out
from games.timing import time_view
from scoring import ledger

logger = logging.getLogger(__name__)


class Looker(NamedTuple):
    """Somebody who looks, and the language they read."""

    user_id: int | None
    language: str


class Onlooker(NamedTuple):
    """Somebody who looks at the table from this process, by their session."""

    held: Pass
    language: str


Seen = View | Refused | SignedOut


def look(table_id: int, user_id: int | None) -> View:
    """What this person sees of the table now: their own seat's view, or what is public.

    Raises Refused: not_found, for anyone who neither plays here nor may watch (admission.py).
    """
    (seen,) = look_together(table_id, [Looker(user_id, translation.get_language())])
    if isinstance(seen, Refused):
        raise seen
    return seen


def look_together(
    table_id: int, lookers: Sequence[Looker], frame: Frame | None = None, here: Here | None = None
) -> list[View | Refused]:
    """What each of these sees of the table now, or why they do not. The table is read once.

    ``frame`` and ``here``: what lies there and who is there, where that was just asked.
    """
    frame = frame or frame_of(table_id)
    terms = [None if frame is None else _terms(frame, one.user_id) for one in lookers]
    if frame is None or not any(terms):
        return [not_found() for _ in lookers]
    frame = _up_to_date(frame)
    here, now = here or here_at(frame), int(time.time() * 1000)
    seen: list[View | Refused] = []
    for one, allowed in zip(lookers, terms, strict=True):
        if allowed is None:
            seen.append(not_found())
            continue
        with translation.override(one.language):
            seen.append(_view(frame, here, one.user_id, allowed, now))
    return seen


def look_by_session(
    table_id: int, onlookers: Sequence[Onlooker], sheet_id: int | None = None
) -> list[Seen]:
    """The same for people whose sessions may have ended meanwhile: those are told that alone.

    ``sheet_id``: the sheet there, where it is known to have changed; it is read along.
    """
    passes = [one.held for one in onlookers]
    sheet = [] if sheet_id is None else ledger.asking([sheet_id])
    found, lying, *written = hot.rows(
        sessions.asking(passes), (facts.ONE_TABLE, [table_id]), *sheet
    )
    speaks = dict(zip(passes, sessions.answered(passes, found), strict=True))
    return by_session(table_id, onlookers, speaks, reading.frame_of_rows(lying, written))


def look_at_each(asked: Mapping[int, Sequence[Onlooker]]) -> dict[int, list[Seen]]:
    """The same of many tables, which are read together: in as many statements as one.

    Left out, to be looked at alone: tables where something is due, which may have to be waited
    for, where there is none, and any that cannot be shown, so that it harms no other.
    """
    passes = [one.held for onlookers in asked.values() for one in onlookers]
    found, lying = hot.rows(sessions.asking(passes), facts.asking(list(asked)))
    speaks = dict(zip(passes, sessions.answered(passes, found), strict=True))
    seen: dict[int, list[Seen]] = {}
    with _harming_nobody():
        frames = [one for one in reading.frames_by_rows(lying).values() if not _is_due(one)]
        load_beside(frames)
        here = here_at_each(frames)
        for frame in frames:
            with _harming_nobody():
                table_id = frame.table_id
                seen[table_id] = by_session(
                    table_id, asked[table_id], speaks, frame, here.get(table_id)
                )
    return seen


@contextlib.contextmanager
def _harming_nobody() -> Iterator[None]:
    """Whoever looks alone will know what is wrong; of a database out of reach all are told."""
    try:
        yield
    except (DatabaseError, InterfaceError):
        raise
    except Exception as error:
        logger.warning("Tables that are looked at together: %s", type(error).__name__)


def of_a_stored_move(table_id: int, draw: Callable[[], list[Seen]]) -> list[Seen]:
    """What was seen of a table a move was just stored at; nothing where that cannot be drawn now,
    for which a bell will do: the move is stored all the same.
    """
    try:
        return draw()
    except (DatabaseError, InterfaceError) as error:
        logger.warning("Table %s: a stored move is shown later: %s", table_id, type(error).__name__)
    except Exception:
        logger.exception("Table %s: a stored move could not be shown at once", table_id)
    return []


def by_session(
    table_id: int, onlookers: Sequence[Onlooker], speaks: Mapping[Pass, bool],
    frame: Frame | None, here: Here | None = None,
) -> list[Seen]:  # fmt: skip
    """What each of these sees of a table as it lies, or that their session is over."""
    heard = [one for one in onlookers if speaks[one.held]]
    lookers = [Looker(one.held.user_id, one.language) for one in heard]
    seen = iter(look_together(table_id, lookers, frame, here) if lookers else [])
    return [next(seen) if speaks[one.held] else sessions.signed_out() for one in onlookers]


def _up_to_date(frame: Frame) -> Frame:
    """Do what time has made due; the table as it lies then."""
    table_id = frame.table_id
    if _is_overdue(frame):
        deal_overdue(table_id)
        frame = frame_of(table_id) or frame
    if _shuffle_is_over(frame) and end_shuffle(table_id):
        frame = frame_of(table_id) or frame
    if _time_is_over(frame):
        run_out(table_id)
        frame = frame_of(table_id) or frame
    if is_late(frame) and move_late(table_id):
        frame = frame_of(table_id) or frame
    return frame


def _is_due(frame: Frame) -> bool:
    """Whether whoever looks has something to do first."""
    due = _is_overdue(frame) or _shuffle_is_over(frame) or _time_is_over(frame)
    return due or is_late(frame)


def _view(frame: Frame, here: Here | None, user_id: int | None, terms: Terms, now: int) -> View:
    seat = frame.seat_of(user_id)
    view = draw_up(frame, seat, now)
    view |= time_view(frame, here, *absence_of(frame, here, seat))
    view |= line_view(frame, beside_of(frame), user_id)
    view["computer"] = seat is not None and may_bring(frame, seat)
    if frame.ended and seat is not None:
        others = [chair.user_id for chair in frame.seats if chair.user_id is not None]
        view["befriend"] = sorted(strangers(user_id, others).values())
    if frame.stakes.played_for and frame.started:
        if frame.ended:
            tell_of_chips(view, frame, seat)
        else:
            say_of_the_last(frame)
    if not terms.member:
        view["room"] |= {"invite": None, "code": None}
    return view


def _is_overdue(frame: Frame) -> bool:
    """Whether the next hand should lie there already."""
    return frame.next_deal_at is not None and timezone.now() >= frame.next_deal_at


def _time_is_over(frame: Frame) -> bool:
    """Whether somebody let their time run out, and nobody has seen it yet."""
    return frame.deadline is not None and timezone.now() >= frame.deadline


def _shuffle_is_over(frame: Frame) -> bool:
    """Whether somebody was silent for too long while the cards were shuffled."""
    return frame.shuffle_until is not None and timezone.now() >= frame.shuffle_until


def _terms(frame: Frame, user_id: int | None) -> Terms | None:
    """On what terms this person may look, or None if they may not."""
    seated = frame.seat_of(user_id) is not None
    return on_terms(
        seated, frame.started, frame.ended, lambda: terms_of(frame.room_id, user_id)
    )
