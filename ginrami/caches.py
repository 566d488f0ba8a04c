"""The cache of the scaled way: one client a process, with a pool that all its threads share."""

from __future__ import annotations

from functools import cache, cached_property
from typing import Any

from django.core.cache.backends.redis import RedisCache


class SharedRedisCache(RedisCache):
    """Connects to Redis when more is asked at once than ever before, not at each call.

    Django makes a cache for every thread and every context, and each message of a socket has a
    context of its own: each would have a pool of its own too.
    """

    @cached_property
    def _cache(self) -> Any:
        own: Any = self  # Django's stubs leave these out
        return _client(own._class, tuple(own._servers), tuple(sorted(own._options.items())))


@cache
def _client(kind: Any, servers: tuple[str, ...], options: tuple[tuple[str, Any], ...]) -> Any:
    return kind(list(servers), **dict(options))
