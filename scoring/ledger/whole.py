"""A whole game written at once, as an import brings it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Any
from uuid import UUID

from django.db import transaction
from django.utils import timezone

from accounts import hot
from accounts.models import User
from accounts.refusal import N_
from scoring import rules as scoring
from scoring.ledger import rows
from scoring.ledger.bonuses import write_bonuses
from scoring.ledger.editions import hand_lines
from scoring.ledger.hands import SeatEntry, open_sheet
from scoring.ledger.readings import read_sheets
from scoring.models import ScoreSheet, SheetHand
from scoring.rules import BadSheet, Ended, HandResult, Line, ScoringRules

ALIKE_AT_MOST = 20  # games that began in one and the same instant


def write_whole(
    rules: Mapping[str, Any],
    seats: Sequence[SeatEntry],
    hands: Sequence[HandResult],
    *,
    keeper_id: int,
    first_dealer: int | None = None,
    ended: Ended | None = None,
    corrections: Sequence[Line] = (),
    started_at: datetime | None = None,
    ended_at: datetime | None = None,
    entry: UUID | None = None,
) -> int:
    """A sheet written elsewhere, with its end and corrections; its bonuses are worked out here.

    Raises BadSheet. The same ``entry`` by the same keeper writes once and gives the same sheet.
    """
    with transaction.atomic():
        if entry is not None:
            # Two clicks at once: one waits.
            User.objects.select_for_update(no_key=True).get(pk=keeper_id)
            known = SheetHand.objects.filter(entry=entry, sheet__keeper_id=keeper_id).first()
            if known is not None:
                return known.sheet_id
        scored = ScoringRules.from_options(rules)
        lines = hand_lines(scored, hands, len(seats))
        goal = scoring.reached(scored, lines)
        if goal is not None and (ended is None or ended.how not in ("target", "voided")):
            ended = Ended("target", goal)
        if not hands:
            raise BadSheet("no_hands", N_("There is no hand on this sheet."))
        sheet_id = open_sheet(
            rules,
            seats,
            source="imported",
            keeper_id=keeper_id,
            first_dealer=first_dealer,
            started_at=started_at,
        )
        rows.write_lines(sheet_id, [*lines, *corrections])
        now = started_at or timezone.now()  # when each hand was played, nobody wrote down
        SheetHand.objects.bulk_create(
            rows.hand_row(sheet_id, number, result, entry if number == 1 else None, now)
            for number, result in enumerate(hands, 1)
        )
        if ended is not None:
            hot.run(rows.ending(sheet_id, ended, ended_at))
            write_bonuses(sheet_id)
    return sheet_id


def written_already(
    keeper_id: int, names: Sequence[str], hands: Sequence[HandResult], started_at: datetime
) -> int | None:
    """A sheet of the same game that this keeper brought in before; None if there is none."""
    alike = ScoreSheet.objects.filter(
        keeper_id=keeper_id, source=ScoreSheet.Source.IMPORTED, started_at=started_at
    )
    found = read_sheets(list(alike.order_by("pk").values_list("pk", flat=True)[:ALIKE_AT_MOST]))
    same = (one.id for one in found.values() if (one.names, one.results) == (names, hands))
    return next(same, None)
