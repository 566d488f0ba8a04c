"""Finished games for tests of histories, written through the ledger."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import UTC, datetime

from games.presets import rule_set
from scoring import ledger
from scoring.ledger import SeatEntry
from scoring.models import ScoreSheet
from scoring.rules import HandResult

NOON = datetime(2026, 5, 1, 12, tzinfo=UTC)


def knock(seat: int, points: int, held: int = 5) -> HandResult:
    return HandResult(seat, "knock", held, held + points)


def gin(seat: int, caught: int) -> HandResult:
    return HandResult(seat, "gin", 0, caught)


def undercut(seat: int, held: int, less: int) -> HandResult:
    """The seat beats a knock with ``held`` by so much."""
    return HandResult(seat, "undercut", held, held - less)


def seat(player: object) -> SeatEntry:
    """A seat for an account, or for a mere name."""
    if isinstance(player, str):
        return SeatEntry(player, kind="name")
    return SeatEntry(player.username, player.pk)


def opened(players: Sequence[object], preset: str = "complete", **more: object) -> int:
    rules = rule_set({"preset": preset}).as_dict()
    return ledger.open_sheet(rules, [seat(player) for player in players], **more)


def finished(
    players: Sequence[object],
    hands: Sequence[HandResult] = (),
    ended_at: datetime = NOON,
    preset: str = "complete",
    how: str | None = None,
    **more: object,
) -> int:
    """A game with these hands, over at that moment; seat 0 wins 100 to 0 where none are given."""
    sheet_id = opened(players, preset, started_at=min(ended_at, NOON), **more)
    for number, hand in enumerate(hands or ([] if how else [gin(0, 90)]), 1):
        ledger.record_hand(sheet_id, number, hand)
    if how is not None:
        ledger.end_sheet(sheet_id, how, None if how == "called_off" else 0)
    over = ScoreSheet.objects.filter(pk=sheet_id, ended_at__isnull=False)
    assert over.update(ended_at=ended_at) == 1
    assert ledger.write_bonuses(sheet_id)
    return sheet_id
