"""Positions and rules of games, replayed from the stored moves and kept while they last.

Moves are facts: a position kept by (hand, ply), or the rules of a game that has started, cannot go
stale, whichever process wrote.
"""

from __future__ import annotations

import functools
import json
from collections.abc import Iterable, Mapping
from typing import Any

from django.db import connection

from accounts import hot
from games import dealing
from games.engine import position as play
from games.models import Game, Hand, Move
from games.presets import RuleSet
from scoring.rules.stakes import Stakes

KEPT_AT_MOST = 2_000  # a position takes about 10 KB

# A row a hand: what its moves say travels as one text, since no move holds a comma.
_HANDS = """
SELECT h.id, h.game_id, h.number, h.deck, h.dealer,
       (SELECT {joined} FROM (SELECT m.text, m.ply FROM games_move m
                               WHERE m.hand_id = h.id ORDER BY m.ply) AS made)
  FROM {asked} JOIN games_hand h ON {which}
"""

_positions: dict[int, tuple[int, play.Position]] = {}
_rules: dict[int, tuple[RuleSet, Stakes]] = {}
_alike: dict[tuple[RuleSet, Stakes], tuple[RuleSet, Stakes]] = {}  # most games are played by few
_ended: dict[tuple[int, int], play.Position] = {}


def position_of(
    game_id: int, hand_id: int, ply: int, last: str | None = None
) -> play.Position:
    """The position after ``ply`` moves of a hand, kept from the last time or replayed.

    ``last``: the last of these moves, where it is known. Another process may have made it.
    """
    kept = _positions.get(hand_id)
    if kept is not None and kept[0] == ply:
        return kept[1]
    if kept is not None and kept[0] == ply - 1 and last is not None:
        position = play.apply(kept[1], last)
        keep_position(hand_id, position)
        return position  # not what is kept by now: another thread may know a later one
    return load_positions({hand_id: (ply, rules_of(game_id))})[hand_id]


def course_of(game_id: int, hand_id: int) -> list[play.Position]:
    """Every position of a hand, from the deal to the last move made."""
    moves = Move.objects.filter(hand_id=hand_id).order_by("ply").values_list("text", flat=True)
    deck, dealer = Hand.objects.values_list("deck", "dealer").get(pk=hand_id)
    return play.course(rules_of(game_id).play, dealing.cards_of(deck), dealer, moves)


def forget() -> None:
    """Drop everything kept, as a process that has just started."""
    _positions.clear()
    _rules.clear()
    _alike.clear()
    _ended.clear()


def hand_before(game_id: int, number: int) -> play.Position | None:
    """The last position of hand ``number`` of a game, or None if there is no such hand."""
    key = (game_id, number)
    if key not in _ended:
        load_ended({key: rules_of(game_id)})
    return _ended.get(key)


def keep_position(hand_id: int, position: play.Position) -> None:
    """Remember a position just stored, so that the looks that follow need not replay it."""
    keep(_positions, hand_id, (position.ply, position))


def keep_dealt(game_id: int, hand: Hand) -> None:
    """The same of a hand just dealt, of which no move was made."""
    cards = dealing.cards_of(hand.deck)
    keep_position(hand.pk, play.replay(rules_of(game_id).play, cards, hand.dealer, []))


def keep_ended(game_id: int, number: int, position: play.Position) -> None:
    """The same of a hand that is over, by its number."""
    keep(_ended, (game_id, number), position)


def rules_of(game_id: int) -> RuleSet:
    """The rules a game is played by: its own frozen copy, once it has started."""
    return rules_of_games([game_id])[game_id]


def rules_of_games(game_ids: Iterable[int]) -> dict[int, RuleSet]:
    """The rules of many games, in one statement at most."""
    return {game_id: rules for game_id, (rules, _stakes) in terms_of_games(game_ids).items()}


def terms_of_games(game_ids: Iterable[int]) -> dict[int, tuple[RuleSet, Stakes]]:
    """By what rules and for what many games are played, in one statement at most."""
    game_ids = list(game_ids)
    kept = {game_id: _rules.get(game_id) for game_id in game_ids}  # others drop them meanwhile
    found = {game_id: terms for game_id, terms in kept.items() if terms is not None}
    unknown = [game_id for game_id in game_ids if game_id not in found]
    if unknown:
        games = Game.objects.filter(pk__in=unknown)
        for game_id, options, stakes, started in games.values_list(
            "pk", "rules", "stakes", "started_at"
        ):
            terms = (RuleSet.from_dict(options), Stakes.from_dict(stakes))
            found[game_id] = terms = _alike.get(terms, terms)
            if started is not None:
                keep(_alike, terms, terms)
                keep(_rules, game_id, found[game_id])
    return found


def load_positions(hands: Mapping[int, tuple[int | None, RuleSet]]) -> dict[int, play.Position]:
    """Replay hands not kept, each to the ply asked for; None: all moves there are.

    A move stored meanwhile is left for the next look.
    """
    positions = {}
    for hand_id, (ply, _unused) in hands.items():
        kept = _positions.get(hand_id)
        if kept is not None and kept[0] == ply:
            positions[hand_id] = kept[1]
    hands = {hand_id: hands[hand_id] for hand_id in hands if hand_id not in positions}
    if not hands:
        return positions
    asked = _by_id(connection.vendor), [hot.numbers(list(hands))]
    for hand_id, _game, _number, deck, dealer, moves in hot.rows(asked)[0]:
        ply, rules = hands[hand_id]
        positions[hand_id] = _replayed(rules, deck, dealer, moves, ply)
        keep_position(hand_id, positions[hand_id])
    return positions


def load_ended(hands: Mapping[tuple[int, int], RuleSet]) -> None:
    """Have the last position of each of these hands, by game and number, at hand: one statement."""
    unknown = [key for key in hands if key not in _ended]
    if not unknown:
        return
    keys = json.dumps([{"game": game_id, "number": number} for game_id, number in unknown])
    for _hand, game_id, number, deck, dealer, moves in hot.rows(
        (_by_number(connection.vendor), [keys])
    )[0]:
        rules = hands[game_id, number]
        keep_ended(game_id, number, _replayed(rules, deck, dealer, moves, None))


def _replayed(
    rules: RuleSet, deck: str, dealer: int, moves: str | None, ply: int | None
) -> play.Position:
    made = moves.split(",")[:ply] if moves else []
    return play.replay(rules.play, dealing.cards_of(deck), dealer, made)


@functools.cache
def _by_id(vendor: str) -> str:
    return _hands_on(vendor, hot.given(id=int), "h.id = a.id")


@functools.cache
def _by_number(vendor: str) -> str:
    return _hands_on(
        vendor, hot.given(game=int, number=int), "h.game_id = a.game AND h.number = a.number"
    )


def _hands_on(vendor: str, asked: str, which: str) -> str:
    in_order = "string_agg(made.text, ',' ORDER BY made.ply)"
    joined = in_order if vendor == "postgresql" else "group_concat(made.text, ',')"
    return _HANDS.format(joined=joined, asked=asked, which=which)


def keep(cache: dict[Any, Any], key: object, value: Any) -> None:
    """Store in a bounded cache; when it is full the half goes that was stored longest ago.

    What is stored again is new again: a long hand, of all hands, is not read anew.
    """
    cache.pop(key, None)
    if len(cache) >= KEPT_AT_MOST:
        for old in list(cache)[: KEPT_AT_MOST // 2]:
            cache.pop(old, None)
    cache[key] = value
