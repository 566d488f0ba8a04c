"""The chart of the race to the target."""

from __future__ import annotations

from games import race
from games.paper import Cell

ROWS = [[Cell(17, 17), Cell()], [Cell(), Cell(38, 38)], [Cell(), Cell()], [Cell(90, 107), Cell()]]


def test_a_course_stays_level_while_the_other_scores():
    drawn = race.drawn(["alice", "bob"], 100, ROWS)
    heights = [point.split(",")[1] for point in drawn["lines"][0]["path"].split()]
    assert heights[0] == f"{race.BOTTOM:.1f}"
    assert heights[1] == heights[2] == heights[3] != heights[4]
    assert len(drawn["lines"][0]["marks"]) == 2


def test_whoever_passes_the_target_stays_inside_the_chart():
    drawn = race.drawn(["alice", "bob"], 100, ROWS)
    assert drawn["lines"][0]["path"].split()[-1] == f"{race.RIGHT:.1f},{race.TOP:.1f}"
    assert float(drawn["target_y"]) > race.TOP


def test_names_of_a_close_race_are_written_apart():
    drawn = race.drawn(["alice", "bob"], 100, [[Cell(9, 9), Cell()], [Cell(), Cell(8, 8)]])
    first, second = (float(line["name_y"]) for line in drawn["lines"])
    assert second - first >= race.NAME_HEIGHT - 0.2


def test_a_usual_name_is_written_whole_and_a_long_one_shortened():
    drawn = race.drawn(["Thibault", "Marie-Antoinette"], 100, ROWS)
    assert [line["name"] for line in drawn["lines"]] == ["Thibault", "Marie-An…"]


def test_one_hand_makes_no_chart():
    assert race.drawn(["alice", "bob"], 100, ROWS[:1]) == {}


def test_a_target_of_one_has_no_level_written_twice():
    drawn = race.drawn(["alice", "bob"], 1, [[Cell(), Cell()], [Cell(1, 1), Cell()]])
    assert [level for level, *_heights in drawn["levels"]] == [0]


def test_the_race_is_a_table_too():
    drawn = race.drawn(["alice", "bob"], 100, ROWS)
    assert drawn["after"] == [(17, 0), (17, 38), (17, 38), (107, 38)]
