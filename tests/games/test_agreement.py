"""Calling a game off: nobody can end it alone, and nobody wins it."""

from __future__ import annotations

import pytest

from games import rooms, table
from games.models import CallOff, Game, Hand, Move
from scoring import ledger
from scoring.models import ScoreLine
from tests.games.players import choose, play_hand, seats_of

pytestmark = pytest.mark.django_db


@pytest.fixture
def game(table_id):
    return Game.objects.get(table_id=table_id)


def offer_seen(table_id, person):
    return table.look(table_id, person.pk)["call_off"]


def one_move(table_id, user_ids):
    seats = seats_of(table_id, user_ids)
    mover = seats[table.look(table_id, user_ids[0])["hand"]["to_act"]]
    seen = table.look(table_id, mover)
    table.make_move(table_id, mover, choose(seen["hand"]), tuple(seen["at"]))


def test_an_accepted_offer_ends_the_game_and_nobody_wins(table_id, game, alice, bob):
    table.call_off(table_id, alice.pk, "offer")
    seat = table.look(table_id, alice.pk)["seat"]
    assert offer_seen(table_id, bob) == offer_seen(table_id, alice) == {"by": seat}
    table.call_off(table_id, bob.pk, "accept")
    view = table.look(table_id, bob.pk)
    assert view["state"] == "finished"
    assert view["call_off"] is None
    assert (view["end"]["how"], view["end"]["by"], view["end"]["winner"]) == (
        "called_off", None, None
    )  # fmt: skip
    assert not Hand.objects.filter(game=game, ended_at=None).exists()
    assert not ledger.is_won(view["sheet_id"])


def test_lines_written_before_stay_and_no_bonus_is_added(table_id, game, alice, bob):
    play_hand(table_id, [alice.pk, bob.pk])
    before = list(ScoreLine.objects.values_list("kind", "points"))
    table.call_off(table_id, alice.pk, "offer")
    table.call_off(table_id, bob.pk, "accept")
    ledger.write_bonuses(game.sheet_id)  # as the task does that was sent for
    assert list(ScoreLine.objects.values_list("kind", "points")) == before
    assert table.look(table_id, alice.pk)["end"]["bonuses_written"] is True


def test_nobody_accepts_their_own_offer(table_id, alice):
    table.call_off(table_id, alice.pk, "offer")
    with pytest.raises(table.Refused) as refused:
        table.call_off(table_id, alice.pk, "accept")
    assert refused.value.code == "no_offer"
    assert table.look(table_id, alice.pk)["state"] == "playing"


def test_there_is_nothing_to_accept_unasked(table_id, alice):
    with pytest.raises(table.Refused) as refused:
        table.call_off(table_id, alice.pk, "accept")
    assert refused.value.code == "no_offer"


def test_a_refused_offer_is_gone_and_may_be_made_again(table_id, alice, bob):
    table.call_off(table_id, alice.pk, "offer")
    table.call_off(table_id, bob.pk, "refuse")
    assert offer_seen(table_id, alice) is None
    table.call_off(table_id, alice.pk, "offer")
    assert offer_seen(table_id, bob) is not None


def test_its_author_may_take_an_offer_back(table_id, alice, bob):
    table.call_off(table_id, alice.pk, "offer")
    table.call_off(table_id, alice.pk, "refuse")
    with pytest.raises(table.Refused):
        table.call_off(table_id, bob.pk, "accept")


def test_offers_that_cross_are_an_agreement(table_id, alice, bob):
    table.call_off(table_id, alice.pk, "offer")
    table.call_off(table_id, bob.pk, "offer")
    assert table.look(table_id, alice.pk)["end"]["how"] == "called_off"


def test_offering_twice_is_offering_once(table_id, game, alice):
    table.call_off(table_id, alice.pk, "offer")
    table.call_off(table_id, alice.pk, "offer")
    assert CallOff.objects.filter(game=game).count() == 1
    assert table.look(table_id, alice.pk)["state"] == "playing"


def test_an_offer_outlives_moves_and_falls_with_the_hand(table_id, alice, bob):
    table.call_off(table_id, alice.pk, "offer")
    one_move(table_id, [alice.pk, bob.pk])
    assert Move.objects.count() == 1
    assert offer_seen(table_id, bob) is not None
    play_hand(table_id, [alice.pk, bob.pk])
    assert offer_seen(table_id, bob) is None
    with pytest.raises(table.Refused):
        table.call_off(table_id, bob.pk, "accept")
    for person in (alice, bob):
        table.ready(table_id, person.pk)
    assert offer_seen(table_id, bob) is None
    table.call_off(table_id, bob.pk, "offer")
    assert table.look(table_id, alice.pk)["state"] == "playing"
    assert offer_seen(table_id, alice) is not None


def test_an_offer_between_hands_stands_through_the_next_one(between, alice, bob):
    table.call_off(between, alice.pk, "offer")
    assert offer_seen(between, bob) is not None
    for person in (alice, bob):
        table.ready(between, person.pk)
    assert offer_seen(between, bob) is not None


def test_a_watcher_sees_the_offer_and_has_no_say(table_id, room_id, alice, charlie):
    join(room_id, alice, charlie)
    table.call_off(table_id, alice.pk, "offer")
    assert offer_seen(table_id, charlie) is not None
    with pytest.raises(table.Refused) as refused:
        table.call_off(table_id, charlie.pk, "accept")
    assert refused.value.code == "not_a_player"


@pytest.mark.parametrize("answer", ["offer", "accept", "refuse"])
def test_there_must_be_a_game_to_call_off(waiting, alice, answer):
    with pytest.raises(table.Refused) as refused:
        table.call_off(waiting, alice.pk, answer)
    assert refused.value.code == "no_game"


@pytest.mark.parametrize("answer", ["offer", "accept", "refuse"])
def test_a_finished_game_stays_as_it_ended(table_id, alice, bob, answer):
    table.call_off(table_id, alice.pk, "offer")
    table.resign(table_id, alice.pk)
    with pytest.raises(table.Refused):
        table.call_off(table_id, bob.pk, answer)
    assert table.look(table_id, bob.pk)["end"]["how"] == "resigned"


def test_a_rematch_may_follow(table_id, alice, bob):
    table.call_off(table_id, alice.pk, "offer")
    table.call_off(table_id, bob.pk, "accept")
    for person in (alice, bob):
        table.rematch(table_id, person.pk)
    view = table.look(table_id, alice.pk)
    assert (view["state"], view["call_off"]) == ("playing", None)


def join(room_id, host, guest):
    rooms.join_room(rooms.room_page(room_id, host.pk)["invite"], guest.pk)
