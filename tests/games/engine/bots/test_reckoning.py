"""What the stronger levels reckon with agrees with the engine, and with what one would expect."""

from __future__ import annotations

import json
from itertools import combinations
from random import Random

import pytest

from games.engine.arrangements import arrangements
from games.engine.bots import Score, net
from games.engine.bots.equity import points_of_ends, worths_of_ends
from games.engine.bots.habits import HABITS
from games.engine.bots.hands import after_laying_off, arranged, meldable, melds_of
from games.engine.bots.memory import Memory
from games.engine.bots.odds import Odds, outlook
from games.engine.cards import BITS, CARDS, DECK, POINTS, gather, parse, spread
from games.engine.defence import best_defence
from games.engine.melds import least_after_discard, least_deadwood


def cards(text):
    return parse(text.split())


def some_hands(count, size):
    """Hands with melds in them: drawn from a few ranks or suits as well as from all cards."""
    random = Random(7)
    for number in range(count):
        few = [card for card in DECK if card % 13 < 6 or card // 13 == 2]
        yield gather(random.sample(few if number % 2 else DECK, size))


def test_a_hand_at_a_glance_is_the_hand_of_the_engine():
    for hand in some_hands(150, 11):
        deadwood, loose, sets = arranged(hand)
        assert deadwood == least_deadwood(hand) == sum(POINTS[card] for card in spread(loose))
        assert not sets & loose
        melds = melds_of(hand)
        assert sum(melds) == hand & ~loose
        assert all(least_deadwood(meld) == 0 for meld in melds)


def test_what_could_be_melded_is_what_makes_a_meld_with_two_cards_held():
    for hand in some_hands(12, 10):
        pairs = [BITS[one] | BITS[other] for one, other in combinations(spread(hand), 2)]
        expected = gather(
            card for card in DECK if not BITS[card] & hand
            and any(least_deadwood(pair | BITS[card]) == 0 for pair in pairs)
        )  # fmt: skip
        assert meldable(hand) == expected


def test_laying_off_is_the_engine_s_best_defence():
    random = Random(5)
    for hand in some_hands(60, 10):
        other = gather(random.sample([card for card in DECK if not BITS[card] & hand], 10))
        shown = arrangements(hand)[0]
        assert after_laying_off(other, list(shown.melds)) == best_defence(
            other, shown.melds).rest.deadwood  # fmt: skip


def test_the_outlook_is_what_every_unseen_card_would_bring():
    """The quick way leaves one thing out: that a lower card may fit into no set or run, but pay."""
    hand = cards("3c 4c 5c 8h 8d Jc Jd 2s 6d Kh")
    deadwood, loose, _ = arranged(hand)
    unseen = gather(DECK) & ~hand
    ahead = outlook(hand, deadwood, loose, unseen, 10)
    after = [least_after_discard(hand | BITS[card]) for card in spread(unseen)]
    assert ahead.gain == pytest.approx(sum(deadwood - each for each in after) / len(after))
    assert ahead.knock == sum(each <= 10 for each in after) / len(after)
    assert ahead.outs == meldable(hand).bit_count() / 42


def a_memory(**more):
    held = cards("Ac 2c 5d 9h 9s Jc Kd 3h 7s 8d Qc")
    return Memory(phase="discard", held=held, limit=10, deals=False, stock=30, top=None, **more)


def test_a_card_beside_one_the_other_took_is_more_dangerous_than_beside_one_it_threw():
    took = Odds(a_memory(known=cards("Jd")), HABITS)
    threw = Odds(a_memory(thrown=cards("Jd"), pile=cards("Jd")), HABITS)
    plain = Odds(a_memory(), HABITS)
    jack = CARDS["Jc"]
    assert threw.danger(jack) < plain.danger(jack) < took.danger(jack)
    assert took.held(CARDS["Jd"]) == 1
    assert threw.held(CARDS["Jd"]) == 0


BASES = net.shipped().bases
OFTEN = net.shipped().often


def worths(**score):
    asked = Score(**score)
    return worths_of_ends(asked, points_of_ends(asked, BASES, False), BASES, OFTEN)


def test_points_beyond_the_target_are_worth_nothing_more():
    close = worths(mine=95, other=95)
    assert close[1] == close[9] == 1
    assert close[13] == close[21] == 0
    even = worths(mine=0, other=0)
    assert 0.6 < even[11] < 1  # the better player is the likelier to win from afar
    assert even[0] < even[5] < even[9]


def test_a_lead_is_worth_less_than_a_deficit_costs():
    ahead, even, behind = 0, 11, 12
    points = [0.0] * 23
    points[ahead], points[behind] = 50, -50
    values = worths_of_ends(Score(), tuple(points), BASES, OFTEN)
    gain, loss = values[ahead] - values[even], values[even] - values[behind]
    assert 0 < gain < 0.8 * loss < 1


def test_a_point_counts_most_where_it_is_close():
    def point(**score):
        values = worths(**score)
        return values[2] - values[14]

    assert point(mine=70, other=70) > point(mine=70, other=0)
    assert worths(target=1000) == points_of_ends(Score(target=1000), BASES, False)


def test_first_to_knock_makes_of_every_knock_a_win():
    values = worths(first_knock=True, target=1)
    assert set(values[:10]) == {1}
    assert values[10] == -1
    assert values[22] == 1


def test_a_doubled_hand_counts_twice():
    score = Score(spades_double=True)
    plain, doubled = (points_of_ends(score, BASES, spade) for spade in (False, True))
    assert list(doubled) == [2 * points for points in plain]


def test_the_chances_of_all_ends_add_up_to_one():
    shipped, memory = net.shipped(), a_memory()
    hand = memory.held ^ BITS[CARDS["Kd"]]
    asked = net.of_hand(memory, hand, memory.unseen, CARDS["Kd"], net.THREW, 0.2)
    ground = shipped.ground(net.common(memory, memory.pile, Score()))
    for question in (net.PLAY, net.SHOW):
        chances = shipped.chances(ground, *asked, question)
        assert sum(chances) == pytest.approx(1)
        assert len(chances) == net.ENDS


def test_a_file_of_another_shape_is_refused():
    figures = json.loads(net.FILE.read_text())
    figures["inputs"].pop()
    with pytest.raises(ValueError, match="not the Expert"):
        net.Net(figures)
