"""The live door of a table: one socket, one person, one table.

Parse, call the verb, answer. What happened reaches every socket by the bell alone; the one
private answer is a refusal.
"""

from __future__ import annotations

import asyncio
import json
import logging
from collections import Counter
from collections.abc import Awaitable, Callable
from typing import Any

from channels.generic.websocket import AsyncWebsocketConsumer
from django.db import DatabaseError, InterfaceError
from django.utils import translation
from django.utils.translation import gettext

from accounts.refusal import N_, Refusal
from accounts.sessions import Pass, SignedOut, pass_of, require_open
from games import live, table
from games.looking import View
from games.messages import Allowance, MoveMessage, read

logger = logging.getLogger(__name__)

SIGNED_OUT, NO_TABLE, FLOOD = 4401, 4404, 4408
HEARD_WITHIN = 2.0  # seconds; how long a socket waits for the channel layer
# Sockets one person may hold open in this process: each asks the database at every bell.
SOCKETS_A_PERSON = 30

_open: Counter[int] = Counter()

MALFORMED = Refusal("malformed", N_("The site did not understand this message."))
SLOW_DOWN = Refusal("slow_down", N_("That was too fast. Wait a moment."))
UNAVAILABLE = Refusal(
    "unavailable", N_("The site cannot reach its database. Nothing is lost: try again shortly.")
)
BROKEN = Refusal("broken", N_("Something went wrong on our side. Nothing is lost: try again."))


class NoDoor(AsyncWebsocketConsumer):
    """Turns away who asks for a socket where there is none; unanswered it would be an error."""

    async def connect(self) -> None:
        await self.close()


class TableConsumer(AsyncWebsocketConsumer):
    """Follows one table for one person."""

    held: Pass | None = None
    counted: int | None = None
    table_id: int
    heard: set[str]

    async def __call__(self, scope: Any, receive: Any, send: Any) -> None:
        try:
            await super().__call__(scope, receive, send)
        finally:  # however it ends, even cut off in the middle
            if self.counted is not None:
                _open[self.counted] -= 1
                if not _open[self.counted]:
                    del _open[self.counted]

    async def connect(self) -> None:
        self.heard = set()
        self.allowance = Allowance()
        # Django's ids are 63 bits; a longer number names no table and must not reach the database.
        self.table_id = int(self.scope["url_route"]["kwargs"]["table_id"][:18])
        await self.accept()
        self.held = await live.on_database_thread(
            pass_of, self.scope["user"], self.scope["session"]
        )
        if self.held is None:
            await self.close(SIGNED_OUT)
            return
        self.counted = self.held.user_id
        _open[self.counted] += 1
        if _open[self.counted] > SOCKETS_A_PERSON:
            await self._show_out(FLOOD)
            return
        await self._hear(self._bells())
        await self._show()

    async def disconnect(self, code: int) -> None:
        await self._hear(set())

    async def receive(self, text_data: str | None = None, bytes_data: bytes | None = None) -> None:
        if self.held is None:
            return
        allowed = self.allowance.spend()
        if allowed == "flood":
            await self._show_out(FLOOD)
        elif allowed == "slow_down":
            await self._refuse(SLOW_DOWN)
        else:
            await self._obey(read(text_data or ""))

    async def changed(self, event: dict[str, Any]) -> None:
        """The bell: of the table, of its sheet, or of the user."""
        await self._show()

    async def _obey(self, message: Any) -> None:
        if message is None:
            await self._refuse(MALFORMED)
        elif isinstance(message, MoveMessage):
            at = (message.at[0], message.at[1])
            await self._do(table.make_move, message.move, at, message.game)
        elif message.verb == "ping":
            await self._pong()
        elif message.verb == "look":
            await self._show()
        else:
            verbs = {"ready": table.ready, "resign": table.resign, "rematch": table.rematch}
            await self._do(verbs[message.verb])

    async def _do(self, verb: Any, *arguments: Any) -> None:
        """Call a verb for the user of the session at this moment; answer only a refusal."""
        held = self.held
        if held is None:
            return
        try:
            await live.on_database_thread(_act, held, verb, self.table_id, *arguments)
        except SignedOut:
            await self._show_out(SIGNED_OUT)
        except Refusal as refusal:
            await self._refuse(refusal)
            if refusal.code == "stale":
                await self._show()
        except (DatabaseError, InterfaceError) as error:
            logger.warning("Table %s: %s", self.table_id, type(error).__name__)
            await self._refuse(UNAVAILABLE)
        except Exception:
            logger.exception("Table %s: a verb failed", self.table_id)
            await self._refuse(BROKEN)

    async def _look(self) -> View | None:
        """The view for this person now, or None after an answer has been given instead."""
        if self.held is None:
            return None
        try:
            return await live.on_database_thread(
                _look, self.held, self.table_id, self._language()
            )
        except SignedOut:
            await self._show_out(SIGNED_OUT)
        except Refusal:
            await self._show_out(NO_TABLE)
        except (DatabaseError, InterfaceError) as error:
            logger.warning("Table %s: %s", self.table_id, type(error).__name__)
            await self._refuse(UNAVAILABLE)
        except Exception:
            logger.exception("Table %s: a look failed", self.table_id)
            await self._refuse(BROKEN)
        return None

    async def _show(self) -> None:
        view = await self._look()
        if view is not None:
            await self._hear(self._bells(view["sheet_id"]))
            await self.send(json.dumps(view, separators=(",", ":")))

    async def _pong(self) -> None:
        """Where the table stands now, so that a client that missed a bell asks for the view."""
        view = await self._look()
        if view is not None:
            await self._hear(self._bells(view["sheet_id"]))
            pong = {"type": "pong", "at": view["at"], "version": view["version"]}
            await self.send(json.dumps(pong))

    async def _show_out(self, code: int) -> None:
        """Close, and do nothing more for whoever is still sending."""
        self.held = None
        await self.close(code)

    async def _refuse(self, refusal: Refusal) -> None:
        with translation.override(self._language()):
            sentence = gettext(refusal.sentence) % refusal.params
        answer = {"type": "refused", "code": refusal.code, "sentence": sentence}
        await self.send(json.dumps(answer))

    def _language(self) -> str:
        """The reader's language, as their pages speak it."""
        return str(self.scope.get("language") or translation.get_language())

    def _bells(self, sheet_id: int | None = None) -> set[str]:
        """The groups this socket should hear: its table, its person, the sheet on the table."""
        bells = {live.group_of(self.table_id)}
        if self.held is not None:
            bells.add(f"user.{self.held.user_id}")
        if sheet_id is not None:
            bells.add(f"sheet.{sheet_id}")
        return bells

    async def _hear(self, bells: set[str]) -> None:
        """Hear these bells and no others. One out of reach is asked for again at the next pong."""
        for group in self.heard - bells:
            self.heard.discard(group)
            await self._reach(group, self.channel_layer.group_discard)
        for group in bells - self.heard:
            if await self._reach(group, self.channel_layer.group_add):
                self.heard.add(group)

    async def _reach(self, group: str, ask: Callable[[str, str], Awaitable[None]]) -> bool:
        """Whether the channel layer answered: a dead one must neither end nor hold a socket."""
        try:
            await asyncio.wait_for(ask(group, self.channel_name), HEARD_WITHIN)
        except Exception as error:
            logger.warning("The bell of %s is out of reach: %s", group, type(error).__name__)
            return False
        return True


def _act(held: Pass, verb: Any, table_id: int, *arguments: Any) -> None:
    require_open(held)
    verb(table_id, held.user_id, *arguments)


def _look(held: Pass, table_id: int, language: str) -> View:
    require_open(held)
    with translation.override(language):
        return table.look(table_id, held.user_id)
