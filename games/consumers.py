"""The live door of a table: one socket, one person, one table.

Parse, call the verb, answer. What happened reaches every socket by the bell alone; the one
private answer is a refusal.
"""

from __future__ import annotations

import json
import logging
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

MALFORMED = Refusal("malformed", N_("The site did not understand this message."))
SLOW_DOWN = Refusal("slow_down", N_("That was too fast. Wait a moment."))
UNAVAILABLE = Refusal(
    "unavailable", N_("The site cannot reach its database. Nothing is lost: try again shortly.")
)
BROKEN = Refusal("broken", N_("Something went wrong on our side. Nothing is lost: try again."))


class TableConsumer(AsyncWebsocketConsumer):
    """Follows one table for one person."""

    held: Pass | None = None
    table_id: int
    heard: set[str]
    shown: tuple[int, list[int]] | None = None

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
        await self._hear(live.group_of(self.table_id))
        await self._hear(f"user.{self.held.user_id}")
        await self._show()

    async def disconnect(self, code: int) -> None:
        for group in self.heard:
            await self.channel_layer.group_discard(group, self.channel_name)

    async def receive(self, text_data: str | None = None, bytes_data: bytes | None = None) -> None:
        if self.held is None:
            return
        allowed = self.allowance.spend()
        if allowed == "flood":
            await self.close(FLOOD)
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
            await self.close(SIGNED_OUT)
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
            return await live.on_database_thread(_look, self.held, self.table_id)
        except SignedOut:
            await self.close(SIGNED_OUT)
        except Refusal:
            await self.close(NO_TABLE)
        except (DatabaseError, InterfaceError) as error:
            logger.warning("Table %s: %s", self.table_id, type(error).__name__)
            await self._refuse(UNAVAILABLE)
        except Exception:
            logger.exception("Table %s: a look failed", self.table_id)
            await self._refuse(BROKEN)
        return None

    async def _show(self) -> None:
        view = await self._look()
        if view is None:
            return
        if view["sheet_id"] is not None:
            await self._hear(f"sheet.{view['sheet_id']}")
        await self.send(json.dumps(view, separators=(",", ":")))

    async def _pong(self) -> None:
        """Where the table stands now, so that a client that missed a bell asks for the view."""
        view = await self._look()
        if view is not None:
            pong = {"type": "pong", "at": view["at"], "version": view["version"]}
            await self.send(json.dumps(pong))

    async def _refuse(self, refusal: Refusal) -> None:
        with translation.override(self.scope.get("language") or translation.get_language()):
            sentence = gettext(refusal.sentence) % refusal.params
        answer = {"type": "refused", "code": refusal.code, "sentence": sentence}
        await self.send(json.dumps(answer))

    async def _hear(self, group: str) -> None:
        if group not in self.heard:
            self.heard.add(group)
            await self.channel_layer.group_add(group, self.channel_name)


def _act(held: Pass, verb: Any, table_id: int, *arguments: Any) -> None:
    require_open(held)
    verb(table_id, held.user_id, *arguments)


def _look(held: Pass, table_id: int) -> View:
    require_open(held)
    return table.look(table_id, held.user_id)
