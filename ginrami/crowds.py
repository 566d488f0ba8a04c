"""A bell for a crowd is heard a few at a time: nobody else waits until thousands have answered."""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import Callable, Collection, Hashable

CROWD = 100  # sockets of one group in one process; fewer are told at once
AT_ONCE, EVERY = 25, 0.05  # seconds: 500 a second

Told = Callable[[str], None]
Here = Callable[[], Collection[str]]


class Crowds:
    """The bells of a process that have not yet come to all who follow them."""

    def __init__(self) -> None:
        # Whether each was rung again meanwhile. Then all are told once more, however often it was:
        # a bell has no content.
        self._under_way: dict[Hashable, bool] = {}

    def tell(self, bell: Hashable, here: Here, told: Told, but: Collection[str] = ()) -> None:
        """Have these channels told, except those that know already."""
        channels = here()
        if bell in self._under_way:
            self._under_way[bell] = True
        elif len(channels) > CROWD:
            self._under_way[bell] = False
            self._go_on(bell, deque(one for one in channels if one not in but), here, told)
        else:
            for channel in channels:
                if channel not in but:
                    told(channel)

    def _go_on(self, bell: Hashable, waiting: deque[str], here: Here, told: Told) -> None:
        for _ in range(min(AT_ONCE, len(waiting))):
            told(waiting.popleft())
        if not waiting and self._under_way[bell]:
            self._under_way[bell] = False
            waiting.extend(here())
        if waiting:
            loop = asyncio.get_running_loop()
            loop.call_later(EVERY, self._go_on, bell, waiting, here, told)
        else:
            del self._under_way[bell]
