"""What every socket of the site shares: who speaks, how much, which bells it hears, how it ends.

A socket acts for the user of its session at that moment, answers nobody else, and outlives a dead
channel layer or database.
"""

from __future__ import annotations

import asyncio
import contextlib
import logging
import time
from collections import Counter
from collections.abc import Awaitable, Callable
from contextlib import AbstractAsyncContextManager
from typing import Any
from weakref import WeakKeyDictionary

import msgspec
from channels.consumer import get_handler_name
from channels.generic.websocket import AsyncWebsocketConsumer
from django.conf import settings
from django.db import DatabaseError, InterfaceError
from django.utils import translation
from django.utils.translation import gettext

from accounts import about, meters
from accounts.refusal import N_, Refusal
from accounts.sessions import Pass, SignedOut, pass_by, require_open
from games import live, stakes
from games.messages import Allowance, Message, read

logger = logging.getLogger(__name__)

SIGNED_OUT, NOT_HERE, FLOOD, TRY_AGAIN = 4401, 4404, 4408, 4500
HEARD_WITHIN = 2.0  # seconds; how long a socket waits for the channel layer
# Sockets one person may hold open in this process: each asks the database at every bell.
SOCKETS_A_PERSON = 30
LEAVE_AT_ONCE = 25

_open: Counter[int] = Counter()
_doors: WeakKeyDictionary[asyncio.AbstractEventLoop, asyncio.Semaphore] = WeakKeyDictionary()
_leaving: set[asyncio.Task[None]] = set()  # a task that nobody holds may be thrown away

MALFORMED = Refusal("malformed", N_("The site did not understand this message."))
SLOW_DOWN = Refusal("slow_down", N_("That was too fast. Wait a moment."))
UNAVAILABLE = Refusal(
    "unavailable", N_("The site cannot reach its database. Nothing is lost: try again shortly.")
)
BROKEN = Refusal("broken", N_("Something went wrong on our side. Nothing is lost: try again."))


def _plain(said: Any) -> str:
    """Words that Django marked, as words."""
    if isinstance(said, str):
        return said.encode().decode()
    raise NotImplementedError


encode = msgspec.json.Encoder(enc_hook=_plain).encode


class NoDoor(AsyncWebsocketConsumer):
    """Turns away who asks for a socket where there is none; unanswered it would be an error."""

    async def connect(self) -> None:
        await self.close()


class Follower(AsyncWebsocketConsumer):
    """Follows one place for one signed-in person. A kind of socket says what is sent and heard."""

    held: Pass | None = None
    counted: int | None = None
    heard: set[str]
    place: int = 0

    # What each kind of socket says for itself

    def bells(self) -> set[str]:
        """The groups of this place; the person's own comes on top."""
        return set()

    async def show(self) -> None:
        """Send what there is to see now."""

    async def obey(self, message: Message) -> None:
        """Do what was asked, or refuse."""
        await self.refuse(MALFORMED)

    async def on_thread(self, call: Callable[..., Any], *arguments: Any) -> Any:
        """Ask the database, as what a table waits for does."""
        return await live.on_database_thread(call, *arguments)

    async def read(self, call: Callable[..., Any], *arguments: Any) -> Any:
        """The same for what only reads, and gives the same to whoever asks the same."""
        return await self.on_thread(call, *arguments)

    async def speaks_for(self, session_key: str | None) -> Pass | None:
        """Whose session this is, if it is anybody's."""
        held: Pass | None = await self.read(pass_by, session_key)
        return held

    # What all share

    async def __call__(self, scope: Any, receive: Any, send: Any) -> None:
        self.heard = set()
        open_now = meters.SOCKETS.labels(type(self).__name__.removesuffix("Consumer").lower())
        open_now.inc()
        try:
            await super().__call__(scope, receive, send)
        finally:  # however it ends, even cut off in the middle
            open_now.dec()
            if self.counted is not None:
                _open[self.counted] -= 1
                if not _open[self.counted]:
                    del _open[self.counted]
            self._let_go()

    def _let_go(self) -> None:
        """Hear nothing more, though it ended without `disconnect`: cut off while it came.

        Bells would be kept for it, and more at each ring, for as long as the process lives.
        """
        self.held = None
        self.channel_layer.forget(self.channel_name)
        if self.heard:
            leaving = asyncio.get_running_loop().create_task(self._leave())
            _leaving.add(leaving)
            leaving.add_done_callback(_leaving.discard)

    async def dispatch(self, message: dict[str, Any]) -> None:
        """Answer a message or a bell.

        Channels would first wait for a thread to close old database connections: of those that
        sockets use, `games/live.py` takes care.
        """
        await getattr(self, get_handler_name(message))(message)

    async def connect(self) -> None:
        self.allowance = Allowance()
        # Django's ids are 63 bits; a longer number names nothing and must not reach the database.
        self.place = int(self.scope["url_route"]["kwargs"].get("number", "0")[:18])
        about.note(socket=type(self).__name__)
        await self.accept()
        async with self.doorway():
            await self._come_in()

    def doorway(self) -> AbstractAsyncContextManager[Any]:
        """What those who come at the same time pass through, to be shown what there is to see."""
        return contextlib.nullcontext()

    async def _come_in(self) -> None:
        known, self.held = await self.answered(pass_by, self.speaks_for(self._key()))
        if self.held is None:
            await self.close(SIGNED_OUT if known else TRY_AGAIN)
            return
        self.counted = self.held.user_id
        about.note(user=self.counted)
        _open[self.counted] += 1
        if _open[self.counted] > SOCKETS_A_PERSON:
            await self.show_out(FLOOD)
            return
        await self.hear()
        await self.show()

    def _key(self) -> str | None:
        """The session in the cookie. It is asked for only now: who comes must not wait outside.

        Before a socket is open its browser waits for so long, and then tries again: where many
        come at once, those who had given up kept the others waiting until they gave up too.
        """
        key: str | None = self.scope["cookies"].get(settings.SESSION_COOKIE_NAME)
        return key

    async def disconnect(self, code: int) -> None:
        self.held = None
        await self._leave()

    async def _leave(self) -> None:
        """Hear nothing more; a few at a time, however many go at once: others move meanwhile."""
        loop = asyncio.get_running_loop()
        async with _doors.setdefault(loop, asyncio.Semaphore(LEAVE_AT_ONCE)):
            await self._hear_only(set())

    async def receive(self, text_data: str | None = None, bytes_data: bytes | None = None) -> None:
        if self.held is None:
            return
        allowed = self.allowance.spend()
        if allowed == "flood":
            await self.show_out(FLOOD)
        elif allowed == "slow_down":
            await self.refuse(SLOW_DOWN)
        else:
            message = read(text_data or "")
            await (self.refuse(MALFORMED) if message is None else self.obey(message))

    async def changed(self, event: dict[str, Any]) -> None:
        """A bell of this place, or of the person."""
        await self.show()

    async def muted(self, event: dict[str, Any]) -> None:
        """A bell of the person: they read others than before. Only where people talk it matters."""

    async def ask(self, verb: Callable[..., Any], *arguments: Any) -> tuple[bool, Any]:
        """Call ``verb(place, user_id, …)`` for the user of the session; answer only a refusal.

        Gives whether it was done, and what it returned. A refusal ``not_found`` ends the socket.
        """
        if self.held is None:
            return False, None
        act = _act, self.held, self.language(), verb, self.place
        return await self.answered(verb, self.on_thread(*act, *arguments))

    async def answered(self, verb: Callable[..., Any], doing: Awaitable[Any]) -> tuple[bool, Any]:
        """Wait for a verb to be done; answer only a refusal."""
        began = time.perf_counter()
        try:
            done = await doing
            meters.VERBS.labels(verb.__name__.strip("_")).observe(time.perf_counter() - began)
            return True, done
        except SignedOut:
            await self.show_out(SIGNED_OUT)
        except Refusal as refusal:
            if refusal.code == "not_found":
                await self.show_out(NOT_HERE)
            else:
                await self.refuse(refusal)
                if refusal.code in ("stale", "time_over", "changed_offer"):
                    await self.show()
        except (DatabaseError, InterfaceError) as error:
            logger.warning("%s %s: %s", type(self).__name__, self.place, type(error).__name__)
            await self.refuse(UNAVAILABLE)
        except Exception:
            logger.exception("%s %s: a verb failed", type(self).__name__, self.place)
            await self.refuse(BROKEN)
        return False, None

    async def say(self, message: dict[str, Any]) -> None:
        """Send one message to the browser."""
        await self.send(encode(message).decode())

    async def refuse(self, refusal: Refusal) -> None:
        """Tell the reader, in their language, that the answer is no."""
        meters.REFUSED.labels(refusal.code).inc()
        with translation.override(self.language()):
            sentence = gettext(refusal.sentence) % stakes.readable(refusal.params)
        await self.say({"type": "refused", "code": refusal.code, "sentence": sentence})

    async def show_out(self, code: int) -> None:
        """Close, and do nothing more for whoever is still sending."""
        self.held = None
        meters.SHOWN_OUT.labels(str(code)).inc()
        await self.close(code)

    def language(self) -> str:
        """The reader's language, as their pages speak it."""
        return str(self.scope.get("language") or translation.get_language())

    async def hear(self) -> None:
        """Hear the bells of this place and of the person, and no others; none once it is over."""
        if self.held is None:  # closed while a look was on its way
            await self._hear_only(set())
        else:
            await self._hear_only(self.bells() | {f"user.{self.held.user_id}"})

    async def _hear_only(self, bells: set[str]) -> None:
        """One out of reach is asked for again at the next pong."""
        for group in self.heard - bells:
            self.heard.discard(group)
            await self._reach(group, self.channel_layer.group_discard)
        if new := bells - self.heard:
            self.heard |= new  # first: cut off meanwhile, it may sit there already
            if not await self._reach(new, self.channel_layer.join):
                self.heard -= new

    async def _reach(self, group: Any, ask: Callable[[Any, str], Awaitable[None]]) -> bool:
        """Whether the channel layer answered: a dead one must neither end nor hold a socket."""
        try:
            async with asyncio.timeout(HEARD_WITHIN):
                await ask(group, self.channel_name)
        except Exception as error:
            logger.warning("The bell of %s is out of reach: %s", group, type(error).__name__)
            return False
        return True


def _act(held: Pass, language: str, verb: Any, place: int, *arguments: Any) -> Any:
    require_open(held)
    with translation.override(language):
        return verb(place, held.user_id, *arguments)
