"""The live doors: parse, call the verb, answer. One socket, one person, one place.

What happened reaches every socket by the bell alone; the one private answer is a refusal.
"""

from __future__ import annotations

from typing import Any

from games import live, table
from games.messages import Message, MoveMessage
from games.sockets import MALFORMED, Follower

# The verbs of the table that say more than their name, and what goes along.
FIELDS: dict[str, tuple[str, ...]] = {"call_off": ("answer",), "sort": ("sort", "cards")}


class TableConsumer(Follower):
    """Follows one table for one person."""

    sheet_id: int | None = None

    def bells(self) -> set[str]:
        """The table's, and that of the sheet on it."""
        sheet = set() if self.sheet_id is None else {f"sheet.{self.sheet_id}"}
        return {live.group_of(self.place)} | sheet

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
        elif message.verb in ("chat", "mute", "report"):
            await self.refuse(MALFORMED)
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
