"""Whole games under random rules, played by the table's verbs alone: the sheet always adds up."""

from __future__ import annotations

from collections import Counter
from itertools import pairwise
from random import Random

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from games import dealing, reading, rooms, table
from games.engine import cards
from games.engine import position as play
from games.models import Game, Hand, Table
from games.presets import PRESETS, RuleSet, rule_set
from games.presets.named import PLAY_VALUES
from scoring import ledger, tasks
from scoring.models import ScoreLine
from scoring.rules import BadRules, options
from tests.games.players import choose, seats_of

pytestmark = pytest.mark.django_db

HANDS_AT_MOST = 60
SHORT_TARGETS = (50, 75, 100, 150)


@st.composite
def random_rules(draw) -> dict:
    """A preset with a few options set otherwise; what is no rule set is drawn again."""
    preset = draw(st.sampled_from(list(PRESETS)))
    values = {**options.VALUES, **PLAY_VALUES, "target": SHORT_TARGETS}
    del values["format"]
    chosen = draw(st.lists(st.sampled_from(sorted(values)), max_size=5, unique=True))
    wanted = {name: draw(st.sampled_from(list(values[name]))) for name in chosen}
    if "first_to_knock" not in preset:
        wanted.setdefault("target", draw(st.sampled_from(SHORT_TARGETS)))
    try:
        return rule_set({"preset": preset, **wanted}).as_dict()
    except BadRules:
        return rule_set({"preset": preset}).as_dict()


@pytest.fixture
def dealt_by(monkeypatch):
    """Deal from a seed: any deck, or one in which few ranks lie close together."""

    def deal_by(random: Random) -> None:
        def deck(_stream: object) -> str:
            order = random.sample(cards.DECK, len(cards.DECK))
            if random.random() < 0.5:
                order.sort(key=lambda card: (card % 13 // 6, random.random()))
            return "".join(cards.text(card) for card in order)

        monkeypatch.setattr(dealing, "fresh_deck", deck)
        monkeypatch.setattr(dealing, "first_dealer", lambda _stream: random.randrange(2))

    return deal_by


@pytest.fixture
def silent_bell(monkeypatch):
    """Nobody listens here, and ringing takes longer than all the rest."""
    monkeypatch.setattr("accounts.live.ring", lambda group: None)


def play_to_the_end(table_id: int, people: list[int], random: Random, committed) -> None:
    """Make moves the views offer, sensible or not, until the game is over or somebody gives up."""
    seats = seats_of(table_id, people)
    while (view := table.look(table_id, people[0]))["state"] != "finished":
        with committed(execute=True):
            if view["at"][0] > HANDS_AT_MOST or random.random() < 0.0005:
                table.resign(table_id, random.choice(people))
            elif view["state"] == "between":
                for person in random.sample(people, 2):
                    table.ready(table_id, person)
            else:
                mover = seats[view["hand"]["to_act"]]
                seen = table.look(table_id, mover)
                table.make_move(table_id, mover, pick(seen["hand"], random), tuple(seen["at"]))


def pick(hand: dict, random: Random) -> str:
    return choose(hand) if random.random() < 0.8 else random.choice(hand["legal"])


def replayed(hand: Hand, rules: RuleSet) -> play.Position:
    """The end of a hand, from nothing but its deck and its stored moves."""
    moves = hand.moves.order_by("ply").values_list("text", flat=True)
    return play.replay(rules.play, dealing.cards_of(hand.deck), hand.dealer, moves)


def points_of(outcome: play.Outcome, rules: RuleSet) -> int:
    """What a hand is worth, written out from the rules, section 7."""
    knocker, defender = outcome.knocker_deadwood, outcome.defender_deadwood
    worth = {
        "knock": defender - knocker,
        "gin": defender + (rules.scoring.gin or 0),
        "big_gin": defender + (rules.scoring.big_gin or 0),
        "undercut": knocker - defender + (rules.scoring.undercut or 0),
        "first_knock": 1,
    }[outcome.end]
    return worth * (2 if rules.scoring.spades_double and outcome.spade else 1)


def check_hands(game: Game, rules: RuleSet) -> list[int]:
    """Each hand has the one line its stored moves give, or none; returns the hand points."""
    points, target = [0, 0], rules.scoring.target
    hands = list(game.hands.order_by("number"))
    assert [hand.number for hand in hands] == list(range(1, len(hands) + 1))
    for hand in hands:
        assert max(points) < target, "a hand was dealt after the target was reached"
        assert hand.ended_at is not None
        outcome = replayed(hand, rules).outcome
        lines = list(game.sheet.lines.filter(hand=hand.number))
        if outcome is None or outcome.winner is None:
            assert lines == []
            assert outcome is not None or hand is hands[-1]
            continue
        (line,) = lines
        assert (line.seat, line.kind) == (outcome.winner, outcome.end)
        assert line.points == points_of(outcome, rules)
        points[line.seat] += line.points
    return points


def check_dealers(game: Game, rules: RuleSet) -> None:
    for hand, following in pairwise(game.hands.order_by("number")):
        winner = game.sheet.lines.filter(hand=hand.number).values_list("seat", flat=True).first()
        expected = {
            "alternate": 1 - hand.dealer,
            "winner": winner,
            "loser": None if winner is None else 1 - winner,
        }[rules.next_dealer]
        assert following.dealer == (hand.dealer if winner is None else expected)


def check_bonuses(game: Game, view: dict) -> None:
    """Every end-of-game line once, however often its task comes, and the totals their sum."""
    before = list(ScoreLine.objects.filter(sheet=game.sheet).values_list("pk", flat=True))
    assert ledger.write_bonuses(game.sheet_id) is False
    tasks.sweep_bonuses()
    lines = list(ScoreLine.objects.filter(sheet=game.sheet).order_by("pk"))
    assert [line.pk for line in lines] == before
    written = Counter((line.kind, line.seat) for line in lines if line.hand is None)
    assert set(written.values()) <= {1}
    for seat in (0, 1):
        mine = [(line.base + line.bonus) * line.multiplier for line in lines if line.seat == seat]
        assert view["end"]["totals"][seat] == sum(mine)
    assert view["end"]["bonuses_written"] is True


@settings(
    max_examples=10,
    deadline=None,
    suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow],
)
@given(wanted=random_rules(), seed=st.integers(0, 2**32 - 1))
def test_a_whole_game_under_random_rules_leaves_a_sheet_that_adds_up(
    alice, bob, dealt_by, silent_bell, django_capture_on_commit_callbacks, wanted, seed
):
    random, people = Random(seed), [alice.pk, bob.pk]
    dealt_by(random)
    room_id = rooms.open_room(alice.pk, "Salle des cousins", wanted)
    rooms.join_room(rooms.room_page(room_id, alice.pk)["invite"], bob.pk)
    table_id = Table.objects.get(room_id=room_id).pk
    table.sit_down(table_id, bob.pk)
    play_to_the_end(table_id, people, random, django_capture_on_commit_callbacks)
    reading.forget()
    game, view = Game.objects.get(table_id=table_id), table.look(table_id, alice.pk)
    rules = RuleSet.from_dict(game.rules)
    assert rules.as_dict() == wanted == game.sheet.rules
    points = check_hands(game, rules)
    assert view["end"]["hand_points"] == points
    reached = [seat for seat in (0, 1) if points[seat] >= rules.scoring.target]
    assert (view["end"]["how"] == "target") is (len(reached) == 1)
    assert view["end"]["reached"] == (reached[0] if reached else None)
    assert view["end"]["winner"] in (0, 1)
    check_dealers(game, rules)
    check_bonuses(game, view)
