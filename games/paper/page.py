"""Everything the page of a sheet shows."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from django.utils import timezone
from django.utils.formats import number_format
from django.utils.translation import gettext as _

from games import presets, race, rooms, stakes
from games.models import Game, Hand
from games.paper import bonuses, editions
from games.paper.rows import Row, hand_rows
from games.strangers import strangers
from scoring import chips, ledger, statistics
from scoring import rules as scoring
from scoring.ledger import SheetReading
from scoring.models import ScoreSheet
from scoring.rules import ScoringRules


def laid_out(sheet_id: int, user_id: int | None) -> dict[str, Any] | None:
    """Everything the page of a sheet shows to someone who may read it; None without a sheet."""
    try:
        sheet = ledger.read_sheet(sheet_id)
    except ScoreSheet.DoesNotExist:
        return None
    game = _game_of(sheet)
    room = game.table.room if game else None
    return {
        **paper_of(sheet, _rows(sheet, game)),
        "game": game,
        "room": room,
        "in_room": room is not None and rooms.may_enter(room.pk, user_id),
        "keeper": _keeper(sheet),
        "keeps": _keeps(sheet, user_id),
        "brought": sheet.source == "imported" and user_id == (sheet.keeper_id or 0),
        "players": _players(sheet, user_id),
        "befriend": _befriend(sheet, user_id),
        "latest": ledger.current_of(sheet_id) if sheet.replaced_by_id else None,
        **_chips(sheet),
    }


def _chips(sheet: SheetReading) -> dict[str, Any]:
    """What a game at a table was played for, and what came of it."""
    told = chips.outcome(sheet.id) if sheet.source == "table" else None
    rules = ScoringRules.from_options(sheet.rules)
    return {
        "stakes": stakes.in_words(told.stakes, rules) if told else [],
        "chips": stakes.account_of(sheet, told),
    }


def _players(sheet: SheetReading, user_id: int | None) -> list[tuple[str, int | None]]:
    """The names on the sheet, each with the account whose page this reader may see."""
    seen = statistics.visible_to(user_id, [one.user_id for one in sheet.seats if one.user_id])
    pages = [one.user_id if one.user_id in seen else None for one in sheet.seats]
    return list(zip(sheet.names, pages, strict=True))


def _befriend(sheet: SheetReading, user_id: int | None) -> list[str]:
    """With whom somebody who played this, too, could become friends."""
    seated = [one.user_id for one in sheet.seats if one.user_id]
    return list(strangers(user_id, seated).values()) if user_id in seated else []


def paper_of(sheet: SheetReading, hands: Sequence[Row]) -> dict[str, Any]:
    """The sheet itself, as far as it needs nothing beside it."""
    rules = presets.rule_set(sheet.rules)
    return {
        "sheet": sheet,
        "names": sheet.names,
        "columns": len(sheet.seats) + 1,
        "hands": hands,
        "replays": next((row.played for row in hands if row.played), None),
        "ending": bonuses.ending(sheet),
        "bonuses": bonuses.bonus_rows(sheet) if sheet.bonuses_written else [],
        "corrections": bonuses.correction_rows(sheet),
        "pending": sheet.ended is not None and not sheet.bonuses_written,
        "totals": sheet.standing.totals,
        "verdict": bonuses.verdict(sheet) if sheet.bonuses_written else "",
        "race": race.drawn(
            sheet.names, rules.scoring.target, [row.cells for row in hands if not row.gone]
        ),
        "facts": facts(sheet),
        "preset": presets.PRESETS[rules.preset].name,
        "words": presets.in_words(rules),
        "one_day": _one_day(sheet),
        "fit": _fit(sheet, hands),
    }


def _game_of(sheet: SheetReading) -> Game | None:
    """The game whose paper this is, whichever edition, with its table and room."""
    found = Game.objects.select_related("table__room")
    return found.filter(sheet_id=sheet.original_id).first()


def _rows(sheet: SheetReading, game: Game | None) -> list[Row]:
    """The hands, with the way to their replay and the trace of corrections."""
    known = [sheet.original_id, sheet.replaces_id, sheet.replaced_by_id]
    others = ledger.read_sheets(sorted({one for one in known if one} - {sheet.id}))
    others[sheet.id] = sheet
    rows = hand_rows(sheet, _cut_short(sheet, game))
    if game is not None:
        rows = _replayed(rows, sheet, others[sheet.original_id])
    if sheet.replaced_by_id is not None:
        return editions.traced_later(rows, sheet, others[sheet.replaced_by_id])
    if sheet.replaces_id is not None:
        return editions.traced(rows, sheet, others[sheet.replaces_id])
    return rows


def _replayed(rows: Sequence[Row], sheet: SheetReading, first: SheetReading) -> list[Row]:
    """Rows that know under which number their hand was played; those cut short as they are."""
    played = editions.as_played(sheet, first)
    written = {hand.number for hand in sheet.hands}
    return [
        replace(row, played=played.get(row.number) if row.number in written else row.number)
        for row in rows
        if row.number is not None
    ]


def _cut_short(sheet: SheetReading, game: Game | None) -> list[int]:
    """The hand that was being played when the game ended: it counts for nothing."""
    if game is None or sheet.ended is None or sheet.replaces_id is not None:
        return []
    last = max((hand.number for hand in sheet.hands), default=0)
    hands = Hand.objects.filter(game=game, ended_at__isnull=False, number__gt=last)
    return list(hands.order_by("number").values_list("number", flat=True))


def _keeps(sheet: SheetReading, user_id: int | None) -> bool:
    """Whether this reader keeps the sheet on a pad, and so may go on, correct or play again there.
    """
    return sheet.source == "paper" and user_id is not None and sheet.keeper_id == user_id


def _keeper(sheet: SheetReading) -> str:
    """Whoever wrote this sheet, by the name they carry now; nobody did at a table."""
    if sheet.keeper_id is None:
        return ""
    keepers = ScoreSheet.objects.filter(pk=sheet.id).values_list("keeper__username", flat=True)
    return keepers.first() or ""


def facts(sheet: SheetReading) -> list[tuple[str, list[str]]]:
    """The game in brief: what the score rules tally of it, a player a column."""
    rules = ScoringRules.from_options(sheet.rules)
    both = scoring.tallies(rules, sheet.results, sheet.lines, sheet.ended, len(sheet.seats))
    return [
        (_("Hands won"), [str(one.hands_won) for one in both]),
        (_("Gins"), [str(one.gins) for one in both]),
        (_("Undercuts"), [str(one.undercuts) for one in both]),
        (_("Best hand"), [str(one.best_hand) for one in both]),
        (_("Average knock"), [_mean(one.knock_deadwood, one.knocks) for one in both]),
        (_("Average when caught"), [_mean(one.caught_deadwood, one.caught) for one in both]),
    ]


def _mean(total: int, count: int) -> str:
    return number_format(round(total / count, 1), 1) if count else "–"


def _one_day(sheet: SheetReading) -> bool:
    """Whether the game began and ended on one day where its reader is."""
    if sheet.ended_at is None:
        return True
    return timezone.localdate(sheet.started_at) == timezone.localdate(sheet.ended_at)


def _fit(sheet: SheetReading, hands: Sequence[Row]) -> str:
    """How small a print must be for the sheet to fit one page: the name of a style."""
    below = [line for line in sheet.lines if line.hand is None]
    height = sum(2 if row.trace else 1 for row in hands) + len(below)
    levels: Mapping[int, str] = {26: "", 33: "long", 50: "longer"}
    return next((name for most, name in levels.items() if height <= most), "longest")
