"""Positions and rules of games, replayed from the stored moves and kept while they last.

Moves are facts: a position kept by (hand, ply), or the rules of a game that has started, cannot go
stale, whichever process wrote.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from games import dealing
from games.engine import position as play
from games.models import Game, Hand, Move
from games.presets import RuleSet
from scoring.rules.stakes import Stakes

KEPT_AT_MOST = 2_000  # a position takes about 10 KB

_positions: dict[int, tuple[int, play.Position]] = {}
_rules: dict[int, tuple[RuleSet, Stakes]] = {}
_ended: dict[tuple[int, int], play.Position] = {}


def position_of(game_id: int, hand_id: int, ply: int) -> play.Position:
    """The position after ``ply`` moves of a hand, kept from the last time or replayed."""
    kept = _positions.get(hand_id)
    if kept is not None and kept[0] == ply:
        return kept[1]
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
    _ended.clear()


def hand_before(game_id: int, number: int) -> play.Position | None:
    """The last position of hand ``number`` of a game, or None if there is no such hand."""
    key = (game_id, number)
    if key not in _ended:
        hand_id = Hand.objects.filter(game_id=game_id, number=number).values_list("pk", flat=True)
        found = positions_of_game(game_id, hand_id)
        if not found:
            return None
        keep(_ended, key, next(iter(found.values())))
    return _ended[key]


def positions_of_game(game_id: int, hand_ids: Iterable[int]) -> dict[int, play.Position]:
    """The last position of each of these hands of one game, in two statements."""
    rules = rules_of(game_id)
    return load_positions(dict.fromkeys(hand_ids, (None, rules)))


def keep_position(hand_id: int, position: play.Position) -> None:
    """Remember a position just stored, so that the looks that follow need not replay it."""
    keep(_positions, hand_id, (position.ply, position))


def rules_of(game_id: int) -> RuleSet:
    """The rules a game is played by: its own frozen copy, once it has started."""
    return rules_of_games([game_id])[game_id]


def rules_of_games(game_ids: Iterable[int]) -> dict[int, RuleSet]:
    """The rules of many games, in one statement at most."""
    return {game_id: rules for game_id, (rules, _stakes) in terms_of_games(game_ids).items()}


def terms_of_games(game_ids: Iterable[int]) -> dict[int, tuple[RuleSet, Stakes]]:
    """By what rules and for what many games are played, in one statement at most."""
    found = {game_id: _rules[game_id] for game_id in game_ids if game_id in _rules}
    unknown = [game_id for game_id in game_ids if game_id not in found]
    if unknown:
        games = Game.objects.filter(pk__in=unknown)
        for game_id, options, stakes, started in games.values_list(
            "pk", "rules", "stakes", "started_at"
        ):
            found[game_id] = (RuleSet.from_dict(options), Stakes.from_dict(stakes))
            if started is not None:
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
    moves: dict[int, list[str]] = {hand_id: [] for hand_id in hands}
    stored = Move.objects.filter(hand_id__in=list(hands)).order_by("hand_id", "ply")
    for hand_id, text in stored.values_list("hand_id", "text"):
        moves[hand_id].append(text)
    decks = Hand.objects.filter(pk__in=list(hands)).values_list("pk", "deck", "dealer")
    for hand_id, deck, dealer in decks:
        ply, rules = hands[hand_id]
        cards = dealing.cards_of(deck)
        positions[hand_id] = play.replay(rules.play, cards, dealer, moves[hand_id][:ply])
        keep_position(hand_id, positions[hand_id])
    return positions


def keep(cache: dict[Any, Any], key: object, value: Any) -> None:
    """Store in a bounded cache; the oldest half goes when it is full."""
    if len(cache) >= KEPT_AT_MOST:
        for old in list(cache)[: KEPT_AT_MOST // 2]:
            cache.pop(old, None)
    cache[key] = value
