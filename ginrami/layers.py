"""The channel layers: a bell is heard at once by the sockets of its own process, whatever else is.

Nothing here is ever sent to one socket, only to groups, and a bell is a name without content.
"""

from __future__ import annotations

import asyncio
import time
import uuid
from collections.abc import Collection
from typing import Any

from channels.layers import InMemoryChannelLayer
from channels_redis.pubsub import RedisPubSubChannelLayer, RedisSingleShardConnection

TIDIED_EVERY = 5.0  # seconds


class NearLayer(InMemoryChannelLayer):
    """The layer of the embedded way, tidied now and then and not at each bell."""

    _tidied = 0.0

    async def ring(self, group: str, message: dict[str, Any], but: Collection[str] = ()) -> None:
        """Send to a group, except to the channels that know already."""
        self._clean_expired()
        for channel in self.groups.get(group, ()):
            if channel not in but:
                queue = self.channels.setdefault(channel, asyncio.Queue(self.get_capacity(channel)))
                if not queue.full():
                    queue.put_nowait((time.time() + self.expiry, message))

    def _clean_expired(self) -> None:
        if time.monotonic() - self._tidied > TIDIED_EVERY:
            self._tidied = time.monotonic()
            super()._clean_expired()


class _Batch:
    """Bells that go to Redis together, and the sending of them."""

    def __init__(self) -> None:
        self.bells: dict[tuple[str, bytes], None] = {}
        self.sending: asyncio.Task[None]


class _Shard(RedisSingleShardConnection):
    """The connections to one Redis: what is rung while a bell is under way goes with the next.

    Once, however often it was rung: a bell has no content, and behind a Redis that does not answer
    they must not pile up.
    """

    _next: _Batch | None = None

    async def publish(self, channel: str, message: bytes) -> None:
        batch = self._next
        if batch is None:
            batch = self._next = _Batch()
            batch.sending = asyncio.get_running_loop().create_task(self._send(batch))
        batch.bells[channel, message] = None
        await asyncio.shield(batch.sending)  # whoever gives up must not take it from the others

    async def _send(self, batch: _Batch) -> None:
        async with self._lock:
            self._next = None
            self._ensure_redis()
            async with self._redis.pipeline(transaction=False) as together:
                for channel, message in batch.bells:
                    together.publish(channel, message)
                await together.execute()

    def _receive_message(self, message: Any) -> None:
        """What this layer rang itself was heard here before it was sent."""
        if message is not None and self.channel_layer.channel_layer.own not in message["data"]:
            super()._receive_message(message)


class PatientRedisLayer(RedisPubSubChannelLayer):
    """The layer of the scaled way: a dead Redis silences bells of others, but lets everyone in."""

    def __init__(self, *arguments: Any, **options: Any) -> None:
        super().__init__(*arguments, **options)
        self.own = uuid.uuid4().hex.encode()  # by this it knows its bells when Redis brings them

    async def new_channel(self, prefix: str = "specific.") -> str:
        """A name for one socket, known to this process alone.

        The usual subscription for each would be of no use, and would turn every socket away while
        Redis is out of reach.
        """
        layer = self._get_layer()
        channel = f"{layer.prefix}{prefix}{uuid.uuid4().hex}"
        layer.channels[channel] = asyncio.Queue()
        return channel

    async def receive(self, channel: str) -> Any:
        """The next message for a socket; its channel is gone as soon as nobody waits any more.

        Whoever is cut off would wait for Redis too, and be an error in the log if cut off again.
        """
        channels = self._get_layer().channels
        try:
            return self.deserialize(await channels[channel].get())
        except (asyncio.CancelledError, GeneratorExit):
            channels.pop(channel, None)
            raise

    async def ring(self, group: str, message: dict[str, Any], but: Collection[str] = ()) -> None:
        """Send to a group: here at once, except to channels that know already; then elsewhere."""
        layer = self._get_layer()
        name = layer._get_group_channel_name(group)
        data = self.serialize({**message, "by": self.own})
        for channel in layer.groups.get(name, ()):
            if channel not in but and channel in layer.channels:
                layer.channels[channel].put_nowait(data)
        await layer._get_shard(name).publish(name, data)

    def _get_layer(self) -> Any:
        if asyncio.get_running_loop() not in self._layers:
            layer = super()._get_layer()
            layer._shards = [_Shard(shard.host, layer) for shard in layer._shards]
        return super()._get_layer()
