"""Histories: stable pages, filters, periods on the reader's clock, sheets not finished."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, date, datetime, timedelta
from zoneinfo import ZoneInfo

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext
from hypothesis import given
from hypothesis import strategies as st

from scoring import history, ledger
from scoring.history import Cursor, Opponent, Wanted
from scoring.models import Tally
from tests.scoring.finished import NOON, finished, gin, knock, opened

pytestmark = pytest.mark.django_db
PARIS, AUCKLAND = ZoneInfo("Europe/Paris"), ZoneInfo("Pacific/Auckland")


def pages(user, wanted=Wanted()):  # noqa: B008
    """The sheets of every page, one after the other."""
    found, after = [], None
    while True:
        page = history.page(user.pk, wanted, after)
        found.append([entry.sheet_id for entry in page.entries])
        after = page.older and history.cursor(str(page.older))
        if after is None:
            return found


def sheets(user, **wanted):
    return [sheet for page in pages(user, Wanted(**wanted)) for sheet in page]


@pytest.fixture
def small_pages(monkeypatch):
    monkeypatch.setattr(history, "PAGE", 3)


def test_the_newest_comes_first_from_ones_own_side(alice, bob):
    first = finished([alice, bob], ended_at=NOON)
    hands = [knock(0, 60), knock(1, 7), gin(0, 30)]
    second = finished([bob, alice], hands, ended_at=NOON + timedelta(hours=1))
    page = history.page(alice.pk)
    assert [entry.sheet_id for entry in page.entries] == [second, first]
    lost, won = page.entries
    assert (won.result, lost.result) == ("won", "lost")
    assert [one.name for one in lost.opponents] == ["bob"]
    assert (lost.points, lost.opponent_points) == tuple(reversed(ledger.totals(second)))


def test_games_that_end_in_the_same_instant_are_each_on_one_page(alice, bob, small_pages):
    made = [finished([alice, bob]) for _number in range(8)]
    assert pages(alice) == [made[:4:-1], made[4:1:-1], made[1::-1]]


def test_a_game_that_ends_meanwhile_moves_nothing(alice, bob, small_pages):
    made = [finished([alice, bob]) for _number in range(6)]
    first = history.page(alice.pk)
    newer = finished([alice, bob], ended_at=NOON + timedelta(seconds=1))
    late = finished([alice, bob])  # in the same instant as all the others
    second = history.page(alice.pk, after=first.older)
    assert [entry.sheet_id for entry in second.entries] == made[2::-1]
    assert sheets(alice) == [newer, late, *reversed(made)]


def test_a_last_page_that_is_full_leads_nowhere(alice, bob, small_pages):
    for _number in range(3):
        finished([alice, bob])
    assert history.page(alice.pk).older is None


MOMENTS = st.datetimes(datetime(1900, 1, 1), datetime(2999, 1, 1), timezones=st.just(UTC))


@given(MOMENTS, st.integers(1, 10**17))
def test_a_cursor_is_read_as_it_was_written(ended_at, sheet_id):
    assert history.cursor(str(Cursor(ended_at, sheet_id))) == Cursor(ended_at, sheet_id)


@pytest.mark.parametrize(
    "text",
    ["", "-", "1", "1-", "-1", "a-b", "1-2-3", "1_0-2", "१-२", " 1-2", f"{10**18}-1"],
)
def test_what_is_no_cursor_is_none(text):
    assert history.cursor(text) is None


def test_nobody_reads_games_of_others(alice, bob, charlie):
    finished([alice, bob])
    assert history.page(charlie.pk).entries == ()
    assert history.counted(charlie.pk).games == 0
    assert history.opponents(charlie.pk) == []


def test_the_number_of_statements_stays_the_same(alice, bob):
    def asked():
        with CaptureQueriesContext(connection) as statements:
            history.page(alice.pk, Wanted(name="bob"))
            history.counted(alice.pk)
            history.opponents(alice.pk)
            history.unfinished(alice.pk)
        return len(statements)

    finished([alice, bob])
    opened([alice, "Léa"], source="paper", keeper_id=alice.pk)
    few = asked()
    for _number in range(10):
        finished([alice, bob])
        opened([alice, "Léa"], source="paper", keeper_id=alice.pk)
    assert asked() == few <= 8


# --- filters


def test_each_filter_leaves_the_others_out(alice, bob, charlie):
    with_bob = finished([alice, bob])
    lost = finished([bob, alice], preset="points_only")
    with_charlie = finished([alice, charlie])
    off = finished([alice, charlie], how="called_off")
    paper = finished([alice, "Léa"], source="paper", keeper_id=alice.pk)
    assert sheets(alice, opponent_id=bob.pk) == [lost, with_bob]
    assert sheets(alice, preset="points_only") == [lost]
    assert sheets(alice, result="won") == [paper, with_charlie, with_bob]
    assert sheets(alice, result="lost") == [lost]
    assert sheets(alice, result="none") == [off]
    assert sheets(alice, sources=("paper",)) == [paper]
    assert sheets(alice, sources=("table",), opponent_id=charlie.pk, result="won") == [with_charlie]
    counted = history.counted(alice.pk, Wanted(opponent_id=charlie.pk))
    assert (counted.games, counted.won) == (2, 1)


@pytest.mark.parametrize("typed", ["Léa", "lea", "ÉA", " lé", "LÉA DUPONT"])
def test_a_name_is_found_whatever_its_case_and_accents(alice, bob, typed):
    finished([alice, bob])
    wanted = finished([alice, "Léa Dupont"], source="paper", keeper_id=alice.pk)
    assert sheets(alice, name=typed) == [wanted]


@pytest.mark.parametrize("typed", ["alice", "xyz", "%", "_"])
def test_ones_own_name_and_wild_cards_find_nothing(alice, bob, typed):
    finished([alice, bob])
    assert sheets(alice, name=typed) == []


def test_filters_go_through_all_pages(alice, bob, charlie, small_pages):
    wanted = []
    for _number in range(5):
        wanted.insert(0, finished([alice, bob]))
        finished([alice, charlie])
    assert sheets(alice, opponent_id=bob.pk) == wanted


def test_opponents_met_most_come_first(alice, bob, charlie):
    finished([alice, bob])
    for _number in range(2):
        finished([charlie, alice])
    finished([alice, "Léa"], source="paper", keeper_id=alice.pk)
    assert history.opponents(alice.pk) == [(charlie.pk, "charlie"), (bob.pk, "bob")]


# --- names and accounts that go


def test_a_player_who_is_gone_keeps_the_name_of_that_day_and_leads_nowhere(alice, bob):
    sheet = finished([alice, bob])
    before = ledger.totals(sheet)
    bob.username = "robert"
    bob.save()
    (entry,) = history.page(alice.pk).entries
    assert entry.opponents == (Opponent("bob", bob.pk, True),)
    bob.delete()
    (entry,) = history.page(alice.pk).entries
    assert entry.opponents == (Opponent("bob", None, False),)
    assert ledger.totals(sheet) == before


def test_a_page_for_nobody_is_not_led_to(alice, bob):
    finished([alice, bob])
    bob.pages_for = "nobody"
    bob.save()
    (entry,) = history.page(alice.pk).entries
    assert entry.opponents[0].shows_page is False


def test_only_the_latest_edition_counts(alice, bob):
    old = finished([alice, bob], [knock(0, 60), gin(0, 30)], source="paper", keeper_id=alice.pk)
    new = ledger.edition(old, [knock(1, 60), gin(1, 30)])
    assert sheets(alice) == [new]
    assert history.page(alice.pk).entries[0].result == "lost"
    open_again = ledger.edition(new, [knock(1, 60)])
    assert sheets(alice) == []
    assert [sheet.sheet_id for sheet in history.unfinished(alice.pk)] == [open_again]


# --- what is not finished


def test_open_paper_and_sheets_without_their_bonuses_are_not_finished(alice, bob, charlie):
    finished([alice, bob])
    opened([alice, bob])  # played at its table
    mine = opened([alice, "Léa"], source="paper", keeper_id=alice.pk)
    kept = opened(["Léa", "Zoé"], source="paper", keeper_id=alice.pk)
    opened([charlie, "Léa"], source="paper", keeper_id=charlie.pk)
    ended = opened([bob, alice])
    ledger.record_hand(ended, 1, gin(0, 90))
    found = {one.sheet_id: one for one in history.unfinished(alice.pk)}
    assert set(found) == {mine, kept, ended}
    assert (found[mine].names, found[mine].mine, found[mine].kept) == (("Léa",), True, True)
    assert (found[kept].names, found[kept].mine) == (("Léa", "Zoé"), False)
    assert (found[ended].ended, found[ended].names) == (True, ("bob",))
    ledger.write_bonuses(ended)
    assert ended not in {one.sheet_id for one in history.unfinished(alice.pk)}


# --- periods


@pytest.mark.parametrize(
    ("day", "zone", "start", "hours"),
    [
        (date(2026, 3, 29), PARIS, datetime(2026, 3, 28, 23, tzinfo=UTC), 23),
        (date(2026, 10, 25), PARIS, datetime(2026, 10, 24, 22, tzinfo=UTC), 25),
        (date(2026, 7, 14), PARIS, datetime(2026, 7, 13, 22, tzinfo=UTC), 24),
        (date(2026, 4, 5), AUCKLAND, datetime(2026, 4, 4, 11, tzinfo=UTC), 25),
        (date(2026, 9, 27), AUCKLAND, datetime(2026, 9, 26, 12, tzinfo=UTC), 23),
        (date(2022, 3, 27), ZoneInfo("Asia/Beirut"), datetime(2022, 3, 26, 22, tzinfo=UTC), 23),
        (date(2026, 11, 1), ZoneInfo("America/Havana"), datetime(2026, 11, 1, 4, tzinfo=UTC), 25),
    ],
)
def test_a_day_is_as_long_as_the_clock_makes_it(day, zone, start, hours):
    begins, ends = history.between(day, day, zone)
    assert begins.astimezone(UTC) == start
    assert ends.astimezone(UTC) - begins.astimezone(UTC) == timedelta(hours=hours)


@pytest.mark.parametrize(
    ("zone", "day"),
    [(PARIS, date(2026, 3, 29)), (PARIS, date(2026, 10, 25)), (AUCKLAND, date(2026, 4, 5)),
     (AUCKLAND, date(2026, 9, 27))],
)  # fmt: skip
def test_a_day_holds_its_first_and_last_instant_and_no_other(alice, bob, zone, day):
    start, end = history.between(day, day, zone)
    tick = timedelta(microseconds=1)
    first, last = start.astimezone(UTC), end.astimezone(UTC) - tick
    within = [finished([alice, bob], ended_at=at) for at in (first, last)]
    finished([alice, bob], ended_at=first - tick)
    finished([alice, bob], ended_at=last + tick)
    assert sheets(alice, start=start, end=end) == within[::-1]


@pytest.mark.parametrize(
    ("zone", "period", "now", "start"),
    [
        # New Year's Eve is over in Auckland while Paris still has lunch.
        (AUCKLAND, "year", (2026, 12, 31, 12), (2026, 12, 31, 11)),
        (PARIS, "year", (2026, 12, 31, 12), (2025, 12, 31, 23)),
        (PARIS, "month", (2026, 3, 31, 21, 59), (2026, 2, 28, 23)),
        (PARIS, "month", (2026, 3, 31, 22), (2026, 3, 31, 22)),
        (AUCKLAND, "month", (2026, 9, 30, 11), (2026, 9, 30, 11)),
        (AUCKLAND, "month", (2026, 9, 30, 10, 59), (2026, 8, 31, 12)),
    ],
)
def test_this_month_and_this_year_begin_by_the_readers_clock(zone, period, now, start):
    wanted = history.in_period(Wanted(preset="x"), period, zone, datetime(*now, tzinfo=UTC))
    assert wanted.start.astimezone(UTC) == datetime(*start, tzinfo=UTC)
    assert replace(wanted, start=None) == Wanted(preset="x")


def test_open_ends_and_unknown_periods_leave_nothing_out():
    assert history.between(None, None, PARIS) == (None, None)
    assert history.between(None, date.max, PARIS) == (None, None)
    assert history.in_period(Wanted(), "for ever", PARIS) == Wanted()
    assert Wanted().all
    assert not Wanted(result="won").all


def test_a_tally_without_its_players_is_nobodys(alice, bob):
    finished([alice, bob])
    alice.delete()
    assert Tally.objects.filter(user=None).count() == 1
    assert len(history.page(bob.pk).entries) == 1
