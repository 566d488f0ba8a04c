"""Write down on every sheet how its hands ended, replayed from their moves; and the tallies.

From now on the ledger writes both when a hand and a game end.
"""

from dataclasses import asdict
from itertools import groupby, islice

from django.db import migrations

from games import dealing
from games.engine import position as play
from games.presets import RuleSet
from scoring.rules import Ended, HandResult, Line, ScoringRules, tallies

SHEETS_AT_ONCE = 200


def write_hands(apps, schema_editor):
    """Games one after another, so that a site with years of them needs no more memory."""
    Game = apps.get_model("games", "Game")
    games = Game.objects.filter(sheet__isnull=False).order_by("pk").values_list("pk", flat=True)
    numbers = iter(list(games))
    while some := list(islice(numbers, SHEETS_AT_ONCE)):
        write_hands_of(apps, some)


def write_hands_of(apps, games):
    Game = apps.get_model("games", "Game")
    SheetHand = apps.get_model("scoring", "SheetHand")
    stored = {game.pk: game for game in Game.objects.filter(pk__in=games).select_related("sheet")}
    results = {pk: [] for pk in stored}
    rows = []
    for hand, moves in played(apps, games):
        game = stored[hand.game_id]
        rules = RuleSet.from_dict(game.rules)
        deck = dealing.cards_of(hand.deck)
        last = play.replay(rules.play, deck, hand.dealer, moves)
        if last.outcome is None:
            continue  # cut short by the end of the game
        result = result_of(last)
        results[game.pk].append(result)
        rows.append(
            SheetHand(
                sheet_id=game.sheet_id, number=hand.number, written_at=hand.ended_at,
                **asdict(result),
            )
        )
    SheetHand.objects.bulk_create(rows, ignore_conflicts=True)
    write_tallies(apps, [(stored[pk].sheet, results[pk]) for pk in stored])


def played(apps, games):
    """Every hand of these games that is over, with its moves."""
    Hand, Move = apps.get_model("games", "Hand"), apps.get_model("games", "Move")
    over = Hand.objects.filter(game_id__in=games, ended_at__isnull=False)
    moves = Move.objects.filter(hand__in=over).order_by("hand_id", "ply")
    texts = {
        hand_id: [text for _hand, text in rows]
        for hand_id, rows in groupby(moves.values_list("hand_id", "text"), lambda row: row[0])
    }
    for hand in over.order_by("game_id", "number"):
        yield hand, texts.get(hand.pk, [])


def result_of(last):
    outcome = last.outcome
    if outcome.end == "void":
        return HandResult(None, "void", idle=last.idle_turns >= play.IDLE_TURNS)
    return HandResult(
        outcome.winner, outcome.end, outcome.knocker_deadwood, outcome.defender_deadwood,
        outcome.spade,
    )


def write_tallies(apps, sheets):
    Tally, Seat = apps.get_model("scoring", "Tally"), apps.get_model("scoring", "SheetSeat")
    ScoreLine = apps.get_model("scoring", "ScoreLine")
    finished = {sheet.pk: sheet for sheet, _hands in sheets if sheet.bonuses_at is not None}
    seats, lines = {pk: [] for pk in finished}, {pk: [] for pk in finished}
    for row in Seat.objects.filter(sheet_id__in=finished).order_by("sheet_id", "seat"):
        seats[row.sheet_id].append(row)
    for row in ScoreLine.objects.filter(sheet_id__in=finished).order_by("pk"):
        lines[row.sheet_id].append(
            Line(row.seat, row.kind, row.hand, row.base, row.bonus, row.multiplier)
        )
    rows = []
    for sheet, hands in sheets:
        if sheet.pk not in finished:
            continue
        players = seats[sheet.pk]
        figures = tallies(
            ScoringRules.from_options(sheet.rules), hands, lines[sheet.pk],
            Ended(sheet.how, sheet.ended_by), len(players),
        )
        for seat, own in zip(players, figures, strict=True):
            others = [one.user_id for one in players if one.seat != seat.seat]
            rows.append(
                Tally(
                    sheet_id=sheet.pk, seat=seat.seat, user_id=seat.user_id,
                    opponent_user_id=others[0] if len(others) == 1 else None,
                    started_at=sheet.started_at, ended_at=sheet.ended_at,
                    preset=sheet.rules.get("preset", ""), source=sheet.source, **asdict(own),
                )
            )
    Tally.objects.bulk_create(rows, ignore_conflicts=True)


class Migration(migrations.Migration):
    dependencies = [
        ("games", "0006_a_clock_remembers_when_it_was_resumed"),
        ("scoring", "0004_a_sheet_keeps_its_hands"),
    ]

    operations = [migrations.RunPython(write_hands, migrations.RunPython.noop, elidable=False)]
