"""Rule sets: the table of the rules, their one spelling, and what no set can be."""

from __future__ import annotations

import json

import pytest
from django.utils.translation import override
from hypothesis import given, settings
from hypothesis import strategies as st

from games import presets
from games.engine import rules as play
from games.presets import PRESETS, RuleSet, difference, in_words, rule_set
from scoring import rules as scoring
from scoring.rules import BadRules

# The table of rules, section 10, as printed there.
TABLE = {
    "complete": (10, 25, 31, 25, 100, 25, "each", 100,
                 "double_hands_and_game", "zero_hands", "total", "alternate"),
    "sheet": (10, 25, None, 0, 100, 25, "each", 100, "none", None, "total", "alternate"),
    "winner_takes_bonuses": (10, 25, None, 25, 100, 25, "winner", 100,
                             "double_hands", "zero_hands", "target", "alternate"),
    "points_only": (10, 25, 31, 25, 100, 0, None, 0, "none", None, "target", "alternate"),
    "classic_20_10": (10, 20, None, 10, 100, 20, "each", 100,
                      "fixed", "zero_points", "total", "winner"),
    "money_play": (10, 25, None, 25, 100, 25, "each", 100,
                   "fixed", "zero_points", "total", "alternate"),
    "match_play": (10, 25, None, 25, 100, 0, None, 0, "none", None, "target", "alternate"),
    "first_to_knock": (10, None, None, None, 1, None, None, None,
                       None, None, "target", "alternate"),
    "oklahoma_money_play": ("upcard", 25, None, 25, 100, 25, "each", 100,
                            "fixed", "zero_points", "total", "alternate"),
    "oklahoma_first_to_knock": ("upcard", None, None, None, 1, None, None, None,
                                None, None, "target", "alternate"),
    "oklahoma_spades": ("upcard", 25, 31, 25, 150, 0, None, 0,
                        "none", None, "target", "alternate"),
}  # fmt: skip
COLUMNS = (
    "knock_limit", "gin", "big_gin", "undercut", "target", "line_bonus", "line_bonus_to",
    "game_bonus", "shutout", "shutout_when", "winner_by", "next_dealer",
)  # fmt: skip


@pytest.mark.parametrize("slug", TABLE)
def test_a_preset_is_what_the_table_says(slug):
    options = rule_set({"preset": slug}).as_dict()
    for column, value in zip(COLUMNS, TABLE[slug], strict=True):
        if value is not None or column == "big_gin":
            assert (column, options[column]) == (column, value)
    assert options["spades_double"] is (
        None if slug.endswith("first_to_knock") else slug == "oklahoma_spades"
    )
    assert list(PRESETS) == list(TABLE) == list(scoring.PRESETS)


def test_the_default_is_complete_gin():
    assert rule_set({}) == rule_set({"preset": "complete"})


def test_the_flat_spelling_holds_every_option_and_nothing_else():
    names = (
        "preset format knock_limit oklahoma_ace gin big_gin undercut layoffs target line_bonus "
        "line_bonus_to game_bonus shutout shutout_points shutout_when winner_by spades_double "
        "next_dealer keep_drawn_card discard_history"
    )
    for slug in PRESETS:
        assert sorted(rule_set({"preset": slug}).as_dict()) == sorted(names.split())


@pytest.mark.parametrize("slug", PRESETS)
def test_a_rule_set_survives_its_spelling(slug):
    rules = rule_set({"preset": slug})
    assert RuleSet.from_dict(json.loads(json.dumps(rules.as_dict()))) == rules


@pytest.mark.parametrize(
    ("slug", "option", "value"),
    [
        (slug, option, value)
        for slug, choices in scoring.CHOICES.items()
        for option, values in choices.items()
        for value in values or (50, 75, 1000)
    ],
)
def test_what_a_preset_lets_choose_can_be_chosen(slug, option, value):
    rules = rule_set({"preset": slug, option: value})
    assert rules.as_dict()[option] == value
    usual = rule_set({"preset": slug}).as_dict()
    assert rules.as_dict() == usual | {option: value}


@pytest.mark.parametrize(
    ("options", "field"),
    [
        ({"preset": "poker"}, "preset"),
        ({"preset": None}, "preset"),
        ({"preset": ["complete"]}, "preset"),
        ({"speed": "fast"}, None),
        ({3: 4}, None),
        ({"knock_limit": 7}, "knock_limit"),
        ({"knock_limit": "10"}, "knock_limit"),
        ({"knock_limit": 10.0}, "knock_limit"),
        ({"knock_limit": False}, "knock_limit"),
        ({"oklahoma_ace": True}, "oklahoma_ace"),
        ({"oklahoma_ace": "1"}, "oklahoma_ace"),
        ({"layoffs": 1}, "layoffs"),
        ({"layoffs": None}, "layoffs"),
        ({"gin": None}, "gin"),
        ({"gin": 30}, "gin"),
        ({"big_gin": False}, "big_gin"),
        ({"target": 49}, "target"),
        ({"target": "100"}, "target"),
        ({"target": True}, "target"),
        ({"shutout_points": 50}, "shutout_points"),
        ({"next_dealer": "oldest"}, "next_dealer"),
        ({"keep_drawn_card": "none"}, "keep_drawn_card"),
        ({"discard_history": True}, "discard_history"),
        ({"discard_history": {}}, "discard_history"),
        ({"spades_double": True}, "spades_double"),
        ({"preset": "oklahoma_spades", "knock_limit": 10}, "spades_double"),
        ({"line_bonus_to": "winner"}, "line_bonus_to"),
        ({"preset": "winner_takes_bonuses", "winner_by": "total"}, "line_bonus_to"),
        ({"format": "first_knock"}, "format"),
        ({"preset": "first_to_knock", "gin": 25}, "gin"),
        ({"preset": "first_to_knock", "big_gin": 31}, "big_gin"),
        ({"preset": "first_to_knock", "undercut": 0}, "undercut"),
        ({"preset": "first_to_knock", "layoffs": True}, "layoffs"),
        ({"preset": "first_to_knock", "layoffs": False}, "layoffs"),
        ({"preset": "first_to_knock", "line_bonus": 0}, "line_bonus"),
        ({"preset": "first_to_knock", "shutout": "none"}, "shutout"),
        ({"preset": "oklahoma_first_to_knock", "spades_double": True}, "spades_double"),
        ({"preset": "first_to_knock", "target": 100}, "target"),
        ({"preset": "first_to_knock", "target": True}, "target"),
        ({"preset": "first_to_knock", "format": "points"}, "target"),
    ],
)
def test_an_option_set_no_game_can_be_played_by_is_refused(options, field):
    with pytest.raises(BadRules) as refusal:
        rule_set(options)
    assert refusal.value.params.get("option") == field
    assert str(refusal.value).endswith(".")


def test_the_first_to_knock_can_be_set_as_far_as_it_goes():
    rules = rule_set({"preset": "first_to_knock", "knock_limit": 0, "next_dealer": "loser"})
    assert (rules.highest_knock, rules.next_dealer) == (0, "loser")
    assert (rules.play.layoffs, rules.play.big_gin) == (False, False)
    points = rule_set({"preset": "first_to_knock", "format": "points", "target": 50})
    assert (points.scoring.gin, points.play.layoffs) == (25, True)


def test_the_engine_and_the_sheet_are_told_the_same():
    rules = rule_set({"preset": "oklahoma_spades", "big_gin": 50, "oklahoma_ace": 1})
    assert rules.play == play.PlayRules(knock_limit="upcard", oklahoma_ace=1, big_gin=True)
    assert (rules.scoring.big_gin, rules.scoring.spades_double) == (50, True)
    assert not rule_set({"big_gin": None}).play.big_gin


def every_option(first_knock: bool) -> dict[str, tuple[object, ...]]:
    options = {**scoring.VALUES, **presets.named.PLAY_VALUES}
    return {
        name: values
        for name, values in options.items()
        if name != "format" and not (first_knock and name in presets.named.NOT_IN_FIRST_KNOCK)
    }


@settings(max_examples=150, deadline=None)
@given(st.data())
def test_any_choice_of_options_is_played_or_refused_and_can_be_said(data):
    slug = data.draw(st.sampled_from(list(PRESETS)))
    values = every_option(slug.endswith("first_to_knock"))
    names = data.draw(st.sets(st.sampled_from(list(values)), max_size=5))
    options = {name: data.draw(st.sampled_from(values[name])) for name in names}
    base = rule_set({"preset": slug}).as_dict() | options
    stray_spades = base["spades_double"] and base["knock_limit"] != "upcard"
    circular = base["line_bonus_to"] == "winner" and base["winner_by"] == "total"
    if stray_spades or circular:
        with pytest.raises(BadRules):
            rule_set({"preset": slug, **options})
        return
    rules = rule_set({"preset": slug, **options})
    flat = rules.as_dict()
    assert {name: flat[name] for name in options} == options
    assert rule_set(flat) == rules
    with override("en"):
        assert all(sentence.endswith(".") for sentence in in_words(rules))
        assert (difference(rules) == []) == (audible(flat) == audible(rule_set({}).as_dict()))


def audible(options: dict[str, object]) -> dict[str, object]:
    """What of a rule set makes a difference in play: an option without effect makes none."""
    left = {name: value for name, value in options.items() if name != "preset"}
    if left["knock_limit"] != "upcard":
        left["oklahoma_ace"] = "gin"
    if left["line_bonus"] == 0:
        left["line_bonus_to"] = "each"
    if left["shutout"] == "none":
        left["shutout_when"] = "zero_points"
    return left


def test_the_difference_is_said_in_a_few_words():
    with override("en"):
        assert difference(rule_set({})) == []
        assert difference(rule_set({"undercut": 20})) == ["undercut 20 instead of 25"]
        assert difference(rule_set({"preset": "match_play", "target": 250})) == [
            "no big gin",
            "target 250 instead of 100",
            "no bonus for hands won",
            "no game bonus",
            "no shutout",
            "whoever reaches the target wins",
        ]
        assert difference(rule_set({"preset": "oklahoma_first_to_knock"})) == [
            "the first to knock wins the game",
            "the upcard sets the knock limit",
        ]


def test_the_rules_of_a_room_are_said_in_sentences():
    with override("en"):
        assert in_words(rule_set({"undercut": 20})) == [
            "One knocks with 10 deadwood or less.",
            "Gin 25, big gin 31, undercut 20.",
            "The opponent lays off cards on your melds, except after gin.",
            "The game ends at 100.",
            "Bonus of 25 for each hand won, to each player.",
            "100 to whoever reaches the target.",
            "Shutout: if the other won no hand, your points and the game bonus count double.",
            "The higher total wins.",
        ]
        assert in_words(rule_set({"preset": "oklahoma_first_to_knock"})) == [
            "The upcard sets the knock limit of each hand.",
            "If it is an ace, only gin ends the hand.",
            "The first to knock, or to go gin, wins the game.",
        ]


@pytest.mark.parametrize("layoffs", [True, False])
def test_where_only_gin_ends_a_hand_nothing_is_said_of_laying_off(layoffs):
    with override("en"):
        said = in_words(rule_set({"knock_limit": 0, "layoffs": layoffs}))
        assert said[0] == "One does not knock: only gin ends a hand."
        assert not any("lays off" in sentence for sentence in said)


def test_every_preset_has_a_name_and_a_sentence():
    for slug, preset in PRESETS.items():
        assert preset.slug == slug
        assert str(preset.name)
        assert str(preset.sentence).endswith(".")
        assert presets.preset_name(slug) == preset.name
