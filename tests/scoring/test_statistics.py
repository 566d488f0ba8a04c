"""Statistics: what the tallies say is what the lines and hands say; who may see it."""

from __future__ import annotations

from collections import Counter
from datetime import UTC, datetime, timedelta
from zoneinfo import ZoneInfo

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from accounts.models import User
from scoring import ledger, statistics
from scoring.models import ScoreLine, ScoreSheet, SheetHand, SheetSeat, Tally
from scoring.rules import HandResult
from scoring.statistics import Figures
from tests.scoring.finished import NOON, finished, gin, knock, opened, undercut

pytestmark = pytest.mark.django_db
PARIS, AUCKLAND = ZoneInfo("Europe/Paris"), ZoneInfo("Pacific/Auckland")

# --- the same figures, counted again from what is written on the sheets


def recounted(user_id: int, preset: str = "", against: int | None = None) -> Figures:
    """Every line and hand of this player's finished sheets, counted one by one."""
    sums: Counter[str] = Counter()
    best = 0
    for seat in SheetSeat.objects.filter(user_id=user_id):
        sheet = seat.sheet
        other = SheetSeat.objects.exclude(pk=seat.pk).get(sheet=sheet)
        replaced = ScoreSheet.objects.filter(replaces=sheet).exists()
        if sheet.bonuses_at is None or replaced:
            continue
        if (preset and sheet.rules["preset"] != preset) or (against and other.user_id != against):
            continue
        lines = list(ScoreLine.objects.filter(sheet=sheet, seat=seat.seat))
        hands = list(SheetHand.objects.filter(sheet=sheet, winner__isnull=False))
        winner = ledger.read_sheet(sheet.pk).standing.winner
        sums["games"] += 1
        sums["won"] += winner == seat.seat
        sums["lost"] += winner is not None and winner != seat.seat
        sums["points"] += sum(line.points for line in lines)
        sums["shutouts"] += any(line.kind == "shutout" for line in lines)
        scored = [line.points for line in lines if line.hand is not None]
        sums["hand_points"] += sum(scored)
        best = max([best, *scored])
        for hand in hands:
            count_hand(sums, hand, hand.winner == seat.seat)
    return Figures(best_hand=best, **sums)


def count_hand(sums: Counter[str], hand: SheetHand, mine: bool) -> None:
    sums["hands"] += 1
    sums["hands_won"] += mine
    by_gin = hand.kind in ("gin", "big_gin")
    if mine:
        sums["gins"] += by_gin
        sums["big_gins"] += hand.kind == "big_gin"
        sums["undercuts"] += hand.kind == "undercut"
    elif hand.kind == "undercut":
        sums["undercut_by"] += 1
    elif hand.kind != "first_knock":
        sums["caught"] += 1
        sums["caught_deadwood"] += hand.defender_deadwood
    knocked = hand.kind in ("knock", "first_knock") if mine else hand.kind == "undercut"
    if knocked:
        sums["knocks"] += 1
        sums["knock_deadwood"] += hand.knocker_deadwood


SEATS = st.integers(0, 1)
HANDS = st.one_of(
    st.builds(knock, SEATS, st.integers(1, 60), st.integers(1, 10)),
    st.builds(gin, SEATS, st.integers(0, 60)),
    st.builds(lambda seat, at: HandResult(seat, "big_gin", 0, at), SEATS, st.integers(0, 60)),
    st.integers(1, 10).flatmap(
        lambda held: st.builds(undercut, SEATS, st.just(held), st.integers(0, held))
    ),
    st.just(HandResult(None, "void")),
)
GAMES = st.tuples(
    st.sampled_from(["complete", "points_only", "oklahoma_spades"]),
    st.sampled_from([(0, 1), (1, 0), (0, 2), (2, 1)]),
    st.lists(HANDS, max_size=25),
    st.sampled_from(["resigned", "called_off", None]),
)


@settings(max_examples=12, deadline=None, suppress_health_check=list(HealthCheck))
@given(games=st.lists(GAMES, max_size=5))
def test_the_tallies_say_what_lines_and_hands_say(alice, bob, charlie, games):
    Tally.objects.all().delete()
    SheetSeat.objects.update(user=None)
    cast = [alice, bob, charlie]
    for preset, players, hands, how in games:
        sheet = opened([cast[one] for one in players], preset)
        for number, hand in enumerate(hands, 1):
            if ledger.record_hand(sheet, number, hand).finished:
                break
        else:
            if how is None:
                continue  # it goes on
            ledger.end_sheet(sheet, how, None if how == "called_off" else 0)
        ledger.write_bonuses(sheet)
    for one in cast:
        assert statistics.figures(one.pk) == recounted(one.pk)
        assert statistics.figures(one.pk, "complete") == recounted(one.pk, "complete")
        for other in cast:
            if other is not one:
                own, theirs = statistics.head_to_head(one.pk, other.pk)
                assert own == recounted(one.pk, against=other.pk)
                assert theirs == recounted(other.pk, against=one.pk)


def test_a_corrected_sheet_counts_as_corrected(alice, bob):
    old = finished([alice, bob], [knock(0, 60), gin(0, 30)], source="paper", keeper_id=alice.pk)
    ledger.edition(old, [knock(0, 60), gin(1, 80)])
    assert statistics.figures(alice.pk).won == 0
    for one in (alice, bob):
        assert statistics.figures(one.pk) == recounted(one.pk)


# --- single figures


def test_rates_and_averages(alice, bob):
    won = [knock(0, 20, held=4), gin(0, 30), gin(0, 9)]
    lost = [undercut(1, held=8, less=3), knock(1, 10, held=2)]
    hands = [won[0], lost[0], won[1], lost[1], won[2]]
    finished([alice, bob], hands)
    figures = statistics.figures(alice.pk)
    assert (figures.hands, figures.hands_won, figures.gins) == (5, 3, 2)
    assert figures.gin_rate == 40
    assert figures.knocking_deadwood == 6  # 4 and the 8 that was undercut
    assert figures.undercut_by_rate == 50
    assert figures.deadwood_when_caught == 12
    assert figures.best_hand == 55
    assert figures.points_per_hand == (20 + 55 + 34) / 5
    assert statistics.figures(bob.pk).undercut_rate == 20


def test_nothing_played_says_nothing(alice):
    figures = statistics.figures(alice.pk)
    assert figures == Figures()
    assert figures.win_rate is figures.gin_rate is figures.knocking_deadwood is None
    assert statistics.streaks(alice.pk).last == ()
    assert statistics.months(alice.pk, PARIS) == []
    assert statistics.first_game(alice.pk) is None


@pytest.mark.parametrize(
    ("results", "now", "longest"),
    [("", 0, 0), ("W", 1, 1), ("L", -1, 0), ("WWLWWWLL", -2, 3), ("LLWW", 2, 2), ("WLWLW", 1, 1)],
)
def test_streaks(results, now, longest):
    streaks = statistics.in_a_row(["won" if one == "W" else "lost" for one in results])
    assert (streaks.now, streaks.longest) == (now, longest)


def test_games_nobody_won_break_no_streak_and_no_rate(alice, bob):
    for number, how in enumerate([None, "called_off", None]):
        finished([alice, bob], ended_at=NOON + timedelta(hours=number), how=how)
    streaks = statistics.streaks(alice.pk)
    assert (streaks.now, streaks.longest, streaks.last) == (2, 2, ("won", "won"))
    figures = statistics.figures(alice.pk)
    assert (figures.games, figures.won, figures.win_rate) == (3, 2, 100)


@pytest.mark.parametrize(
    ("zone", "ended_at", "begins"),
    [
        (PARIS, datetime(2026, 3, 31, 22, tzinfo=UTC), (2026, 4)),  # summer time has begun
        (PARIS, datetime(2026, 3, 31, 21, 59, 59, tzinfo=UTC), (2026, 3)),
        (PARIS, datetime(2026, 10, 31, 22, 59, tzinfo=UTC), (2026, 10)),  # and ended
        (PARIS, datetime(2026, 10, 31, 23, tzinfo=UTC), (2026, 11)),
        (AUCKLAND, datetime(2026, 3, 31, 11, tzinfo=UTC), (2026, 4)),
        (AUCKLAND, datetime(2026, 4, 30, 11, 59, tzinfo=UTC), (2026, 4)),
        (AUCKLAND, datetime(2026, 12, 31, 11, tzinfo=UTC), (2027, 1)),
    ],
)
def test_a_game_belongs_to_the_month_the_clock_showed(alice, bob, zone, ended_at, begins):
    finished([alice, bob], ended_at=ended_at)
    (month,) = statistics.months(alice.pk, zone)
    assert month.begins.timetuple()[:4] == (*begins, 1, 0)
    assert month.figures == statistics.figures(alice.pk)


def test_months_add_up_to_everything(alice, bob):
    for number in range(5):
        finished([alice, bob], ended_at=NOON + timedelta(days=40 * number))
    months = statistics.months(alice.pk, PARIS)
    assert [month.begins.month for month in months] == [5, 6, 7, 8, 10]
    assert sum(month.figures.points for month in months) == statistics.figures(alice.pk).points


def test_the_number_of_statements_stays_the_same(alice, bob):
    def asked():
        with CaptureQueriesContext(connection) as statements:
            statistics.figures(alice.pk)
            statistics.head_to_head(alice.pk, bob.pk)
            statistics.months(alice.pk, PARIS)
            statistics.streaks(alice.pk)
            statistics.presets_of(alice.pk)
        return len(statements)

    finished([alice, bob])
    few = asked()
    for number in range(10):
        finished([alice, bob], ended_at=NOON + timedelta(days=20 * number), preset="points_only")
    assert asked() == few == 5


# --- who may see it


@pytest.fixture
def played(alice, bob):
    """Alice and Bob sat at one sheet; Charlie at none of theirs."""
    return opened([alice, bob])


def shows(alice, pages_for):
    User.objects.filter(pk=alice.pk).update(pages_for=pages_for)


@pytest.mark.parametrize(
    ("pages_for", "herself", "friend", "stranger", "visitor"),
    [
        ("everyone", True, True, True, True),
        ("played", True, True, False, False),
        ("nobody", True, False, False, False),
    ],
)
def test_a_player_says_who_sees_their_page(
    alice, bob, charlie, played, pages_for, herself, friend, stranger, visitor
):
    shows(alice, pages_for)
    seen = [statistics.may_see(who and who.pk, alice.pk) for who in (alice, bob, charlie, None)]
    assert seen == [herself, friend, stranger, visitor]


def test_no_right_of_the_administration_opens_a_page(alice, admin_user):
    shows(alice, "nobody")
    assert not statistics.may_see(admin_user.pk, alice.pk)


def test_a_page_that_is_not_there_is_for_nobody(alice):
    assert not statistics.may_see(alice.pk, 10**9)
    assert not statistics.may_see(10**9, 10**9)


def test_a_name_on_paper_opens_no_page(alice, bob):
    opened([bob, "alice"], source="paper", keeper_id=bob.pk)
    assert not statistics.may_see(bob.pk, alice.pk)


def test_many_pages_are_asked_about_at_once(alice, bob, charlie, played):
    shows(charlie, "everyone")
    with CaptureQueriesContext(connection) as asked:
        seen = statistics.visible_to(bob.pk, [alice.pk, bob.pk, charlie.pk, 10**9])
    assert seen == {alice.pk, bob.pk, charlie.pk}
    assert len(asked) == 2
    assert statistics.visible_to(None, [alice.pk, bob.pk, charlie.pk]) == {charlie.pk}
