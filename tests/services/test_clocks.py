"""Clocks and presence over several processes: one turn played by the clock, marks shared by all."""

from __future__ import annotations

import threading
import time
from datetime import timedelta

import pytest
from django.core.cache import cache
from django.db import connection
from django.utils import timezone

from games import presence, table
from games.models import Clock, Heartbeat, Move, Room
from tests.processes import wait_until
from tests.sockets import Line, cookie_of

pytestmark = pytest.mark.django_db(transaction=True)

HOUR = timedelta(hours=1)


@pytest.fixture
def at_pace(waiting, bob):
    """A game whose clock runs."""
    Room.objects.update(pace="60")
    table.sit_down(waiting, bob.pk)
    return waiting


def test_worker_and_beat_keep_the_heart_beating_and_give_a_stop_back(
    worker_process, beat_process, at_pace
):
    then = timezone.now() - HOUR
    Heartbeat.objects.create(pk=1, beat_at=then, started_at=then)
    Clock.objects.update(turn_from=then, deadline=then + timedelta(minutes=5))
    before = Move.objects.count()
    worker_process()
    beat_process()
    wait_until(lambda: Heartbeat.objects.get().started_at > then, 30, "the heart beats")
    assert Clock.objects.get().deadline > timezone.now() + timedelta(minutes=4)
    first = Heartbeat.objects.get().beat_at
    wait_until(lambda: Heartbeat.objects.get().beat_at > first, 20, "it goes on beating")
    assert Move.objects.count() == before


def test_a_player_on_another_process_is_seen_and_missed_when_that_is_killed(
    web_process, table_id, alice, bob
):
    here, doomed = web_process(), web_process()
    hers, his = Line(here, table_id, cookie_of(alice)), Line(doomed, table_id, cookie_of(bob))
    assert his.view["present"] == [True, True]
    while hers.view["present"] != [True, True]:
        hers.hear("table")
    doomed.kill()
    for _ping in range(120):  # his mark goes by itself
        hers.say(verb="ping")
        if hers.hear("pong")["present"] == [True, False]:
            break
        time.sleep(1)
    while hers.view["present"] != [True, False]:
        hers.hear("table")


def test_many_who_see_the_time_over_at_once_play_one_turn(at_pace, alice, bob, monkeypatch):
    long_ago = timezone.now() - HOUR
    monkeypatch.setattr(presence, "STARTED", long_ago)
    cache.set(presence.STORE_SINCE, int(long_ago.timestamp() * 1000), None)
    Heartbeat.objects.create(pk=1, beat_at=timezone.now(), started_at=long_ago)
    for seat, person in enumerate((alice, bob)):
        presence.seen(at_pace, seat, person.pk)
    Clock.objects.update(deadline=timezone.now() - timedelta(seconds=1))
    start = threading.Barrier(8)

    def look() -> None:
        start.wait()
        table.look(at_pace, alice.pk)
        connection.close()

    threads = [threading.Thread(target=look) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert list(Move.objects.values_list("text", flat=True)) == ["pass"]
    assert sorted(table.look(at_pace, alice.pk)["timeouts"]) == [0, 1]
