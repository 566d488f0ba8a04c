"""Editions: a corrected sheet is a new sheet that replaces the old one, which stays readable."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from django.db import transaction
from django.db.models import Q
from django.utils import timezone

from accounts import hot
from accounts.refusal import N_
from scoring import chips, live
from scoring import rules as scoring
from scoring.ledger import rows
from scoring.ledger.readings import SheetReading, read_sheets
from scoring.ledger.tallying import tally_again
from scoring.models import ScoreSheet, SheetHand, SheetSeat
from scoring.rules import BadSheet, Ended, HandResult, Line, ScoringRules


def edition(sheet_id: int, hands: Sequence[HandResult]) -> int:
    """A new sheet with these hands, numbered from 1, that replaces this one (rules, section 8).

    Its end is worked out afresh, and its end-of-game lines are written with it. Where the target is
    not reached the game goes on, unless it was left or called off at the table: nobody could. Free
    corrections come along. Raises BadSheet for hands the rules cannot produce, and for a sheet that
    is replaced already or still played at a table.
    """
    with transaction.atomic():
        old = _to_replace(sheet_id)
        rules, seats = rows.rules(old), rows.seat_count(sheet_id)
        goal = scoring.reached(rules, hand_lines(rules, hands, seats))
        ended = None if goal is None else Ended("target", goal)
        at_table = old.source == ScoreSheet.Source.TABLE
        if old.how == "voided" or (ended is None and at_table and old.how != "target"):
            ended = rows.ended(old)
        return _replaced(old, hands, ended)


def void(sheet_id: int) -> int:
    """A new sheet with the same hands on which nobody has won; it replaces this one.

    Raises BadSheet where nobody won anyway, and for a sheet replaced already or still played.
    """
    with transaction.atomic():
        old = _to_replace(sheet_id)
        if not old.how or old.how in scoring.UNDONE:
            raise BadSheet("nobody_won", N_("Nobody has won this game: there is nothing to void."))
        hands = SheetHand.objects.filter(sheet=old).order_by("number")
        results = [HandResult(*told) for told in hands.values_list(*rows.TOLD)]
        return _replaced(old, results, Ended("voided"))


def _to_replace(sheet_id: int) -> ScoreSheet:
    """The sheet, locked, if it may be replaced now."""
    old = rows.locked(sheet_id)
    require_current(sheet_id)
    if old.source == ScoreSheet.Source.TABLE and not old.how:
        raise BadSheet("still_played", N_("This game is still being played at its table."))
    return old


def _replaced(old: ScoreSheet, hands: Sequence[HandResult], ended: Ended | None) -> int:
    rules, seats = rows.rules(old), rows.seat_count(old.pk)
    lines = hand_lines(rules, hands, seats)
    new = _copy(old)
    rows.write_lines(new.pk, [*lines, *_corrections(old.pk)])
    _copy_hands(old, new, hands)
    if ended is not None:
        _finish(new, rules, lines, ended, seats, old)
    if new.source == ScoreSheet.Source.TABLE:
        chips.settle(new, rules, lines, ended, seats)
    tally_again(old.pk)
    tally_again(new.pk)
    live.ring(old.pk)
    return new.pk


def hand_lines(rules: ScoringRules, hands: Iterable[HandResult], seats: int) -> list[Line]:
    """The lines of these hands. Raises BadSheet for one that cannot be or comes after the end."""
    lines: list[Line] = []
    goal = None
    for number, result in enumerate(hands, 1):
        if goal is not None:
            raise BadSheet(
                "hand_after_the_end",
                N_("Hand %(number)s comes after the end of the game."),
                number=number,
            )
        line = scoring.hand_line(rules, number, result)
        if line is not None:
            rows.require_seat(line.seat, seats)
            lines.append(line)
            goal = scoring.reached(rules, lines)
    return lines


def _copy(old: ScoreSheet) -> ScoreSheet:
    new = ScoreSheet.objects.create(
        rules=old.rules,
        started_at=old.started_at,
        source=old.source,
        keeper_id=old.keeper_id,
        first_dealer=old.first_dealer,
        replaces=old,
        original_id=old.original_id or old.pk,
    )
    SheetSeat.objects.bulk_create(
        SheetSeat(
            sheet=new, seat=seat.seat, name=seat.name, user_id=seat.user_id, kind=seat.kind
        )
        for seat in SheetSeat.objects.filter(sheet=old).order_by("seat")
    )
    return new


def _corrections(sheet_id: int) -> list[Line]:
    return [line for line in rows.lines(sheet_id) if line.kind == scoring.CORRECTION]


def _copy_hands(old: ScoreSheet, new: ScoreSheet, hands: Sequence[HandResult]) -> None:
    """A hand that stays as it was keeps the time it was written."""
    before = {hand.number: hand for hand in SheetHand.objects.filter(sheet=old)}
    fresh = [rows.hand_row(new.pk, number, result) for number, result in enumerate(hands, 1)]
    for hand in fresh:
        was = before.get(hand.number)
        if was is not None and all(getattr(was, one) == getattr(hand, one) for one in rows.TOLD):
            hand.written_at = was.written_at
    SheetHand.objects.bulk_create(fresh)


def _finish(
    new: ScoreSheet,
    rules: ScoringRules,
    lines: Sequence[Line],
    ended: Ended,
    seats: int,
    old: ScoreSheet,
) -> None:
    hot.run(rows.ending(new.pk, ended, old.ended_at))
    rows.write_lines(new.pk, scoring.bonus_lines(rules, lines, ended, seats))
    new.bonuses_at = timezone.now()
    new.save(update_fields=["bonuses_at"])


def family(sheet: ScoreSheet) -> Q:
    """The rows of every edition of this sheet, for a model that hangs on sheets."""
    first = sheet.original_id or sheet.pk
    return Q(sheet_id=first) | Q(sheet__original_id=first)


def require_current(sheet_id: int) -> None:
    """Refuse a sheet that has been replaced; its caller has locked it."""
    if ScoreSheet.objects.filter(replaces_id=sheet_id).exists():
        raise BadSheet(
            "edition_of_an_old_sheet",
            N_("This sheet has been corrected since: look at the latest one."),
        )


def current_of(sheet_id: int) -> int:
    """The latest edition of this sheet: the one that counts. Raises ScoreSheet.DoesNotExist."""
    return currents_of([sheet_id])[sheet_id]


def currents_of(sheet_ids: Iterable[int]) -> dict[int, int]:
    """The latest edition of each of these sheets, in two statements."""
    stored = ScoreSheet.objects.filter(pk__in=list(sheet_ids)).values_list("pk", "original_id")
    firsts = {sheet_id: original or sheet_id for sheet_id, original in stored}
    among = list(set(firsts.values()))
    latest = ScoreSheet.objects.filter(
        Q(pk__in=among) | Q(original_id__in=among), replaced_by=None
    ).values_list("pk", "original_id")
    newest = {original or sheet_id: sheet_id for sheet_id, original in latest}
    found = {sheet_id: newest[first] for sheet_id, first in firsts.items()}
    for sheet_id in sheet_ids:
        if sheet_id not in found:
            raise ScoreSheet.DoesNotExist
    return found


def read_latest(sheet_ids: Sequence[int]) -> dict[int, SheetReading]:
    """These sheets by the numbers asked for, each in the edition that counts now.

    Three statements as long as none was corrected, five more where one was.
    """
    found = read_sheets(sheet_ids)
    old = [sheet_id for sheet_id, sheet in found.items() if sheet.replaced_by_id is not None]
    if old:
        latest = currents_of(old)
        readings = read_sheets(list(latest.values()))
        found |= {sheet_id: readings[newest] for sheet_id, newest in latest.items()}
    return found
