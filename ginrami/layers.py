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
from channels_redis.pubsub import RedisPubSubChannelLayer

from accounts.sharing import shared
from ginrami.crowds import Crowds
from ginrami.ears import Ears
from ginrami.mailbox import Mailbox

TIDIED_EVERY = 5.0  # seconds
SENT_WITHIN = 5.0  # seconds; beyond it a way to Redis is given up
# On a busy site bells go together, so often at the most: each way to Redis and back costs a process
# as much as drawing up a view, and its own bells come back to it. On a quiet one none waits.
SENT_EVERY = 0.02  # seconds


class NearLayer(InMemoryChannelLayer):
    """The layer of the embedded way, tidied now and then and not at each bell."""

    silent = False  # there are no other processes
    _tidied = 0.0

    def __init__(self, *arguments: Any, **options: Any) -> None:
        super().__init__(*arguments, **options)
        self._crowds = Crowds()

    async def ring(self, group: str, message: dict[str, Any], but: Collection[str] = ()) -> None:
        """Send to a group, except to the channels that know already."""
        self._clean_expired()

        def told(channel: str) -> None:
            if channel not in self.groups.get(group, ()):
                return  # it went while others were told
            box = self.channels.setdefault(channel, Mailbox())
            if box.qsize() < self.capacity:
                box.put_nowait((time.time() + self.expiry, message))

        bell = (asyncio.get_running_loop(), group, message["type"])
        self._crowds.tell(bell, lambda: self.groups.get(group, ()), told, but)

    async def receive(self, channel: str) -> Any:
        """The next message for a socket."""
        box = self.channels.setdefault(channel, Mailbox())
        try:
            return (await box.get())[1]
        finally:
            if box.empty():
                self.channels.pop(channel, None)

    async def join(self, groups: Collection[str], channel: str) -> None:
        """Add a channel to all of these groups."""
        for group in groups:
            await self.group_add(group, channel)

    def forget(self, channel: str) -> None:
        """A socket is gone: nothing waits for it any more."""
        self.channels.pop(channel, None)

    def _clean_expired(self) -> None:
        if time.monotonic() - self._tidied > TIDIED_EVERY:
            self._tidied = time.monotonic()
            super()._clean_expired()


class _Batch:
    """Bells that go to Redis together, and the sending of them."""

    def __init__(self) -> None:
        self.bells: dict[tuple[str, bytes], None] = {}
        self.sending: asyncio.Task[None]


class _Shard(Ears):
    """The connections to one Redis: what is rung while a bell is under way goes with the next.

    Once, however often it was rung: a bell has no content, and behind a Redis that does not answer
    they must not pile up.
    """

    _next: _Batch | None = None
    _sent_at = float("-inf")  # by the clock of the loop

    async def publish(self, channel: str, message: bytes) -> None:
        batch = self._next
        if batch is None:
            batch = self._next = _Batch()
            batch.sending = asyncio.get_running_loop().create_task(self._send(batch))
        batch.bells[channel, message] = None
        await shared(batch.sending)

    async def _send(self, batch: _Batch) -> None:
        loop = asyncio.get_running_loop()
        async with self._lock:
            await asyncio.sleep(self._sent_at + SENT_EVERY - loop.time())
            self._next, self._sent_at = None, loop.time()
            self._ensure_redis()
            async with (
                asyncio.timeout(SENT_WITHIN),  # nobody who rings can cut it off any more
                self._redis.pipeline(transaction=False) as together,
            ):
                for channel, message in batch.bells:
                    together.publish(channel, message)
                await together.execute()

    def _receive_message(self, message: Any) -> None:
        """What this layer rang itself was heard here before it was sent."""
        if message is not None and self.channel_layer.channel_layer.own not in message["data"]:
            _tell(self.channel_layer, message["channel"].decode(), message["data"])


def _tell(layer: Any, group: str, bell: bytes, but: Collection[str] = ()) -> None:
    """Have those of a group who are in this process hear a bell."""
    here = layer.groups.get(group, set())
    here.difference_update([one for one in here if one not in layer.channels])  # they are gone

    def told(channel: str) -> None:
        if channel in layer.channels:
            layer.channels[channel].put_nowait(bell)

    layer.crowds.tell((group, bell), lambda: layer.groups.get(group, ()), told, but)


class PatientRedisLayer(RedisPubSubChannelLayer):
    """The layer of the scaled way: a dead Redis silences bells of others, but lets everyone in."""

    def __init__(self, *arguments: Any, **options: Any) -> None:
        super().__init__(*arguments, **options)
        self.own = uuid.uuid4().hex.encode()  # by this it knows its bells when Redis brings them

    @property
    def silent(self) -> bool:
        """Whether no bells of other processes come now, as far as this process knows."""
        return any(shard.silent for shard in self._get_layer()._shards)

    async def new_channel(self, prefix: str = "specific.") -> str:
        """A name for one socket, known to this process alone.

        The usual subscription for each would be of no use, and would turn every socket away while
        Redis is out of reach.
        """
        layer = self._get_layer()
        channel = f"{layer.prefix}{prefix}{uuid.uuid4().hex}"
        layer.channels[channel] = Mailbox()
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

    async def join(self, groups: Collection[str], channel: str) -> None:
        """Add a channel to all of these groups, by one way to Redis at the most."""
        layer, names = self._get_layer(), dict[Any, list[str]]()
        for group in groups:
            name = layer._get_group_channel_name(group)
            layer.groups.setdefault(name, set()).add(channel)
            names.setdefault(layer._get_shard(name), []).append(name)
        for shard, its in names.items():
            await shard.subscribe(*its)

    def forget(self, channel: str) -> None:
        """A socket is gone: nothing waits for it any more.

        `receive` sees to that only where it waits: a bell that came to a socket busy till its end
        has ended the waiting, and each that followed would be kept.
        """
        self._get_layer().channels.pop(channel, None)

    async def ring(self, group: str, message: dict[str, Any], but: Collection[str] = ()) -> None:
        """Send to a group: here at once, except to channels that know already; then elsewhere."""
        layer = self._get_layer()
        name = layer._get_group_channel_name(group)
        data = self.serialize({**message, "by": self.own})
        _tell(layer, name, data, but)
        await layer._get_shard(name).publish(name, data)

    def _get_layer(self) -> Any:
        if asyncio.get_running_loop() not in self._layers:
            layer = super()._get_layer()
            layer._shards = [_Shard(shard.host, layer) for shard in layer._shards]
            layer.crowds = Crowds()
        return super()._get_layer()
