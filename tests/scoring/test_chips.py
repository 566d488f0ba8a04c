"""Chips move by whole entries alone: put up, shared out once, given back; nothing made or lost."""

from __future__ import annotations

from collections.abc import Callable
from decimal import Decimal

import pytest
from django.db import transaction

from games.presets import rule_set
from scoring import chips, ledger
from scoring.ledger import SeatEntry
from scoring.models import ChipAccount, ChipEntry, ChipPosting, ScoreSheet, Wager
from scoring.rules import HandResult
from scoring.rules.stakes import Stakes

pytestmark = pytest.mark.django_db

MATCH = {"mode": "match", "amount": "50", "commission": "house"}
MONEY = {"mode": "money", "amount": "0.75", "commission": "house"}
GIN = HandResult(0, "gin", 0, 90)


@pytest.fixture
def played(alice, bob) -> Callable[..., int]:
    """A game of alice's and bob's that has begun, for these stakes."""

    def begin(stakes: dict[str, str], preset: str = "money_play", room: int = 7, **more) -> int:
        with transaction.atomic():
            sheet = ledger.open_sheet(
                rule_set({"preset": preset}).as_dict(),
                [SeatEntry("alice", alice.pk), SeatEntry("bob", bob.pk)],
            )
            players = [alice.pk, bob.pk]
            chips.put_up(sheet, Stakes.from_dict(stakes), players, room, **more)
        return sheet

    return begin


def won(sheet: int, *hands: HandResult) -> int:
    for number, hand in enumerate(hands or [GIN], 1):
        ledger.record_hand(sheet, number, hand)
    ledger.write_bonuses(sheet)
    return sheet


def all_of_it() -> Decimal:
    return sum(ChipAccount.objects.values_list("balance", flat=True), Decimal(0))


def wallets(*people) -> list[str]:
    return [str(chips.wallet(person.pk)) for person in people]


def test_the_winner_takes_the_pot_less_the_commission(played, alice, bob):
    sheet = played(MATCH, "match_play")
    assert wallets(alice, bob) == ["950.0000", "950.0000"]
    won(sheet)
    assert wallets(alice, bob) == ["1045.0000", "950.0000"]
    assert all_of_it() == 0
    told = chips.outcome(sheet).settlement
    assert (told.commission, told.net) == (5, 45)
