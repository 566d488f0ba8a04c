"""What people say to each other. The only writer of messages, mutes and reports.

A line is kept as it was said and never changed. Whom one does not want to read is left out of what
one reads, earlier lines too, and of nobody else's.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any

from django.db import IntegrityError, transaction
from django.db.models import Exists, F, OuterRef, Q, QuerySet
from django.utils import timezone

from accounts import hot
from accounts.models import User
from accounts.names import GONE
from accounts.refusal import N_, Refusal
from games import admission, live, silences, stakes
from games.blocks import between
from games.messages import MESSAGE_LENGTH, TALK_LENGTH
from games.models import GameSeat, Member, Message, Mute, Report, Room, Table
from games.tidy import tidy

SHOWN = 100  # the last lines of a room or table
TOLD = 20  # lines an administrator reads with a report
SAYS_AT_MOST, WITHIN = 5, timedelta(seconds=10)
REPORTS_AT_MOST, REPORTS_WITHIN = 20, timedelta(hours=1)
REASON_LENGTH = 300
MUTES_AT_MOST = 500

# Raw, since every pong of every socket asks. A line may come in after one with a higher number.
_STAMP = "SELECT COUNT(*), COALESCE(SUM(id), 0) FROM (SELECT id FROM games_message WHERE %s) AS l"
_LATELY = "{} = %s ORDER BY id DESC LIMIT %s"
_KEYS = re.compile(r"/j/[\w-]+")


class Unsaid(Refusal):
    """Something that cannot be said, muted or reported."""


def say(room_id: int | None, table_id: int | None, user_id: int, text: str) -> int:
    """Say something in a room, or at a table; returns the line's number."""
    with transaction.atomic():
        room_id = _place(room_id, table_id, user_id)
        text = _sayable(text)
        silences.require_voice(user_id)
        # Locked, so that what one person says at once in several windows is counted together.
        speaker = User.objects.select_for_update(no_key=True).get(pk=user_id)
        _require_patience(user_id)
        said = Message.objects.create(
            room_id=room_id, table_id=table_id, user=speaker, name=speaker.username, text=text
        )
        live.ring_talk(room_id, table_id)
    return said.pk


def say_of_chips(room_id: int, table_id: int, sheet_id: int) -> None:
    """Let a table say what a settled game came to in chips, each edition once. Twice is once."""
    if Message.objects.filter(sheet_id=sheet_id).exists():
        return
    with transaction.atomic():
        _line, new = Message.objects.get_or_create(
            sheet_id=sheet_id, defaults={"room_id": room_id, "table_id": table_id}
        )
        if new:
            live.ring_talk(room_id, table_id)


@dataclass(frozen=True, slots=True)
class PastLine:
    """A line somebody said on another day."""

    room_id: int
    table_id: int | None
    user: User
    text: str
    said_at: datetime


def write_past(said: Iterable[PastLine]) -> None:
    """Keep what was said on another day, in its order: for a demonstration site. No bell rings."""
    with transaction.atomic():
        for line in said:
            row = Message.objects.create(
                room_id=line.room_id,
                table_id=line.table_id,
                user=line.user,
                name=line.user.username,
                text=_sayable(line.text),
            )
            Message.objects.filter(pk=row.pk).update(said_at=line.said_at)


def _sayable(text: str) -> str:
    """The text as it is kept; never a part of it."""
    if len(text) > MESSAGE_LENGTH:
        raise _too_long()
    text = tidy(text)
    if not text:
        raise Unsaid("says_nothing", N_("Write something first."))
    if len(text) > TALK_LENGTH:
        raise _too_long()
    return text


def _require_patience(user_id: int) -> None:
    earlier = Message.objects.filter(user_id=user_id).order_by("-pk").values_list("said_at")
    for (said_at,) in earlier[SAYS_AT_MOST - 1 : SAYS_AT_MOST]:
        if said_at > timezone.now() - WITHIN:
            raise Unsaid("too_fast", N_("You write very fast. Wait a few seconds."))


def recent(
    room_id: int | None, table_id: int | None, user_id: int, after: int = 0
) -> list[dict[str, Any]]:
    """The last lines this person reads there, oldest first; only those ``after`` a number.

    Whoever only watches, and is no member, reads none.
    """
    try:
        room_id = _place(room_id, table_id, user_id)
    except Unsaid as refusal:
        if refusal.code == "members_only":
            return []
        raise
    muted = Mute.objects.filter(user_id=user_id, muted_id=OuterRef("user_id"))
    lines = _lines(room_id, table_id).filter(
        ~Exists(muted), ~between(user_id, "user_id"), pk__gt=after
    )
    found = list(reversed(lines.annotate(guest=F("user__is_guest"))[:SHOWN]))
    accounts = stakes.sentences([line.sheet_id for line in found if line.sheet_id])
    return [
        {
            "id": line.pk,
            "user": line.user_id,
            "name": line.name,
            "guest": bool(line.guest),
            "you": line.user_id == user_id,
            "text": accounts.get(line.sheet_id or 0, line.text),
            "at": int(line.said_at.timestamp() * 1000),
        }
        for line in found
        if line.sheet_id is None or line.sheet_id in accounts
    ]


def stamp(room_id: int | None, table_id: int | None) -> tuple[int, int]:
    """Differs once a line has come in or gone among the last ones there. Says nothing of them.

    At a table it is the table's; a room's stands for what is said at its tables too.
    """
    column, place = ("room_id", room_id) if table_id is None else ("table_id", table_id)
    ((count, total),) = hot.rows((_STAMP % _LATELY.format(column), (place, SHOWN)))[0]
    return int(count), int(total)


def _lines(room_id: int, table_id: int | None) -> QuerySet[Message]:
    """What was said there, newest first. What is said at a table is not said in the room."""
    here = Q(table=None) if table_id is None else Q(table_id=table_id)
    return Message.objects.filter(here, room_id=room_id).order_by("-pk")


def muted_by(user_id: int) -> list[dict[str, Any]]:
    """Whom this person does not want to read."""
    mutes = Mute.objects.filter(user_id=user_id).order_by("pk").select_related("muted")
    return [{"user": mute.muted_id, "name": mute.muted.username} for mute in mutes]


def mute(user_id: int, muted_id: int, on: bool) -> None:
    """Read somebody's talk no more, or again. Twice is once."""
    if user_id == muted_id:
        raise Unsaid("yourself", N_("You cannot hide your own messages."))
    with transaction.atomic():
        mutes = Mute.objects.filter(user_id=user_id)
        if not on:
            mutes.filter(muted_id=muted_id).delete()
        elif mutes.count() >= MUTES_AT_MOST:
            raise Unsaid("too_many_mutes", N_("You hide too many people already."))
        elif _was_heard(muted_id, user_id):
            Mute.objects.get_or_create(user_id=user_id, muted_id=muted_id)
        live.ring_muted(user_id)


def _was_heard(speaker_id: int, user_id: int) -> bool:
    """Whether somebody has spoken where this person reads; of others not even the name is told."""
    member = Exists(Member.objects.filter(room=OuterRef("room"), user_id=user_id))
    played = Exists(GameSeat.objects.filter(game__table=OuterRef("table"), user_id=user_id))
    return Message.objects.filter(member | played, user_id=speaker_id).exists()


def report(message_id: int, user_id: int, reason: str = "") -> None:
    """Show a message to the administrators, with the lines before it as they are now."""
    said = Message.objects.filter(pk=message_id, sheet=None)
    message = said.select_related("room").first()
    if message is None or not _may_talk(message.room_id, message.table_id, user_id):
        raise Unsaid("no_such_message", N_("There is no such message."))
    if message.user_id == user_id:
        raise Unsaid("yourself", N_("You cannot report your own message."))
    lately = timezone.now() - REPORTS_WITHIN
    own = Report.objects.filter(reporter_id=user_id, reported_at__gt=lately)
    if own.count() >= REPORTS_AT_MOST:
        raise Unsaid("too_many_reports", N_("You have reported a lot. Try again in an hour."))
    lines = _lines(message.room_id, message.table_id).filter(sheet=None)
    before = lines.filter(pk__lte=message_id)[:TOLD]
    try:
        with transaction.atomic():
            Report.objects.create(
                message=message,
                reporter_id=user_id,
                reported_id=message.user_id,
                room_id=message.room_id,
                reason=tidy(reason[:MESSAGE_LENGTH])[:REASON_LENGTH],
                lines=_as_they_were(reversed(before), message.room),
            )
    except IntegrityError:
        raise Unsaid("reported", N_("You have already reported this message.")) from None


def _as_they_were(lines: Iterable[Message], room: Room) -> list[dict[str, Any]]:
    """Lines for the eyes of an administrator, for whom no way into a room may stand there."""
    return [
        {
            "id": line.pk,
            "user": line.user_id,
            "name": line.name,
            "text": _without_keys(line.text, room),
            "at": line.said_at.isoformat(timespec="seconds"),
        }
        for line in lines
    ]


def _without_keys(text: str, room: Room) -> str:
    text = _KEYS.sub("/j/…", text).replace(room.invitation, "…")
    return re.sub(re.escape(room.code), "…", text, flags=re.IGNORECASE)


def settle(report_ids: Collection[int], settled: bool = True) -> list[Report]:
    """Close these reports, or open them again; returns those that this changed."""
    with transaction.atomic():
        reports = Report.objects.filter(pk__in=report_ids, settled_at__isnull=settled)
        changed = list(reports.order_by("pk").select_for_update())
        for each in changed:
            each.settled_at = timezone.now() if settled else None
            each.save(update_fields=["settled_at"])
    return changed


def forget(user_id: int) -> None:
    """Keep nothing somebody said but what was reported, and that without their name."""
    said = Message.objects.filter(user_id=user_id)
    with transaction.atomic():
        told = Report.objects.filter(room__in=said.values("room"))
        for each in told.order_by("pk").select_for_update(of=("self",)):
            own = [line for line in each.lines if line["user"] == user_id]
            for line in own:
                line["name"] = GONE
            each.save(update_fields=["lines"])
        said.delete()
        Mute.objects.filter(Q(user_id=user_id) | Q(muted_id=user_id)).delete()


def hand_over(user_id: int, to_id: int) -> None:
    """Let what a guest said be said by an account, under the name of that day."""
    Message.objects.filter(user_id=user_id).update(user_id=to_id)
    Report.objects.filter(reported_id=user_id).update(reported_id=to_id)


def _may_talk(room_id: int, table_id: int | None, user_id: int) -> bool:
    """Members may, and at a table who plays there."""
    if Member.objects.filter(room_id=room_id, user_id=user_id).exists():
        return True
    if table_id is None:
        return False
    playing = GameSeat.objects.filter(game__table_id=table_id, game__ended_at=None)
    return playing.filter(user_id=user_id).exists()


def _place(room_id: int | None, table_id: int | None, user_id: int) -> int:
    """The room in which this is; to whoever may not talk there, there is no such place."""
    if table_id is not None:
        room_id = Table.objects.filter(pk=table_id).values_list("room_id", flat=True).first()
    if room_id is not None and _may_talk(room_id, table_id, user_id):
        return room_id
    terms = admission.terms_of(room_id, user_id) if room_id is not None else admission.Terms()
    if terms.may_enter if table_id is None else terms.may_watch:
        raise Unsaid("members_only", N_("Only members talk here. Join the room first."))
    raise Unsaid("not_found", N_("There is no such room."))


def _too_long() -> Unsaid:
    return Unsaid(
        "too_long", N_("A message has at most %(most)d characters."), most=TALK_LENGTH
    )
