"""What hands and games are worth: every worked example of the rules, and their neighbours."""

from __future__ import annotations

import dataclasses
import json
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from scoring import rules as scoring
from scoring.rules import (
    PRESETS,
    BadRules,
    BadSheet,
    Ended,
    HandResult,
    Line,
    ScoringRules,
    bonus_lines,
    hand_line,
    standing,
)

VECTORS = Path(__file__).parents[1] / "vectors" / "sheets.jsonl"


def preset(slug: str, **changes: object) -> ScoringRules:
    return dataclasses.replace(PRESETS[slug], **changes)


def worth(rules: ScoringRules, kind: str, knocker: int, defender: int, spade: bool = False) -> int:
    line = hand_line(rules, 1, HandResult(0, kind, knocker, defender, spade))
    assert line is not None
    return line.points


def paper(points: list[tuple[int, int]]) -> list[Line]:
    return [Line(seat, "knock", hand, base) for hand, (seat, base) in enumerate(points, 1)]


def final(rules: ScoringRules, lines: list[Line]) -> tuple[int, ...]:
    return standing(rules, [*lines, *bonus_lines(rules, lines)]).totals


@pytest.mark.parametrize("row", VECTORS.read_text().splitlines())
def test_every_sheet_of_the_vectors_comes_out(row: str) -> None:
    vector = json.loads(row)
    options = dict(vector["rules"])
    rules = preset(options.pop("preset"), **options)
    results = [HandResult(**hand) for hand in vector["hands"]]
    found = [hand_line(rules, number, result) for number, result in enumerate(results, 1)]
    lines = [line for line in found if line is not None]
    lines += sorted(bonus_lines(rules, lines), key=lambda line: (line.kind, line.seat))
    now = standing(rules, lines)
    assert {
        "hand_points": list(now.hand_points),
        "totals": list(now.totals),
        "reached": now.reached,
        "winner": now.winner,
        "finished": now.finished,
        "lines": [
            [line.seat, line.kind, line.hand, line.base, line.bonus, line.multiplier, line.points]
            for line in lines
        ],
    } == vector["expect"]


@pytest.mark.parametrize(
    ("slug", "kind", "knocker", "defender", "points"),
    [
        ("complete", "knock", 10, 46, 36),
        ("complete", "knock", 9, 21, 12),
        ("complete", "knock", 8, 10, 2),
        ("complete", "gin", 0, 13, 38),
        ("complete", "gin", 0, 23, 48),
        ("classic_20_10", "gin", 0, 23, 43),
        # gin cannot be undercut, even by a hand without deadwood
        ("classic_20_10", "gin", 0, 0, 20),
        ("complete", "gin", 0, 0, 25),
        ("sheet", "gin", 0, 0, 25),
        # a tie scores the undercut bonus alone
        ("classic_20_10", "undercut", 9, 9, 10),
        ("complete", "undercut", 9, 9, 25),
        ("sheet", "undercut", 9, 9, 0),
        ("classic_20_10", "undercut", 8, 5, 13),
        ("sheet", "undercut", 8, 5, 3),
        ("complete", "big_gin", 0, 27, 58),
        ("first_to_knock", "first_knock", 10, 3, 1),
        ("first_to_knock", "first_knock", 0, 60, 1),
    ],
)
def test_a_hand_is_worth_its_points(
    slug: str, kind: str, knocker: int, defender: int, points: int
) -> None:
    assert worth(PRESETS[slug], kind, knocker, defender) == points


@pytest.mark.parametrize(("bonus", "points"), [(25, 52), (31, 58), (50, 77)])
def test_big_gin_pays_what_the_room_chose(bonus: int, points: int) -> None:
    assert worth(preset("points_only", big_gin=bonus), "big_gin", 0, 27) == points


@pytest.mark.parametrize(
    ("kind", "knocker", "defender", "doubled", "plain"),
    [
        ("gin", 0, 30, 110, 55),
        ("gin", 0, 0, 50, 25),
        ("undercut", 4, 1, 56, 28),
        ("knock", 4, 20, 32, 16),
    ],
)
def test_a_spade_doubles_only_where_the_rules_say_so(
    kind: str, knocker: int, defender: int, doubled: int, plain: int
) -> None:
    spades, money = PRESETS["oklahoma_spades"], PRESETS["oklahoma_money_play"]
    assert worth(spades, kind, knocker, defender, spade=True) == doubled
    assert worth(spades, kind, knocker, defender, spade=False) == plain
    assert worth(money, kind, knocker, defender, spade=True) == plain


def test_a_void_hand_is_no_line_and_nobodys() -> None:
    assert hand_line(PRESETS["complete"], 1, HandResult(None, "void")) is None
    assert hand_line(PRESETS["complete"], 1, HandResult(7, "void", -3, 400)) is None


def test_an_undercut_can_end_the_game_on_the_other_players_turn() -> None:
    rules = PRESETS["classic_20_10"]
    lines = paper([(0, 60), (1, 52), (0, 35), (1, 40)])
    assert not standing(rules, lines).finished
    line = hand_line(rules, 5, HandResult(1, "undercut", 8, 5))
    assert line is not None
    now = standing(rules, [*lines, line])
    assert (now.hand_points, now.reached, now.winner) == ((95, 105), 1, 1)


def test_line_bonuses_never_bring_the_target() -> None:
    rules = PRESETS["classic_20_10"]
    lines = paper([(0, 30), (0, 30), (0, 20)])
    now = standing(rules, lines)
    assert (now.hand_points[0], now.reached, now.finished, now.winner) == (80, None, False, None)
    assert bonus_lines(rules, lines) == ()
    assert not standing(rules, paper([(0, 99)])).finished
    assert standing(rules, paper([(0, 100)])).finished


@pytest.mark.parametrize(
    ("slug", "totals"),
    [
        ("classic_20_10", (305, 120)),
        ("money_play", (330, 135)),
        ("winner_takes_bonuses", (330, 60)),
    ],
)
def test_line_bonuses_go_to_each_or_to_the_winner(slug: str, totals: tuple[int, int]) -> None:
    five_and_three = [(0, 20), (0, 20), (1, 20), (0, 20), (1, 20), (1, 20), (0, 20), (0, 25)]
    assert final(PRESETS[slug], paper(five_and_three)) == totals


@pytest.mark.parametrize(
    ("rules", "total"),
    [
        (preset("classic_20_10"), 406),
        (preset("money_play"), 426),
        (preset("winner_takes_bonuses"), 452),
        (preset("sheet", shutout="double_hands_and_game"), 552),
        (preset("sheet"), 326),
        (preset("complete"), 552),
        (preset("points_only"), 126),
        (preset("match_play"), 126),
    ],
)
def test_a_shutout_is_worth_what_each_school_says(rules: ScoringRules, total: int) -> None:
    lines = paper([(0, 30), (0, 30), (0, 33), (0, 33)])
    assert final(rules, lines) == (total, 0)


def test_the_winner_of_four_of_six_hands_gets_200_at_the_end() -> None:
    rules = PRESETS["winner_takes_bonuses"]
    lines = paper([(0, 30), (1, 9), (0, 30), (1, 8), (0, 30), (0, 36)])
    assert sum(line.points for line in bonus_lines(rules, lines)) == 200
    alone = paper([(0, 30), (0, 30), (0, 33), (0, 33)])
    assert bonus_lines(rules, alone)[-1] == Line(0, "shutout", None, 126)


@pytest.mark.parametrize(
    ("slug", "totals", "winner"),
    [
        ("money_play", (255, 274), 1),
        ("complete", (255, 274), 1),
        ("classic_20_10", (245, 239), 0),
        ("winner_takes_bonuses", (255, 99), 0),
        ("match_play", (105, 99), 0),
    ],
)
def test_who_reaches_the_target_does_not_always_win(
    slug: str, totals: tuple[int, int], winner: int
) -> None:
    seven = [(1, points) for points in (9, 11, 12, 14, 16, 18, 19)]
    lines = paper([(0, 60), *seven, (0, 45)])
    now = standing(PRESETS[slug], lines)
    assert (now.reached, now.winner) == (0, winner)
    assert final(PRESETS[slug], lines) == totals
    # the winner is the same once the bonuses stand on the sheet
    written = [*lines, *bonus_lines(PRESETS[slug], lines)]
    assert standing(PRESETS[slug], written).winner == winner


def test_equal_totals_go_to_whoever_reached_the_target() -> None:
    rules = preset("money_play", shutout="none", game_bonus=0)
    lines = paper([(0, 20), (0, 20), (0, 20), (0, 15), (1, 50), (1, 50)])
    now = standing(rules, lines)
    assert final(rules, lines) == (175, 150)
    assert (now.reached, now.winner) == (1, 0)
    level = paper([(0, 20), (0, 20), (0, 35), (1, 50), (1, 50)])
    assert final(rules, level) == (150, 150)
    assert standing(rules, level).winner == 1


@pytest.mark.parametrize(
    ("slug", "due"), [("classic_20_10", True), ("money_play", True), ("complete", False)]
)
def test_a_hand_won_for_nothing_spoils_a_shutout_of_hands_not_of_points(
    slug: str, due: bool
) -> None:
    rules = preset(slug, undercut=0)
    tie = hand_line(rules, 1, HandResult(1, "undercut", 6, 6))
    assert tie == Line(1, "undercut", 1, 0)
    lines = [tie, Line(0, "knock", 2, 60), Line(0, "knock", 3, 60)]
    assert standing(rules, lines).hands_won == (2, 1)
    assert any(line.kind == "shutout" for line in bonus_lines(rules, lines)) is due


def test_a_doubled_hand_counts_doubled_in_the_shutout() -> None:
    rules = ScoringRules(spades_double=True, shutout="double_hands", shutout_when="zero_hands")
    line = hand_line(rules, 1, HandResult(0, "gin", 0, 30, spade=True))
    assert line is not None
    assert line.points == 110
    assert bonus_lines(rules, [line]) == (Line(0, "shutout", None, 110),)


@pytest.mark.parametrize("how", ["resigned", "time", "claimed"])
def test_leaving_gives_the_game_to_the_opponent_whatever_the_totals(how: str) -> None:
    rules = PRESETS["complete"]
    lines = paper([(0, 60), (0, 30), (1, 5)])
    ended = Ended(how, by=0)
    bonuses = bonus_lines(rules, lines, ended)
    assert bonuses == (
        Line(0, "line", None, 50),
        Line(1, "line", None, 25),
        Line(1, "game", None, 100),
    )
    now = standing(rules, [*lines, *bonuses], ended)
    assert (now.totals, now.reached, now.winner, now.finished) == ((140, 130), None, 1, True)


def test_leaving_an_unplayed_game_is_no_shutout() -> None:
    ended = Ended("resigned", by=1)
    assert bonus_lines(PRESETS["complete"], [], ended) == (Line(0, "game", None, 100),)
    assert bonus_lines(PRESETS["first_to_knock"], [], ended) == ()
    assert standing(PRESETS["first_to_knock"], [], ended).winner == 0


def test_leaving_pays_line_bonuses_to_the_winner_alone_where_the_rules_say_so() -> None:
    lines = paper([(0, 60), (1, 5)])
    bonuses = bonus_lines(PRESETS["winner_takes_bonuses"], lines, Ended("time", by=0))
    assert bonuses == (Line(1, "line", None, 25), Line(1, "game", None, 100))


@pytest.mark.parametrize("how", ["called_off", "voided"])
def test_a_game_undone_has_no_bonus_and_no_winner(how: str) -> None:
    lines = paper([(0, 60), (0, 60)])
    assert bonus_lines(PRESETS["complete"], lines, Ended(how)) == ()
    now = standing(PRESETS["complete"], lines, Ended(how))
    assert (now.winner, now.finished, now.totals) == (None, True, (120, 0))


def test_a_correction_changes_totals_only() -> None:
    rules = PRESETS["complete"]
    lines = paper([(0, 60), (1, 50), (0, 45)])
    before = standing(rules, lines)
    after = standing(rules, [*lines, Line(1, "correction", None, 500, reason="miscounted")])
    assert after.totals == (105, 550)
    assert dataclasses.replace(after, totals=before.totals) == before
    unfinished = [Line(0, "correction", None, 200, reason="a gift")]
    assert not standing(rules, unfinished).finished


@pytest.mark.parametrize(
    ("slug", "result"),
    [
        ("complete", HandResult(0, "knock", 11, 40)),
        ("complete", HandResult(0, "knock", 0, 40)),
        ("complete", HandResult(0, "knock", 5, 5)),
        ("complete", HandResult(0, "knock", 5, 4)),
        ("complete", HandResult(0, "knock", 5, 99)),
        ("complete", HandResult(0, "knock", -1, 5)),
        ("complete", HandResult(0, "knock", 5.0, 9)),  # type: ignore[arg-type]
        ("complete", HandResult(0, "knock", True, 9)),
        ("complete", HandResult(0, "knock", "5", 9)),  # type: ignore[arg-type]
        ("complete", HandResult(0, "knock", 5, 9, spade=1)),  # type: ignore[arg-type]
        ("complete", HandResult(None, "knock", 5, 9)),
        ("complete", HandResult(False, "knock", 5, 9)),
        ("complete", HandResult(0, "gin", 1, 9)),
        ("complete", HandResult(0, "big_gin", 1, 9)),
        ("sheet", HandResult(0, "big_gin", 0, 9)),
        ("complete", HandResult(0, "undercut", 5, 6)),
        ("complete", HandResult(0, "undercut", 0, 0)),
        ("complete", HandResult(0, "undercut", 11, 2)),
        ("complete", HandResult(0, "first_knock", 5, 6)),
        ("complete", HandResult(0, "draw", 5, 6)),
        ("complete", HandResult(0, ["knock"], 5, 6)),  # type: ignore[arg-type]
        ("first_to_knock", HandResult(0, "knock", 5, 6)),
        ("first_to_knock", HandResult(0, "gin", 0, 6)),
        ("first_to_knock", HandResult(0, "first_knock", 11, 60)),
    ],
)
def test_a_result_the_rules_cannot_produce_is_refused(slug: str, result: HandResult) -> None:
    with pytest.raises(BadSheet):
        hand_line(PRESETS[slug], 1, result)


def test_where_only_gin_ends_a_hand_no_knock_is_believed() -> None:
    rules = PRESETS["complete"]
    scoring.check_hand(rules, HandResult(0, "gin", 0, 30), highest_knock=0)
    with pytest.raises(BadSheet):
        scoring.check_hand(rules, HandResult(0, "knock", 1, 30), highest_knock=0)
    with pytest.raises(BadSheet):
        scoring.check_hand(rules, HandResult(1, "undercut", 1, 0), highest_knock=0)


@pytest.mark.parametrize(
    "changes",
    [
        {"gin": 30},
        {"gin": 25.0},
        {"gin": "25"},
        {"gin": None},
        {"big_gin": 0},
        {"big_gin": False},
        {"undercut": False},
        {"undercut": 15},
        {"line_bonus": 10},
        {"line_bonus_to": "loser"},
        {"game_bonus": 50},
        {"shutout": "double"},
        {"shutout_points": 50},
        {"shutout_when": "never"},
        {"winner_by": "points"},
        {"spades_double": 1},
        {"target": 49},
        {"target": 1001},
        {"target": 100.0},
        {"target": True},
        {"format": "sudden_death"},
        {"line_bonus_to": "winner"},
        {"format": "first_knock"},
    ],
)
def test_an_impossible_option_set_is_refused(changes: dict[str, object]) -> None:
    with pytest.raises(BadRules) as refusal:
        preset("complete", **changes)
    assert str(refusal.value).endswith(".")


@pytest.mark.parametrize(
    "changes",
    [
        {"gin": 25},
        {"big_gin": 31},
        {"undercut": 10},
        {"line_bonus": 25},
        {"line_bonus_to": "winner"},
        {"game_bonus": 100},
        {"shutout": "fixed"},
        {"shutout_when": "zero_hands"},
        {"spades_double": True},
        {"target": 100},
        {"target": True},
    ],
)
def test_the_first_to_knock_knows_no_points(changes: dict[str, object]) -> None:
    with pytest.raises(BadRules):
        preset("first_to_knock", **changes)


@pytest.mark.parametrize("slug", PRESETS)
def test_every_preset_survives_its_flat_spelling(slug: str) -> None:
    rules = PRESETS[slug]
    assert ScoringRules.from_options(json.loads(json.dumps(rules.as_options()))) == rules


# --- random games


@st.composite
def point_rules(draw: st.DrawFn) -> ScoringRules:
    options = {name: draw(st.sampled_from(values)) for name, values in scoring.VALUES.items()}
    options |= {"format": "points", "target": draw(st.integers(50, 300))}
    if options["line_bonus_to"] == "winner":
        options["winner_by"] = "target"
    return ScoringRules(**options)  # type: ignore[arg-type]


@st.composite
def results(draw: st.DrawFn, rules: ScoringRules) -> HandResult:
    kinds = ["knock", "gin", "undercut", "void"] + ["big_gin"] * (rules.big_gin is not None)
    kind, seat = draw(st.sampled_from(kinds)), draw(st.integers(0, 1))
    knocker = 0 if kind in ("gin", "big_gin") else draw(st.integers(1, 10))
    defender = {
        "knock": st.integers(knocker + 1, 98),
        "undercut": st.integers(0, knocker),
    }.get(kind, st.integers(0, 98))
    return HandResult(seat, kind, knocker, draw(defender), draw(st.booleans()))


@settings(max_examples=150, deadline=None)
@given(st.data())
def test_a_random_game_ends_exactly_at_the_target_and_adds_up(data: st.DataObject) -> None:
    rules = data.draw(point_rules())
    lines: list[Line] = []
    for number in range(1, 40):
        now = standing(rules, lines)
        assert now.finished == (max(now.hand_points) >= rules.target)
        if now.finished:
            break
        assert now.winner is None
        result = data.draw(results(rules))
        line = hand_line(rules, number, result)
        assert (line is None) == (result.kind == "void")
        if line is not None:
            assert line.seat == result.winner
            assert line.points >= 0
            lines.append(line)
    hands = [line.hand for line in lines]
    assert len(hands) == len(set(hands))
    bonuses = bonus_lines(rules, lines)
    written = [*lines, *bonuses]
    assert len({(line.kind, line.seat) for line in bonuses}) == len(bonuses)
    assert all(line.hand is None and line.points > 0 for line in bonuses)
    assert bonus_lines(rules, written) == bonuses
    before, after = standing(rules, lines), standing(rules, written)
    assert dataclasses.replace(after, totals=before.totals) == before
    assert sum(after.totals) == sum(line.points for line in written)
    assert sum(after.hands_won) == len(lines)
    if not before.finished:
        assert bonuses == ()
    elif rules.winner_by == "target":
        assert after.winner == after.reached
    else:
        assert after.winner is not None
        assert after.totals[after.winner] == max(after.totals)
