"""The order of a hand: its holder's on every device, and a secret to everybody else."""

from __future__ import annotations

import json
from random import Random

import pytest

from games import reading, rooms, table
from games.models import OwnOrder
from tests.games.players import choose, play_hand

pytestmark = pytest.mark.django_db


def order_of(table_id, person):
    reading.forget()  # as another process, or another device
    return table.look(table_id, person.pk)["order"]


def held_by(table_id, person):
    return table.look(table_id, person.pk)["hand"]["held"]


def mixed(cards, seed=1):
    return Random(seed).sample(cards, len(cards))


def turn_of(table_id, alice, bob):
    """Pass the upcard twice; who is then to draw."""
    people = {table.look(table_id, person.pk)["seat"]: person for person in (alice, bob)}
    for _ in range(2):
        move(table_id, people[table.look(table_id, alice.pk)["hand"]["to_act"]], "pass")
    return people[table.look(table_id, alice.pk)["hand"]["to_act"]]


def move(table_id, person, text=None):
    view = table.look(table_id, person.pk)
    table.make_move(table_id, person.pk, text or choose(view["hand"]), tuple(view["at"]))


def test_nothing_is_kept_until_somebody_sorts(table_id, alice):
    assert order_of(table_id, alice) is None


@pytest.mark.parametrize("sort", ["melds", "suit", "rank"])
def test_a_sort_is_kept(table_id, alice, sort):
    table.sort(table_id, alice.pk, sort, [])
    assert order_of(table_id, alice) == {"sort": sort, "cards": held_by(table_id, alice)}


def test_an_own_order_is_kept_and_sorting_again_replaces_it(table_id, alice):
    for seed in (1, 2):
        wanted = mixed(held_by(table_id, alice), seed)
        table.sort(table_id, alice.pk, "own", wanted)
        assert order_of(table_id, alice) == {"sort": "own", "cards": wanted}
    assert OwnOrder.objects.count() == 1


def test_another_sort_for_a_while_leaves_the_own_order(table_id, alice):
    wanted = mixed(held_by(table_id, alice))
    table.sort(table_id, alice.pk, "own", wanted)
    table.sort(table_id, alice.pk, "suit", [])
    table.sort(table_id, alice.pk, "own", [])
    assert order_of(table_id, alice) == {"sort": "own", "cards": wanted}


def test_a_drawn_card_comes_last_and_a_thrown_one_leaves_the_rest(table_id, alice, bob):
    mover = turn_of(table_id, alice, bob)
    wanted = mixed(held_by(table_id, mover))
    table.sort(table_id, mover.pk, "own", wanted)
    move(table_id, mover, "draw stock")
    drawn = table.look(table_id, mover.pk)["hand"]["drawn"]
    assert order_of(table_id, mover)["cards"] == [*wanted, drawn]
    move(table_id, mover, f"discard {wanted[3]}")
    left = [card for card in wanted if card != wanted[3]]
    assert order_of(table_id, mover)["cards"] == [*left, drawn]


def test_cards_of_others_and_no_cards_are_passed_over(table_id, alice, bob):
    own, other = held_by(table_id, alice), held_by(table_id, bob)
    wanted = mixed(own)
    sent = [other[0], wanted[0], "", "Zz", *wanted[:3], other[1], *wanted[1:]]
    table.sort(table_id, alice.pk, "own", sent)
    assert order_of(table_id, alice)["cards"] == wanted
    assert not set(OwnOrder.objects.get().cards) & {"Z", "z"}


def test_a_few_cards_are_an_order_the_others_follow(table_id, alice):
    held = held_by(table_id, alice)
    table.sort(table_id, alice.pk, "own", [held[7], held[2]])
    rest = [card for card in held if card not in (held[7], held[2])]
    assert order_of(table_id, alice)["cards"] == [held[7], held[2], *rest]


def test_the_next_hand_is_held_as_it_is_dealt(table_id, alice, bob):
    table.sort(table_id, alice.pk, "own", mixed(held_by(table_id, alice)))
    play_hand(table_id, [alice.pk, bob.pk])
    for person in (alice, bob):
        table.ready(table_id, person.pk)
    assert order_of(table_id, alice) == {"sort": "own", "cards": held_by(table_id, alice)}


def test_an_unknown_sort_is_refused(table_id, alice):
    with pytest.raises(table.Refused) as refused:
        table.sort(table_id, alice.pk, "colour", [])
    assert refused.value.code == "no_such_sort"


def test_who_does_not_play_has_no_cards_to_sort(table_id, room_id, alice, charlie):
    rooms.join_room(rooms.room_page(room_id, alice.pk)["invite"], charlie.pk)
    with pytest.raises(table.Refused) as refused:
        table.sort(table_id, charlie.pk, "own", held_by(table_id, alice))
    assert refused.value.code == "not_a_player"
    assert not OwnOrder.objects.exists()


def test_before_and_after_a_game_there_is_nothing_to_sort(waiting, alice, bob):
    with pytest.raises(table.Refused) as refused:
        table.sort(waiting, alice.pk, "suit", [])
    assert refused.value.code == "no_game"
    table.sit_down(waiting, bob.pk)
    table.resign(waiting, bob.pk)
    with pytest.raises(table.Refused):
        table.sort(waiting, alice.pk, "suit", [])


def test_nobody_else_learns_how_a_hand_is_held(table_id, room_id, alice, bob, charlie):
    """Whatever order Alice holds her cards in, all that others are sent stays the same."""
    rooms.join_room(rooms.room_page(room_id, alice.pk)["invite"], charlie.pk)
    shown = {person: set() for person in (bob, charlie)}
    for seed in range(5):
        table.sort(table_id, alice.pk, "own", mixed(held_by(table_id, alice), seed))
        for person, seen in shown.items():
            reading.forget()
            view = table.look(table_id, person.pk)
            assert view["order"] is None
            seen.add(json.dumps({**view, "now": 0, "version": 0, "absence_at": 0}))
    assert [len(seen) for seen in shown.values()] == [1, 1]


def test_a_second_player_has_an_order_of_their_own(table_id, alice, bob):
    table.sort(table_id, alice.pk, "rank", [])
    table.sort(table_id, bob.pk, "suit", [])
    assert (order_of(table_id, alice)["sort"], order_of(table_id, bob)["sort"]) == ("rank", "suit")
