"""The shuffle: every order as likely, the same source the same deck."""

from __future__ import annotations

import hashlib
import hmac
from collections import Counter
from functools import cache
from itertools import combinations, pairwise

from games.engine.cards import DECK, texts
from games.engine.shuffle import Stream, first_dealer, shuffled


class Source:
    """Random bytes that are the same on every run, counted."""

    def __init__(self, seed: str) -> None:
        self.seed, self.calls = seed, 0

    def __call__(self, count: int) -> bytes:
        self.calls += 1
        return hashlib.sha256(f"{self.seed} {self.calls}".encode()).digest()[:count]


def draws(*numbers: int):
    source = iter(numbers)
    return lambda count: next(source).to_bytes(count, "big")


def test_the_same_source_gives_the_same_deck():
    deck = shuffled(Source("alice"))
    assert deck == shuffled(Source("alice"))
    assert deck != shuffled(Source("bob"))
    assert sorted(deck) == list(DECK)


def test_the_last_card_is_drawn_first_then_the_one_before():
    # each draw 0: the first card moves to the end, again and again
    assert shuffled(draws(*[0] * 51)) == (*DECK[1:], DECK[0])
    # each draw its own place: nothing moves
    assert shuffled(draws(*range(51, 0, -1))) == DECK


def test_a_draw_that_would_favour_a_card_is_thrown_away():
    # 2**32 is no multiple of 52: the numbers above its last multiple do not count
    last = 2**32 // 52 * 52
    assert shuffled(draws(last, 2**32 - 1, *range(51, 0, -1))) == DECK
    kept = shuffled(draws(last - 1, *range(50, 0, -1)))
    assert kept == DECK


def test_every_card_comes_everywhere_about_as_often():
    decks = [shuffled(Source(f"deck {number}")) for number in range(1040)]
    for place in (0, 20, 51):
        counted = Counter(deck[place] for deck in decks)
        chi = sum((counted[card] - 20) ** 2 / 20 for card in DECK)
        assert 20 < chi < 100, texts(decks[0])  # 51 degrees of freedom


def test_the_first_dealer_is_either_as_often():
    dealers = Counter(first_dealer(Source(f"game {number}")) for number in range(400))
    assert set(dealers) == {0, 1}
    assert 150 < dealers[0] < 250
    assert {first_dealer(Source(f"four {n}"), seats=4) for n in range(60)} == {0, 1, 2, 3}


SECRET, GIVEN = bytes(range(32)), [b"a" * 32, b"b" * 32]


def test_the_stream_is_the_one_that_is_written_down():
    stream = Stream(SECRET, 7, 3, GIVEN)
    drawn = b"".join(stream(4) for _ in range(20))
    written = b"".join(
        hmac.digest(SECRET, b"ginrami-deal-1" + bytes(7) + b"\x07" + bytes(3) + b"\x03"
                    + b"a" * 32 + b"b" * 32 + bytes(3) + bytes([block]), hashlib.sha256)
        for block in range(3)
    )  # fmt: skip
    assert drawn == written[:80]


def test_the_deck_of_a_stream_is_the_same_for_ever():
    # Written down once, so that no later change of the code deals old hands anew.
    deck = shuffled(Stream(SECRET, 1, 2, GIVEN))
    assert "".join(texts(deck[:10])) == "Ks3h5h4d9dAdQhQd5d4s"


def test_game_hand_secret_and_what_each_gave_all_change_the_deck():
    decks = {
        shuffled(Stream(*how)) for how in (
            (SECRET, 1, 1, GIVEN), (SECRET, 2, 1, GIVEN), (SECRET, 1, 2, GIVEN),
            (SECRET[::-1], 1, 1, GIVEN), (SECRET, 1, 1, GIVEN[::-1]),
            (SECRET, 1, 1, [b"a" * 32, b"c" * 32]),
        )
    }  # fmt: skip
    assert len(decks) == 6


def test_a_stream_never_shows_its_secret():
    assert repr(Stream(SECRET, 1, 1, GIVEN)) == "<Stream>"


@cache
def streamed(hands: int) -> list[tuple[int, ...]]:
    return [shuffled(Stream(SECRET, 1, hand, GIVEN)) for hand in range(1, hands + 1)]


def test_every_card_comes_to_every_place_as_often():
    """All 52 x 52 pairs of card and place: 2601 degrees of freedom, six deviations allowed."""
    decks, expected = streamed(2600), 50
    counted = Counter((place, card) for deck in decks for place, card in enumerate(deck))
    chi = sum((counted[place, card] - expected) ** 2 for place in range(52) for card in DECK)
    assert 2601 - 6 * 72 < chi / expected < 2601 + 6 * 72


def test_two_cards_follow_each_other_as_often_whichever_they_are():
    """Of 52 x 51 ordered pairs of neighbours, each is as likely: no two cards stick together."""
    decks = streamed(2600)
    counted = Counter(pair for deck in decks for pair in pairwise(deck))
    expected = 2600 * 51 / (52 * 51)
    chi = sum((counted[a, b] - expected) ** 2 / expected for a in DECK for b in DECK if a != b)
    assert 2651 - 6 * 73 < chi < 2651 + 6 * 73


def test_two_cards_come_to_the_same_hand_as_often_whichever_they_are():
    """Each of 1326 pairs lies in one of the two dealt hands with chance 2 * 45 / 1326."""
    decks = streamed(2600)
    counted = Counter()
    for deck in decks:
        for hand in (deck[0:20:2], deck[1:20:2]):
            counted.update(combinations(sorted(hand), 2))
    expected = 2600 * 90 / 1326
    assert len(counted) == 1326
    assert max(abs(count - expected) for count in counted.values()) < 6 * expected**0.5
