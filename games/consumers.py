"""The live door of a table: parse, call the verb, answer. One socket, one person, one place.

What happened reaches every socket by the bell alone; the one private answer is a refusal.
"""

from __future__ import annotations

import asyncio
import random
from collections.abc import Sequence
from typing import Any, NamedTuple
from weakref import WeakKeyDictionary

from msgspec.structs import astuple

from accounts import about
from accounts.live import ring
from accounts.refusal import Refusal
from accounts.sessions import Pass, SignedOut
from games import coming, compared, live, pongs, table, together
from games.advisers import Adviser
from games.messages import (
    ChatMessage,
    HintMessage,
    Message,
    MoveMessage,
    MuteMessage,
    ReportMessage,
)
from games.presence import Spot
from games.pulse import Attendant, later
from games.reach import Reach
from games.sockets import NOT_HERE, SIGNED_OUT, encode
from games.table import Seen
from games.talkers import Talker

# A deadline that is over and has brought nothing is looked at again.
PATIENCE = 5.0  # seconds
# How many are let in at the same time: enough that some are read together while others are shown.
AT_ONCE = 2 * coming.LOOKS_AT_ONCE

_doorways: WeakKeyDictionary[asyncio.AbstractEventLoop, asyncio.Semaphore] = WeakKeyDictionary()


class Shown(NamedTuple):
    """What a browser was shown last. The view itself would take ten kilobytes a socket."""

    version: int
    mark: int  # the same for the same view at another time
    at: list[int]
    stands: compared.Stands
    whole_after: float  # seconds


class TableConsumer(Talker, Attendant, Adviser):
    """Follows one table for one person, who is there as long as this is open."""

    talks_at = "table"
    sheet_id: int | None = None
    room_id: int | None = None
    shown: Shown | None = None
    reach_told = Reach()
    alarm: asyncio.TimerHandle | None = None
    looked_at: float | None = None  # by the clock of the loop; None: the last look failed
    away: tuple[Any, ...] = ()  # what the last pong read of those who are away
    looking: asyncio.Task[None] | None = None  # upon a ping
    keeps: float  # a view, for this part of the time it may be kept by what is compared

    async def connect(self) -> None:
        # Those who came together, as after a web process died, must not all look together later.
        self.keeps = random.uniform(0.5, 1.0)  # noqa: S311 - nothing to guess
        await super().connect()

    def doorway(self) -> asyncio.Semaphore:
        """A few at a time: else all would be shown their table when the last of them is.

        And whoever plays would stand behind all of them, not behind a few.
        """
        return _doorways.setdefault(asyncio.get_running_loop(), asyncio.Semaphore(AT_ONCE))

    async def speaks_for(self, session_key: str | None) -> Pass | None:
        return await coming.pass_by(session_key)

    async def is_quiet(self) -> bool:
        if self.held is None:
            return False
        asking = coming.is_quiet(self.place, self.held.user_id)
        _done, quiet = await self.answered(coming.is_quiet, asking)
        return bool(quiet)

    @property
    def plays(self) -> bool:
        """Whether its person holds a seat here."""
        return any(spot.plays for spot in self.spots)

    def bells(self) -> set[str]:
        """The table's, that of the sheet on it, and that of what is said there."""
        sheet = set() if self.sheet_id is None else {f"sheet.{self.sheet_id}"}
        return {live.group_of(self.place)} | sheet | self.talk_bells()

    async def show(self) -> None:
        view = await self._look()
        if view is not None:
            await self._say_view(view, again=True)

    async def changed(self, event: dict[str, Any]) -> None:
        await self._pong_looked()
        view = await self._look()
        if view is not None:
            await self._say_view(view)

    async def __call__(self, scope: Any, receive: Any, send: Any) -> None:
        try:
            await super().__call__(scope, receive, send)
        finally:
            together.unfollow(self.place, self)

    async def take(self, seen: Seen) -> None:
        """Show a move as it was just stored, unless something newer was shown already."""
        if self.held is None:
            return
        if isinstance(seen, SignedOut):
            await self.show_out(SIGNED_OUT)
        elif isinstance(seen, Refusal):
            await self.show_out(NOT_HERE)
        else:
            self._wind_alarm(seen)
            await self._say_view(seen)  # a look for somebody's coming may have shown it already

    async def disconnect(self, code: int) -> None:
        if self.alarm is not None:
            self.alarm.cancel()
        await super().disconnect(code)

    def missed(self) -> None:
        ring(live.group_of(self.place), but={self.channel_name})  # who comes looks again by itself
        ring(f"room.{self.room_id}")

    async def obey(self, message: Message) -> None:
        if isinstance(message, MoveMessage):
            at = (message.at[0], message.at[1])
            await self._move((message.move, at, message.game))
        elif message.verb == "ping":
            pongs.beside(self._pong())
        elif message.verb == "look":
            await self.show()
        elif isinstance(message, HintMessage):
            await self.advise(message.game)
        elif isinstance(message, (ChatMessage, MuteMessage, ReportMessage)):
            await self.converse(message)
        else:
            _verb, *said = astuple(message)  # beyond its name, in the order of the verb's own
            await self.ask(getattr(table, message.verb), *said)

    async def _move(self, said: together.Said) -> None:
        if self.held is not None:
            moving = together.move(self.place, self.held, self.language(), said)
            await self.answered(table.make_move, moving)

    async def _look(self) -> dict[str, Any] | None:
        self.looked_at = None
        done, view = await self._see()
        if not done:
            return None
        if self._is_past(view):
            return view  # nothing is heard, and nobody here or gone, by what lay there before
        self.sheet_id, self.room_id = view["sheet_id"], view["room"]["id"]
        about.note(table=self.place, game=view["game"]["id"], room=self.room_id)
        await self.hear()
        if self.held is None:  # closed while it looked by itself
            return None
        together.follow(self.place, self)
        if await self._be_here(view):
            self.missed()
            _done, view = await self._see()
        self._wind_alarm(view or {})
        if view is not None:
            self.looked_at = asyncio.get_running_loop().time()
        return view

    async def _see(self) -> tuple[bool, Any]:
        if self.held is None:
            return False, None
        look = coming.look if self.shown is None else together.look
        seen = look(self.place, self.held, self.language())
        return await self.answered(table.look, seen)

    async def _be_here(self, view: dict[str, Any]) -> bool:
        """Be seen at the table and in its room; whether this is news to anybody."""
        if self.held is None:
            return False
        user_id, seat = self.held.user_id, view["seat"]
        at_table = Spot("table", self.place, user_id, seat is not None)
        news = await self.be_at(at_table, Spot("room", view["room"]["id"], user_id))
        if seat is not None and not news and not view["present"][seat]:
            await self.be_seen()
            return True
        return news

    def _wind_alarm(self, view: dict[str, Any]) -> None:
        """Look again by oneself when time will have changed something."""
        if view and self._is_past(view):
            return
        if self.alarm is not None:
            self.alarm.cancel()
            self.alarm = None
        times = [view.get("next_deal_at"), view.get("absence_at")]
        times += [(view.get(what) or {}).get("deadline") for what in ("clock", "shuffle")]
        due = min((at for at in times if at is not None), default=None)
        if due is not None and self.held is not None:
            left = (due - view["now"]) / 1000
            wait = left + 0.05 if left > 0 else PATIENCE
            self.alarm = later(wait, lambda: self.changed({}))

    def is_behind(self, version: int) -> bool:
        return self.shown is None or self.shown.version < version

    def _is_past(self, view: dict[str, Any]) -> bool:
        """Whether it was on its way while something later was shown, as a move is at once."""
        return self.shown is not None and view["version"] < self.shown.version

    async def _say_view(self, view: dict[str, Any], again: bool = False) -> None:
        """Send a view, unless a later one was shown, or the same and it was not asked for."""
        if self._is_past(view):
            return
        same = encode({key: value for key, value in view.items() if key != "now"})
        shown = Shown(
            view["version"], hash(same), view["at"], compared.stands(view),
            compared.whole_after(view),
        )  # fmt: skip
        if again or shown != self.shown:
            self.shown = shown
            await self.send(f'{same[:-1].decode()},"now":{view["now"]}}}')

    async def receive(self, text_data: str | None = None, bytes_data: bytes | None = None) -> None:
        """What is said while a pong looks is heard after it, as if that had been part of it."""
        await self._pong_looked()
        await super().receive(text_data, bytes_data)

    async def _pong_looked(self) -> None:
        """Two looks of one version must not come back in the wrong order: nothing tells them."""
        if self.looking is not None:
            await asyncio.wait([self.looking])

    async def _pong(self) -> None:
        """Where the table stands now, so that a client that missed a bell asks for the view.

        It is looked at only where something that is compared is not as it was shown.
        """
        if self.held is None:
            return
        asking = pongs.ask(self.place, self.held, self.language())
        done, read = await self.answered(self._pong, asking)
        if not done or self.held is None:
            return
        same, self.away = self._is_as_shown(read), read.away
        if same and self.shown is not None:
            await self.hear()
            await self._say_pong(self.shown.at, self.shown.version, self.shown.stands.present)
        if not same or self.has_news(read.talk):
            await self._pong_anew(same, read.talk)

    async def _pong_anew(self, same: bool, said: compared.Stamp) -> None:
        """Look at the whole table unless it is the ``same``, and at what was said."""
        await self._so_far_told()
        async with pongs.gate():
            looking = self.looking = asyncio.current_task()
            try:
                if same or await self._pong_by_looking():
                    await self.tell_since(said)
            finally:
                if self.looking is looking:
                    self.looking = None

    async def _pong_by_looking(self) -> bool:
        view = await self._look()
        if view is None:
            return False
        await self._say_pong(view["at"], view["version"], view["present"])
        known_as = self.shown and self.shown.version
        if view["version"] == known_as:
            await self._say_view(view)  # by its version the page would not ask for it
        return True

    async def _say_pong(self, at: Sequence[int], version: int, present: Sequence[bool]) -> None:
        await self.say({"type": "pong", "at": at, "version": version, "present": present})

    def _is_as_shown(self, read: compared.Read) -> bool:
        """Whether a look would show nothing else, as far as it is compared."""
        if self.shown is None or self.looked_at is None:
            return False
        kept = self.shown.whole_after * self.keeps
        fresh = asyncio.get_running_loop().time() < self.looked_at + kept
        return fresh and (read.stands, read.away) == (self.shown.stands, self.away)
