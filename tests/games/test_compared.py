"""What a pong goes by: what is read of many tables at once says what each view would show."""

from __future__ import annotations

import pytest
from django.core.cache import cache
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.utils import timezone, translation

from accounts.models import User
from accounts.sessions import pass_by
from games import compared, presence, rooms, table, talk
from games.compared import Asker
from games.models import Room, Table
from tests.games.players import play_game, play_hand

pytestmark = pytest.mark.django_db


@pytest.fixture
def asks():
    """Gives who asks about a table, signed in."""

    def onlooker(table_id, person, language="fr"):
        client = Client()
        client.force_login(person)
        held = pass_by(client.cookies["sessionid"].value)
        return Asker(table_id, held, language)

    return onlooker


def seen_by(one):
    with translation.override(one.language):
        return compared.stands(table.look(one.table_id, one.held.user_id))


def waits(waiting, alice, bob):
    """Nobody has sat down yet."""


def plays(waiting, alice, bob):
    table.sit_down(waiting, bob.pk)


def rests(waiting, alice, bob):
    table.sit_down(waiting, bob.pk)
    play_hand(waiting, [alice.pk, bob.pk])


def is_over(waiting, alice, bob):
    table.sit_down(waiting, bob.pk)
    play_game(waiting, [alice.pk, bob.pk])


def is_left(waiting, alice, bob):
    """By somebody who deletes their account afterwards."""
    table.sit_down(waiting, bob.pk)
    table.resign(waiting, bob.pk)
    User.objects.filter(pk=bob.pk).update(username="joueur supprimé 7")


def goes_on(waiting, alice, bob):
    """With the computer."""
    table.seat_bot(waiting, alice.pk, "regular")


@pytest.mark.parametrize("how", [waits, plays, rests, is_over, is_left, goes_on])
def test_what_is_read_of_a_table_is_what_a_look_would_show(
    how, waiting, room_id, asks, alice, bob, charlie
):
    how(waiting, alice, bob)
    Room.objects.filter(pk=room_id).update(is_public=True)
    presence.seen(waiting, 0, alice.pk)
    presence.seen(waiting, None, charlie.pk)
    hers, theirs = asks(waiting, alice), asks(waiting, charlie, "en")
    expected = [seen_by(hers), seen_by(theirs)]
    assert [read.stands for read in compared.read([hers, theirs])] == expected
    assert expected[0].room[1:] != (None, None) == expected[1].room[1:]


def test_who_may_not_look_reads_nothing_and_who_is_signed_out_less(table_id, asks, alice, charlie):
    presence.seen(table_id, 0, alice.pk)
    hers, theirs = asks(table_id, alice), asks(table_id, charlie)
    nowhere = theirs._replace(table_id=987_654)
    (read, *others) = compared.read([hers, theirs, nowhere])
    assert read.stands == seen_by(hers)
    assert [other.stands for other in others] == [None, None]
    User.objects.filter(pk=alice.pk).update(is_active=False)
    assert compared.read([hers])[0] is None


def test_who_is_thought_gone_though_they_ask_is_told_by_a_look(table_id, asks, alice):
    hers = asks(table_id, alice)
    assert compared.read([hers])[0].stands is None
    presence.seen(table_id, 0, alice.pk)
    assert compared.read([hers])[0].stands is not None


def test_however_many_ask_about_many_tables_the_database_is_asked_as_often(
    room_id, table_id, asks, alice, bob, monkeypatch
):
    many = [asks(table_id, person) for person in (alice, bob)]
    for _ in range(3):
        table.sit_down(rooms.open_table(room_id, alice.pk), bob.pk)
    many += [asks(number, bob) for number in Table.objects.values_list("pk", flat=True)]
    asked, get_many = [], cache.get_many
    monkeypatch.setattr(cache, "get_many", lambda keys: asked.append(1) or get_many(keys))
    for some in (many[:1], many):
        asked.clear()
        with CaptureQueriesContext(connection) as statements:
            compared.read(some)
        assert (len(statements), len(asked)) == (4, 1)


def test_what_was_said_is_stamped_as_it_is_of_one_table(room_id, table_id, asks, alice, bob):
    quiet = rooms.open_table(room_id, bob.pk)
    talk.say(room_id, None, alice.pk, "In the room")
    for text in ("one", "two"):
        talk.say(None, table_id, alice.pk, text)
    read = compared.read([asks(table_id, alice), asks(quiet, bob)])
    assert [one.talk for one in read] == [talk.stamp(None, table_id), compared.NOTHING_SAID]


def test_while_nobody_can_say_who_is_here_nobody_is_away(table_id, asks, alice, monkeypatch):
    def away(*_keys):
        raise ConnectionError

    monkeypatch.setattr(presence, "_failed", presence._failed)
    monkeypatch.setattr(cache, "get_many", away)
    hers = asks(table_id, alice)
    known, (read,) = seen_by(hers), compared.read([hers])
    assert (read.stands, read.stands.present, read.away) == (known, (True, True), ())


def test_that_somebody_came_and_went_meanwhile_is_told(table_id, asks, alice, bob):
    presence.seen(table_id, 0, alice.pk)
    hers, now = asks(table_id, alice), int(timezone.now().timestamp() * 1000)
    away = []
    for ago in (60_000, 30_000, 30_000):
        cache.set(presence._key(table_id, bob.pk), (now - ago, ""))
        away.append(compared.read([hers])[0].away)
    presence.seen(table_id, 1, bob.pk)
    away.append(compared.read([hers])[0].away)
    assert away[0] != away[1] == away[2]
    assert away[3] == ()


def test_where_time_or_others_change_what_no_version_counts_a_pong_looks_sooner(table_id, alice):
    view = table.look(table_id, alice.pk)
    seats = [dict(chair, bot="regular") for chair in view["seats"]]
    staked = {**view["game"], "staked": True}
    after = {
        compared.NOW_AND_THEN: [view, {**view, "state": "between"}],
        compared.OFTEN: [{**view, "state": "finished"}, {**view, "game": staked},
                         {**view, "absence": {"seat": 1}}],
        0.0: [{**view, "seats": seats}, {**view, "timeouts": [0, 3]}],
    }  # fmt: skip
    for seconds, views in after.items():
        assert [compared.whole_after(each) for each in views] == [seconds for _ in views]
    adjourned = {**view, "seats": seats, "adjourned": True}
    assert compared.whole_after(adjourned) == compared.NOW_AND_THEN
