"""Hints over a socket: one at a time, now and then, to the player who asked and nobody else."""

from __future__ import annotations

import asyncio
import logging
import time

from accounts.refusal import N_, Refusal
from games import table, thinking
from games.positions import keep
from games.sockets import SLOW_DOWN, Follower
from games.table import Question

logger = logging.getLogger(__name__)

EVERY = 2.0  # seconds, between two hints to one person
BUSY = Refusal("busy", N_("The computer has too much to think about. Ask again shortly."))

_asked: dict[int, float] = {}
_advised: set[int] = set()  # whose hint is being thought out


def _too_soon(user_id: int, now: float) -> bool:
    return user_id in _advised or now - _asked.get(user_id, -EVERY) < EVERY


class Adviser(Follower):
    """Answers who asks for a hint, while everything else goes on."""

    advising: asyncio.Task[None] | None = None

    async def advise(self, game_id: int | None) -> None:
        """Begin to think about a hint; refuse who asks too often or may have none."""
        held, now = self.held, time.monotonic()
        if held is None or _too_soon(held.user_id, now):
            await self.refuse(SLOW_DOWN)
            return
        _advised.add(held.user_id)  # before anything is waited for: other windows may ask, too
        begun = False
        try:
            begun, question = await self.ask(table.ask_advice, game_id)
            if begun:
                keep(_asked, held.user_id, now)
                self.advising = asyncio.create_task(self._tell(question))
                self.advising.add_done_callback(lambda _done: _advised.discard(held.user_id))
        finally:
            if not begun:
                _advised.discard(held.user_id)

    async def disconnect(self, code: int) -> None:
        if self.advising is not None:
            self.advising.cancel()
        await super().disconnect(code)

    async def _tell(self, question: Question) -> None:
        try:
            told = await thinking.answer(table.advise, question)
        except thinking.Busy:
            await self.refuse(BUSY)
        except Exception as error:
            # Without its words: they may name a card.
            logger.error("A hint at table %s: %s", self.place, type(error).__name__)
            await self.refuse(BUSY)
        else:
            if self.held is not None:
                await self.say({"type": "hint", **told})
