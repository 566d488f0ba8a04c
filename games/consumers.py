"""The live doors: parse, call the verb, answer. One socket, one person, one place.

What happened reaches every socket by the bell alone; the one private answer is a refusal.
"""

from __future__ import annotations

from typing import Any

from games import live, rooms, table
from games.messages import (
    ChatMessage,
    Message,
    MoveMessage,
    MuteMessage,
    ReportMessage,
    VerbMessage,
)
from games.sockets import MALFORMED, Follower
from games.talkers import Talker

# The verbs of the table that say more than their name, and what goes along.
FIELDS: dict[str, tuple[str, ...]] = {"call_off": ("answer",), "sort": ("sort", "cards")}


class TableConsumer(Talker):
    """Follows one table for one person."""

    talks_at = "table"
    sheet_id: int | None = None

    def bells(self) -> set[str]:
        """The table's, that of the sheet on it, and that of what is said there."""
        sheet = set() if self.sheet_id is None else {f"sheet.{self.sheet_id}"}
        return {live.group_of(self.place)} | sheet | self.talk_bells()

    async def show(self) -> None:
        view = await self._look()
        if view is not None:
            await self.say(view)

    async def obey(self, message: Message) -> None:
        if isinstance(message, MoveMessage):
            at = (message.at[0], message.at[1])
            await self.ask(table.make_move, message.move, at, message.game)
        elif message.verb == "ping":
            await self._pong()
        elif message.verb == "look":
            await self.show()
        elif isinstance(message, (ChatMessage, MuteMessage, ReportMessage)):
            await self.converse(message)
        else:
            said = (getattr(message, field) for field in FIELDS.get(message.verb, ()))
            await self.ask(getattr(table, message.verb), *said)

    async def _look(self) -> dict[str, Any] | None:
        done, view = await self.ask(table.look)
        if not done:
            return None
        self.sheet_id = view["sheet_id"]
        await self.hear()
        return dict(view)

    async def _pong(self) -> None:
        """Where the table stands now, so that a client that missed a bell asks for the view."""
        view = await self._look()
        if view is not None:
            await self.say({"type": "pong", "at": view["at"], "version": view["version"]})
            await self.tell()


class RoomConsumer(Talker):
    """Follows what a room's page shows. The page fetches it again; here it only hears when."""

    talks_at = "room"

    def bells(self) -> set[str]:
        return {f"room.{self.place}"} | self.talk_bells()

    async def show(self) -> None:
        """Whoever may no longer enter the room is shown out."""
        await self.ask(rooms.require_entry)

    async def changed(self, event: dict[str, Any]) -> None:
        entered, _ = await self.ask(rooms.require_entry)
        if entered:
            await self.say({"type": "changed"})

    async def obey(self, message: Message) -> None:
        if isinstance(message, (ChatMessage, MuteMessage, ReportMessage)):
            await self.converse(message)
        elif await _is_ping(self, message):
            await self.tell()


class LobbyConsumer(Follower):
    """Follows the lists of the home page, which then fetches them again."""

    def bells(self) -> set[str]:
        return {"lobby"}

    async def changed(self, event: dict[str, Any]) -> None:
        open_still, _ = await self.ask(_is_in)
        if open_still:
            await self.say({"type": "changed"})

    async def obey(self, message: Message) -> None:
        await _is_ping(self, message)


async def _is_ping(socket: Follower, message: Message) -> bool:
    """Answer a ping, if it is one from somebody still signed in; nothing else is understood."""
    if not (isinstance(message, VerbMessage) and message.verb == "ping"):
        await socket.refuse(MALFORMED)
        return False
    answered, _ = await socket.ask(_is_in)
    if answered:
        await socket.hear()
        await socket.say({"type": "pong"})
    return answered


def _is_in(_place: int, _user_id: int) -> None:
    """Asked for what every question brings along: that the session still speaks for its user."""
