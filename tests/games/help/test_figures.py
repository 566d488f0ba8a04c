"""Figures in the pages of help are worked out from the rules, and say what the rules say."""

from __future__ import annotations

import pytest
from django.conf import settings
from django.utils import translation

from games import presets
from games.help import drawings, figures
from scoring.rules import ScoringRules


@pytest.fixture(autouse=True)
def _in_english():
    with translation.override("en"):
        yield


def test_every_preset_has_its_row_and_every_column_its_cell():
    rows = figures.preset_rows()
    assert [row.slug for row in rows] == list(presets.PRESETS)
    assert {len(row.cells) for row in rows} == {len(figures.preset_columns())}


def test_a_row_says_what_is_played():
    cells = {row.slug: row.cells for row in figures.preset_rows()}
    assert cells["complete"] == [
        "10", "25", "31", "25", "100", "25 to each", "100", "points and game bonus doubled",
        "higher total", "in turn",
    ]  # fmt: skip
    assert cells["classic_20_10"][1:4] == ["20", "–", "10"]
    assert cells["classic_20_10"][-1] == "the winner"
    assert cells["winner_takes_bonuses"][5] == "25 to the winner"
    assert cells["oklahoma_spades"][0] == "upcard, ♠ doubles"
    assert cells["first_to_knock"][1:8] == ["–", "–", "–", "1", "–", "–", "–"]


def test_every_option_a_room_can_set_is_listed():
    listed = [label for _title, options in figures.option_groups() for label, _values in options]
    assert len(listed) == len(set(listed))
    assert len(listed) == len(presets.OPTIONS) - 1  # the points of a fixed shutout have one value


def test_the_example_of_a_whole_game_adds_up():
    game = figures.whole_game(figures.usual())
    assert game["totals"] == [17 + 38 + 50 + 3 * 25 + 100, 28 + 25]
    assert game["difference"] == 227


def test_one_game_comes_to_what_each_preset_makes_of_it():
    totals = {str(name): total for name, total in figures.same_game()}
    assert totals["Points only"] == totals["Match play"] == 126
    assert totals["Classic 20 and 10"] == 406
    assert totals["Money play"] == 426
    assert totals["Winner takes the bonuses"] == 452
    assert totals["Complete gin"] == 552


def test_the_winner_is_not_always_who_reached_the_target():
    turned = figures.turned_game()
    assert turned["points"] == [105, 99]
    assert turned["totals"] == [255, 274]


@pytest.mark.django_db
def test_a_strength_that_was_measured_is_told_with_its_margin(client, monkeypatch):
    measured = (figures.Measured("strong", "regular", 1000, 71.2, 2.8),)
    monkeypatch.setattr(figures, "MEASURED", measured)
    client.cookies[settings.LANGUAGE_COOKIE_NAME] = "en"
    page = client.get("/help/computer/").content.decode()
    assert "Strong against Regular" in page
    assert "71.2 % ± 2.8" in page
    assert "1000 games" in page


@pytest.mark.parametrize(
    ("end", "knocker", "defender", "points"),
    [("gin", 0, 13, 38), ("big_gin", 0, 13, 44), ("undercut", 8, 5, 28), ("undercut", 8, 8, 25)],
)
def test_what_a_hand_is_worth(end, knocker, defender, points):
    assert figures.worth(end, knocker, defender) == points


def test_a_drawn_hand_is_laid_out_by_the_engine():
    run, left = drawings.laid_out("7c 7d 7h 8d 9d Qs 3c")[0], drawings.laid_out("7c 7h Qs 3c")[-1]
    assert [card.card for card in run.cards] == ["7d", "8d", "9d"]
    assert (left.caption, left.number) == ("3 + 7 + 7 + 10 =", 27)


def test_a_drawn_showdown_is_the_engines():
    laid = drawings.example(
        "4s 4h 4d 7s 8s 9s Ac As 6c 2d", "7c 8c 9c 6s Kh Qd Jc 9d 5h 2c", ("Léo", "Camille"),
        ScoringRules(),
    )  # fmt: skip
    assert [side.deadwood for side in laid.sides] == [10, 46]
    assert laid.line.points == 36


@pytest.mark.parametrize("wrong", ["7h 7h", "7x", "1h"])
def test_cards_that_cannot_be_are_refused(wrong):
    with pytest.raises(drawings.NoSuchExample):
        drawings.laid_out(wrong)


def test_a_showdown_of_too_few_cards_is_refused():
    with pytest.raises(drawings.NoSuchExample):
        drawings.example("7h 8h 9h", "2c 3c", ("Léo", "Camille"), ScoringRules())


def test_outs_are_counted():
    shapes = ("7h 9h", "8c 8h", "7h 8h", "7h 8h 8c", "Kh Qh", "Ah 2h")
    assert [drawings.outs_of(shape) for shape in shapes] == [1, 2, 2, 4, 1, 1]
    assert drawings.gin_outs_of("5d 6d 7d 8d Tc Th Ts 2c 4h As") == 0
    assert drawings.gin_outs_of("5d 6d 7d 8d Tc Th Ts 2c 2h 3h") == 4
