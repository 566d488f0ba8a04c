"""The usual move, stored and seen at once: never from a place, a game or a session that is over."""

from __future__ import annotations

import pytest
from django.contrib.sessions.models import Session
from django.db import transaction
from django.utils import timezone

from accounts import hot, sessions
from accounts.sessions import SignedOut
from games import facts, positions, presence, reading, table
from games.models import Game, Move
from games.table import Click, Onlooker, clock, strokes
from tests.games.players import Seat, choose

pytestmark = pytest.mark.django_db(transaction=True)


def made_by(*click):
    """What comes of one click alone."""
    (seen,) = table.make_and_look([Click(*click)])
    return seen


@pytest.fixture
def seats(table_id, alice, bob):
    """Whoever acts first, and the other."""
    people = [Seat(person, table_id) for person in (alice, bob)]
    views = [table.look(table_id, one.user_id) for one in people]
    return people if views[0]["seat"] == views[0]["hand"]["to_act"] else people[::-1]


@pytest.fixture
def click(table_id, seats):
    """The first player's click, from where they stand."""
    at, text = seats[0].stands()

    def click(game_id=None):
        onlookers = [Onlooker(one.held, "fr") for one in seats]
        return made_by(table_id, seats[0].held, text, at, game_id, onlookers)

    return click


def test_a_move_is_stored_once_and_each_seat_sees_it_with_its_own_hand_alone(
    table_id, seats, click
):
    seen = click()
    assert [view["at"] for view in seen] == [[1, 1], [1, 1]]
    for one, view in zip(seats, seen, strict=True):
        looked = table.look(table_id, one.user_id)
        assert {**view, "now": 0} == {**looked, "now": 0}
    assert seen[0]["hand"]["held"] != seen[1]["hand"]["held"]
    assert Move.objects.count() == 1
    assert click() is None
    assert Move.objects.count() == 1


def test_a_place_that_another_process_has_left_takes_no_move(table_id, seats, click, monkeypatch):
    kept = dict(reading._frames)
    at, text = seats[0].stands()
    table.make_move(table_id, seats[0].user_id, text, at)
    monkeypatch.setattr(reading, "_frames", kept)  # as a process that did not look since
    assert click() is None
    assert Move.objects.count() == 1


@pytest.mark.parametrize("over", ["resigned", "voided", "put aside", "clocked", "laid anew"])
def test_a_game_that_is_over_or_put_aside_meanwhile_takes_no_move(
    over, table_id, seats, click, monkeypatch
):
    kept = dict(reading._frames)
    game, (first, second) = Game.objects.get(), [one.user_id for one in seats]
    if over == "voided":
        table.void(game.pk)
    elif over in ("put aside", "clocked"):
        clock.put_aside(game.pk)
        if over == "clocked":
            clock.take_up(game.pk, None)
    else:
        table.resign(table_id, second)
    if over == "laid anew":
        table.rematch(table_id, first)
        table.rematch(table_id, second)
    monkeypatch.setattr(reading, "_frames", kept)
    assert click() is None
    assert not Move.objects.exists()


def test_a_click_on_an_earlier_game_moves_nothing_in_this_one(click):
    game = Game.objects.get()
    assert click(game.pk - 1) is None
    assert not Move.objects.exists()
    assert click(game.pk)[0]["at"] == [1, 1]


def test_a_move_against_the_computer_goes_the_long_way_which_sends_for_it(waiting, alice):
    table.seat_bot(waiting, alice.pk, "regular")
    table.move_late(waiting)  # where it begins
    one = Seat(alice, waiting)
    made = Move.objects.count()
    at, text = one.stands()
    assert made_by(waiting, one.held, text, at, None, [Onlooker(one.held, "fr")]) is None
    assert Move.objects.count() == made


@pytest.mark.parametrize("how", ["signed out", "shut out", "new password", "another seat"])
def test_a_session_that_speaks_for_nobody_any_more_moves_nothing(how, seats, click, alice):
    mover = seats[0].user_id
    if how == "signed out":
        Session.objects.filter(pk=seats[0].held.session_key).delete()
    elif how == "another seat":
        Game.objects.get().seats.filter(user=mover).update(user=None)
    else:
        changed = {"is_active": False} if how == "shut out" else {"password": "another"}
        type(alice).objects.filter(pk=mover).update(**changed)
    assert click() is None
    assert not Move.objects.exists()


def test_who_is_signed_out_is_shown_nothing_of_a_move_that_others_see(seats, click):
    Session.objects.filter(pk=seats[1].held.session_key).delete()
    seen = click()
    assert seen[0]["at"] == [1, 1]
    assert isinstance(seen[1], SignedOut)


def test_a_move_that_could_not_be_stored_leaves_no_position_behind(seats, click, monkeypatch):
    hand_id = Game.objects.get().hands.get().pk
    before = positions._positions[hand_id]
    monkeypatch.setattr(facts, "_STROKES", facts._STROKES.replace("a.ply, a.seat", "-9, a.seat"))
    facts._strokes_on.cache_clear()  # no ply is below 1
    assert click() is None
    assert positions._positions[hand_id] is before
    assert not Move.objects.exists()
    monkeypatch.undo()
    facts._strokes_on.cache_clear()
    assert click()[0]["at"] == [1, 1]  # the connection is as good as before


def test_a_stored_move_is_told_though_it_cannot_be_shown(click, monkeypatch):
    monkeypatch.setattr(strokes, "by_session", None)
    assert click() == []
    assert Move.objects.count() == 1


def test_a_move_within_a_transaction_goes_the_long_way(click):
    with transaction.atomic():
        assert click() is None


def test_the_move_that_ends_a_hand_goes_the_long_way(table_id, seats):
    view, made = table.look(table_id, seats[0].user_id), []
    while view["state"] == "playing":
        views = [table.look(table_id, one.user_id) for one in seats]
        mover = next(n for n in (0, 1) if views[n]["seat"] == views[n]["hand"]["to_act"])
        at, text = tuple(views[mover]["at"]), choose(views[mover]["hand"])
        seen = made_by(table_id, seats[mover].held, text, at, None)
        made.append(seen)
        if seen is None:
            table.make_move(table_id, seats[mover].user_id, text, at)
        view = table.look(table_id, seats[0].user_id)
    assert made == [[] for _ in made[:-1]] + [None]


def test_who_is_here_is_asked_anew_once_somebody_is_away(table_id, seats):
    people = [one.user_id for one in seats]
    for user_id in people:
        presence.seen(table_id, 0, user_id)
    here = presence.here(table_id, people)
    assert presence.lately({table_id: people}) == {table_id: here}
    assert presence._remembered(table_id, people) is here
    assert presence._remembered(table_id, people[::-1]) is None
    presence.left(presence.Spot("table", table_id, people[0], True))
    presence.here(table_id, people)
    assert presence._remembered(table_id, people) is None


WRONG = {
    "hand_id": 999, "game_id": 999, "changes": 999, "ply": 2, "seat": lambda seat: 1 - seat,
    "user_id": 999, "session_key": "x" * 32, "password": "another", "times_signed_out": 7,
}  # fmt: skip


@pytest.mark.parametrize("field", [None, *WRONG])
def test_a_row_is_written_only_where_all_of_it_is_true(field, seats):
    """Each condition of the statement by itself, whatever is asked before it is sent."""
    at, text = seats[0].stands()
    click = Click(seats[0].table_id, seats[0].held, text, at, None)
    stroke = strokes.stroke_of(strokes.foresee(click))
    if field is not None:
        wrong = WRONG[field]
        stroke = stroke._replace(**{field: wrong(stroke.seat) if callable(wrong) else wrong})
    hands, _nobody = hot.store(facts.strokes([stroke], timezone.now()), sessions.asking([]))
    assert len(hands) == Move.objects.count() == (field is None)


def test_a_click_on_another_game_goes_the_long_way(click):
    assert click(game_id=999) is None
    assert not Move.objects.exists()


def test_what_follows_from_a_move_is_what_would_be_read(table_id, click):
    click()
    kept = reading.known(table_id)
    assert reading.frame_of(table_id) is kept
    reading.forget()
    assert reading.frame_of(table_id) == kept


def test_a_move_shown_late_takes_nothing_later_out_of_memory(table_id, seats, click):
    before = reading.known(table_id)
    click()
    later = reading.known(table_id)
    reading.move_on(before, later.position, timezone.now())
    assert reading.known(table_id) is later
