"""The coach after a hand: asked for by its player alone, worked out in pieces, once, and in the end
although a worker died.
"""

from __future__ import annotations

from datetime import timedelta

import pytest
from django.db import IntegrityError, transaction
from django.utils import timezone

from games import coach, table, tasks
from games.coach import asking, building
from games.engine.bots import Weighed
from games.farewell import say_farewell
from games.models import Analysis, Game, GameSeat, Hand, Weighing
from scoring import ledger, shares
from scoring.rules import HandResult
from tests.browser import laid
from tests.games.players import deal_alike, play_hand

pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def quick(monkeypatch):
    """What a move is worth is the engine's to say; here it is the length of its name."""
    def weigh(views, rules, score, chance, playouts, also):
        found = [Weighed(move, len(move) + chance(100) / 100, 0.5) for move in views[-1]["legal"]]
        return sorted(found, key=lambda one: -one.points)

    monkeypatch.setattr("games.coach.decisions.weigh", weigh)
    deal_alike(monkeypatch)


def sheet_of(table_id):
    return Game.objects.get(table_id=table_id).sheet_id


def code_of(refused):
    return refused.value.code


@pytest.fixture
def sheet(between):
    return sheet_of(between)


def weighed(analysis_id):
    return dict(Weighing.objects.filter(analysis_id=analysis_id).values_list("ply", "moves"))


# --- who may ask


def test_a_player_asks_and_every_choice_of_theirs_is_weighed(sheet, alice):
    analysis_id = coach.ask(alice.pk, sheet, 1)
    assert not coach.build(analysis_id)
    analysis = Analysis.objects.get(pk=analysis_id)
    assert (analysis.state, analysis.done) == ("ready", analysis.total)
    own = GameSeat.objects.get(user=alice).seat
    hand = Hand.objects.get()
    made = hand.moves.filter(seat=own).values_list("ply", flat=True)
    assert set(weighed(analysis_id)) <= set(made)
    assert len(weighed(analysis_id)) == analysis.total > 0
    for ply, moves in weighed(analysis_id).items():
        assert " ".join(hand.moves.get(ply=ply).text.split()[:2]) in [move for move, *_ in moves]


def test_each_player_has_an_analysis_of_their_own(sheet, alice, bob):
    assert coach.ask(alice.pk, sheet, 1) != coach.ask(bob.pk, sheet, 1)
    assert {one.seat for one in Analysis.objects.all()} == {0, 1}


def test_asking_again_finds_what_there_is(sheet, alice):
    first = coach.ask(alice.pk, sheet, 1)
    assert coach.ask(alice.pk, sheet, 1) == first
    coach.build(first)
    assert coach.ask(alice.pk, sheet, 1) == first
    assert Analysis.objects.count() == 1


@pytest.mark.parametrize("number", [0, 2, 10**17])
def test_there_is_no_such_hand(sheet, alice, number):
    with pytest.raises(coach.Unasked) as refused:
        coach.ask(alice.pk, sheet, number)
    assert code_of(refused) == "not_found"


def test_nobody_else_asks(sheet, charlie, admin_user):
    for person in (charlie, admin_user):
        with pytest.raises(coach.Unasked) as refused:
            coach.ask(person.pk, sheet, 1)
        assert code_of(refused) == "not_found"
    assert not Analysis.objects.exists()


def test_an_open_hand_is_not_asked_about(table_id, alice):
    with pytest.raises(coach.Unasked) as refused:
        coach.ask(alice.pk, sheet_of(table_id), 1)
    assert code_of(refused) == "not_found"


def test_a_hand_of_a_sheet_of_real_cards_is_not_there(alice):
    seats = [ledger.SeatEntry("alice", alice.pk), ledger.SeatEntry("Odile", kind="name")]
    paper = ledger.open_sheet(
        {"preset": "complete"}, seats, source="paper", keeper_id=alice.pk, first_dealer=0
    )
    ledger.record_hand(paper, 1, HandResult(0, "knock", 4, 21))
    with pytest.raises(coach.Unasked) as refused:
        coach.ask(alice.pk, paper, 1)
    assert code_of(refused) == "not_found"


def test_a_hand_cut_short_is_weighed_as_far_as_it_was_played():
    scene = laid.SCENES["resigned"]()
    person = scene.people[0]
    analysis_id = coach.ask(person.pk, sheet_of(scene.table.pk), 1)
    coach.build(analysis_id)
    assert Analysis.objects.get(pk=analysis_id).state == "ready"


def test_where_there_was_no_choice_it_is_done_at_once(table_id, alice, bob):
    seats = {seat.user_id: seat.seat for seat in GameSeat.objects.all()}
    table.resign(table_id, alice.pk)
    for person in (alice, bob):
        analysis = Analysis.objects.get(pk=coach.ask(person.pk, sheet_of(table_id), 1))
        assert (analysis.seat, analysis.state, analysis.total) == (seats[person.pk], "ready", 0)


def test_every_edition_leads_to_the_same_analysis(sheet, alice):
    ledger.end_sheet(sheet, "resigned", 0)
    edition = ledger.edition(sheet, [HandResult(0, "knock", 4, 20)])
    assert shares.first_edition(edition) == sheet
    assert coach.ask(alice.pk, edition, 1) == coach.ask(alice.pk, sheet, 1)


# --- one at a time, so many an hour


@pytest.fixture
def two_hands(between, alice, bob):
    for person in (alice, bob):
        table.ready(between, person.pk)
    play_hand(between, [alice.pk, bob.pk])
    return sheet_of(between)


def test_one_hand_at_a_time(two_hands, alice, bob):
    first = coach.ask(alice.pk, two_hands, 1)
    with pytest.raises(coach.Unasked) as refused:
        coach.ask(alice.pk, two_hands, 2)
    assert code_of(refused) == "one_at_a_time"
    coach.ask(bob.pk, two_hands, 2)  # his own turn with the coach
    coach.build(first)
    coach.ask(alice.pk, two_hands, 2)


def test_only_so_many_hands_an_hour(two_hands, alice, monkeypatch):
    monkeypatch.setattr(asking, "PER_HOUR", 1)
    coach.build(coach.ask(alice.pk, two_hands, 1))
    with pytest.raises(coach.Unasked) as refused:
        coach.ask(alice.pk, two_hands, 2)
    assert code_of(refused) == "too_many_hands"
    assert coach.ask(alice.pk, two_hands, 1)  # what is there costs nothing
    Analysis.objects.update(asked_at=timezone.now() - timedelta(hours=1))
    coach.ask(alice.pk, two_hands, 2)


# --- the work


def test_it_goes_on_behind_whoever_died(sheet, alice, monkeypatch):
    analysis_id = coach.ask(alice.pk, sheet, 1)
    assert coach.build(analysis_id, seconds=0)
    before = weighed(analysis_id)
    assert len(before) == Analysis.objects.get().done == 1
    asked = []
    weigh = building.decisions.weighed
    monkeypatch.setattr(
        building.decisions, "weighed", lambda *told: asked.append(1) or weigh(*told)
    )
    assert not coach.build(analysis_id)
    assert len(asked) == Analysis.objects.get().total - 1
    assert before.items() <= weighed(analysis_id).items()
    assert not coach.build(analysis_id)  # nothing to do, however often it comes


@pytest.mark.parametrize("seconds", [0, None])
def test_two_workers_weigh_nothing_twice(sheet, alice, monkeypatch, seconds):
    """While one weighs, another keeps the same decision, or comes to the end."""
    analysis_id = coach.ask(alice.pk, sheet, 1)
    weigh, other = building.decisions.weighed, []

    def slowly(*told):
        if not other:
            other.append(1)
            coach.build(analysis_id, seconds)
        return weigh(*told)

    monkeypatch.setattr(building.decisions, "weighed", slowly)
    assert not coach.build(analysis_id)
    analysis = Analysis.objects.get()
    assert analysis.done == analysis.weighings.count() == (1 if seconds == 0 else analysis.total)


def test_the_same_decision_comes_out_the_same(sheet, alice):
    analysis_id = coach.ask(alice.pk, sheet, 1)
    coach.build(analysis_id)
    first = weighed(analysis_id)
    Analysis.objects.all().delete()
    again = coach.ask(alice.pk, sheet, 1)
    coach.build(again)
    assert weighed(again) == first


def test_what_nobody_works_on_is_swept_up(sheet, alice, monkeypatch):
    analysis_id = coach.ask(alice.pk, sheet, 1)
    put = []
    monkeypatch.setattr(tasks, "set_the_coach_to_work", put.append)
    tasks.sweep_analyses()
    assert put == []
    Analysis.objects.update(moved_at=timezone.now() - building.SILENT)
    for _sweep in range(2):
        tasks.sweep_analyses()
    assert put == [analysis_id]


def test_a_piece_puts_the_rest_behind_what_waits(sheet, alice, monkeypatch):
    analysis_id = coach.ask(alice.pk, sheet, 1)
    put = []
    monkeypatch.setattr(tasks, "set_the_coach_to_work", put.append)
    monkeypatch.setattr(tasks, "PIECE_SECONDS", 0)
    tasks.weigh_on(analysis_id)
    assert put == [analysis_id]
    assert Analysis.objects.get().done == 1


def test_what_fails_again_and_again_is_given_up_and_may_be_asked_anew(
    sheet, alice, monkeypatch, caplog
):
    analysis_id = coach.ask(alice.pk, sheet, 1)
    coach.build(analysis_id, seconds=0)
    with monkeypatch.context() as broken:
        broken.setattr(building.decisions, "weighed", lambda *told: {}["Kd of the other"])
        for _number in range(building.TRIES):
            tasks.weigh_on(analysis_id)
    assert Analysis.objects.get().state == "failed"
    assert f"Analysis {analysis_id} " in caplog.text
    assert "Kd" not in caplog.text
    tasks.weigh_on(analysis_id)  # late
    assert Analysis.objects.get().done == 1
    assert coach.ask(alice.pk, sheet, 1) == analysis_id
    coach.build(analysis_id)
    assert Analysis.objects.get().state == "ready"


# --- what is kept


def test_an_account_that_goes_takes_its_analyses_along(sheet, alice, bob):
    for person in (alice, bob):
        coach.build(coach.ask(person.pk, sheet, 1))
    own = GameSeat.objects.get(user=alice).seat
    say_farewell(alice.pk)
    assert [one.seat for one in Analysis.objects.all()] == [1 - own]


@pytest.mark.parametrize(
    ("changes", "promise"),
    [
        ({"state": "lost"}, "an_analysis_is_building_ready_or_failed"),
        ({"done": 99}, "no_more_is_weighed_than_there_is"),
        ({"state": "ready"}, "a_ready_analysis_is_whole"),
    ],
)
def test_the_database_refuses_what_an_analysis_cannot_be(sheet, alice, changes, promise):
    coach.ask(alice.pk, sheet, 1)
    with pytest.raises(IntegrityError, match=promise), transaction.atomic():
        Analysis.objects.update(**changes)


def test_the_database_keeps_one_analysis_a_seat_and_a_decision_once(sheet, alice):
    coach.build(coach.ask(alice.pk, sheet, 1))
    row, weighing = Analysis.objects.get(), Weighing.objects.first()
    for again in (
        Analysis(hand_id=row.hand_id, seat=row.seat, playouts=1, total=0, state="ready"),
        Weighing(analysis=row, ply=weighing.ply, moves=[]),
    ):
        with pytest.raises(IntegrityError), transaction.atomic():
            again.save()
