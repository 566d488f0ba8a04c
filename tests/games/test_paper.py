"""The score sheet in words: each sentence of the traditional sheet, and no sum of its own."""

from __future__ import annotations

from dataclasses import replace

import pytest
from django.utils import translation

from games import paper, presets
from scoring import ledger
from scoring import rules as scoring
from scoring.ledger import SeatEntry
from scoring.rules import HandResult

pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def english():
    with translation.override("en"):
        yield


def sheet_of(*hands, ended=None, bonuses=True, **options):
    """A sheet of alice (seat 0) and bob (seat 1), with its hands played."""
    rules = presets.rule_set({"preset": "complete", **options}).as_dict()
    sheet_id = ledger.open_sheet(rules, [SeatEntry("alice"), SeatEntry("bob")])
    for number, hand in enumerate(hands, start=1):
        ledger.record_hand(sheet_id, number, hand)
    if ended:
        ledger.end_sheet(sheet_id, *ended)
    if bonuses:
        ledger.write_bonuses(sheet_id)
    return ledger.read_sheet(sheet_id)


def test_a_knock_a_gin_and_an_undercut_are_told_with_both_deadwoods():
    sheet = sheet_of(
        HandResult(1, "knock", 4, 21), HandResult(0, "gin", 0, 13), HandResult(1, "undercut", 8, 5)
    )
    rows = paper.hand_rows(sheet)
    assert [(row.what, row.rest, row.sums) for row in rows] == [
        ("Knock", "4 against 21", ""),
        ("Gin", "against 13", "(25 + 13)"),
        ("Undercut", "5 against 8", "(3 + 25)"),
    ]
    assert [(row.cells[0].run, row.cells[1].run) for row in rows] == [
        (None, 17),
        (38, None),
        (None, 45),
    ]
    assert rows[2].cells[1].gain == 28


def test_a_void_hand_has_a_row_without_points():
    sheet = sheet_of(
        HandResult(1, "knock", 4, 21), HandResult(None, "void"), HandResult(None, "void", idle=True)
    )
    rows = paper.hand_rows(sheet)
    assert (rows[1].number, rows[1].void, rows[1].what) == (2, True, "Void, the stock ran out")
    assert rows[2].what == "Void, fifty turns without the stock"
    assert all(cell.gain is None for row in rows[1:] for cell in row.cells)


def test_a_hand_cut_short_by_a_resignation_is_not_called_void():
    sheet = sheet_of(HandResult(1, "knock", 4, 21), ended=("resigned", 0))
    rows = paper.hand_rows(sheet, [2])
    assert rows[1].number == 2
    assert rows[1].what == "Cut short"
    assert paper.ending(sheet) == "alice resigned"
    assert paper.verdict(sheet).startswith("bob wins the game")


def test_a_doubled_hand_shows_its_multiplier():
    sheet = sheet_of(
        HandResult(0, "gin", 0, 30, spade=True),
        HandResult(1, "knock", 4, 20, spade=True),
        preset="oklahoma_spades",
    )
    rows = paper.hand_rows(sheet)
    assert rows[0].sums == "((25 + 30) × 2)"
    assert rows[1].sums == "(16 × 2)"
    assert rows[0].cells[0].gain == 110


def test_the_total_that_reaches_the_target_is_marked_once():
    sheet = sheet_of(HandResult(0, "gin", 0, 60), HandResult(0, "gin", 0, 40))
    rows = paper.hand_rows(sheet)
    assert [row.cells[0].hit for row in rows] == [False, True]
    assert paper.ending(sheet) == "Target 100 reached by alice in hand 2"


def test_bonus_rows_hold_the_ledgers_lines_and_nothing_else():
    sheet = sheet_of(
        HandResult(1, "knock", 4, 21), HandResult(0, "gin", 0, 60), HandResult(0, "gin", 0, 40)
    )
    rows = paper.bonus_rows(sheet)
    assert [(row.what, [cell.run for cell in row.cells]) for row in rows] == [
        ("Line bonus", [50, 25]),
        ("Game bonus", [100, None]),
        ("Shutout", [None, None]),
    ]
    assert rows[0].rest == "2 and 1 hands at 25"
    assert rows[2].rest == "not due: bob won 1 hand"
    written = sum(cell.run or 0 for row in rows for cell in row.cells)
    assert written == sum(sheet.standing.totals) - sum(sheet.standing.hand_points)
    ahead = sheet.standing.totals[0] - sheet.standing.totals[1]
    assert paper.verdict(sheet) == f"alice wins the game by {ahead} points."


def test_a_shutout_is_a_line_and_needs_no_reason():
    sheet = sheet_of(HandResult(0, "gin", 0, 60), HandResult(0, "gin", 0, 40))
    shutout = paper.bonus_rows(sheet)[-1]
    assert (shutout.what, shutout.rest) == ("Shutout", "")
    assert shutout.cells[0].run == 250


def test_rules_without_a_shutout_do_not_mention_it():
    sheet = sheet_of(HandResult(0, "gin", 0, 90), preset="points_only")
    assert paper.bonus_rows(sheet) == []
    assert paper.verdict(sheet) == "alice wins the game by 115 points."


def test_a_game_called_off_has_no_winner():
    sheet = sheet_of(HandResult(0, "gin", 0, 20), ended=("called_off", None))
    assert paper.ending(sheet) == "Called off by agreement"
    assert paper.verdict(sheet) == "The game has no winner."


def test_the_game_in_brief_counts_each_player():
    sheet = sheet_of(
        HandResult(1, "knock", 4, 21), HandResult(0, "gin", 0, 13), HandResult(1, "undercut", 8, 5)
    )
    assert dict(paper.facts(sheet)) == {
        "Hands won": ["1", "2"],
        "Gins": ["1", "0"],
        "Undercuts": ["0", "1"],
        "Best hand": ["38", "28"],
        "Average knock": ["8.0", "4.0"],
        "Average when caught": ["21.0", "13.0"],
    }


def test_a_game_of_one_knock_is_told_without_sums():
    sheet = sheet_of(HandResult(1, "first_knock", 7, 40), preset="first_to_knock")
    assert paper.ending(sheet) == "bob knocked first"
    assert paper.verdict(sheet) == "bob wins the game."
    assert paper.bonus_rows(sheet) == []


def test_every_free_correction_has_its_own_row_with_reason_and_author():
    sheet = sheet_of(HandResult(0, "gin", 0, 60), HandResult(0, "gin", 0, 40))
    ledger.write_correction(sheet.id, 0, -30, "miscounted", "charlie")
    ledger.write_correction(sheet.id, 0, 5, "a card fell", "dora")
    rows = paper.correction_rows(ledger.read_sheet(sheet.id))
    assert [(row.what, row.rest, [cell.run for cell in row.cells]) for row in rows] == [
        ("Correction", "miscounted (charlie)", [-30, None]),
        ("Correction", "a card fell (dora)", [5, None]),
    ]


# --- rules as they were


def test_a_preset_changed_later_leaves_old_sheets_and_open_games_as_they_were(monkeypatch):
    """Case A6: undercut 25 becomes 10 and the target 75, with alice at 83."""
    old = sheet_of(HandResult(1, "undercut", 8, 5), HandResult(0, "gin", 0, 90))
    open_ = sheet_of(HandResult(0, "knock", 1, 84))
    changed = replace(scoring.PRESETS["complete"], undercut=10, target=75)
    presets_now = {**scoring.PRESETS, "complete": changed}
    monkeypatch.setattr("scoring.rules.PRESETS", presets_now)
    assert presets.rule_set({"preset": "complete"}).scoring.undercut == 10
    read = ledger.read_sheet(old.id)
    assert (read.standing, read.lines) == (old.standing, old.lines)
    shown = paper.paper_of(read, paper.hand_rows(read))
    assert next((row.sums, row.cells) for row in shown["hands"])[0] == "(3 + 25)"
    assert "Target 100" in shown["ending"]
    assert any("25" in sentence for sentence in map(str, shown["words"]))
    standing = ledger.record_hand(open_.id, 2, HandResult(1, "undercut", 4, 4))
    assert (standing.finished, standing.hand_points) == (False, (83, 25))


# --- editions

KNOCK, GIN, UNDERCUT = (
    HandResult(0, "knock", 4, 34), HandResult(1, "gin", 0, 13), HandResult(1, "undercut", 8, 5),
)  # fmt: skip


def corrected(before, after):
    """The rows of both editions: the new one's and the old one's."""
    old = sheet_of(*before, bonuses=False)
    rules = presets.rule_set(old.rules).as_dict()
    new_id = ledger.open_sheet(rules, [SeatEntry("alice"), SeatEntry("bob")])
    for number, hand in enumerate(after, 1):
        ledger.record_hand(new_id, number, hand)
    new = ledger.read_sheet(new_id)
    return (
        paper.traced(paper.hand_rows(new), new, old),
        paper.traced_later(paper.hand_rows(old), old, new),
    )


def test_a_corrected_hand_says_what_stood_there():
    lower = HandResult(0, "knock", 4, 24)
    rows, old = corrected([GIN, KNOCK, UNDERCUT], [GIN, lower, UNDERCUT])
    assert [row.trace for row in rows] == ["", "corrected, before: alice, knock 4 against 34", ""]
    assert [row.trace for row in old] == ["", "corrected since: alice, knock 4 against 24", ""]
    assert [row.number for row in rows] == [1, 2, 3]


def test_a_hand_taken_out_leaves_a_struck_row_and_the_others_their_marks_off():
    """Case A7: hand 2 of 4 deleted."""
    rows, old = corrected([GIN, KNOCK, UNDERCUT, GIN], [GIN, UNDERCUT, GIN])
    assert [(row.number, row.gone, row.trace) for row in rows] == [
        (1, False, ""), (None, True, "taken out"), (2, False, ""), (3, False, ""),
    ]  # fmt: skip
    assert rows[1].what == "alice, knock 4 against 34"
    assert [row.trace for row in old] == ["", "taken out since", "", ""]


def test_a_hand_added_is_marked_in_the_new_edition_only():
    rows, old = corrected([GIN], [GIN, HandResult(None, "void"), UNDERCUT])
    assert [row.trace for row in rows] == ["", "added", "added"]
    assert [row.trace for row in old] == [""]


def test_points_of_a_struck_row_count_for_nobody():
    rows, _old = corrected([GIN, KNOCK], [GIN])
    assert [cell.gain for row in rows if row.gone for cell in row.cells] == [None, None]
