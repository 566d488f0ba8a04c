"""Chips move by whole entries alone: put up, shared out once, given back; nothing made or lost."""

from __future__ import annotations

from decimal import Decimal

import pytest
from django.db import transaction

from accounts import forgetting, guests
from accounts.refusal import Refusal
from games.presets import rule_set
from scoring import chips, ledger
from scoring.chips.auditing import audit
from scoring.ledger import SeatEntry
from scoring.models import ChipAccount, ChipEntry, ChipPosting, Wager
from scoring.rules import HandResult
from scoring.rules.stakes import Stakes, shown

pytestmark = pytest.mark.django_db

MATCH = {"mode": "match", "amount": "50", "commission": "house"}
MONEY = {"mode": "money", "amount": "0.75", "commission": "house"}
GIN = HandResult(0, "gin", 0, 90)
KNOCK = HandResult(0, "knock", 4, 24)


@pytest.fixture(autouse=True)
def everything_adds_up():
    """Whatever a test did, the books are in order after it."""
    yield
    assert audit().differences == []


@pytest.fixture
def played(alice, bob):
    """Begin a game of alice's and bob's for these stakes."""

    def begin(stakes, preset="money_play", room=7, **more) -> int:
        with transaction.atomic():
            sheet = ledger.open_sheet(
                rule_set({"preset": preset}).as_dict(),
                [SeatEntry("alice", alice.pk), SeatEntry("bob", bob.pk)],
            )
            chips.put_up(sheet, Stakes.from_dict(stakes), [alice.pk, bob.pk], room, **more)
        return sheet

    return begin


def won(sheet: int, *hands: HandResult) -> int:
    for number, hand in enumerate(hands or [GIN], 1):
        ledger.record_hand(sheet, number, hand)
    ledger.write_bonuses(sheet)
    return sheet


def left(sheet: int, how: str, by: int | None, *hands: HandResult) -> int:
    for number, hand in enumerate(hands, 1):
        ledger.record_hand(sheet, number, hand)
    ledger.end_sheet(sheet, how, by)
    ledger.write_bonuses(sheet)
    return sheet


def wallets(*players) -> list[str]:
    return [f"{chips.wallet(player.pk):.4f}" for player in players]


def house() -> Decimal:
    return ChipAccount.objects.get(kind="house").balance


def pot() -> Decimal:
    return ChipAccount.objects.get(kind="pot").balance


# --- one game


def test_the_winner_takes_the_pot_less_the_commission(played, alice, bob):
    sheet = played(MATCH, "match_play")
    assert wallets(alice, bob) == ["950.0000", "950.0000"]
    won(sheet)
    assert wallets(alice, bob) == ["1045.0000", "950.0000"]
    told = chips.outcome(sheet).settlement
    assert (told.commission, told.net, told.winner) == (5, 45, 0)


def test_until_the_bonuses_are_written_the_chips_stay_in_the_pot(played, alice):
    sheet = played(MATCH, "match_play")
    ledger.record_hand(sheet, 1, GIN)
    assert chips.outcome(sheet).settlement is None
    assert pot() == 100
    ledger.write_bonuses(sheet)
    assert pot() == 0


def test_money_play_pays_the_difference_and_loses_no_thousandth(played, alice, bob):
    """255 to 274 of the rules: bob won, though alice reached the target."""
    sheet = played(MONEY)
    points = [60, 9, 11, 12, 14, 16, 18, 19, 45]
    hands = [
        HandResult(0 if each in (60, 45) else 1, "knock", 1, each + 1) for each in points
    ]
    won(sheet, *hands)
    assert wallets(alice, bob) == ["985.7500", "1012.8250"]
    told = chips.outcome(sheet).settlement
    assert (told.points, told.winner) == ((19, 0), 1)
    assert [shown(told.commission), shown(told.net)] == [Decimal("1.43"), Decimal("12.83")]


def test_nobody_loses_more_than_the_buy_in(played, alice, bob):
    won(played(MONEY), GIN)  # 115 + 25 + 100 + 100 to nothing
    assert wallets(alice, bob) == ["1135.0000", "850.0000"]


@pytest.mark.parametrize("how", ["called_off", "voided"])
def test_a_game_nobody_won_returns_every_chip(played, alice, bob, how):
    left(played(MATCH), how, None, KNOCK)
    assert wallets(alice, bob) == ["1000.0000", "1000.0000"]


@pytest.mark.parametrize("how", ["resigned", "time", "claimed"])
def test_whoever_leaves_loses_the_stake_of_the_match(played, alice, bob, how):
    left(played(MATCH, "match_play"), how, 0, KNOCK)
    assert wallets(alice, bob) == ["950.0000", "1045.0000"]


@pytest.mark.parametrize(
    ("hands", "points"),
    [
        ([], 200),  # game bonus and shutout: as if bob had got there
        ([HandResult(1, "knock", 4, 24)], 200),  # 20 + 25 + 100 + 100, at most the buy-in
        ([KNOCK], 55),  # alice has 20 + 25: 100 - 45; no shutout
        ([KNOCK, KNOCK, KNOCK], 25),  # 100 to 135 is less than nothing: never less than 25
    ],
)
def test_whoever_leaves_money_play_pays_as_if_the_other_had_got_there(
    played, alice, bob, hands, points
):
    sheet = left(played({**MONEY, "commission": "none"}), "resigned", 0, *hands)
    lost = points * Decimal("0.75")
    assert [chips.wallet(one.pk) for one in (alice, bob)] == [1000 - lost, 1000 + lost]
    assert chips.outcome(sheet).settlement.left


def test_a_purse_of_the_house_goes_to_the_winner(played, alice, bob):
    won(played({"mode": "purse", "amount": "20", "commission": "house"}))
    assert wallets(alice, bob) == ["1019.0000", "1000.0000"]
    assert house() == -2019


def test_a_purse_of_the_host_s_own_returns_where_nobody_won(played, alice, bob, charlie):
    stakes = {"mode": "purse", "amount": "20", "purse_from": "owner"}
    sheet = played(stakes, purse_from=charlie.pk)
    assert wallets(charlie) == ["980.0000"]
    left(sheet, "called_off", None)
    assert wallets(alice, bob, charlie) == ["1000.0000"] * 3


def test_a_host_at_the_table_may_win_their_own_purse(played, alice, bob):
    stakes = {"mode": "purse", "amount": "20", "purse_from": "owner", "commission": "house"}
    won(played(stakes, purse_from=alice.pk))
    assert wallets(alice, bob) == ["999.0000", "1000.0000"]


def test_without_a_host_there_is_no_purse(played):
    with pytest.raises(chips.Refused, match="purse"):
        played({"mode": "purse", "amount": "20", "purse_from": "owner"})


def test_a_game_without_stakes_has_no_chips(played):
    sheet = won(played({}))
    assert chips.outcome(sheet) is None
    assert not ChipAccount.objects.exists()


# --- who may not


def test_too_few_chips_are_refused_by_name_and_nothing_is_taken(played, alice, bob):
    chips.grant(bob.pk, Decimal(-951), "too rich", "the host")
    with pytest.raises(chips.Refused) as refused:
        played(MATCH)
    assert refused.value.code == "too_few_chips"
    assert refused.value.params["name"] == "bob"
    assert wallets(alice, bob) == ["1000.0000", "49.0000"]
    assert not Wager.objects.exists()


def test_who_could_not_pay_is_refused_before_they_sit_down(alice):
    chips.require_affordable(alice.pk, Stakes.from_dict({**MATCH, "amount": "1000"}))
    with pytest.raises(chips.Refused):
        chips.require_affordable(alice.pk, Stakes.from_dict({**MATCH, "amount": "1000.01"}))
    assert not ChipAccount.objects.exists()


def test_guests_have_no_chips():
    guest = guests.arrive("Invitée")
    for ask in (
        lambda: chips.require_affordable(guest.pk, Stakes.from_dict(MATCH)),
        lambda: chips.grant(guest.pk, Decimal(5), "kindness", "the host"),
    ):
        with pytest.raises(chips.Refused) as refused:
            ask()
        assert refused.value.code == "no_chips"
    assert not ChipAccount.objects.exists()


# --- once


def test_a_game_is_settled_once_however_often_it_is_asked_for(played, alice, bob):
    sheet = won(played(MATCH))
    assert not ledger.write_bonuses(sheet)
    assert not ledger.settle_chips(sheet)
    assert wallets(alice, bob) == ["1045.0000", "950.0000"]


def test_starting_chips_come_once_by_the_rule_of_that_day(played, alice, bob, charlie):
    chips.set_starting_grant(Decimal(200), "a new season", "the host")
    chips.grant(alice.pk, Decimal(1), "the first to come", "the host")
    chips.set_starting_grant(Decimal(300), "a richer one", "the host")
    chips.grant(alice.pk, Decimal(1), "again", "the host")
    played(MATCH)
    assert wallets(alice, bob, charlie) == ["152.0000", "250.0000", "300.0000"]
    assert ChipEntry.objects.filter(kind="start").count() == 2


def test_a_grant_needs_a_reason_and_an_author(alice):
    for reason, author in (("", "the host"), (" ", "the host"), ("kindness", "")):
        with pytest.raises(chips.Refused):
            chips.grant(alice.pk, Decimal(5), reason, author)


@pytest.mark.parametrize("amount", ["0", "1.005", "1000000.01", "-1000.01"])
def test_a_grant_is_an_amount_and_takes_no_more_than_there_is(alice, amount):
    with pytest.raises(chips.Refused):
        chips.grant(alice.pk, Decimal(amount), "a reason", "the host")
    assert wallets(alice) == ["1000.0000"]


# --- corrected, void, and what is missing then


def test_a_corrected_sheet_moves_the_difference_alone(played, alice, bob):
    sheet = won(played({**MONEY, "commission": "none"}), KNOCK, HandResult(0, "gin", 0, 60))
    assert wallets(alice, bob) == ["1150.0000", "850.0000"]
    again = ledger.edition(sheet, [HandResult(1, "knock", 4, 24), HandResult(1, "gin", 0, 60)])
    assert wallets(alice, bob) == ["850.0000", "1150.0000"]
    kinds = ChipEntry.objects.filter(wager__sheet=sheet).order_by("pk")
    assert list(kinds.values_list("kind", "sheet")) == [
        ("put_up", None), ("settled", sheet), ("again", again),
    ]  # fmt: skip
    ledger.edition(again, [HandResult(0, "gin", 0, 90)])
    assert wallets(alice, bob) == ["1150.0000", "850.0000"]


def test_a_sheet_corrected_to_be_unfinished_gives_the_chips_back(played, alice, bob):
    ledger.edition(won(played(MATCH)), [KNOCK])
    assert wallets(alice, bob) == ["1000.0000", "1000.0000"]


def test_a_sheet_replaced_before_its_bonuses_came_settles_by_the_new_one(played, alice, bob):
    sheet = played(MATCH)
    ledger.record_hand(sheet, 1, GIN)
    ledger.edition(sheet, [HandResult(1, "gin", 0, 90)])
    ledger.write_bonuses(sheet)  # the sweep comes late
    assert wallets(alice, bob) == ["950.0000", "1045.0000"]


def test_a_free_correction_moves_no_chips(played, alice, bob):
    hands = [HandResult(1, "knock", 4, 74), HandResult(1, "knock", 4, 14), KNOCK, GIN]
    sheet = played(MONEY)  # 135 + 50 + 100 to 80 + 50
    ledger.write_correction(sheet, 1, 50, "too early", "the host")
    won(sheet, *hands)
    assert wallets(alice, bob) == ["1104.6250", "883.7500"]
    ledger.write_correction(sheet, 1, 50, "a mistake", "the host")
    ledger.edition(sheet, hands)
    assert wallets(alice, bob) == ["1104.6250", "883.7500"]


def test_voiding_a_settled_game_never_fails_and_shows_what_is_missing(played, alice, bob):
    sheet = won(played(MATCH))
    chips.grant(alice.pk, Decimal(-1035), "spent", "the host")
    ledger.void(sheet)
    assert wallets(alice, bob) == ["0.0000", "1000.0000"]
    assert [(one.name, one.amount) for one in chips.shortfalls()] == [("alice", Decimal(35))]
    chips.grant(alice.pk, Decimal(20), "pocket money", "the host")
    assert wallets(alice) == ["0.0000"]
    assert chips.collect(alice.pk) == 0
    assert [one.amount for one in chips.shortfalls()] == [Decimal(15)]


def test_whoever_comes_into_chips_makes_a_shortfall_good_out_of_them(played, alice, bob):
    sheet = won(played(MATCH))
    other = played(MATCH)
    chips.grant(alice.pk, Decimal(-985), "spent", "the host")
    ledger.void(sheet)
    assert [one.amount for one in chips.shortfalls()] == [Decimal(35)]
    won(other)
    assert chips.shortfalls() == []
    assert wallets(alice, bob) == ["60.0000", "950.0000"]
    assert [one.kind for one in chips.history(alice.pk)][:2] == ["collected", "settled"]


def test_nothing_is_called_enough_by_rounding(played, alice, bob):
    """Who has 99.996 and needs 100 reads that they have 99.99."""
    won(played({**MATCH, "amount": "1.01"}))
    has = chips.wallet(alice.pk)
    wanted = Stakes.from_dict({"mode": "match", "amount": str(shown(has))})
    with pytest.raises(Refusal) as refused:
        chips.require_affordable(alice.pk, wanted)
    assert refused.value.params["has"] < has < refused.value.params["needs"]


def test_what_is_due_again_makes_a_shortfall_good_first(played, alice, bob):
    sheet = won(played(MATCH))
    chips.grant(alice.pk, Decimal(-1035), "spent", "the host")
    again = ledger.edition(sheet, [HandResult(1, "gin", 0, 90)])
    assert chips.shortfalls()[0].amount == 85
    ledger.edition(again, [GIN])
    assert wallets(alice, bob) == ["10.0000", "950.0000"]
    assert chips.shortfalls() == []


# --- tabs


TAB = {"mode": "match", "amount": "50", "source": "tab", "tab_limit": "120"}


def test_a_tab_goes_down_to_its_limit_and_no_further(played, alice, bob):
    for _ in range(2):
        won(played(TAB))
    assert chips.tabs(7) == {alice.pk: 100, bob.pk: -100}
    with pytest.raises(chips.Refused) as refused:
        played(TAB)
    assert refused.value.params["name"] == "bob"
    assert "has" not in refused.value.params  # what bob has is not alice's to read
    with pytest.raises(chips.Refused, match=r"have 20\.00"):
        chips.require_affordable(bob.pk, Stakes.from_dict(TAB), 7)
    won(played(TAB, room=8))  # another room, another tab
    assert chips.tabs_of(bob.pk) == {7: -100, 8: -50}
    assert wallets(alice, bob) == ["1000.0000", "1000.0000"]


def test_who_owes_whom_comes_of_the_tabs_and_of_what_the_house_took(played, alice, bob):
    won(played({**TAB, "commission": "house"}))
    assert chips.debts(7) == [
        chips.Debt(bob.pk, alice.pk, Decimal(45)), chips.Debt(bob.pk, None, Decimal(5)),
    ]  # fmt: skip
    assert chips.debts(8) == []
    played(TAB)
    assert chips.in_play(7) == {alice.pk: 50, bob.pk: 50}
    assert len(chips.debts(7)) == 2


def test_a_lower_limit_holds_for_the_next_game_not_for_what_is_owed(played, alice, bob):
    won(played(TAB))
    with pytest.raises(chips.Refused):
        played({**TAB, "tab_limit": "60"})
    assert chips.tabs(7)[bob.pk] == -50


def test_a_game_on_a_tab_is_voided_past_the_limit_by_a_shortfall(played, alice, bob):
    first = won(played(TAB))
    lost = HandResult(1, "gin", 0, 90)
    for _ in range(3):
        won(played(TAB), lost)
    assert chips.tabs(7)[alice.pk] == -100
    ledger.void(first)
    assert chips.tabs(7) == {alice.pk: -120, bob.pk: 150}
    assert [one.amount for one in chips.shortfalls()] == [Decimal(30)]


def test_what_is_due_again_on_a_tab_makes_a_shortfall_good_first(played, alice, bob):
    lost = HandResult(1, "gin", 0, 90)
    first = won(played(TAB))
    for _ in range(3):
        won(played(TAB), lost)
    again = ledger.edition(first, [lost])
    assert chips.tabs(7) == {alice.pk: -120, bob.pk: 200}
    assert [one.amount for one in chips.shortfalls()] == [Decimal(80)]
    ledger.edition(again, [GIN])
    assert chips.tabs(7) == {alice.pk: -100, bob.pk: 100}
    assert chips.shortfalls() == []


# --- what people see


def test_a_history_has_its_running_balance_and_pages_that_do_not_shift(played, alice):
    for _ in range(3):
        won(played(MATCH))
    rows = chips.history(alice.pk, most=3)
    assert [(row.kind, row.amount, row.balance) for row in rows] == [
        ("settled", 95, 1135), ("put_up", -50, 1040), ("settled", 95, 1090),
    ]  # fmt: skip
    won(played(MATCH))
    older = chips.history(alice.pk, before=rows[-1].number)
    assert [row.balance for row in older] == [995, 1045, 950, 1000]
    assert older[-1].sheet_id is None


def test_outcomes_of_many_games_take_as_many_statements(
    played, alice, bob, django_assert_max_num_queries
):
    sheets = [won(played(MATCH)) for _ in range(3)] + [played(MATCH), played({})]
    with django_assert_max_num_queries(4):
        told = chips.outcomes(sheets)
    assert sheets[4] not in told
    assert [told[sheet].settlement is not None for sheet in sheets[:4]] == [True] * 3 + [False]


# --- whoever goes


def test_the_chips_of_a_deleted_account_return_to_the_house(played, alice, bob):
    sheet = played(MATCH)
    chips.forget(bob.pk)
    forgetting.forget(bob.pk)
    assert wallets(bob) == ["0.0000"]
    left(sheet, "called_off", None)
    assert wallets(alice, bob) == ["1000.0000", "0.0000"]


def test_whoever_goes_makes_good_what_they_owe_first(played, alice, bob):
    sheet = won(played(MATCH))
    chips.grant(alice.pk, Decimal(-1045), "spent", "the host")
    ledger.void(sheet)
    chips.grant(alice.pk, Decimal(60), "pocket money", "the host")
    chips.forget(alice.pk)
    assert chips.shortfalls() == []
    assert wallets(alice) == ["0.0000"]


def test_the_accounts_of_an_audit_are_all_of_them(played):
    won(played(MATCH))
    books = audit()
    assert (books.wagers, books.entries) == (1, 4)
    assert books.accounts == ChipAccount.objects.count() == 4
    assert books.postings == ChipPosting.objects.count() == 10
