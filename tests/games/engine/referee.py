"""The rules of melds written to be obvious and slow, to judge the fast ones by."""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache
from itertools import combinations

from games.engine.cards import NAMES, RANKS, SUITS

Hand = frozenset[str]
Melds = frozenset[Hand]

DECK = frozenset(NAMES)


def points(cards: Hand) -> int:
    return sum(min(RANKS.index(card[0]) + 1, 10) for card in cards)


@lru_cache(maxsize=100_000)
def is_meld(cards: Hand) -> bool:
    ranks = sorted(RANKS.index(card[0]) for card in cards)
    suits = {card[1] for card in cards}
    is_set = len(set(ranks)) == 1 and len(cards) in (3, 4)
    is_run = len(suits) == 1 and len(cards) >= 3 and ranks[-1] - ranks[0] == len(cards) - 1
    return is_set or is_run


def melds_in(hand: Hand) -> list[Hand]:
    one_kind = [[c for c in hand if c[0] == rank] for rank in RANKS]
    one_suit = [[c for c in hand if c[1] == suit] for suit in SUITS]
    return [
        frozenset(cards)
        for group in one_kind + one_suit
        for size in range(3, len(group) + 1)
        for cards in combinations(group, size)
        if is_meld(frozenset(cards))
    ]


def layouts(hand: Hand) -> Iterator[Melds]:
    """Every way to lay some of these cards out in melds."""

    def choose(melds: list[Hand], chosen: Melds) -> Iterator[Melds]:
        yield chosen
        for place, meld in enumerate(melds):
            later = [other for other in melds[place + 1 :] if not other & meld]
            yield from choose(later, chosen | {meld})

    yield from choose(melds_in(hand), frozenset())


def left_over(hand: Hand, melds: Melds) -> Hand:
    return hand.difference(*melds)


def least_deadwood(hand: Hand) -> int:
    return min(points(left_over(hand, melds)) for melds in layouts(hand))


def arrangements(hand: Hand) -> list[Melds]:
    """Every layout at the least deadwood in the order of rules, section 6, each run whole.

    Two pieces of one run are put together only once all layouts stand in their order.
    """
    least = least_deadwood(hand)
    found = [melds for melds in layouts(hand) if points(left_over(hand, melds)) == least]
    found.sort(key=lambda melds: (fits(hand, melds), sorted(map(spelled, melds))))
    return list(dict.fromkeys(map(whole, found)))


def whole(melds: Melds) -> Melds:
    for one, other in combinations(melds, 2):
        if not one & other and is_meld(one | other):
            return whole(melds - {one, other} | {one | other})
    return melds


def spelled(meld: Hand) -> str:
    return "".join(sorted(meld, key=lambda card: (RANKS.index(card[0]), SUITS.index(card[1]))))


def fits(hand: Hand, melds: Melds) -> int:
    return len({card for card in DECK - hand for meld in melds if is_meld(meld | {card})})


def laid_off(cards: Hand, table: tuple[Hand, ...]) -> int:
    """The least left over of these cards by laying them off one by one in any order."""
    least = points(cards)
    for card in cards:
        for place, meld in enumerate(table):
            if is_meld(meld | {card}):
                grown = (*table[:place], meld | {card}, *table[place + 1 :])
                least = min(least, laid_off(cards - {card}, grown))
    return least


def defence(hand: Hand, table: tuple[Hand, ...]) -> int:
    """The least a defender can be left with: every melding, then every way of laying off."""
    return min(laid_off(left_over(hand, melds), table) for melds in layouts(hand))
