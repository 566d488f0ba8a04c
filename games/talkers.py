"""Sockets on which people talk: what was said, saying something, muting, reporting.

A bell may be lost, so every pong asks whether there are new lines too, and what was told once is
not told again.
"""

from __future__ import annotations

import asyncio
import time
from typing import Any, ClassVar, Literal
from weakref import WeakKeyDictionary

from games import live, talk
from games.compared import NOTHING_SAID, Stamp
from games.messages import ChatMessage, MuteMessage, ReportMessage
from games.sockets import Follower

Lines = list[dict[str, Any]]
Said = ChatMessage | MuteMessage | ReportMessage

# Numbers are given before lines are stored, so a line may come in after one with a higher number.
LATE = 50
# A line may come to be read though none is new, as what a game came to once it is known.
ASKED_ANEW = 60.0  # seconds
WAITED_FOR = 1.0  # seconds; for what was said before one came

_turns: live.Turns = WeakKeyDictionary()


class Talker(Follower):
    """Follows what is said at one place."""

    talks_at: ClassVar[Literal["room", "table"]]
    told: set[int]
    wholes: int = 0  # how often all there is to read was told
    stamp: Stamp | None = None
    asked_at: float = 0.0
    coming: asyncio.Task[None] | None = None

    def talk_bells(self) -> set[str]:
        """The group that hears of new lines here."""
        return {f"talk.{self.talks_at}.{self.place}"}

    async def connect(self) -> None:
        self.told = set()
        await super().connect()
        if self.held is not None:
            self.coming = asyncio.get_running_loop().create_task(self._tell_so_far())

    async def _tell_so_far(self) -> None:
        """What was said before one came.

        Where many come at once their tables come first: one by one, for half of the time at most.
        """
        if await self.is_quiet():
            return
        async with self.doorway():
            pass  # whoever waits there comes first
        async with live.in_turn(_turns):
            done, found = await self.ask(_so_far, self.talks_at)
        if done:
            lines, muted = found
            await self._say_whole(lines, muted, even_nothing=False)

    async def is_quiet(self) -> bool:
        """Whether it is known at once that there is nothing to tell."""
        return False

    async def _so_far_told(self) -> None:
        """Wait for that, but not for long: a move may stand behind this."""
        if self.coming is not None:
            await asyncio.wait([self.coming], timeout=WAITED_FOR)
            self.coming = None

    async def talked(self, event: dict[str, Any]) -> None:
        """A bell of this place: something was said."""
        await self.tell()

    async def muted(self, event: dict[str, Any]) -> None:
        await self.tell_all()

    async def tell(self) -> bool:
        """Send the lines that were not sent yet; whether it is known which these are."""
        await self._so_far_told()
        newest, wholes = max(self.told, default=0), self.wholes
        done, lines = await self.ask(_recent, self.talks_at, max(0, newest - LATE))
        if not done:
            return False
        if wholes != self.wholes:  # they may read others than they did when this was asked
            return await self.tell()
        fresh = [line for line in lines if line["id"] not in self.told]
        if fresh:
            self.told |= {line["id"] for line in fresh}
            oldest = max(self.told) - 2 * LATE
            self.told = {number for number in self.told if number >= oldest}
            await self.say({"type": "chat", "messages": fresh})
        return True

    async def tell_if_new(self) -> None:
        """For every pong: read what was said only where something was said."""
        await self._so_far_told()
        where = _where(self.place, self.talks_at)
        done, stamp = await self.answered(talk.stamp, self.on_thread(talk.stamp, *where))
        if done:
            await self.tell_since(stamp)

    async def tell_since(self, stamp: Stamp) -> None:
        """The same, where the stamp of what is said here was just read."""
        now = time.monotonic()
        if self.has_news(stamp) and await self.tell():
            self.stamp, self.asked_at = stamp, now

    def has_news(self, stamp: Stamp) -> bool:
        """Whether lines came in or went since, or one of them may have come to be read."""
        anew = stamp != NOTHING_SAID and time.monotonic() > self.asked_at + ASKED_ANEW
        return anew or stamp != (self.stamp or NOTHING_SAID)

    async def tell_all(self) -> None:
        """Send the lines as this person reads them now, in place of those sent before."""
        await self._so_far_told()
        done, found = await self.ask(_everything, self.talks_at)
        if done:
            lines, muted = found
            await self._say_whole(lines, muted)

    async def _say_whole(self, lines: Lines, muted: Lines, even_nothing: bool = True) -> None:
        self.told = {line["id"] for line in lines}
        self.wholes += 1
        if even_nothing or lines or muted:
            await self.say({"type": "chat", "messages": lines, "muted": muted, "whole": True})

    async def converse(self, message: Said) -> None:
        """Say, mute or report, as was asked."""
        if isinstance(message, ChatMessage):
            done, _ = await self.ask(_say, self.talks_at, message.text)
            if done:
                await self.tell()
        elif isinstance(message, MuteMessage):
            done, _ = await self.ask(_mute, message.user, message.on)
            if done:
                await self.tell_all()
        else:
            done, _ = await self.ask(_report, message.message, message.reason)
            if done:
                await self.say({"type": "reported", "message": message.message})


# What a socket asks, as it asks: with its place and its person first.


def _where(place: int, at: str) -> tuple[int | None, int | None]:
    return (place, None) if at == "room" else (None, place)


def _recent(place: int, user_id: int, at: str, after: int) -> list[dict[str, Any]]:
    return talk.recent(*_where(place, at), user_id, after)


def _so_far(place: int, user_id: int, at: str) -> tuple[Lines, Lines]:
    """As `_everything`. Where nobody ever said anything, nobody need be asked who may read it."""
    count, _total = talk.stamp(*_where(place, at))
    return _everything(place, user_id, at) if count else ([], talk.muted_by(user_id))


def _everything(place: int, user_id: int, at: str) -> tuple[Lines, Lines]:
    muted = talk.muted_by(user_id)  # first: no line shows of who is said to be muted
    return talk.recent(*_where(place, at), user_id), muted


def _say(place: int, user_id: int, at: str, text: str) -> int:
    return talk.say(*_where(place, at), user_id, text)


def _mute(_place: int, user_id: int, muted_id: int, on: bool) -> None:
    talk.mute(user_id, muted_id, on)


def _report(_place: int, user_id: int, message_id: int, reason: str) -> None:
    talk.report(message_id, user_id, reason)
