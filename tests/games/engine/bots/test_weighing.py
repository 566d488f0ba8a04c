"""What alternatives are worth, by playing on in worlds that fit what the seat knows."""

from __future__ import annotations

from random import Random

import pytest

from games.engine.bots import Score, habitue, weigh
from games.engine.bots.hands import arranged
from games.engine.bots.memory import remember
from games.engine.bots.playouts import Stake, Worlds, thrown_from
from games.engine.bots.weighing import Weighed, _agreed, _compared
from games.engine.cards import BITS, CARDS, DECK, NAMES, gather, parse
from games.engine.position import apply, deal
from games.engine.rules import PlayRules
from games.engine.view import view_for

RULES = PlayRules()
FEW = 30


def laid(mine, top, drawn=None, rules=RULES):
    """The views of a seat with these cards: at the upcard, or having drawn after two passes."""
    first = [] if drawn is None else [CARDS[drawn]]
    own = [CARDS[name] for name in mine.split()]
    rest = [card for card in DECK if card not in (*own, CARDS[top], *first)]
    dealt = [card for pair in zip(own, rest[:10], strict=True) for card in pair]
    position = deal(rules, [*dealt, CARDS[top], *first, *rest[10:]], 1)
    views = [view_for(position, 0)]
    if drawn is None:
        return views
    for move in ("pass", "pass"):
        position = apply(position, move)
    return [*views, view_for(apply(position, "draw stock"), 0)]


def weighed(views, playouts=FEW, score=None, rules=RULES, seed=1, also=None):
    return weigh(views, rules, score or Score(), Random(seed).randrange, playouts, also)


def played(seed, rules=RULES):
    """Every decision of both seats in a hand of Habitués: the views, and the move made."""
    random = Random(seed)
    position = deal(rules, random.sample(DECK, 52), seed % 2)
    views, found = ([], []), []
    while position.phase != "over":
        seat = position.to_act
        views[seat].append(view_for(position, seat))
        move = habitue(views[seat][-1], random.randrange)
        found.append((list(views[seat]), move))
        position = apply(position, move)
    return found


@pytest.mark.parametrize(
    "rules",
    [
        RULES,
        PlayRules(knock_limit="upcard", big_gin=True),
        PlayRules(knock_limit=0, layoffs=False, keep_drawn_card="any"),
        PlayRules(format="first_knock"),
    ],
)
def test_what_is_weighed_is_legal_and_the_best_comes_first(rules):
    score = Score(first_knock=rules.format == "first_knock", big_gin=31, spades_double=True)
    for views, move in played(8, rules)[::3]:
        found = weighed(views, 3, score, rules, also=move)
        assert {one.move for one in found} <= set(views[-1]["legal"])
        assert move in [one.move for one in found]
        assert [one.points for one in found] == sorted((one.points for one in found), reverse=True)


def test_the_same_views_and_chance_weigh_the_same():
    views, _move = played(2)[10]
    assert weighed(views) == weighed(views)
    assert weighed(views) != weighed(views, seed=2)


def test_a_card_that_makes_a_meld_is_worth_taking():
    best, other = weighed(laid("4c 4d 7h 7s 9c Jd Qh Ks 2d As", "4h"), 300)
    assert best.move == "draw discard"
    assert best.points - best.margin > other.points + other.margin


def test_a_card_of_a_meld_is_not_thrown():
    views = laid("4c 4d 4h 7h 8h 9h Kd Qs 2d As", "Jc", drawn="5s")
    found = weighed(views, 150, also="discard 4c")
    assert found[-1].move == "discard 4c"
    assert found[0].points - found[0].margin > found[-1].points + found[-1].margin


GIN = "4c 4d 4h 7h 8h 9h Tc Jc Qc 4s"


def test_gin_is_worth_its_bonus():
    best = weighed(laid(GIN, "Js", drawn="2d"), 150, Score(gin=20))[0]
    assert best.move == "knock 2d"
    more = weighed(laid(GIN, "Js", drawn="2d"), 150, Score(gin=25))[0]
    assert more.points == pytest.approx(best.points + 5, abs=1)


def test_spades_double_and_the_first_to_knock_counts_one():
    gin = laid(GIN, "Js", drawn="2d")
    once = weighed(gin, 150)[0].points
    assert weighed(gin, 150, Score(spades_double=True))[0].points == pytest.approx(2 * once)
    rules = PlayRules(format="first_knock")
    gin = laid(GIN, "Js", drawn="2d", rules=rules)
    assert weighed(gin, score=Score(first_knock=True), rules=rules)[0].points == 1


def test_an_undercut_costs_its_bonus():
    stake = Stake(Score(undercut=20), 10, doubled=False, layoffs=True, lock_all=False)
    knocker = parse(["4c", "4d", "4h", "7h", "8h", "9h", "Tc", "Jc", "Qc", "5d"])
    defender = parse(["2c", "2d", "2h", "2s", "9s", "Ts", "Js", "Qs", "Ks", "Ah"])
    assert stake.knocked(knocker, defender) == -(5 - 1 + 20)
    lays_off = parse(["4s", "Th", "2d", "2h", "2s", "9s", "Ts", "Js", "Qs", "Ks"])
    assert stake.knocked(knocker, lays_off) == -(5 + 20)
    deaf = Stake(Score(), 10, doubled=False, layoffs=False, lock_all=False)
    assert deaf.knocked(knocker, lays_off) == 14 - 5


def test_the_luck_of_a_deal_helps_none():
    """Two moves that bring the same in every world stand where they do for sure."""
    compared = _compared({"pass": [40, -30, 2], "draw discard": [39, -31, 1]})
    assert [(one.points, one.margin) for one in compared] == [(4, 0), (3, 0)]
    apart = _compared({"pass": [40, -30, 2], "draw discard": [-30, 40, 2]})
    assert apart[0].margin > 20


def test_where_the_network_sees_a_move_elsewhere_it_is_less_sure():
    compared = [Weighed("pass", 4.0, 1.0), Weighed("draw discard", 2.0, 1.0)]
    same = _agreed(compared, {"pass": 14.0, "draw discard": 12.0})
    assert [(one.points, one.margin) for one in same] == [(9, 0.5), (7, 0.5)]
    other = _agreed(compared, {"pass": 0.0, "draw discard": 6.0})
    assert [(one.points, one.margin > 2) for one in other] == [(2, True), (4, True)]
    assert _agreed(compared, {"pass": 3.0, "draw discard": None}) == compared


def test_a_decision_without_a_choice_is_not_played_out():
    views = next(views for views, _move in played(0) if len(views[-1]["legal"]) == 1)

    def no_dice(_below):
        raise AssertionError

    assert weigh(views, RULES, Score(), no_dice, FEW) == [("draw stock", 0.0, 0.0)]


@pytest.mark.parametrize("at", [4, 12, -2])
def test_a_world_fits_what_the_seat_knows(at):
    views, _move = played(5)[at]
    memory = remember(views)
    stake = Stake(Score(), memory.limit, doubled=False, layoffs=True, lock_all=False)
    for number in range(20):
        world = Worlds(memory, stake, Random(number).randrange).one()
        stock = gather(world.stock)
        assert world.other | stock == memory.unseen | memory.known
        assert not world.other & stock
        assert world.other.bit_count() == 10
        assert len(world.stock) == views[-1]["stock"]
        assert world.other & memory.known == memory.known


def test_the_habitue_of_the_head_throws_as_the_habitue():
    """Where it may not knock, and but for cards that are as good."""
    alike = throws = 0
    for seed in range(6):
        for views, move in played(seed):
            view = views[-1]
            if not move.startswith("discard") or not view["loose"]:
                continue
            held = parse(view["held"])
            thrown = thrown_from(held, parse(view["locked"]))
            assert arranged(held)[1] & BITS[thrown]
            own = CARDS[move[-2:]]
            throws += 1
            alike += own == thrown or NAMES[own][0] == NAMES[thrown][0]
    assert alike > 0.8 * throws > 30, (alike, throws)
