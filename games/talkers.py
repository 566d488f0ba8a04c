"""Sockets on which people talk: what was said, saying something, muting, reporting.

A bell may be lost, so every pong asks whether there are new lines too, and what was told once is
not told again.
"""

from __future__ import annotations

import time
from typing import Any, ClassVar, Literal

from games import talk
from games.messages import ChatMessage, MuteMessage, ReportMessage
from games.sockets import Follower

Said = ChatMessage | MuteMessage | ReportMessage

# Numbers are given before lines are stored, so a line may come in after one with a higher number.
LATE = 50
# A line may come to be read though none is new, as what a game came to once it is known.
ASKED_ANEW = 60.0  # seconds


class Talker(Follower):
    """Follows what is said at one place."""

    talks_at: ClassVar[Literal["room", "table"]]
    told: set[int]
    stamp: tuple[int, int] | None = None
    asked_at: float = 0.0

    def talk_bells(self) -> set[str]:
        """The group that hears of new lines here."""
        return {f"talk.{self.talks_at}.{self.place}"}

    async def connect(self) -> None:
        self.told = set()
        await super().connect()
        if self.held is not None:
            await self.tell_all(even_nothing=False)

    async def talked(self, event: dict[str, Any]) -> None:
        """A bell of this place: something was said."""
        await self.tell()

    async def muted(self, event: dict[str, Any]) -> None:
        await self.tell_all()

    async def tell(self) -> None:
        """Send the lines that were not sent yet."""
        newest = max(self.told, default=0)
        done, lines = await self.ask(_recent, self.talks_at, max(0, newest - LATE))
        if not done:
            return
        fresh = [line for line in lines if line["id"] not in self.told]
        if fresh:
            self.told |= {line["id"] for line in fresh}
            oldest = max(self.told) - 2 * LATE
            self.told = {number for number in self.told if number >= oldest}
            await self.say({"type": "chat", "messages": fresh})

    async def tell_if_new(self) -> None:
        """For every pong: read what was said only where something was said."""
        where = _where(self.place, self.talks_at)
        done, stamp = await self.answered(talk.stamp, self.on_thread(talk.stamp, *where))
        now = time.monotonic()
        if done and (stamp != self.stamp or now > self.asked_at + ASKED_ANEW):
            self.stamp, self.asked_at = stamp, now
            await self.tell()

    async def tell_all(self, even_nothing: bool = True) -> None:
        """Send the lines as this person reads them now, in place of those sent before."""
        done, found = await self.ask(_everything, self.talks_at)
        if done:
            lines, muted = found
            self.told = {line["id"] for line in lines}
            if even_nothing or lines or muted:
                await self.say(
                    {"type": "chat", "messages": lines, "muted": muted, "whole": True}
                )

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


def _everything(
    place: int, user_id: int, at: str
) -> tuple[list[dict[str, Any]], list[dict[str, Any]]]:
    muted = talk.muted_by(user_id)  # first: no line shows of who is said to be muted
    return talk.recent(*_where(place, at), user_id), muted


def _say(place: int, user_id: int, at: str, text: str) -> int:
    return talk.say(*_where(place, at), user_id, text)


def _mute(_place: int, user_id: int, muted_id: int, on: bool) -> None:
    talk.mute(user_id, muted_id, on)


def _report(_place: int, user_id: int, message_id: int, reason: str) -> None:
    talk.report(message_id, user_id, reason)
