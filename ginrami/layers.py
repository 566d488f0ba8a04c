"""The channel layer of the scaled way: a dead Redis silences bells, but lets everyone in."""

from __future__ import annotations

import asyncio
import uuid

from channels_redis.pubsub import RedisPubSubChannelLayer


class PatientRedisLayer(RedisPubSubChannelLayer):
    """Opens a socket's own channel without asking Redis.

    Nothing here is ever sent to one socket, only to groups, so the usual subscription for each
    would be of no use, and would turn every socket away while Redis is out of reach.
    """

    async def new_channel(self, prefix: str = "specific.") -> str:
        """A name for one socket, known to this process alone."""
        layer = self._get_layer()
        channel = f"{layer.prefix}{prefix}{uuid.uuid4().hex}"
        layer.channels[channel] = asyncio.Queue()
        return channel
