"""How one process hears Redis, and that it knows when it does not.

A connection that is cut is noticed at once, a Redis that is silent after some seconds, since it is
asked for a sign of life. Whoever joins a group meanwhile hears of it as soon as Redis is back.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Iterable
from typing import Any

from channels_redis.pubsub import RedisSingleShardConnection
from redis.asyncio.client import PubSub
from redis.asyncio.retry import Retry
from redis.backoff import NoBackoff
from redis.exceptions import ConnectionError as Unconnected

from accounts.sharing import shared

logger = logging.getLogger(__name__)

LISTENS_FOR = 0.1  # seconds; then it looks whether there is anything else to do
ASKED_EVERY = 2.0  # seconds; for a sign of life
# How often one listens for it in vain. Counted, not timed: a process that stood still itself, or
# had much to do, must not take Redis for silent.
SILENT_AFTER, GONE_AFTER = 25, 100
AGAIN_AFTER = 0.5  # seconds
CONNECTED_WITHIN, HEARD_WITHIN = 3.0, 10.0  # seconds; beyond it is begun anew


class _Wire(PubSub):
    """Never connects anew by itself while it listens.

    Two who connect at the same time take each other's answers, and one of them waits for ever.
    """

    async def _reconnect(self, conn: Any, *_why: Any, **_more: Any) -> None:
        await conn.disconnect(nowait=True)


class Ears(RedisSingleShardConnection):
    """The connection to one Redis by which bells of others come; ``silent`` while none can."""

    silent = False
    _subscribing: asyncio.Task[None] | None = None
    _waiting: set[str]

    def __init__(self, host: Any, channel_layer: Any) -> None:
        super().__init__(host, channel_layer)
        self._waiting = set()
        # Of its own: a bell on its way to a Redis that hangs keeps the other one.
        self._listening = asyncio.Lock()
        self._ask_at = 0.0
        self._in_vain: int | None = None  # None: nothing is waited for

    async def subscribe(self, *channels: str) -> None:
        """Those of many sockets that come at once go together; of a Redis that is away, later."""
        if self._subscribed_to.issuperset(channels):
            return
        self._ensure_redis()
        self._ensure_receiver()
        if self.silent:
            return  # what groups there are then is asked for when it is back
        self._waiting.update(channels)
        if self._subscribing is None:
            self._subscribing = asyncio.get_running_loop().create_task(self._subscribe())
        await shared(self._subscribing)

    async def _subscribe(self) -> None:
        await asyncio.sleep(0)  # who else comes now
        channels, self._waiting, self._subscribing = self._waiting, set(), None
        async with self._listening, asyncio.timeout(CONNECTED_WITHIN):
            try:
                await self._pubsub.connect()
                await self._ask_for(channels)
            except BaseException:
                await self._cut()  # it may be half made
                raise

    async def _ask_for(self, channels: Iterable[str]) -> None:
        new = set(channels) - self._subscribed_to
        if new:
            await self._pubsub.subscribe(*new)
            self._subscribed_to |= new

    async def unsubscribe(self, channel: str) -> None:
        async with self._listening:
            if channel in self.channel_layer.groups:
                return  # somebody came meanwhile, and counts on what is asked for already
            if channel in self._subscribed_to and self._is_connected() and not self.silent:
                self._subscribed_to.discard(channel)  # first: who comes from now on asks anew
                await self._pubsub.unsubscribe(channel)

    async def _do_receiving(self) -> None:
        while True:
            try:
                async with asyncio.timeout(HEARD_WITHIN):
                    await self._listen()
            except (asyncio.CancelledError, GeneratorExit):
                raise
            except Exception as error:
                self._fall_silent(type(error).__name__)
                await self._cut()
                await asyncio.sleep(AGAIN_AFTER)

    async def _cut(self) -> None:
        connection: Any = self._pubsub.connection
        if connection is not None:
            await connection.disconnect(nowait=True)

    def _is_connected(self) -> bool:
        connection: Any = self._pubsub.connection
        return connection is not None and bool(connection.is_connected)

    async def _listen(self) -> None:
        """Take in one message, if there is one, and ask for a sign of life now and then."""
        now = asyncio.get_running_loop().time()
        if not self._is_connected():
            async with self._listening, asyncio.timeout(CONNECTED_WITHIN):
                await self._pubsub.connect()
        if self._in_vain is None and now >= self._ask_at:
            self._ask_at, self._in_vain = now + ASKED_EVERY, 0
            async with self._listening:
                await self._pubsub.ping()
        # That groups are listened to is a sign of life too: where hundreds come, the answer to the
        # one that was asked for stands behind all of these.
        message = await self._pubsub.get_message(timeout=LISTENS_FOR)
        if message is not None:
            self._in_vain = None
            if self.silent:
                await self._hear_again()
            if message["type"] == "message":
                self._receive_message(message)
        elif self._in_vain is not None:
            self._in_vain += 1
            if self._in_vain >= GONE_AFTER:  # its machine may have gone without a word
                raise Unconnected
            if self._in_vain >= SILENT_AFTER:
                self._fall_silent("no sign of life")

    def _fall_silent(self, why: str) -> None:
        if not self.silent:
            logger.warning("Bells of other processes do not come: %s", why)
        self.silent = True
        if why != "no sign of life":
            self._ask_at, self._in_vain = 0.0, None

    async def _hear_again(self) -> None:
        """Hear the groups there are by now, and no others."""
        async with self._listening:
            while (wanted := self._wanted()) != self._subscribed_to:  # others come meanwhile
                if over := self._subscribed_to - wanted:
                    await self._pubsub.unsubscribe(*over)
                    self._subscribed_to -= over
                await self._ask_for(wanted)
        self.silent = False
        logger.warning("Bells of other processes come again")

    def _wanted(self) -> set[str]:
        layer = self.channel_layer
        return {name for name in layer.groups if layer._get_shard(name) is self}

    def _ensure_redis(self) -> None:
        """By itself it would try three times more, and wait for seconds before each."""
        if self._redis is None:
            super()._ensure_redis()
            client: Any = self._redis
            self._pubsub = _Wire(client.connection_pool)
            client.set_retry(Retry(NoBackoff(), 0))
