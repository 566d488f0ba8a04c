"""Who is sent for through the broker is sent for behind the bell, which waits for no broker."""

from __future__ import annotations

import pytest

from games import live, table
from games.models import Clock, Game, Room
from tests.games.test_bots import play_on

pytestmark = pytest.mark.django_db


@pytest.fixture
def left(settings, monkeypatch, django_capture_on_commit_callbacks):
    """What leaves by a verb, in order: the table's bell, and a task."""
    settings.EMBEDDED, settings.WRITES_LETTERS, settings.THINKS = False, True, True
    gone = []

    def ring(group, *_kind, **_but):
        if group.startswith("table."):
            gone.append("bell")

    monkeypatch.setattr(live.live, "ring", ring)
    monkeypatch.setattr("celery.current_app.send_task", lambda *_task, **_how: gone.append("task"))

    def by(verb, *arguments):
        gone.clear()
        with django_capture_on_commit_callbacks(execute=True):
            verb(*arguments)
        return gone

    return by


@pytest.mark.parametrize("dealer", [0, 1])
def test_the_bell_of_who_sits_down_comes_first(waiting, alice, left, monkeypatch, dealer):
    monkeypatch.setattr("games.dealing.first_dealer", lambda seats=2: dealer)
    assert left(table.seat_bot, waiting, alice.pk, "regular") == ["bell", "task"]


def test_the_bell_of_a_game_of_one_move_a_day_comes_first(waiting, bob, left):
    Room.objects.update(pace="day")
    assert left(table.sit_down, waiting, bob.pk) == ["bell", "task"]


def test_the_bell_of_the_next_hand_comes_first(waiting, alice, left):
    table.seat_bot(waiting, alice.pk, "regular")
    play_on(waiting, alice, until="between")
    assert left(table.ready, waiting, alice.pk) == ["bell", "task"]


def test_the_bell_of_a_game_that_goes_on_comes_first(waiting, alice, left):
    table.seat_bot(waiting, alice.pk, "regular")
    now = Game.objects.get().started_at
    Clock.objects.create(game=Game.objects.get(), pace="none", adjourned_at=now)
    assert left(table.resume, waiting, alice.pk) == ["bell", "task"]
