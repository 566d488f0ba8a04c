"""The threads of thought: in order, once each, and none ends because a thought failed."""

from __future__ import annotations

import asyncio
import threading

import pytest
from django.test import override_settings

from games import thinking
from games.thinking import Mind


@pytest.fixture
def mind():
    return Mind("a mind of the tests")


def done(mind: Mind) -> None:
    """Wait until everything put before is done."""
    over = threading.Event()
    mind.put(0, over.set)
    assert over.wait(10)


def test_what_is_due_first_is_done_first_whenever_it_was_put(mind):
    order: list[str] = []
    mind.put(60, order.append, "in a minute")
    mind.put(0, order.append, "now")
    done(mind)
    assert order == ["now"]


def test_what_is_not_yet_due_is_done_when_it_is(mind):
    over = threading.Event()
    mind.put(0.02, over.set)
    assert over.wait(10)


def test_what_waits_is_not_put_twice_and_what_was_done_may_come_again(mind):
    held, times = threading.Event(), []
    mind.put(0, held.wait, 10)
    for _ in range(3):
        mind.put(0, times.append, "once")
    held.set()
    done(mind)
    assert times == ["once"]
    mind.put(0, times.append, "once")
    done(mind)
    assert times == ["once", "once"]


def test_a_thought_that_fails_is_logged_without_its_words_and_the_next_one_comes(mind, caplog):
    def fail() -> None:
        raise ValueError("As2d7h")

    mind.put(0, fail)
    done(mind)
    assert "ValueError" in caplog.text
    assert "As2d7h" not in caplog.text


def test_an_answer_comes_back_to_the_loop_that_asked_as_does_a_failure():
    async def ask() -> tuple[int, str]:
        known = await thinking.answer(max, 3, 7)
        try:
            await thinking.answer(int, "seven")
        except ValueError as error:
            return known, type(error).__name__
        return known, ""

    assert asyncio.run(ask()) == (7, "ValueError")


def test_whoever_asks_when_too_many_wait_is_told_so(monkeypatch):
    monkeypatch.setattr(thinking, "HINTS_AT_MOST", 0)
    with pytest.raises(thinking.Busy):
        asyncio.run(thinking.answer(max, 1, 2))


def test_a_process_that_does_not_think_leaves_it_to_the_sweep():
    called = threading.Event()
    with override_settings(THINKS=False):
        thinking.run(called.set)
        thinking.soon(0, called.set)
    with override_settings(THINKS=True):
        over = threading.Event()
        thinking.run(over.set)
        assert over.wait(10)
    assert not called.is_set()
