"""The cache of the scaled way: one client a process, with a pool that all its threads share."""

from __future__ import annotations

from functools import cache, cached_property
from typing import Any

from django.core.cache.backends.redis import RedisCache, RedisCacheClient


class _Client(RedisCacheClient):
    """Keeps what it asks with: Django makes it anew for each call, which costs more than asking."""

    @cached_property
    def _kept(self) -> Any:
        own: Any = self
        return own._client(connection_pool=own._get_connection_pool(write=True))

    def get_client(self, key: Any = None, *, write: bool = False) -> Any:
        """The one Redis there is."""
        return self._kept


class SharedRedisCache(RedisCache):
    """Connects to Redis when more is asked at once than ever before, not at each call.

    Django makes a cache for every thread and every context, and each message of a socket has a
    context of its own: each would have a pool of its own too.
    """

    @cached_property
    def _cache(self) -> Any:
        own: Any = self  # Django's stubs leave these out
        return _client(_Client, tuple(own._servers), tuple(sorted(own._options.items())))


@cache
def _client(kind: Any, servers: tuple[str, ...], options: tuple[tuple[str, Any], ...]) -> Any:
    return kind(list(servers), **dict(options))
