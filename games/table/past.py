"""Games of another day, written at once: as a demonstration site and the benches need them.

Nobody sits at the table meanwhile, so nothing is locked and no bell rings; the database holds its
promises as ever. A game that is still open may be played on afterwards.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any

from django.db import connection, transaction
from django.db.models import Max

from games.engine.seats import next_seat
from games.fair.chain import Sealed
from games.models import Game, GameSeat, Hand, Move, Table
from games.table import clock, shuffling
from games.table.hands import MORE_THAN_PLIES, SEATS
from games.table.rights import count_change
from scoring import chips, ledger
from scoring.rules import Ended, HandResult
from scoring.rules.stakes import Stakes


@dataclass(frozen=True, slots=True)
class PastHand:
    """A deal and its moves: seat, text and time of each. ``result`` None: it was broken off.

    ``ended_at`` None: it still lies open. The deck is never shown.
    """

    dealer: int
    deck: str
    dealt_at: datetime
    moves: Sequence[tuple[int, str, datetime]]
    result: HandResult | None
    ended_at: datetime | None

    def __repr__(self) -> str:
        return f"<PastHand: {len(self.moves)} moves>"


@dataclass(frozen=True, slots=True)
class PastGame:
    """A game hand by hand. ``ended``: how it was left; None: by the target, or it is still open."""

    players: Sequence[ledger.SeatEntry]
    rules: Mapping[str, Any]
    started_at: datetime
    hands: Sequence[PastHand]
    ended: Ended | None = None
    ended_at: datetime | None = None
    stakes: Mapping[str, Any] = field(default_factory=dict)
    sealed: Sealed | None = None  # what its decks come from, that they can be checked


def write_past(table_id: int, games: Sequence[PastGame]) -> list[int]:
    """Write these games, one after the other, at a table nobody plays at; returns their sheets.

    Whoever waited there no longer does. The last one alone may be open.
    """
    with transaction.atomic():
        Game.objects.filter(table_id=table_id, started_at=None).delete()
        last = Game.objects.filter(table_id=table_id).aggregate(last=Max("number"))["last"] or 0
        sheets = ledger.write_past([_sheet(game) for game in games])
        for number, (game, sheet_id) in enumerate(zip(games, sheets, strict=True), last + 1):
            _write(table_id, number, game, sheet_id, _put_up(table_id, game, sheet_id))
            if game.ended_at is not None:
                ledger.settle_chips(sheet_id, at=game.ended_at)
    return sheets


def _put_up(table_id: int, game: PastGame, sheet_id: int) -> dict[str, str]:
    """What this game was played for: for nothing, where somebody had too few chips by then."""
    stakes = Stakes.from_dict(game.stakes)
    if not stakes.played_for:
        return {}
    place = Table.objects.values_list("room_id", "room__owner_id").get(pk=table_id)
    players = [player.user_id or 0 for player in game.players]
    try:
        chips.put_up(sheet_id, stakes, players, *place, at=game.started_at)
    except chips.Refused:
        return {}
    return stakes.to_dict()


def reserve_game() -> int:
    """The number of a game to be written later: its decks are made from it, so it comes first."""
    with connection.cursor() as cursor:
        if connection.vendor == "postgresql":
            cursor.execute("SELECT nextval(pg_get_serial_sequence('games_game', 'id'))")
            return int(cursor.fetchone()[0])
        cursor.execute("UPDATE sqlite_sequence SET seq = seq + 1 WHERE name = 'games_game'")
        if not cursor.rowcount:
            cursor.execute("INSERT INTO sqlite_sequence (name, seq) VALUES ('games_game', 1)")
        cursor.execute("SELECT seq FROM sqlite_sequence WHERE name = 'games_game'")
        return int(cursor.fetchone()[0])


def _sheet(game: PastGame) -> ledger.PastSheet:
    results = [(one.result, one.ended_at) for one in game.hands]
    told = [(result, at) for result, at in results if result is not None and at is not None]
    return ledger.PastSheet(
        game.rules, game.players, told, game.started_at, game.ended, game.ended_at
    )


def _write(
    table_id: int, number: int, game: PastGame, sheet_id: int, stakes: dict[str, str]
) -> None:
    row = Game.objects.create(
        pk=game.sealed.game if game.sealed else None,
        table_id=table_id, number=number, rules=dict(game.rules), stakes=stakes,
    )  # fmt: skip
    if game.sealed is not None:
        shuffling.write_past(game.sealed, game.started_at)
    left = [hand.ended_at is not None for hand in game.hands].count(True)
    GameSeat.objects.bulk_create(
        GameSeat(game=row, seat=seat, user_id=player.user_id, ready_after=left)
        for seat, player in enumerate(game.players)
    )
    kept = Game.objects.filter(pk=row.pk)
    kept.update(opened_at=game.started_at, started_at=game.started_at, sheet_id=sheet_id)
    for place, hand in enumerate(game.hands, 1):
        _write_hand(row.pk, place, hand)
    count_change(table_id, by=MORE_THAN_PLIES * len(game.hands))
    if game.ended_at is not None:
        kept.update(ended_at=game.ended_at)
    else:
        clock.wind_up(row.pk, table_id, SEATS)
        if left < len(game.hands):
            hand = game.hands[-1]
            clock.start_turn(row.pk, next_to_act(hand))


def _write_hand(game_id: int, number: int, hand: PastHand) -> None:
    row = Hand.objects.create(
        game_id=game_id,
        number=number,
        dealer=hand.dealer,
        deck=hand.deck,
        dealt_at=hand.dealt_at,
    )
    Move.objects.bulk_create(
        Move(hand=row, ply=ply, seat=seat, text=text, made_at=made_at)
        for ply, (seat, text, made_at) in enumerate(hand.moves, 1)
    )
    if hand.ended_at is not None:
        Hand.objects.filter(pk=row.pk).update(ended_at=hand.ended_at)


def next_to_act(hand: PastHand) -> int:
    """Whose turn it is in an open hand: whoever drew goes on, else the next seat."""
    if not hand.moves:
        return next_seat(hand.dealer, SEATS)
    seat, text, _at = hand.moves[-1]
    return seat if text.startswith("draw") else next_seat(seat, SEATS)
