"""Who may look at a table where they do not sit, what they see, and what they may not do."""

from __future__ import annotations

import pytest
from django.test import Client

from accounts.refusal import Refusal
from games import rooms, table, talk
from games.admission import Terms, terms_of
from games.models import Game, Room

pytestmark = pytest.mark.django_db


def refused(code):
    return pytest.raises(Refusal, check=lambda refusal: refusal.code == code)


@pytest.fixture
def room(room_id):
    return Room.objects.get(pk=room_id)


@pytest.fixture
def member(room, charlie):
    """Charlie is a member who does not sit."""
    rooms.join_room(room.invitation, charlie.pk)
    return charlie


def change(room, **what):
    Room.objects.filter(pk=room.pk).update(**what)


def test_a_spectator_sees_neither_hand_and_cannot_draw(table_id, member):
    view = table.look(table_id, member.pk)
    assert view["seat"] is None
    assert view["hand"]["held"] is None
    assert view["hand"]["legal"] == []
    assert view["hand"]["melds"] == view["hand"]["loose"] == []
    for move in ("draw stock", "pass"):
        with refused("not_a_player"):
            table.make_move(table_id, member.pk, move, tuple(view["at"]))
    for verb in (table.ready, table.resign, table.rematch):
        with refused("not_a_player"):
            verb(table_id, member.pk)


def test_where_no_spectators_are_admitted_only_players_see_a_running_game(
    room, table_id, member, alice
):
    change(room, spectators=False)
    with refused("not_found"):
        table.look(table_id, member.pk)
    assert table.look(table_id, alice.pk)["seat"] == 0
    table.resign(table_id, alice.pk)
    assert table.look(table_id, member.pk)["state"] == "finished"


def test_a_free_seat_is_seen_by_every_member(room, waiting, member):
    change(room, spectators=False)
    assert table.look(waiting, member.pk)["state"] == "waiting"


def test_anyone_watches_in_a_public_room_and_is_told_no_invitation(room, table_id, charlie, alice):
    with refused("not_found"):
        table.look(table_id, charlie.pk)
    change(room, is_public=True)
    view = table.look(table_id, charlie.pk)
    assert (view["seat"], view["hand"]["held"]) == (None, None)
    assert (view["room"]["invite"], view["room"]["code"]) == (None, None)
    assert table.look(table_id, alice.pk)["room"]["code"] == room.code
    change(room, spectators=False)
    with refused("not_found"):
        table.look(table_id, charlie.pk)


def test_nobody_watches_without_signing_in(room, table_id):
    change(room, is_public=True)
    with refused("not_found"):
        table.look(table_id, None)
    assert terms_of(room.pk, None) == Terms()


def test_a_seated_player_has_no_view_but_their_own(room, table_id, alice):
    change(room, is_public=True)
    assert table.look(table_id, alice.pk)["seat"] is not None


def test_whoever_only_watches_reads_no_talk_and_says_nothing(room, table_id, alice, charlie):
    change(room, is_public=True)
    talk.say(None, table_id, alice.pk, "Bonsoir")
    assert talk.recent(None, table_id, charlie.pk) == []
    with refused("members_only"):
        talk.say(None, table_id, charlie.pk, "Bonsoir")


@pytest.mark.parametrize(
    ("terms", "enter", "watch", "seat"),
    [
        (Terms(), False, False, False),
        (Terms(spectators=True), False, False, False),
        (Terms(member=True), True, False, True),
        (Terms(member=True, spectators=True), True, True, True),
        (Terms(public=True), True, False, False),
        (Terms(public=True, spectators=True), True, True, True),
    ],
)
def test_who_may_enter_watch_and_look_for_a_seat(terms, enter, watch, seat):
    assert (terms.may_enter, terms.may_watch) == (enter, watch)
    assert (terms.may_look(running=True), terms.may_look(running=False)) == (watch, seat)


# --- on pages


@pytest.fixture
def english(member):
    client = Client()
    client.cookies["django_language"] = "en"
    client.force_login(member)
    return client


def test_a_room_without_spectators_offers_nothing_to_watch(room, table_id, english):
    assert "Watch<" in english.get(f"/rooms/{room.pk}/").content.decode()
    change(room, spectators=False)
    page = english.get(f"/rooms/{room.pk}/").content.decode()
    assert "Watch<" not in page
    assert "no spectators" in page
    assert english.get(f"/tables/{table_id}/").status_code == 404


def test_a_third_person_is_told_that_the_table_is_full_and_may_watch(room, table_id, english):
    answer = english.post(f"/j/{room.invitation}/", follow=True)
    assert answer.redirect_chain[-1][0] == f"/rooms/{room.pk}/"
    assert "Watch<" in answer.content.decode()
    assert Game.objects.get(table_id=table_id).seats.count() == 2
