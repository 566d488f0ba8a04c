"""The audit finds whatever is not as it was played, and says nothing where all is well."""

from __future__ import annotations

import re
from datetime import timedelta
from io import StringIO
from random import Random

import pytest
from django.core.management import call_command
from django.db import connection
from django.utils import timezone

from games import rooms, table
from games.demo.playing import play_game
from games.demo.times import on_paper, timed
from games.models import Game, Hand, Move, Pace
from games.presets import rule_set
from games.table import PastGame
from scoring import ledger
from scoring.ledger import PastSheet, SeatEntry
from scoring.models import ScoreLine, ScoreSheet, SheetHand, SheetSeat, Tally

pytestmark = pytest.mark.django_db

RULES = rule_set({"preset": "complete"})
CARD = re.compile(r"\b[A23456789TJQK][cdhs]\b")


@pytest.fixture
def site(alice, bob):
    """A game at a table, one that goes on there, and a game on paper that was corrected."""
    began = timezone.now() - timedelta(days=30)
    seats = [SeatEntry("alice", alice.pk), SeatEntry("bob", bob.pk)]
    room_id = rooms.open_past_room([alice.pk, bob.pk], "Salle", RULES.as_dict(), began)
    table_id = rooms.open_past_table(room_id, began)
    hands = timed(play_game(RULES, (10, 10), Random(5)), began, Pace.NONE, Random(5))
    live = PastGame(seats, RULES.as_dict(), began, hands, ended_at=hands[-1].ended_at)
    table.write_past(table_id, [live])
    for person in (alice, bob):
        table.rematch(table_id, person.pk)
    results = list(on_paper(play_game(RULES, (10, 10), Random(6)), began, Random(6)))
    paper = PastSheet(
        RULES.as_dict(), seats, results, began, source="paper", keeper_id=alice.pk, first_dealer=0
    )
    paper_id = ledger.write_past([paper])[0]
    ledger.edition(paper_id, [result for result, _at in results][:-1])
    return paper_id


def run(processes=1):
    """What the command prints, and its exit code."""
    out = StringIO()
    try:
        call_command("audit_sheets", stdout=out, processes=processes)
    except SystemExit as end:
        return out.getvalue(), end.code
    return out.getvalue(), 0


@pytest.fixture
def unguarded(site):
    """The database after somebody took its triggers away."""
    with connection.cursor() as cursor:
        if connection.vendor == "postgresql":
            for name in ("games_move", "games_hand", "games_game", "scoring_scoreline",
                         "scoring_sheethand", "scoring_scoresheet"):  # fmt: skip
                cursor.execute("SET CONSTRAINTS ALL IMMEDIATE")
                cursor.execute(f"ALTER TABLE {name} DISABLE TRIGGER USER")
        else:
            cursor.execute("SELECT name FROM sqlite_master WHERE type = 'trigger'")
            for (name,) in cursor.fetchall():
                cursor.execute(f'DROP TRIGGER "{name}"')
    return site


def test_a_site_where_all_is_well_has_nothing_to_say(site):
    said, code = run()
    hands = Hand.objects.count()
    assert code == 0
    speed = r"\d+ hands and \d+ sheets a second\."
    assert re.fullmatch(rf"4 sheets, {hands} hands replayed, {speed}\n", said)


def test_an_empty_site_is_well_too(db):
    assert run() == ("0 sheets, 0 hands replayed, 0 hands and 0 sheets a second.\n", 0)


def live():
    return ScoreSheet.objects.filter(source="table", ended_at__isnull=False).get()


def hand(number=1):
    return Hand.objects.get(game__sheet=live(), number=number)


def first_line():
    return ScoreLine.objects.filter(sheet=live(), hand__isnull=False).earliest("pk")


def tampered_move():
    Move.objects.filter(hand=hand(), ply=3).update(text="discard Xx")


def stolen_turn():
    fourth = Move.objects.filter(hand=hand(), ply=4)
    fourth.update(seat=1 - fourth.get().seat)


def lost_move():
    Move.objects.filter(hand=hand(), ply=2).delete()


def other_dealer():
    Hand.objects.filter(pk=hand(2).pk).update(dealer=1 - hand(2).dealer)


def deck_of_nothing():
    Hand.objects.filter(pk=hand().pk).update(deck="As" * 52)


def never_ended():
    Hand.objects.filter(pk=hand(2).pk).update(ended_at=None)


def cut_short():
    Move.objects.filter(hand=hand(), ply=hand().moves.count()).delete()


def told_otherwise():
    told = SheetHand.objects.filter(sheet=live(), number=1)
    told.update(winner=1 - told.get().winner)


def never_told():
    SheetHand.objects.filter(sheet=live(), number=1).delete()


def told_too_often():
    SheetHand.objects.create(sheet=live(), number=99, kind="void")


def dearer_line():
    ScoreLine.objects.filter(pk=first_line().pk).update(base=first_line().base + 1)


def lost_line():
    ScoreLine.objects.filter(pk=first_line().pk).delete()


def line_of_no_hand():
    ScoreLine.objects.create(sheet=live(), seat=0, kind="knock", hand=98, base=3)


def lost_bonus():
    ScoreLine.objects.filter(sheet=live(), kind="game").delete()


def bonus_not_due():
    open_sheet = Game.objects.get(ended_at=None).sheet
    ScoreLine.objects.create(sheet=open_sheet, seat=0, kind="game", base=100)


def bonuses_never_written():
    ScoreLine.objects.filter(sheet=live(), hand=None).delete()
    Tally.objects.filter(sheet=live()).delete()
    ScoreSheet.objects.filter(pk=live().pk).update(bonuses_at=None)


def another_winner():
    ScoreSheet.objects.filter(pk=live().pk).update(ended_by=1 - live().ended_by)


def another_end():
    ScoreSheet.objects.filter(pk=live().pk).update(how="resigned")


def taller_tally():
    Tally.objects.filter(sheet=live(), seat=0).update(gins=77)


def lost_tally():
    Tally.objects.filter(sheet=live(), seat=1).delete()


def tally_of_an_old_edition():
    old = ScoreSheet.objects.get(source="paper", replaces=None)
    stored = Tally.objects.get(sheet=live(), seat=0)
    stored.pk, stored.sheet_id = None, old.pk
    stored.save()


def other_rules():
    Game.objects.filter(sheet=live()).update(rules={**RULES.as_dict(), "gin": 20})


def rules_of_nothing():
    ScoreSheet.objects.filter(source="paper", replaces=None).update(rules={"format": "chess"})


def game_over_unknown_to_its_sheet():
    Game.objects.filter(ended_at=None).update(ended_at=timezone.now())


def paper_of_no_game():
    ScoreSheet.objects.filter(source="paper").update(keeper=None, first_dealer=None, source="table")


def edition_of_a_stranger():
    ScoreSheet.objects.filter(source="paper", replaces__isnull=False).update(original=live())


DIFFERENCES = {
    tampered_move: r"hand 1: move 3 cannot be made \(malformed\)",
    stolen_turn: r"hand 1: move 4 was made by seat [01] out of turn",
    lost_move: "hand 1: move 2 is missing",
    other_dealer: "hand 2: dealt by seat [01], but it was seat [01]'s turn to deal",
    deck_of_nothing: "hand 1: the deck is no deck",
    never_ended: "hand 2: it is over, but lies open",
    cut_short: "hand 1: it was broken off, but the game went on",
    told_otherwise: "hand 1: played: .*, won by seat [01]; written: .*, won by seat [01]",
    never_told: "hand 1: played: .*; written: no end",
    told_too_often: "hand 99: written, but never dealt",
    dearer_line: r"hand \d: worth .* for seat [01]; written: .* for seat [01]",
    lost_line: r"hand \d: worth .*; written: no line",
    line_of_no_hand: "hand 98: a line, but no hand",
    lost_bonus: r"seat [01] lacks game 100 \+ 0 for seat [01]",
    bonus_not_due: r"seat 0 has game 100 \+ 0 for seat 0, which is not due",
    bonuses_never_written: "its bonuses were never written",
    another_winner: "it ended by seat [01] reaching the target; worked out: [01]",
    another_end: "seat [01] reached the target, but that did not end it",
    taller_tally: r"seat 0: tally of gins 77, not \d",
    lost_tally: "seat 1 has no tally",
    tally_of_an_old_edition: "seat 0 has a tally, which is not due",
    other_rules: "its game has other rules",
    rules_of_nothing: r"it cannot be read \(BadRules\)",
    game_over_unknown_to_its_sheet: "its game is over, it is not",
    paper_of_no_game: "no game was played on it",
    edition_of_a_stranger: r"it replaces sheet \d+, which is of another game",
}


@pytest.mark.parametrize("tamper", DIFFERENCES, ids=lambda tamper: tamper.__name__)
def test_what_was_tampered_with_is_found(tamper, unguarded):
    tamper()
    said, code = run()
    assert code == 1
    *lines, summary = said.splitlines()
    assert summary.startswith("4 sheets, ")
    assert any(re.search(rf"^sheet \d+: {DIFFERENCES[tamper]}$", line) for line in lines), said
    assert not CARD.search(said)


def test_a_sheet_that_cannot_be_added_up_is_said_and_the_others_are_audited(unguarded):
    SheetSeat.objects.filter(sheet=live(), seat=1).delete()
    said, code = run()
    assert code == 1
    assert f"sheet {live().pk}: it cannot be read (IndexError)" in said


def test_an_open_hand_is_replayed_and_its_cards_are_not_told(unguarded):
    lying_open = Hand.objects.get(ended_at=None)
    Move.objects.create(hand=lying_open, ply=1, seat=1 - lying_open.dealer, text="discard 7h",
                        made_at=timezone.now())  # fmt: skip
    said, code = run()
    assert code == 1
    assert "hand 1: move 1 cannot be made (draw_first)" in said
    assert not CARD.search(said)
    assert lying_open.deck[:8] not in said


def test_bonuses_may_take_the_time_of_a_sweep(site, alice, bob):
    open_game = Game.objects.get(ended_at=None)
    table.resign(open_game.table_id, alice.pk)
    assert ScoreSheet.objects.get(pk=open_game.sheet_id).bonuses_at is None
    assert run()[1] == 0


@pytest.mark.django_db(transaction=True)
def test_it_reads_as_of_one_moment_and_holds_up_nobody(site):
    assert run()[1] == 0
    assert not connection.in_atomic_block
    ScoreSheet.objects.filter(pk=site).update(bonuses_at=timezone.now())  # not inside its BEGIN
