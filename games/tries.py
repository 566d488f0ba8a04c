"""How often a room's code may be tried: codes are short, so guessing must be slow."""

from __future__ import annotations

from django.core.cache import cache

TRIES = {"user": 10, "address": 30}
WINDOW = 10 * 60  # seconds


def too_many(user_id: int | None, address: str) -> bool:
    """Count one try of this user from this address; whether it is one too many for either.

    Of whoever is not signed in (None) the address alone is counted.
    """
    tried = {"address": address} if user_id is None else {"user": str(user_id), "address": address}
    counts = {kind: _count(kind, who) for kind, who in tried.items()}
    return any(count > TRIES[kind] for kind, count in counts.items())


def _count(kind: str, who: str) -> int:
    key = f"code-tries:{kind}:{who}"
    cache.add(key, 0, WINDOW)
    try:
        return cache.incr(key)
    except ValueError:  # the window ended between the two calls
        cache.set(key, 1, WINDOW)
        return 1
