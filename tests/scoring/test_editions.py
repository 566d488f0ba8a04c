"""Editions: a correction never touches what was written, and only the latest sheet counts."""

from __future__ import annotations

from uuid import uuid4

import pytest
from django.db import DatabaseError, IntegrityError, connection, transaction
from django.utils import timezone
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from games.presets import rule_set
from scoring import ledger
from scoring.ledger import SeatEntry
from scoring.models import ScoreSheet, SheetHand, Tally
from scoring.rules import BadSheet, Ended, HandResult
from tests.scoring.games_drawn import games, results

pytestmark = pytest.mark.django_db
VOID = HandResult(None, "void")


def knock(seat: int, points: int) -> HandResult:
    return HandResult(seat, "knock", 1, points + 1)


@pytest.fixture
def pad(alice, bob) -> int:
    """A pad of alice's, against bob: real cards."""
    seats = [SeatEntry("alice", alice.pk), SeatEntry("bob", bob.pk)]
    rules = rule_set({"preset": "money_play"}).as_dict()
    return ledger.open_sheet(rules, seats, source="paper", keeper_id=alice.pk, first_dealer=1)


@pytest.fixture
def played(alice, bob) -> int:
    """A game played here: alice 105, bob 80."""
    seats = [SeatEntry("alice", alice.pk), SeatEntry("bob", bob.pk)]
    return ledger.open_sheet(rule_set({}).as_dict(), seats)


def write(sheet_id: int, *hands: HandResult) -> int:
    for number, hand in enumerate(hands, 1):
        ledger.record_hand(sheet_id, number, hand)
    ledger.write_bonuses(sheet_id)
    return sheet_id


FOUR = (knock(0, 45), knock(1, 80), knock(0, 30), knock(0, 30))


def test_lowering_the_last_hand_reopens_the_game(pad):
    """Case A7: 105 to 80 is finished; with 20 instead of 30 alice has 95 and nobody has won."""
    write(pad, *FOUR)
    assert ledger.read_sheet(pad).standing.hand_points == (105, 80)
    new = ledger.edition(pad, [*FOUR[:3], knock(0, 20)])
    read = ledger.read_sheet(new)
    assert read.standing.hand_points == (95, 80)
    assert (read.ended, read.standing.winner, read.bonuses_written) == (None, None, False)
    assert [line.kind for line in read.lines] == ["knock"] * 4
    assert not Tally.objects.exists()


def test_deleting_a_hand_renumbers_the_later_ones_and_leaves_the_old_edition_readable(pad):
    write(pad, *FOUR)
    before = ledger.read_sheet(pad)
    new = ledger.edition(pad, [FOUR[0], *FOUR[2:]])
    read, old = ledger.read_sheet(new), ledger.read_sheet(pad)
    assert [(hand.number, hand.result) for hand in read.hands] == [
        (1, FOUR[0]), (2, FOUR[2]), (3, FOUR[3]),
    ]  # fmt: skip
    assert [line.hand for line in read.lines if line.hand] == [1, 2, 3]
    assert (read.standing.totals, read.standing.winner) == ((380, 0), 0)
    assert (old.lines, old.hands, old.ended) == (before.lines, before.hands, before.ended)
    assert (old.replaced_by_id, read.replaces_id) == (new, pad)
    assert {tally.sheet_id for tally in Tally.objects.all()} == {new}


def test_an_edition_is_the_same_game(pad, alice):
    write(pad, *FOUR)
    ledger.write_correction(pad, 1, 7, "a hand was forgotten", "charlie")
    new = ledger.edition(pad, FOUR[:1])
    old, read = ledger.read_sheet(pad), ledger.read_sheet(new)
    for same in ("rules", "seats", "started_at", "source", "keeper_id", "first_dealer"):
        assert getattr(read, same) == getattr(old, same), same
    assert (read.keeper_id, read.first_dealer, read.source) == (alice.pk, 1, "paper")
    assert read.hands[0].written_at == old.hands[0].written_at
    kept = read.lines[-1]
    assert (kept.kind, kept.points, kept.reason, kept.author) == (
        "correction", 7, "a hand was forgotten", "charlie",
    )  # fmt: skip


def test_every_edition_knows_the_first_and_the_latest(pad):
    write(pad, *FOUR)
    second = ledger.edition(pad, FOUR[:3])
    third = ledger.edition(second, FOUR[:2])
    assert [ledger.read_sheet(one).original_id for one in (pad, second, third)] == [pad] * 3
    assert [ledger.current_of(one) for one in (pad, second, third)] == [third] * 3
    assert ledger.currents_of([pad, third]) == {pad: third, third: third}
    with pytest.raises(ScoreSheet.DoesNotExist):
        ledger.current_of(third + 1000)


def test_an_old_edition_takes_nothing_more(pad):
    write(pad, *FOUR[:2])
    new = ledger.edition(pad, FOUR[:1])
    for verb in (
        lambda: ledger.edition(pad, FOUR),
        lambda: ledger.record_hand(pad, 3, FOUR[2]),
        lambda: ledger.end_sheet(pad, "called_off"),
        lambda: ledger.write_correction(pad, 0, 5, "why", "charlie"),
    ):
        with pytest.raises(BadSheet) as refusal:
            verb()
        assert refusal.value.code == "edition_of_an_old_sheet"
    ledger.record_hand(new, 2, FOUR[1])


@pytest.mark.parametrize(
    "hands",
    [
        [knock(0, 100), knock(0, 5)],
        [HandResult(2, "gin", 0, 5)],
        [HandResult(0, "big_gin", 0, 5)],
        [HandResult(0, "knock", 8, 8)],
    ],
)
def test_an_edition_with_a_hand_that_cannot_be_is_refused(pad, hands):
    write(pad, *FOUR)
    with pytest.raises(BadSheet):
        ledger.edition(pad, hands)
    assert ScoreSheet.objects.count() == 1


def test_a_game_at_a_table_is_corrected_once_it_is_over(played):
    ledger.record_hand(played, 1, knock(0, 20))
    with pytest.raises(BadSheet) as refusal:
        ledger.edition(played, [knock(0, 30)])
    assert refusal.value.code == "still_played"


def test_a_game_left_at_a_table_stays_left(played):
    ledger.record_hand(played, 1, knock(0, 20))
    ledger.end_sheet(played, "resigned", 1)
    ledger.write_bonuses(played)
    was = ledger.read_sheet(played)
    read = ledger.read_sheet(ledger.edition(played, [knock(0, 30)]))
    assert (read.ended, read.ended_at) == (Ended("resigned", 1), was.ended_at)
    assert (read.standing.totals, read.bonuses_written) == ((155, 0), True)
    assert Tally.objects.get(sheet=read.id, seat=0).points == 155


def test_a_finished_edition_is_as_old_as_the_game(pad):
    write(pad, *FOUR)
    was = ledger.read_sheet(pad)
    read = ledger.read_sheet(ledger.edition(pad, [*FOUR[:3], knock(0, 40)]))
    assert (read.ended, read.ended_at) == (Ended("target", 0), was.ended_at)
    assert sorted(line.kind for line in read.lines if line.hand is None) == ["game", "line", "line"]
    assert ledger.sheets_without_bonuses() == []


def test_the_bell_rings_for_whoever_reads_the_old_sheet(
    pad, django_capture_on_commit_callbacks, monkeypatch
):
    rung: list[str] = []
    monkeypatch.setattr("accounts.live.ring", rung.append)
    write(pad, *FOUR)
    with django_capture_on_commit_callbacks(execute=True):
        ledger.edition(pad, FOUR[:1])
        assert rung == []
    assert rung == [f"sheet.{pad}"]


# --- hands written twice


def test_an_entry_sent_twice_is_written_once(pad):
    entry = uuid4()
    first = ledger.record_hand(pad, 1, knock(0, 20), entry)
    assert ledger.record_hand(pad, 1, knock(0, 20), entry) == first
    assert ledger.record_hand(pad, 2, knock(0, 20), entry) == first
    assert SheetHand.objects.filter(sheet=pad).count() == 1


def test_an_entry_that_ended_the_game_is_answered_again(pad):
    entry = uuid4()
    ledger.record_hand(pad, 1, knock(0, 60))
    done = ledger.record_hand(pad, 2, knock(0, 60), entry)
    assert done.finished
    assert ledger.record_hand(pad, 2, knock(0, 60), entry) == done


def test_an_entry_undone_meanwhile_is_not_written_again(pad):
    entry = uuid4()
    ledger.record_hand(pad, 1, knock(0, 20), entry)
    new = ledger.edition(pad, [])
    assert ledger.record_hand(new, 1, knock(0, 20), entry).hand_points == (0, 0)
    assert not SheetHand.objects.filter(sheet=new).exists()


def test_the_database_itself_writes_an_entry_once(pad):
    entry = uuid4()
    ledger.record_hand(pad, 1, knock(0, 20), entry)
    with pytest.raises(IntegrityError), transaction.atomic():
        SheetHand.objects.create(sheet_id=pad, number=2, kind="void", entry=entry)
    with pytest.raises(IntegrityError), transaction.atomic():
        SheetHand.objects.create(sheet_id=pad, number=1, kind="void")


def test_a_void_hand_is_written_with_its_reason_and_counts_as_a_number(pad):
    ledger.record_hand(pad, 1, HandResult(None, "void", 7, 9, True, idle=True))
    with pytest.raises(BadSheet):
        ledger.record_hand(pad, 1, knock(0, 20))
    ledger.record_hand(pad, 2, VOID)
    read = ledger.read_sheet(pad)
    assert read.results == (HandResult(None, "void", idle=True), VOID)
    assert read.lines == ()


# --- what the database refuses


@pytest.mark.parametrize(
    ("name", "changes"),
    [
        ("hands_count_from_one", {"number": 0}),
        ("a_void_hand_alone_has_no_winner", {"kind": "void", "winner": 0}),
        ("a_void_hand_alone_has_no_winner", {"winner": None}),
        ("a_void_hand_alone_has_no_winner", {"kind": "draw"}),
        ("a_void_hand_alone_has_no_winner", {"idle": True}),
        ("a_void_hand_alone_has_no_winner", {"kind": "void", "winner": None}),
        ("deadwood_is_what_ten_cards_can_hold", {"knocker_deadwood": 11}),
        ("deadwood_is_what_ten_cards_can_hold", {"defender_deadwood": 99}),
        ("hands_are_won_by_a_seat", {"winner": 2}),
    ],
)
def test_a_hand_that_cannot_be_is_refused(pad, name, changes):
    row = {"number": 1, "kind": "knock", "winner": 0, "knocker_deadwood": 4} | changes
    with pytest.raises(DatabaseError, match=name), transaction.atomic():
        SheetHand.objects.create(sheet_id=pad, **row)


def test_a_raw_update_of_a_hand_is_refused(pad):
    ledger.record_hand(pad, 1, knock(0, 20))
    for statement in (
        "UPDATE scoring_sheethand SET defender_deadwood = 90",
        "UPDATE scoring_sheethand SET number = number",
    ):
        with (
            pytest.raises(DatabaseError, match="hands_of_a_sheet_are_never_changed"),
            transaction.atomic(),
            connection.cursor() as cursor,
        ):
            cursor.execute(statement)


def test_a_hand_cannot_be_deleted_on_postgresql(pad):
    if connection.vendor != "postgresql":
        pytest.skip("Django's test flush deletes rows on SQLite")
    ledger.record_hand(pad, 1, knock(0, 20))
    with pytest.raises(DatabaseError, match="never_changed"), transaction.atomic():
        SheetHand.objects.all().delete()


@pytest.mark.parametrize(
    ("name", "changes"),
    [
        ("rules_of_a_sheet_are_frozen", {"source": "imported"}),
        ("rules_of_a_sheet_are_frozen", {"first_dealer": 0}),
        ("rules_of_a_sheet_are_frozen", {"started_at": timezone.now()}),
    ],
)
def test_what_a_sheet_is_never_changes(pad, name, changes):
    with pytest.raises(DatabaseError, match=name), transaction.atomic():
        ScoreSheet.objects.filter(pk=pad).update(**changes)


@pytest.mark.parametrize(
    ("name", "row"),
    [
        ("a_sheet_is_of_the_table_paper_or_imported", {"source": "stone"}),
        ("a_sheet_of_the_table_has_no_keeper", {"keeper": True}),
        ("a_sheet_of_the_table_has_no_keeper", {"first_dealer": 1}),
        ("the_first_dealer_has_a_seat", {"source": "paper", "first_dealer": 4}),
        ("an_edition_knows_the_first", {"replaces": True}),
        ("an_edition_knows_the_first", {"original": True}),
    ],
)
def test_a_sheet_that_cannot_be_is_refused(pad, alice, name, row):
    stands = {"keeper": alice, "replaces": ScoreSheet.objects.get(pk=pad)}
    stands["original"] = stands["replaces"]
    row = {key: stands[key] if value is True else value for key, value in row.items()}
    with pytest.raises(DatabaseError, match=name), transaction.atomic():
        ScoreSheet.objects.create(rules={}, **row)


def test_a_keeper_who_leaves_leaves_the_sheet(pad, alice):
    write(pad, *FOUR)
    alice.delete()
    read = ledger.read_sheet(pad)
    assert (read.keeper_id, read.names) == (None, ("alice", "bob"))
    assert set(Tally.objects.values_list("seat", "user")) == {(0, None), (1, read.seats[1].user_id)}


# --- tallies


def stored_tallies(sheet_id: int) -> list[dict[str, object]]:
    return list(Tally.objects.filter(sheet=sheet_id).order_by("seat").values())


def test_tallies_are_written_with_the_bonuses_and_follow_a_correction(pad, alice, bob):
    for number, hand in enumerate(FOUR, 1):
        ledger.record_hand(pad, number, hand)
        assert not Tally.objects.exists()
    ledger.write_bonuses(pad)
    mine, his = stored_tallies(pad)
    assert (mine["user_id"], mine["opponent_user_id"]) == (alice.pk, bob.pk)
    assert (his["user_id"], his["opponent_user_id"]) == (bob.pk, alice.pk)
    assert (mine["result"], mine["points"], mine["preset"]) == ("won", 280, "money_play")
    assert (mine["source"], mine["ended_at"]) == ("paper", ledger.read_sheet(pad).ended_at)
    ledger.write_correction(pad, 0, -30, "miscounted", "charlie")
    mine, his = stored_tallies(pad)
    assert (mine["points"], his["opponent_points"], mine["hand_points"]) == (250, 250, 105)


@settings(
    max_examples=25, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture]
)
@given(data=st.data())
def test_an_edition_is_the_sheet_as_if_it_had_been_written_so_at_once(data, alice):
    """Whatever is corrected, and however often: no trace of the mistake in what counts."""
    game, other = data.draw(games()), data.draw(st.data())
    seats = [SeatEntry("alice", alice.pk), SeatEntry("bob")]

    def fresh(hands):
        sheet = ledger.open_sheet(
            game.rules.as_dict(), seats, source="paper", keeper_id=alice.pk
        )
        for number, hand in enumerate(hands, 1):
            if ledger.record_hand(sheet, number, hand).finished:
                ledger.write_bonuses(sheet)
                return sheet, hands[:number]
        return sheet, hands

    old, _written = fresh(game.hands)
    wanted = other.draw(st.lists(results(game.rules), max_size=12))
    straight, wanted = fresh(wanted)
    corrected = ledger.read_sheet(ledger.edition(old, wanted))
    expected = ledger.read_sheet(straight)
    assert corrected.lines == expected.lines
    assert corrected.results == expected.results
    assert corrected.standing == expected.standing
    assert corrected.bonuses_written == expected.bonuses_written

    def figures(sheet_id):
        own = ("id", "sheet_id", "started_at", "ended_at")
        return [{k: v for k, v in row.items() if k not in own} for row in stored_tallies(sheet_id)]

    assert figures(corrected.id) == figures(straight)
    assert stored_tallies(old) == []
