"""What the database itself refuses of chips, by the models and by a raw write."""

from __future__ import annotations

from decimal import Decimal

import pytest
from django.db import DatabaseError, IntegrityError, connection, transaction

from scoring import chips, ledger
from scoring.ledger import SeatEntry
from scoring.models import ChipAccount, ChipEntry, ChipPosting, Wager, WagerSeat
from scoring.rules.stakes import Stakes

pytestmark = pytest.mark.django_db

STAKES = Stakes.from_dict({"mode": "match", "amount": "50"})


@pytest.fixture
def wager(alice, bob) -> Wager:
    sheet = ledger.open_sheet({}, [SeatEntry("alice", alice.pk), SeatEntry("bob", bob.pk)])
    chips.put_up(sheet, STAKES, [alice.pk, bob.pk])
    return Wager.objects.get()


def refused_by(name: str):
    """SQLite names the columns of a broken unique constraint, PostgreSQL its name."""
    return pytest.raises(
        DatabaseError, match=name if connection.vendor == "postgresql" else f"{name}|UNIQUE"
    )


def entry(**more) -> ChipEntry:
    told = {"kind": "grant", "reason": "a gift", "author": "the host"} | more
    with transaction.atomic():
        return ChipEntry.objects.create(**told)


def post(into: ChipEntry, account: ChipAccount, amount: str, **more) -> ChipPosting:
    account.refresh_from_db()
    told = {
        "number": account.postings_made + 1, "balance": account.balance + Decimal(amount),
    } | more  # fmt: skip
    with transaction.atomic():
        return ChipPosting.objects.create(
            entry=into, account=account, amount=Decimal(amount), **told
        )


def purse_of(user) -> ChipAccount:
    return ChipAccount.objects.get(kind="wallet", user=user)


def bank() -> ChipAccount:
    return ChipAccount.objects.get(kind="house")


@transaction.atomic
def give(user, amount: str, taken: str) -> None:
    one = entry()
    post(one, purse_of(user), amount)
    post(one, bank(), taken)


@pytest.mark.django_db(transaction=True)
def test_an_entry_that_does_not_add_up_is_not_committed(wager, alice):
    with pytest.raises(IntegrityError), transaction.atomic():
        post(entry(), purse_of(alice), "0.0001")
    with pytest.raises(IntegrityError):
        give(alice, "5", "-4.9999")
    give(alice, "5.0001", "-5.0001")
    assert chips.wallet(alice.pk) == Decimal("955.0001")


def test_a_balance_follows_from_its_postings_alone(wager, alice):
    wallet = purse_of(alice)
    for change in (
        {"balance": Decimal(5000)},
        {"postings_made": 9},
        {"balance": Decimal(1000), "postings_made": 1},  # as it was before
    ):
        with refused_by("balances_come_from_postings"), transaction.atomic():
            ChipAccount.objects.filter(pk=wallet.pk).update(**change)
    with refused_by("accounts_begin_empty"), transaction.atomic():
        ChipAccount.objects.create(kind="tab", user=alice, room=1, balance=Decimal(5))


@pytest.mark.parametrize(
    "wrong", [{"number": 2}, {"number": 9}, {"balance": Decimal(5000)}, {"balance": Decimal(0)}]
)
def test_postings_follow_one_another(wager, alice, wrong):
    with refused_by("postings_follow_one_another"):
        post(entry(), purse_of(alice), "5", **wrong)


def test_no_wallet_and_no_pot_goes_below_zero(wager, alice):
    with refused_by("no_wallet_below_zero"):
        post(entry(), purse_of(alice), "-950.0001")
    with refused_by("no_pot_below_zero"):
        post(entry(), ChipAccount.objects.get(kind="pot"), "-100.0001")


def test_no_tab_goes_below_its_limit_and_no_shortfall_above_nothing(wager, alice):
    tab = ChipAccount.objects.create(kind="tab", user=alice, room=1, floor=Decimal(-20))
    with refused_by("no_tab_below_its_limit"):
        post(entry(), tab, "-20.0001")
    one = entry()
    post(one, tab, "-20")
    post(one, bank(), "20")
    with refused_by("no_tab_below_its_limit"), transaction.atomic():
        ChipAccount.objects.filter(pk=tab.pk).update(floor=Decimal(-19))
    owed = ChipAccount.objects.create(kind="receivable", user=alice)
    with refused_by("a_shortfall_is_owed"):
        post(entry(), owed, "1")


@pytest.mark.parametrize(
    ("trigger", "statement"),
    [
        ("postings_are_never_changed", "UPDATE scoring_chipposting SET amount = 1"),
        ("entries_are_never_changed", "UPDATE scoring_chipentry SET reason = 'x'"),
        ("seats_of_a_wager_are_never_changed", "UPDATE scoring_wagerseat SET seat = 1 - seat"),
        ("accounts_stay_whose_they_are", "UPDATE scoring_chipaccount SET room = 5"),
        ("accounts_stay_whose_they_are", "UPDATE scoring_chipaccount SET user_id = NULL"),
        ("a_wager_keeps_its_stakes", "UPDATE scoring_wager SET stakes = '{}'"),
        ("a_wager_keeps_its_stakes", "UPDATE scoring_wager SET room = 99"),
    ],
)
def test_a_raw_update_is_refused(wager, trigger, statement):
    with refused_by(trigger), transaction.atomic(), connection.cursor() as cursor:
        cursor.execute(statement)


@pytest.mark.parametrize("model", [ChipPosting, ChipEntry, WagerSeat])
def test_nothing_is_deleted_on_postgresql(wager, model):
    if connection.vendor != "postgresql":
        pytest.skip("Django's test flush deletes rows on SQLite")
    with pytest.raises(DatabaseError, match="never_changed"), transaction.atomic():
        model.objects.all()._raw_delete(model.objects.db)


@pytest.mark.parametrize(
    ("name", "told"),
    [
        ("an_entry_is_of_its_kind", {"kind": "theft"}),
        ("an_entry_is_of_its_kind", {"kind": "start"}),
        ("an_entry_is_of_its_kind", {"kind": "settled"}),
        ("a_grant_has_reason_and_author", {"reason": ""}),
        ("a_grant_has_reason_and_author", {"author": ""}),
    ],
)
def test_an_entry_that_cannot_be_is_refused(wager, name, told):
    with refused_by(name):
        entry(**told)


def test_what_happens_once_happens_once(wager, alice, bob):
    with refused_by("starting_chips_once_a_person"):
        entry(kind="start", user=alice)
    with refused_by("put_up_once"):
        entry(kind="put_up", wager=wager)
    first = {"kind": "settled", "wager": wager, "sheet": wager.sheet}
    entry(**first)
    with refused_by("settled_once"):
        entry(**first)
    with refused_by("an_edition_settles_once"):
        entry(**{**first, "kind": "again"})


@pytest.mark.parametrize(
    ("name", "told"),
    [
        ("one_wallet_a_person", {"kind": "wallet"}),
        ("one_house", {"kind": "house", "user": None}),
        ("one_pot_a_wager", {"kind": "pot", "user": None, "wager": True}),
        ("an_account_is_of_its_kind", {"kind": "purse"}),
        ("an_account_is_of_its_kind", {"kind": "tab"}),
        ("an_account_is_of_its_kind", {"kind": "house"}),
        ("an_account_is_of_its_kind", {"kind": "wallet", "user": None}),
        ("an_account_is_of_its_kind", {"kind": "receivable", "room": 4}),
    ],
)
def test_an_account_that_cannot_be_is_refused(wager, alice, name, told):
    told = {"user": alice} | told
    if told.get("wager"):
        told["wager"] = wager
    with refused_by(name), transaction.atomic():
        ChipAccount.objects.create(**told)


def test_amounts_have_four_places_and_no_more(wager, alice):
    with pytest.raises(ValueError, match="four places"):
        post(entry(), purse_of(alice), "0.00001")
    with refused_by("a_posting_moves_something"):
        post(entry(), purse_of(alice), "0")
    with refused_by("one_account_a_seat"), transaction.atomic():
        WagerSeat.objects.create(wager=wager, seat=0, account=bank())
