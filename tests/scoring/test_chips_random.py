"""Whatever happens to games and people, in whatever order, cut short or not: nothing is lost."""

from __future__ import annotations

from contextlib import suppress
from decimal import ROUND_DOWN, Decimal

import pytest
from django.db import connection, transaction
from django.db.models import Sum
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from accounts.refusal import Refusal
from games.presets import rule_set
from scoring import chips, ledger
from scoring.chips.auditing import audit
from scoring.ledger import SeatEntry
from scoring.models import ChipAccount, ScoreSheet
from scoring.rules import HandResult
from scoring.rules.stakes import Stakes

pytestmark = pytest.mark.django_db

AMOUNTS = ["0.01", "0.75", "1.00", "2.50", "4.99", "137.13"]
HANDS = st.builds(
    lambda winner, least, more: HandResult(winner, "knock", least, least + more),
    st.integers(0, 1), st.integers(1, 10), st.integers(1, 80),
)  # fmt: skip
PLAYED_FOR = st.one_of(
    st.builds(
        lambda mode, amount, commission, purse: {
            "mode": mode, "amount": amount, "commission": commission,
            **({"purse_from": purse} if mode == "purse" else {}),
        },
        st.sampled_from(["match", "money", "purse"]), st.sampled_from(AMOUNTS),
        st.sampled_from(["none", "house"]), st.sampled_from(["house", "owner"]),
    ),
    st.builds(
        lambda amount, more: {
            "mode": "match", "amount": amount, "source": "tab", "tab_limit": more,
            "commission": "house",
        },
        st.sampled_from(AMOUNTS), st.sampled_from(["137.13", "200"]),
    ),
)  # fmt: skip
PAIRS = st.sampled_from([(0, 1), (1, 2), (2, 0)])
GAME = st.integers(0, 3)
LEFT = [("resigned", 0), ("time", 1), ("claimed", 0), ("called_off", None), ("voided", None)]
WHOLE = st.tuples(st.just("whole"), PLAYED_FOR, PAIRS, st.integers(0, 1))
UNDONE = st.one_of(
    st.tuples(st.just("edition"), GAME, st.lists(HANDS, max_size=4)),
    st.tuples(st.just("void"), GAME, st.booleans()),
)
EVENT = st.one_of(
    WHOLE,
    UNDONE,
    st.tuples(st.just("begin"), PLAYED_FOR, PAIRS),
    st.tuples(st.just("hand"), GAME, HANDS),
    st.tuples(st.just("end"), GAME, st.sampled_from(LEFT)),
    st.tuples(st.just("bonuses"), GAME),
    st.tuples(st.just("correction"), GAME, st.integers(-200, 200)),
    st.tuples(st.just("grant"), st.integers(0, 2), st.sampled_from(["-12.34", "500"])),
    st.tuples(st.just("collect"), st.integers(0, 2)),
)


class Crash(Exception):
    """The process dies here."""


class House:
    """Three people and their games."""

    def __init__(self, people) -> None:
        self.people, self.sheets = people, []

    def begin(self, played_for, pair) -> None:
        players = [self.people[one] for one in pair]
        sheet = ledger.open_sheet(
            rule_set({"preset": "money_play"}).as_dict(),
            [SeatEntry(one.username, one.pk) for one in players],
        )
        ids = [one.pk for one in players]
        chips.put_up(sheet, Stakes.from_dict(played_for), ids, 7, self.people[0].pk)
        self.sheets.append(sheet)

    def whole(self, played_for, pair, winner) -> None:
        self.begin(played_for, pair)
        ledger.record_hand(self.sheets[-1], 1, HandResult(winner, "gin", 0, 98))
        ledger.write_bonuses(self.sheets[-1])

    def hand(self, game, result) -> None:
        sheet = self._of(game)
        ledger.record_hand(sheet, ScoreSheet.objects.get(pk=sheet).hands.count() + 1, result)

    def end(self, game, how) -> None:
        ledger.end_sheet(self._of(game), *how)

    def bonuses(self, game) -> None:
        ledger.write_bonuses(self._of(game))

    def edition(self, game, hands) -> None:
        ledger.edition(ledger.current_of(self._of(game)), hands)

    def void(self, game, all_is_spent) -> None:
        for person in range(3 if all_is_spent else 0):
            with suppress(Refusal):  # there was nothing left
                self._spend(person)
        ledger.void(ledger.current_of(self._of(game)))

    def correction(self, game, points) -> None:
        ledger.write_correction(ledger.current_of(self._of(game)), 0, points, "why", "who")

    def grant(self, person, amount) -> None:
        chips.grant(self.people[person].pk, Decimal(amount), "why", "who")

    def _spend(self, person) -> None:
        has = chips.wallet(self.people[person].pk).quantize(Decimal("0.01"), ROUND_DOWN)
        chips.grant(self.people[person].pk, -has, "all of it", "who")

    def collect(self, person) -> None:
        chips.collect(self.people[person].pk)

    def _of(self, game) -> int:
        if not self.sheets:
            raise Refusal("none", "No game yet.")
        return self.sheets[game % len(self.sheets)]


@settings(
    max_examples=10, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture]
)
@given(
    first=st.lists(WHOLE, min_size=1, max_size=3),
    events=st.lists(st.tuples(EVENT, st.sampled_from([False, False, True])), max_size=12),
)
def test_the_sum_over_all_accounts_is_nothing_whatever_happens(
    alice, bob, charlie, first, events
):
    house = House([alice, bob, charlie])
    with transaction.atomic():
        for (what, *how), crashes in [*((one, False) for one in first), *events]:
            sheets = list(house.sheets)
            with suppress(Refusal, Crash), transaction.atomic():
                getattr(house, what)(*how)
                if crashes:
                    house.sheets = sheets
                    raise Crash
            total = ChipAccount.objects.aggregate(sum=Sum("balance"))["sum"]
            assert not total
            assert not ChipAccount.objects.filter(kind="wallet", balance__lt=0).exists()
        for sheet in ledger.sheets_without_bonuses():
            ledger.write_bonuses(sheet)
        connection.check_constraints()
        assert audit().differences == []
        transaction.set_rollback(True)
