"""A hand in play: the moves that may be made, and what each of them does (rules, 3 to 5).

Everything follows from the rules, the deck, the dealer and the moves: a position is never
stored, ``replay`` makes it again.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from itertools import accumulate
from typing import Final

from accounts.refusal import N_
from games.engine.arrangements import Arrangement, arrangements, whole
from games.engine.cards import BITS, CARDS, NAMES, Card, Cards, gather, parse
from games.engine.deal import Entry, Position, deal
from games.engine.melds import least_after_discard, least_deadwood
from games.engine.moves import DISCARDS, KNOCKS, IllegalMove, Move, read
from games.engine.rules import PlayRules
from games.engine.seats import next_seat
from games.engine.showdown import showdown, void

__all__ = ["Entry", "IllegalMove", "Position", "apply", "course", "deal", "legal_moves", "replay"]

LAST_OF_THE_STOCK: Final = 2
IDLE_TURNS: Final = 50


def replay(
    rules: PlayRules, deck: Sequence[Card], dealer: int, moves: Iterable[str], seats: int = 2
) -> Position:
    """Return the position after these moves; ``IllegalMove`` if one of them cannot be made."""
    position = deal(rules, deck, dealer, seats)
    for move in moves:
        position = apply(position, move)
    return position


def course(
    rules: PlayRules, deck: Sequence[Card], dealer: int, moves: Iterable[str], seats: int = 2
) -> list[Position]:
    """Return every position of a hand, from the deal to the one after the last of these moves."""
    return list(accumulate(moves, apply, initial=deal(rules, deck, dealer, seats)))


def legal_moves(position: Position) -> list[str]:
    """Return every move that may be made now; a knock without its choice of arrangements."""
    if position.phase == "over":
        return []
    if position.phase == "upcard":
        return ["draw discard", "pass"]
    if position.phase == "draw":
        return ["draw stock"] if position.stock_only else ["draw stock", "draw discard"]
    held = position.held[_actor(position)]
    free = [card for card in held if card != position.locked]
    moves = [DISCARDS[card] for card in free]
    cards = gather(held)
    if least_after_discard(cards) <= position.limit:
        moves += [
            KNOCKS[card] for card in free if least_deadwood(cards ^ BITS[card]) <= position.limit
        ]
    if position.rules.big_gin and least_deadwood(cards) == 0:
        moves.append("big gin")
    return moves


def apply(position: Position, move: str) -> Position:
    """Return the position after a move. ``IllegalMove`` says why not; any text may be passed."""
    wanted = read(move)
    if position.phase == "over":
        raise IllegalMove("over", N_("This hand is over."))
    return _VERBS[wanted.verb](position, wanted, move)


def _actor(position: Position) -> int:
    if position.to_act is None:
        raise IllegalMove("over", N_("This hand is over."))
    return position.to_act


def _next(position: Position, **changes: object) -> Position:
    """Return the position with these changes; ``dataclasses.replace`` is much slower."""
    following = object.__new__(Position)
    following.__dict__.update(position.__dict__, **changes)
    return following


def _logged(position: Position, move: str, card: Card | None = None) -> tuple[Entry, ...]:
    return (*position.log, Entry(_actor(position), move, card))


def _pass(position: Position, wanted: Move, move: str) -> Position:
    """Refuse the upcard; once all have, the first must draw from the stock (section 3)."""
    if position.phase != "upcard":
        raise IllegalMove("no_pass", N_("Only the card turned up at the deal can be passed."))
    seat = _actor(position)
    return _next(
        position,
        phase="draw" if seat == position.dealer else "upcard",
        to_act=next_seat(seat, position.seats),
        log=_logged(position, move),
    )


def _draw_stock(position: Position, wanted: Move, move: str) -> Position:
    if position.phase == "upcard":
        raise IllegalMove("upcard_first", N_("Take the upcard or pass: the stock comes later."))
    _refuse_a_second_draw(position)
    card = position.deck[position.stock_from]
    return _next(
        position,
        phase="discard",
        held=_hand_changed(position, (*position.held[_actor(position)], card)),
        stock_from=position.stock_from + 1,
        idle_turns=0,
        log=_logged(position, move, card),
    )


def _draw_discard(position: Position, wanted: Move, move: str) -> Position:
    _refuse_a_second_draw(position)
    if position.stock_only:
        raise IllegalMove("stock_only", N_("Everyone passed the upcard: draw from the stock."))
    card = position.pile[-1]
    return _next(
        position,
        phase="discard",
        held=_hand_changed(position, (*position.held[_actor(position)], card)),
        pile=position.pile[:-1],
        idle_turns=position.idle_turns + 1,
        log=_logged(position, move, card),
    )


def _discard(position: Position, wanted: Move, move: str) -> Position:
    """Throw a card face up. Some hands end here, void (section 5)."""
    card, kept = _throw(position, wanted)
    seat = _actor(position)
    held = _hand_changed(position, kept)
    log = _logged(position, move)
    pile = (*position.pile, card)
    if position.stock <= LAST_OF_THE_STOCK or position.idle_turns >= IDLE_TURNS:
        outcome = void([gather(cards) for cards in held], position.spade)
        return _next(
            position, phase="over", to_act=None, held=held, pile=pile, log=log, outcome=outcome
        )
    return _next(
        position,
        phase="draw",
        to_act=next_seat(seat, position.seats),
        held=held,
        pile=pile,
        log=log,
    )


def _knock(position: Position, wanted: Move, move: str) -> Position:
    card, kept = _throw(position, wanted)
    cards = gather(kept)
    deadwood = least_deadwood(cards)
    if deadwood > position.limit:
        raise _too_high(card, deadwood, position.limit)
    shown = _chosen(arrangements(cards), wanted.arrangement)
    if wanted.arrangement is not None:
        move = f"{KNOCKS[card]} {shown.text}"  # one spelling in the log, however it was said
    return _over(position, _hand_changed(position, kept), shown, card, move)


def _big_gin(position: Position, wanted: Move, move: str) -> Position:
    """Declare eleven cards in melds, without throwing one (section 5)."""
    if not position.rules.big_gin:
        raise IllegalMove("no_big_gin", N_("Big gin is not played here."))
    _refuse_before_the_draw(position)
    cards = gather(position.held[_actor(position)])
    deadwood = least_deadwood(cards)
    if deadwood:
        raise IllegalMove(
            "not_big_gin",
            N_("Big gin takes all eleven cards in melds: your deadwood is %(deadwood)d."),
            deadwood=deadwood,
        )
    return _over(position, position.held, arrangements(cards)[0], None, move)


_VERBS: Final[dict[str, Callable[[Position, Move, str], Position]]] = {
    "pass": _pass,
    "draw stock": _draw_stock,
    "draw discard": _draw_discard,
    "discard": _discard,
    "knock": _knock,
    "big gin": _big_gin,
}


def _over(
    position: Position,
    held: tuple[tuple[Card, ...], ...],
    shown: Arrangement,
    thrown: Card | None,
    move: str,
) -> Position:
    hands: list[Cards] = [gather(cards) for cards in held]
    outcome = showdown(position.rules, hands, _actor(position), shown, thrown, position.spade)
    log = _logged(position, move)
    return _next(position, phase="over", to_act=None, held=held, log=log, outcome=outcome)


def _hand_changed(position: Position, cards: tuple[Card, ...]) -> tuple[tuple[Card, ...], ...]:
    """Return all hands, the actor's with these cards."""
    seat = _actor(position)
    return (*position.held[:seat], cards, *position.held[seat + 1 :])


def _throw(position: Position, wanted: Move) -> tuple[Card, tuple[Card, ...]]:
    """Return the card a discard or a knock throws, and the ten that are kept."""
    _refuse_before_the_draw(position)
    held = position.held[_actor(position)]
    if wanted.card is None or wanted.card not in held:
        name = "" if wanted.card is None else NAMES[wanted.card]
        raise IllegalMove("not_held", N_("You do not hold the card %(card)s."), card=name)
    if wanted.card == position.locked:
        raise IllegalMove(
            "just_taken",
            N_("The card just taken may not be discarded in the same turn."),
        )
    place = held.index(wanted.card)
    return wanted.card, held[:place] + held[place + 1 :]


def _refuse_a_second_draw(position: Position) -> None:
    if position.phase == "discard":
        raise IllegalMove("already_drawn", N_("You have already drawn a card this turn."))


def _refuse_before_the_draw(position: Position) -> None:
    if position.phase != "discard":
        raise IllegalMove("draw_first", N_("Draw a card first."))


def _too_high(card: Card, deadwood: int, limit: int) -> IllegalMove:
    sentence = (
        N_("Your deadwood would be %(deadwood)d: to knock, it must be %(limit)d or less.")
        if limit
        else N_("Your deadwood would be %(deadwood)d: only gin can end this hand.")
    )
    return IllegalMove("knock_too_high", sentence, card=NAMES[card], deadwood=deadwood, limit=limit)


def _chosen(possible: Sequence[Arrangement], text: str | None) -> Arrangement:
    """Return the arrangement a knock names, or the preselected one (section 6)."""
    if text is None:
        return possible[0]
    melds = _melds_named(text)
    for arrangement in possible:
        if sorted(arrangement.melds) == sorted(melds):
            return arrangement
    raise IllegalMove(
        "no_such_arrangement", N_("These cards cannot be laid out like that for this knock.")
    )


def _melds_named(text: str) -> list[Cards]:
    """Read melds in any order, and their cards in any; none where one is no meld at all."""
    melds = []
    for word in text.split(" "):
        names = [word[at : at + 2] for at in range(0, len(word), 2)]
        if not names or len(set(names)) < len(names) or not CARDS.keys() >= set(names):
            return []
        melds.append(parse(names))
    return whole(melds) if all(least_deadwood(meld) == 0 for meld in melds) else []
