"""The live doors of pages that follow: a room's and the home page. Here one only hears when.

The page fetches its lists again by itself, if their stamp is another than that of those it shows.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from typing import Any

from accounts.live import ring
from accounts.sessions import Pass, require_open
from games import live, pads, rooms
from games.messages import ChatMessage, Message, MuteMessage, ReportMessage, VerbMessage
from games.presence import Spot
from games.pulse import Attendant, later
from games.rooms import Watched
from games.sockets import MALFORMED, Follower
from games.talkers import Talker
from scoring.live import pad_group

LOOKS_EVERY = 0.3  # seconds; lists that change all the time are looked at no more often


class ListFollower(Follower):
    """Follows lists for one person, who is still let in at each answer.

    It sits in the groups of the sheets whose bonuses are still to come, since a worker that writes
    them knows no rooms, and of the person's own tables, where a turn rings nobody else's lists.
    """

    watched: Watched | None = None
    soon: asyncio.TimerHandle | None = None
    looked_at: float = 0.0

    def lists(self) -> Callable[[int, int], Watched]:
        """The verb that says how the lists of this kind of page stand."""
        raise NotImplementedError

    async def on_thread(self, call: Callable[..., Any], *arguments: Any) -> Any:
        return await live.aside(call, *arguments)

    async def read(self, call: Callable[..., Any], *arguments: Any) -> Any:
        return await live.aside_together(call, *arguments)

    def bells(self) -> set[str]:
        if self.watched is None:
            return set()
        tables = {live.group_of(number) for number in self.watched.tables}
        return tables | {f"sheet.{number}" for number in self.watched.sheets}

    async def look(self) -> Watched | None:
        """The lists as they are now, hearing the bells of what may still change in them."""
        if self.held is None:
            return None
        seen = self.read(_see, self.lists(), self.place, self.held)
        _done, watched = await self.answered(self.lists(), seen)
        if watched is None:
            return None
        self.watched = watched
        await self.hear()
        return watched

    async def show(self) -> None:
        await self.look()

    async def changed(self, event: dict[str, Any]) -> None:
        """A bell is answered at once, and those that follow it quickly by one look together."""
        now = asyncio.get_running_loop().time()
        if self.soon is None:
            wait = max(0.0, self.looked_at + LOOKS_EVERY - now)
            self.soon = later(wait, self.tell_change)

    async def disconnect(self, code: int) -> None:
        self.wait_no_more()
        await super().disconnect(code)

    def wait_no_more(self) -> None:
        if self.soon is not None:
            self.soon.cancel()
            self.soon = None

    async def tell_change(self) -> None:
        self.soon, self.looked_at = None, asyncio.get_running_loop().time()
        watched = await self.look()
        if watched is not None:
            await self.say({"type": "changed", "stamp": watched.stamp})

    async def obey(self, message: Message) -> None:
        """Answer a ping; nothing else is understood."""
        if isinstance(message, VerbMessage) and message.verb == "ping":
            await self.pong()
        else:
            await self.refuse(MALFORMED)

    async def pong(self) -> None:
        self.wait_no_more()  # this look answers every bell before it
        watched = await self.look()
        if watched is not None:
            await self.say({"type": "pong", "stamp": watched.stamp})


def _see(lists: Callable[[int, int], Watched], place: int, held: Pass) -> Watched:
    require_open(held)
    return lists(place, held.user_id)


class RoomConsumer(ListFollower, Talker, Attendant):
    """Follows what a room's page shows, and the talk there."""

    talks_at = "room"

    def lists(self) -> Callable[[int, int], Watched]:
        return rooms.watch_room

    def bells(self) -> set[str]:
        return super().bells() | {f"room.{self.place}"} | self.talk_bells()

    async def show(self) -> None:
        """Whoever may no longer enter the room is shown out."""
        if await self.look() is None or self.held is None:
            return
        if await self.be_at(Spot("room", self.place, self.held.user_id)):
            self.missed()

    def missed(self) -> None:
        ring(f"room.{self.place}")

    async def obey(self, message: Message) -> None:
        if isinstance(message, (ChatMessage, MuteMessage, ReportMessage)):
            await self.converse(message)
        else:
            await super().obey(message)

    async def pong(self) -> None:
        await super().pong()
        await self.tell_if_new()


class LobbyConsumer(ListFollower):
    """Follows the lists of the home page."""

    def lists(self) -> Callable[[int, int], Watched]:
        return rooms.watch_home

    def bells(self) -> set[str]:
        return super().bells() | {"lobby"}


class PadConsumer(ListFollower):
    """Follows a pad for its keeper and whoever may read it."""

    def lists(self) -> Callable[[int, int], Watched]:
        return pads.watch_pad

    def bells(self) -> set[str]:
        return super().bells() | {pad_group(self.place)}
