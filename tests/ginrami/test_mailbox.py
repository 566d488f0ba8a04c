"""What waits for a socket: in order, and nothing of it lost."""

from __future__ import annotations

import asyncio

from ginrami.mailbox import Mailbox


async def test_what_was_put_is_read_in_order_and_waited_for():
    box = Mailbox()
    box.put_nowait(1)
    box.put_nowait(2)
    assert (box.qsize(), box.empty()) == (2, False)
    assert [await box.get(), await box.get()] == [1, 2]
    assert box.empty()
    reading = asyncio.create_task(box.get())
    await asyncio.sleep(0)
    assert not reading.done()
    box.put_nowait(3)
    box.put_nowait(4)
    assert await reading == 3
    assert box.get_nowait() == 4


async def test_a_reader_who_is_cut_off_takes_nothing_along():
    box = Mailbox()
    reading = asyncio.create_task(box.get())
    await asyncio.sleep(0)
    box.put_nowait("said")
    reading.cancel()  # it was about to read
    await asyncio.gather(reading, return_exceptions=True)
    assert reading.cancelled()
    assert await box.get() == "said"
