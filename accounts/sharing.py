"""Waiting for what others wait for too."""

from __future__ import annotations

import asyncio
from typing import Any, TypeVar

T = TypeVar("T")


async def shared(doing: asyncio.Future[T]) -> T:
    """What comes of it; raises as it does.

    Whoever goes away meanwhile takes it from nobody. Where all have gone, that it failed is no
    error: each of them has given up already, and said so.
    """
    doing.add_done_callback(_heard)
    return await asyncio.shield(doing)


def _heard(doing: asyncio.Future[Any]) -> None:
    if not doing.cancelled():
        doing.exception()
