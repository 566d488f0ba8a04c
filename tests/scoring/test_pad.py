"""The pad: one keeper writes, a correction is an edition, an invited account says yes first."""

from __future__ import annotations

from uuid import uuid4

import pytest

from accounts.refusal import Refusal
from games.presets import rule_set
from scoring import ledger, pad
from scoring.models import PadInvitation, ScoreLine, ScoreSheet, SheetHand, SheetSeat, Tally
from scoring.pad import inviting, opening, writing
from scoring.rules import BadSheet, HandResult

pytestmark = pytest.mark.django_db(transaction=True)

POINTS = rule_set({"preset": "points_only"}).as_dict()
COMPLETE = rule_set({"preset": "complete"}).as_dict()


def knock(winner, points, knocker=1):
    return HandResult(winner, "knock", knocker, knocker + points)


def refused(call, *arguments):
    with pytest.raises(Refusal) as caught:
        call(*arguments)
    return caught.value.code


@pytest.fixture
def opened(alice):
    return pad.open_pad(alice.pk, POINTS, ["", "Camille"], first_dealer=1, me_seat=0)


@pytest.fixture
def written(opened, alice):
    """Three hands: 40 and 35 to alice, 20 to Camille between them."""
    for number, result in enumerate([knock(0, 40), knock(1, 20), knock(0, 35)], 1):
        pad.enter(opened, alice.pk, number, result, uuid4())
    return opened


def points(sheet_id):
    return ledger.read_sheet(sheet_id).standing.hand_points


# --- opening


def test_the_keeper_is_at_their_seat_and_the_other_is_a_name(opened, alice):
    seats = ledger.read_sheet(opened).seats
    assert [(one.name, one.kind, one.user_id) for one in seats] == [
        ("alice", "person", alice.pk), ("Camille", "name", None),
    ]
    sheet = ScoreSheet.objects.get(pk=opened)
    assert (sheet.source, sheet.keeper_id, sheet.first_dealer) == ("paper", alice.pk, 1)


def test_whoever_only_keeps_the_sheet_sits_nowhere(alice):
    sheet_id = pad.open_pad(alice.pk, POINTS, ["Léo", "Camille"])
    assert {seat.user_id for seat in ledger.read_sheet(sheet_id).seats} == {None}


@pytest.mark.parametrize("name", ["", "  ", "W" * 25, "a\u202eb", "a\0b"])
def test_a_name_nobody_can_read_is_refused(alice, name):
    assert refused(pad.open_pad, alice.pk, POINTS, ["Léo", name]) == "pad_name"


def test_two_players_do_not_look_alike(alice):
    assert refused(pad.open_pad, alice.pk, POINTS, ["Léo", "ＬÉO"]) == "same_names"
    assert not ScoreSheet.objects.exists()


def test_unfinished_sheets_are_bounded(alice, monkeypatch, opened):
    monkeypatch.setattr(opening, "OPEN_AT_MOST", 1)
    assert refused(pad.open_pad, alice.pk, POINTS, ["Léo", "Camille"]) == "too_many_pads"
    pad.end(opened, alice.pk)
    assert pad.open_pad(alice.pk, POINTS, ["Léo", "Camille"])


# --- writing


def test_hands_are_written_in_their_order(written, alice):
    assert points(written) == (75, 20)
    assert refused(pad.enter, written, alice.pk, 5, knock(0, 3), uuid4()) == "out_of_step"
    assert refused(pad.enter, written, alice.pk, 3, knock(0, 3), uuid4()) == "out_of_step"


def test_hands_are_bounded_as_in_a_game_brought_in(opened, alice, monkeypatch):
    monkeypatch.setattr(writing, "MOST_HANDS", 2)
    for number in (1, 2):
        pad.enter(opened, alice.pk, number, HandResult(None, "void"), uuid4())
    assert refused(pad.enter, opened, alice.pk, 3, knock(0, 3), uuid4()) == "too_many_hands"
    pad.undo(opened, alice.pk)
    pad.enter(ledger.current_of(opened), alice.pk, 2, knock(0, 3), uuid4())


def test_the_same_entry_writes_once(opened, alice):
    entry = uuid4()
    for _ in range(3):
        standing = pad.enter(opened, alice.pk, 1, knock(0, 12), entry)
    assert standing.hand_points == (12, 0)
    assert SheetHand.objects.count() == ScoreLine.objects.count() == 1


def test_an_entry_that_was_taken_back_is_not_written_again(opened, alice):
    entry = uuid4()
    pad.enter(opened, alice.pk, 1, knock(0, 12), entry)
    new = pad.undo(opened, alice.pk)
    pad.enter(opened, alice.pk, 1, knock(0, 12), entry)
    assert points(new) == (0, 0)


def test_only_the_keeper_writes(written, bob, charlie):
    SheetSeat.objects.filter(sheet_id=written, seat=1).update(user_id=bob.pk, kind="person")
    for person in (bob, charlie):
        for call in (pad.undo, pad.end, pad.reopen, pad.rematch):
            assert refused(call, written, person.pk) == "not_found"
        assert refused(pad.enter, written, person.pk, 4, knock(0, 1), uuid4()) == "not_found"
        assert refused(pad.correct, written, person.pk, 1, None) == "not_found"
        assert refused(pad.invite, written, person.pk, 1, person.pk) == "not_found"
        assert refused(pad.kept, written, person.pk) == "not_found"


def test_a_sheet_of_a_table_is_no_pad(alice):
    seats = [ledger.SeatEntry("alice", alice.pk), ledger.SeatEntry("bob")]
    sheet_id = ledger.open_sheet(POINTS, seats)
    assert refused(pad.enter, sheet_id, alice.pk, 1, knock(0, 1), uuid4()) == "not_found"
    assert refused(pad.end, sheet_id, alice.pk) == "not_found"


def test_the_target_ends_the_game_and_its_bonuses_are_written(alice):
    sheet_id = pad.open_pad(alice.pk, COMPLETE, ["", "Camille"], me_seat=0)
    pad.enter(sheet_id, alice.pk, 1, HandResult(0, "gin", 0, 98), uuid4())
    sheet = ledger.read_sheet(sheet_id)
    assert sheet.ended is not None
    assert sheet.bonuses_written
    # 123 of the hand, 25 for it, 100 for the game, and 123 + 100 for the shutout
    assert sheet.standing.totals == (471, 0)
    assert Tally.objects.get(user=alice).result == "won"
    assert refused(pad.enter, sheet_id, alice.pk, 2, knock(0, 3), uuid4()) == "sheet_ended"


def test_a_game_stopped_by_agreement_has_no_winner_and_can_go_on(written, alice):
    pad.end(written, alice.pk)
    sheet = ledger.read_sheet(written)
    assert (sheet.ended.how, sheet.standing.winner) == ("called_off", None)
    new = pad.reopen(written, alice.pk)
    assert ledger.read_sheet(new).ended is None
    assert refused(pad.reopen, new, alice.pk) == "not_called_off"


def test_a_sheet_brought_from_elsewhere_is_no_pad(alice):
    seats = [ledger.SeatEntry("alice", alice.pk), ledger.SeatEntry("bob", None, "name")]
    sheet_id = ledger.write_whole(POINTS, seats, [knock(0, 40)], keeper_id=alice.pk)
    assert refused(pad.undo, sheet_id, alice.pk) == "not_found"
    assert refused(pad.enter, sheet_id, alice.pk, 2, knock(0, 1), uuid4()) == "not_found"


# --- editions (case A7)


def test_the_last_hand_corrected_puts_a_finished_game_back_in_progress(alice):
    sheet_id = pad.open_pad(alice.pk, COMPLETE, ["", "Camille"], me_seat=0)
    hands = [knock(0, 75), knock(1, 80), knock(0, 30)]
    for number, result in enumerate(hands, 1):
        pad.enter(sheet_id, alice.pk, number, result, uuid4())
    before = ledger.read_sheet(sheet_id)
    assert (before.standing.hand_points, before.standing.winner) == ((105, 80), 0)
    new = pad.correct(sheet_id, alice.pk, 3, knock(0, 20))
    after = ledger.read_sheet(new)
    assert (after.standing.hand_points, after.standing.winner) == ((95, 80), None)
    assert after.ended is None
    assert not Tally.objects.exists()
    old = ledger.read_sheet(sheet_id)
    assert (old.lines, old.replaced_by_id) == (before.lines, new)
    pad.enter(new, alice.pk, 4, knock(1, 25), uuid4())
    assert ledger.read_sheet(new).standing.reached == 1


def test_a_hand_taken_out_moves_the_later_ones_up(written, alice):
    pad.enter(written, alice.pk, 4, knock(1, 7), uuid4())
    new = pad.correct(written, alice.pk, 2, None)
    after = ledger.read_sheet(new)
    assert [hand.number for hand in after.hands] == [1, 2, 3]
    assert [line.points for line in after.lines] == [40, 35, 7]
    assert len(ledger.read_sheet(written).hands) == 4


def test_an_old_edition_takes_nothing_more(written, alice):
    new = pad.undo(written, alice.pk)
    old = "edition_of_an_old_sheet"
    assert refused(pad.undo, written, alice.pk) == old
    assert refused(pad.enter, written, alice.pk, 4, knock(0, 3), uuid4()) == old
    assert refused(pad.enter, written, alice.pk, 9, knock(0, 3), uuid4()) == old
    assert refused(pad.correct, written, alice.pk, 1, None) == old
    assert refused(pad.correct, written, alice.pk, 1, knock(0, 40)) == old
    assert refused(pad.end, written, alice.pk) == old
    assert ScoreSheet.objects.count() == 2
    assert pad.enter(new, alice.pk, 3, knock(0, 3), uuid4()).hand_points == (43, 20)


def test_a_correction_that_changes_nothing_makes_no_edition(written, alice):
    assert pad.correct(written, alice.pk, 1, knock(0, 40)) == written


def test_what_the_rules_cannot_produce_is_refused_and_changes_nothing(written, alice):
    with pytest.raises(BadSheet):
        pad.correct(written, alice.pk, 1, HandResult(0, "knock", 5, 3))
    assert refused(pad.correct, written, alice.pk, 9, None) == "no_hand"
    assert ledger.current_of(written) == written


def test_there_is_nothing_to_take_back_on_an_empty_sheet(opened, alice):
    assert refused(pad.undo, opened, alice.pk) == "no_hand"


# --- again


def test_a_rematch_has_the_same_players_and_rules_and_the_other_deals(written, alice):
    assert refused(pad.rematch, written, alice.pk) == "still_open"
    pad.enter(written, alice.pk, 4, knock(0, 60), uuid4())
    again = pad.rematch(written, alice.pk)
    sheet = ledger.read_sheet(again)
    assert (sheet.names, sheet.seats[0].user_id) == (("alice", "Camille"), alice.pk)
    assert (sheet.rules, sheet.first_dealer) == (POINTS, 0)
    assert pad.rematch(written, alice.pk) == again
    pad.enter(again, alice.pk, 1, knock(0, 5), uuid4())
    assert pad.rematch(written, alice.pk) not in (again, written)


# --- invitations


@pytest.fixture
def asked(alice, bob):
    sheet_id = pad.open_pad(
        alice.pk, POINTS, ["", "bob"], [None, bob.pk], me_seat=0, first_dealer=0
    )
    return sheet_id, PadInvitation.objects.get()


def test_an_invited_account_is_a_name_until_it_accepts(asked, alice, bob):
    sheet_id, invitation = asked
    pad.enter(sheet_id, alice.pk, 1, knock(1, 97), uuid4())
    pad.enter(sheet_id, alice.pk, 2, knock(1, 8), uuid4())
    assert not Tally.objects.filter(user=bob).exists()
    assert pad.accept(invitation.pk, bob.pk) == sheet_id
    tally = Tally.objects.get(user=bob)
    assert (tally.result, tally.opponent_user_id) == ("won", alice.pk)
    assert Tally.objects.get(user=alice).opponent_user_id == bob.pk


def test_who_accepts_sits_in_the_latest_edition_and_in_those_to_come(asked, alice, bob):
    sheet_id, invitation = asked
    pad.enter(sheet_id, alice.pk, 1, knock(1, 8), uuid4())
    new = pad.undo(sheet_id, alice.pk)
    assert pad.accept(invitation.pk, bob.pk) == new
    assert pad.accept(invitation.pk, bob.pk) == new
    assert ledger.read_sheet(sheet_id).seats[1].user_id is None
    pad.enter(new, alice.pk, 1, knock(1, 8), uuid4())
    assert ledger.read_sheet(pad.undo(new, alice.pk)).seats[1].user_id == bob.pk


def test_who_declines_stays_a_name_and_is_not_asked_again(asked, alice, bob, charlie):
    sheet_id, invitation = asked
    pad.decline(invitation.pk, bob.pk)
    pad.accept(invitation.pk, bob.pk)
    assert ledger.read_sheet(sheet_id).seats[1].user_id is None
    assert refused(pad.invite, sheet_id, alice.pk, 1, bob.pk) == "declined"
    pad.invite(sheet_id, alice.pk, 1, charlie.pk)
    assert [one.user_id for one in pad.invitations_at(sheet_id)] == [charlie.pk]


def test_nobody_answers_for_another(asked, alice, charlie):
    _sheet_id, invitation = asked
    for person in (alice, charlie):
        assert refused(pad.accept, invitation.pk, person.pk) == "not_found"
        assert refused(pad.decline, invitation.pk, person.pk) == "not_found"


def test_nobody_sits_on_both_sides(asked, alice, bob):
    sheet_id, invitation = asked
    two = pad.open_pad(alice.pk, POINTS, ["Léo", "Camille"])
    pad.invite(two, alice.pk, 0, bob.pk)
    assert refused(pad.invite, two, alice.pk, 1, bob.pk) == "one_seat_each"
    assert refused(pad.invite, two, alice.pk, 1, alice.pk) == "one_seat_each"
    pad.accept(invitation.pk, bob.pk)
    assert refused(pad.invite, sheet_id, alice.pk, 1, bob.pk) == "seat_taken"


def test_unanswered_invitations_are_bounded(asked, alice, charlie, monkeypatch):
    monkeypatch.setattr(inviting, "UNANSWERED_AT_MOST", 1)
    two = pad.open_pad(alice.pk, POINTS, ["Léo", "Camille"])
    assert refused(pad.invite, two, alice.pk, 0, charlie.pk) == "too_many_invitations"


def test_a_rematch_asks_again_whoever_accepted(asked, alice, bob):
    sheet_id, invitation = asked
    pad.accept(invitation.pk, bob.pk)
    pad.end(sheet_id, alice.pk)
    again = pad.rematch(sheet_id, alice.pk)
    assert [(one.user_id, one.state) for one in pad.invitations_at(again)] == [(bob.pk, "asked")]
    assert ledger.read_sheet(again).seats[1].user_id is None


# --- bells and lists


def test_every_change_rings_for_whoever_follows(written, alice, bob, monkeypatch):
    heard = []
    monkeypatch.setattr("accounts.live.ring", lambda group, *_: heard.append(group))
    for call in (
        lambda: pad.enter(written, alice.pk, 4, knock(1, 7), uuid4()),
        lambda: pad.undo(written, alice.pk),
        lambda: pad.end(ledger.current_of(written), alice.pk),
        lambda: pad.reopen(ledger.current_of(written), alice.pk),
        lambda: pad.invite(ledger.current_of(written), alice.pk, 1, bob.pk),
        lambda: pad.accept(PadInvitation.objects.get().pk, bob.pk),
    ):
        heard.clear()
        call()
        assert f"pad.{written}" in heard


def test_my_pads_are_the_latest_editions_of_my_own(written, alice, bob):
    new = pad.undo(written, alice.pk)
    two = pad.open_pad(alice.pk, POINTS, ["Léo", "Camille"])
    pad.end(two, alice.pk)
    assert [one.id for one in pad.pads_of(alice.pk)] == [new, two]
    assert pad.pads_of(bob.pk) == []


def test_the_windows_of_whoever_is_asked_hear_of_it(opened, alice, bob, monkeypatch):
    heard = []
    monkeypatch.setattr("accounts.live.ring", lambda group, *_: heard.append(group))
    pad.invite(opened, alice.pk, 1, bob.pk)
    assert f"user.{bob.pk}" in heard
