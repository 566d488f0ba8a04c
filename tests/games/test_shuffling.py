"""The phase between both seats taken and the first hand: everybody gives to the shuffle."""

from __future__ import annotations

import hashlib
import json
from datetime import timedelta

import pytest
from django.db import IntegrityError, transaction
from django.utils import timezone

from games import messages, rooms, table, tasks
from games.engine.cards import texts
from games.engine.shuffle import Stream, first_dealer, shuffled
from games.fair.aborted import aborted_in
from games.models import Game, Hand, Seed, Shuffle, Table
from games.table import Refused
from games.table.hands import deal_next

pytestmark = [pytest.mark.django_db, pytest.mark.shuffles]

OF_ALICE, OF_BOB, OTHER = (letter * 64 for letter in "abc")


def sha(value: str) -> str:
    return hashlib.sha256(bytes.fromhex(value)).hexdigest()


@pytest.fixture
def asked(settings, room_id, alice, bob):
    """Alice and Bob sit; their browsers are asked."""
    settings.FAIR_PATIENCE = 10
    table_id = rooms.open_table(room_id, alice.pk)
    table.sit_down(table_id, bob.pk)
    return table_id


def give(table_id, user, value, **more):
    table.seed(table_id, user.pk, bytes=value, **more)


def bind(table_id, user, value, **more):
    table.seed(table_id, user.pk, hash=sha(value), **more)


def let_time_pass():
    Shuffle.objects.filter(settled_at=None).update(deadline=timezone.now() - timedelta(seconds=1))


def shuffle_of(table_id):
    return Shuffle.objects.get(game__table_id=table_id)


def refused(code):
    return pytest.raises(Refused, check=lambda refusal: refusal.code == code)


def values(table_id):
    seeds = Seed.objects.filter(shuffle__game__table_id=table_id).order_by("seat")
    return [seed.substitute if seed.replaced else seed.given for seed in seeds]


def test_the_deck_comes_from_a_published_chain_and_from_both(asked, alice, bob):
    view = table.look(asked, alice.pk)
    seen = view["shuffle"]
    assert (view["state"], view["hand"], seen["first"]) == ("playing", None, 1)
    assert (seen["hashes"], seen["given"]) == (["", ""], [False, False])
    bind(asked, alice, OF_ALICE)
    assert table.look(asked, bob.pk)["shuffle"]["hashes"] == [sha(OF_ALICE), ""]
    bind(asked, bob, OF_BOB)
    give(asked, bob, OF_BOB)
    assert table.look(asked, alice.pk)["shuffle"]["given"] == [False, True]
    give(asked, alice, OF_ALICE)
    hand, shuffle = Hand.objects.get(), shuffle_of(asked)
    secret = bytes.fromhex(shuffle.secret)
    chain = [secret := hashlib.sha256(secret).digest() for _ in range(256)][::-1]
    assert chain[0].hex() == seen["commitment"]
    stream = Stream(chain[1], hand.game_id, 1, [bytes.fromhex(OF_ALICE), bytes.fromhex(OF_BOB)])
    assert hand.dealer == first_dealer(stream)
    assert hand.deck == "".join(texts(shuffled(stream)))
    assert table.look(asked, alice.pk)["shuffle"] is None


def test_bytes_before_everybody_is_bound_are_refused(asked, alice, bob):
    with refused("seed_early"):
        give(asked, alice, OF_ALICE)
    bind(asked, alice, OF_ALICE)
    with refused("seed_early"):
        give(asked, alice, OF_ALICE)
    assert list(Seed.objects.values_list("given", flat=True)) == ["", ""]


def test_nobody_gives_other_bytes_than_announced(asked, alice, bob):
    bind(asked, alice, OF_ALICE)
    bind(asked, bob, OF_BOB)
    with refused("seed_wrong"):
        give(asked, bob, OTHER)
    give(asked, bob, OF_BOB)
    with refused("seed_given"):
        give(asked, bob, OTHER)


def test_nobody_is_bound_twice_and_saying_it_again_changes_nothing(asked, alice):
    bind(asked, alice, OF_ALICE)
    bind(asked, alice, OF_ALICE)
    with refused("seed_given"):
        bind(asked, alice, OTHER)
    assert Seed.objects.get(seat=0).hash == sha(OF_ALICE)


def test_nobody_gives_for_another_seat_or_from_outside(asked, charlie, bob, room_id):
    with refused("not_found"):
        bind(asked, charlie, OTHER)
    rooms.join_room(Game.objects.get(table=asked).table.room.invitation, charlie.pk)
    with refused("not_a_player"):
        bind(asked, charlie, OTHER)
    assert set(Seed.objects.values_list("hash", flat=True)) == {""}


def test_after_the_deal_nothing_is_taken_any_more(table_id, alice):
    with refused("seed_late"):
        bind(table_id, alice, OF_ALICE)


def test_a_part_for_an_earlier_game_is_stale(asked, alice):
    with refused("stale"):
        bind(asked, alice, OF_ALICE, game_id=Game.objects.get(table=asked).pk + 1)


@pytest.mark.parametrize("silent", ["both", "alice", "alice in the second step"])
def test_whoever_is_silent_for_too_long_is_replaced_by_whoever_looks(asked, alice, bob, silent):
    seeds = {seed.seat: seed for seed in Seed.objects.all()}
    if silent == "alice in the second step":
        bind(asked, alice, OF_ALICE)
    if silent != "both":
        bind(asked, bob, OF_BOB)
    let_time_pass()
    table.look(asked, bob.pk)
    if silent == "alice":
        assert not Hand.objects.exists()  # Bob is asked for his bytes first
        with refused("seed_late"):
            bind(asked, alice, OF_ALICE)
    if silent != "both":
        give(asked, bob, OF_BOB) if silent == "alice" else None
    if silent == "alice in the second step":
        assert [seed.replaced for seed in Seed.objects.order_by("seat")] == [True, True]
    assert Hand.objects.count() == 1
    expected = OF_BOB if silent == "alice" else seeds[1].substitute
    assert values(asked) == [seeds[0].substitute, expected]


def test_the_periodic_task_goes_on_where_nobody_looks(asked):
    let_time_pass()
    tasks.keep_time()
    assert Hand.objects.count() == 1


def test_the_computer_s_substitute_counts_at_once(settings, room_id, alice):
    settings.FAIR_PATIENCE = 10
    table_id = rooms.open_table(room_id, alice.pk)
    table.seat_bot(table_id, alice.pk, "regular")
    seen = table.look(table_id, alice.pk)["shuffle"]
    assert (seen["replaced"], seen["given"]) == ([False, True], [False, True])
    bind(table_id, alice, OF_ALICE)
    give(table_id, alice, OF_ALICE)
    assert table.look(table_id, alice.pk)["hand"] is not None


def test_a_start_broken_off_is_nobody_s_loss(asked, alice, bob):
    table.resign(asked, bob.pk)
    view = table.look(asked, alice.pk)
    assert (view["state"], view["end"]["how"], view["shuffle"]) == ("finished", "called_off", None)
    let_time_pass()
    tasks.keep_time()
    assert not Hand.objects.exists()
    listed = aborted_in(Game.objects.get(table=asked).table.room_id)
    assert [one.commitment for one in listed] == [shuffle_of(asked).commitment]


@pytest.mark.parametrize("again", ["a rematch", "a seat for anybody"])
def test_what_is_seen_while_the_next_game_is_shuffled_is_newer_than_the_last_hand(
    settings, between, alice, bob, again
):
    table.resign(between, bob.pk)
    over = table.look(between, alice.pk)
    assert over["at"][1] > 0  # there are plies, which count in how new it is
    settings.FAIR_PATIENCE = 10
    if again == "a rematch":
        table.rematch(between, alice.pk)
        asked_for = table.look(between, alice.pk)["version"]
        table.rematch(between, bob.pk)
    else:
        table.lay_again(between, alice.pk)
        table.sit_down(between, alice.pk)
        asked_for = table.look(between, alice.pk)["version"]
        table.sit_down(between, bob.pk)
    shuffling = table.look(between, alice.pk)
    assert shuffling["shuffle"] is not None
    assert shuffling["version"] > asked_for > over["version"]


def test_another_chain_is_published_once_one_is_used_up(settings, between, alice, bob, monkeypatch):
    monkeypatch.setattr("games.fair.chain.LINKS", 1)
    settings.FAIR_PATIENCE = 10
    for user in (alice, bob):
        table.ready(between, user.pk)
    seen = table.look(between, alice.pk)["shuffle"]
    assert seen["first"] == 2
    assert table.look(between, alice.pk)["next_deal_at"] is None
    table.ready(between, alice.pk)
    changes = Table.objects.get(pk=between).changes
    assert not deal_next(between)  # it waits already
    assert Table.objects.get(pk=between).changes == changes
    for user, value in ((alice, OF_ALICE), (bob, OF_BOB)):
        bind(between, user, value)
    for user, value in ((alice, OF_ALICE), (bob, OF_BOB)):
        give(between, user, value)
    assert table.look(between, alice.pk)["at"][0] == 2
    commitments = set(Shuffle.objects.values_list("commitment", flat=True))
    assert len(commitments) == 2


@pytest.mark.parametrize(
    "sent",
    [
        {"hash": "ab"}, {"hash": "Z" * 64}, {"hash": "a" * 65}, {"hash": "a" * 64 + "\n"}, {},
        {"hash": "a" * 64, "bytes": "a" * 64}, {"hash": 7}, {"bytes": ["a" * 64]},
        {"hash": "a" * 64, "seat": 1}, {"hash": "A" * 64},
    ],
)  # fmt: skip
def test_a_seed_of_another_shape_is_no_message(sent):
    assert messages.read(json.dumps({"verb": "seed", **sent})) is None


def test_a_seed_is_read():
    read = messages.read(json.dumps({"verb": "seed", "hash": "a" * 64, "game": 3}))
    assert (read.hash, read.bytes, read.game) == ("a" * 64, "", 3)


@pytest.mark.parametrize(
    ("model", "change", "promise"),
    [
        (Shuffle, {"secret": OTHER}, "a_published_chain_is_never_changed"),
        (Shuffle, {"commitment": OTHER}, "a_published_chain_is_never_changed"),
        (Seed, {"substitute": OTHER}, "a_seed_is_given_once"),
        (Seed, {"hash": OTHER}, "a_seed_is_given_once"),
        (Seed, {"given": OTHER}, "a_seed_is_given_once"),
        (Seed, {"replaced": True}, "what_was_given_is_not_replaced"),
    ],
)
def test_the_database_keeps_what_was_published_and_given(
    asked, alice, bob, model, change, promise
):
    for step in (bind, give):
        for user, value in ((alice, OF_ALICE), (bob, OF_BOB)):
            step(asked, user, value)
    with pytest.raises(IntegrityError, match=promise), transaction.atomic():
        model.objects.update(**change)
