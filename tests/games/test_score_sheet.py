"""`manage.py score_sheet`: a game in JSON in, its sheet out, and a sentence for what cannot be."""

from __future__ import annotations

import io
import json
import sys

import pytest
from django.core.management import call_command

KNOCK = {"winner": 0, "kind": "knock", "knocker_deadwood": 4, "defender_deadwood": 21}
GIN = {"winner": 0, "kind": "gin", "knocker_deadwood": 0, "defender_deadwood": 90}


def game(**changes: object) -> dict[str, object]:
    return {"rules": {"preset": "money_play"}, "hands": [KNOCK]} | changes


@pytest.fixture
def score(tmp_path, capsys):
    """Score a game, or a text as it stands; the answer, or the sentence of the refusal."""

    def run(given: object) -> dict[str, object] | str:
        path = tmp_path / "game.json"
        raw = given if isinstance(given, str | bytes) else json.dumps(given)
        path.write_bytes(raw if isinstance(raw, bytes) else raw.encode())
        code: object = 0
        try:
            call_command("score_sheet", str(path))
        except SystemExit as exit_:
            code = exit_.code
        out, err = capsys.readouterr()
        if code == 0:
            assert err == ""
            return json.loads(out)
        assert (code, out) == (2, "")
        assert err.endswith("\n")
        assert err.count("\n") == 1
        return err.strip()

    return run


def test_a_game_going_on_is_scored(score):
    assert score(game()) == {
        "lines": [
            {
                "seat": 0, "kind": "knock", "hand": 1,
                "base": 17, "bonus": 0, "multiplier": 1, "points": 17,
            }
        ],
        "hand_points": [17, 0],
        "totals": [17, 0],
        "reached": None,
        "winner": None,
        "finished": False,
    }  # fmt: skip


def test_a_finished_game_has_its_bonuses_by_kind_and_seat(score):
    loss = {"winner": 1, "kind": "undercut", "knocker_deadwood": 4, "defender_deadwood": 4}
    answer = score(game(hands=[loss, KNOCK, GIN]))
    assert [(line["seat"], line["kind"], line["hand"]) for line in answer["lines"]] == [
        (1, "undercut", 1),
        (0, "knock", 2),
        (0, "gin", 3),
        (0, "game", None),
        (0, "line", None),
        (1, "line", None),
    ]
    assert answer["totals"] == [132 + 100 + 50, 25 + 25]
    assert (answer["reached"], answer["winner"], answer["finished"]) == (0, 0, True)


def test_an_empty_game_is_a_game(score):
    assert score(game(hands=[]))["totals"] == [0, 0]
    assert score({"rules": {}, "hands": []})["finished"] is False


def test_what_stands_beside_a_void_hand_means_nothing(score):
    voids = [{"kind": "void"}, {"winner": 9, "kind": "void", "knocker_deadwood": -1}]
    assert [line["hand"] for line in score(game(hands=[*voids, KNOCK]))["lines"]] == [3]


def test_a_spade_is_a_fact_that_only_some_rules_care_for(score):
    spade = KNOCK | {"spade": True}
    assert score(game(hands=[spade]))["totals"] == [17, 0]
    doubled = score({"rules": {"preset": "oklahoma_spades"}, "hands": [spade]})
    assert (doubled["totals"], doubled["lines"][0]["multiplier"]) == ([34, 0], 2)


@pytest.mark.parametrize("how", ["resigned", "time", "claimed"])
def test_a_game_that_was_left_is_won_by_the_other(score, how):
    answer = score(game(ended={"how": how, "by": 0}))
    assert (answer["winner"], answer["finished"], answer["reached"]) == (1, True, None)
    assert answer["totals"] == [17 + 25, 100]


@pytest.mark.parametrize("how", ["called_off", "voided"])
def test_a_game_undone_is_won_by_nobody(score, how):
    answer = score(game(ended={"how": how}))
    assert (answer["winner"], answer["finished"], answer["totals"]) == (None, True, [17, 0])


def test_a_won_game_can_still_be_voided(score):
    answer = score(game(hands=[GIN], ended={"how": "voided"}))
    assert (answer["winner"], answer["reached"], answer["totals"]) == (None, 0, [115, 0])


def test_the_end_at_the_target_may_be_said(score):
    said = score(game(hands=[GIN], ended={"how": "target", "by": 0}))
    assert said == score(game(hands=[GIN])) == score(game(hands=[GIN], ended={"how": "target"}))


def test_a_correction_is_a_line_that_changes_totals_only(score):
    correction = {"seat": 1, "points": -500, "reason": "miscounted"}
    answer = score(game(hands=[GIN], corrections=[correction]))
    assert answer["lines"][1]["kind"] == "correction"
    assert answer["totals"] == [340, -500]
    assert (answer["hand_points"], answer["winner"]) == ([115, 0], 0)


@pytest.mark.parametrize("name", ["by", "author"])
def test_who_made_a_correction_may_be_told(score, name):
    correction = {"seat": 1, "points": 5, "reason": "miscounted"}
    told = score(game(corrections=[correction | {name: "charlie"}]))
    assert told == score(game(corrections=[correction]))
    assert isinstance(score(game(corrections=[correction | {name: 3}])), str)


def test_names_and_a_start_may_stand_there(score):
    more = {"players": ["alice", "bob"], "started": "2026-01-31T20:15:00+01:00"}
    assert score(game(**more)) == score(game())


def test_standard_input_is_read(monkeypatch, capsys):
    class Stdin:
        buffer = io.BytesIO(json.dumps(game()).encode())

    monkeypatch.setattr(sys, "stdin", Stdin)
    call_command("score_sheet", "-")
    assert json.loads(capsys.readouterr().out)["totals"] == [17, 0]


@pytest.mark.parametrize(
    "changes",
    [
        {"winner": 2},
        {"winner": -1},
        {"winner": None},
        {"winner": True},
        {"winner": "0"},
        {"winner": 0.0},
        {"kind": "draw"},
        {"kind": None},
        {"kind": ["knock"]},
        {"kind": "first_knock"},
        {"kind": "big_gin", "knocker_deadwood": 0},
        {"kind": "gin"},
        {"kind": "undercut"},
        {"kind": "undercut", "knocker_deadwood": 0, "defender_deadwood": 0},
        {"kind": "undercut", "knocker_deadwood": 11, "defender_deadwood": 0},
        {"knocker_deadwood": 11},
        {"knocker_deadwood": 0},
        {"knocker_deadwood": 4.0},
        {"knocker_deadwood": True},
        {"knocker_deadwood": "4"},
        {"knocker_deadwood": None},
        {"defender_deadwood": 4},
        {"defender_deadwood": 3},
        {"defender_deadwood": 99},
        {"defender_deadwood": -1},
        {"defender_deadwood": 10**30},
        {"spade": 1},
        {"spade": None},
        {"spade": "yes"},
        {"points": 17},
    ],
)
def test_a_hand_that_cannot_have_been_is_refused(score, changes):
    sentence = score(game(hands=[GIN | {"defender_deadwood": 1}, KNOCK | changes]))
    assert isinstance(sentence, str)
    assert sentence.startswith("Hand 2: ")
    assert sentence.endswith(".")


@pytest.mark.parametrize("key", ["winner", "kind", "knocker_deadwood", "defender_deadwood"])
def test_a_hand_with_something_missing_is_refused(score, key):
    hand = {name: value for name, value in KNOCK.items() if name != key}
    assert score(game(hands=[hand])) == f"Hand 1: It has no “{key}”."


@pytest.mark.parametrize(
    ("rules", "hand", "accepted"),
    [
        ({"knock_limit": 0}, KNOCK, False),
        ({"knock_limit": 0}, {**KNOCK, "kind": "undercut", "defender_deadwood": 0}, False),
        ({"knock_limit": 0}, GIN, True),
        ({"knock_limit": "upcard"}, KNOCK | {"knocker_deadwood": 10}, True),
        ({"knock_limit": "upcard"}, KNOCK | {"knocker_deadwood": 11}, False),
        ({"big_gin": 31}, GIN | {"kind": "big_gin"}, True),
        ({"preset": "first_to_knock"}, KNOCK | {"kind": "first_knock"}, True),
        ({"preset": "first_to_knock"}, GIN | {"kind": "first_knock"}, True),
        ({"preset": "first_to_knock"}, KNOCK, False),
        ({"preset": "first_to_knock"}, GIN, False),
        (
            {"preset": "first_to_knock", "knock_limit": 0},
            KNOCK | {"kind": "first_knock"},
            False,
        ),
    ],
)
def test_what_can_have_been_depends_on_the_rules(score, rules, hand, accepted):
    answer = score({"rules": {"preset": "money_play"} | rules, "hands": [hand]})
    assert isinstance(answer, dict) is accepted


@pytest.mark.parametrize("hand", [KNOCK, {"kind": "void"}])
def test_no_hand_follows_the_end(score, hand):
    assert score(game(hands=[GIN, hand])) == "Hand 2 comes after the end of the game."


@pytest.mark.parametrize(
    "changes",
    [
        {"rules": None},
        {"rules": "money_play"},
        {"rules": {"preset": "poker"}},
        {"rules": {"preset": "money_play", "speed": 3}},
        {"rules": {"preset": "money_play", "gin": 26}},
        {"rules": {"preset": "money_play", "spades_double": True}},
        {"rules": {"preset": "first_to_knock", "gin": 25}},
        {"hands": None},
        {"hands": {}},
        {"hands": [None]},
        {"hands": [[]]},
        {"notes": "a fine evening"},
        {"players": "alice"},
        {"players": ["alice"]},
        {"players": ["alice", "bob", "charlie"]},
        {"players": ["alice", ""]},
        {"players": ["alice", 7]},
        {"started": 3},
        {"started": "yesterday"},
        {"ended": "resigned"},
        {"ended": {}},
        {"ended": {"by": 0}},
        {"ended": {"how": "bored", "by": 0}},
        {"ended": {"how": ["resigned"], "by": 0}},
        {"ended": {"how": "resigned"}},
        {"ended": {"how": "resigned", "by": 2}},
        {"ended": {"how": "resigned", "by": True}},
        {"ended": {"how": "resigned", "by": 0, "at": "now"}},
        {"ended": {"how": "target", "by": 0}},
        {"ended": {"how": "target", "by": 1}, "hands": [GIN]},
        {"ended": {"how": "resigned", "by": 1}, "hands": [GIN]},
        {"ended": {"how": "called_off"}, "hands": [GIN]},
        {"corrections": {}},
        {"corrections": [5]},
        {"corrections": [{"seat": 0, "points": 5}]},
        {"corrections": [{"seat": 0, "points": 5, "reason": " "}]},
        {"corrections": [{"seat": 2, "points": 5, "reason": "miscounted"}]},
        {"corrections": [{"seat": 0, "points": 5.5, "reason": "miscounted"}]},
        {"corrections": [{"seat": 0, "points": True, "reason": "miscounted"}]},
        {"corrections": [{"seat": 0, "points": 5, "reason": "miscounted", "kind": "gin"}]},
    ],
)
def test_a_game_that_cannot_have_been_is_refused(score, changes):
    sentence = score(game(**changes))
    assert isinstance(sentence, str)
    assert sentence.endswith(".")


@pytest.mark.parametrize(
    "text",
    [
        "",
        "not json",
        "[]",
        "null",
        "3",
        '{"rules": {}, "rules": {}, "hands": []}',
        '{"rules": {"target": 100, "target": 200}, "hands": []}',
        '{"rules": {"target": NaN}, "hands": []}',
        '{"rules": {"target": Infinity}, "hands": []}',
        '{"rules": {"target": 1e999}, "hands": []}',
        '{"rules": {"target": ' + "9" * 5000 + '}, "hands": []}',
        '{"rules": {"a\\nb\\ud800": 1}, "hands": []}',
        '{"rules": {}, "hands": []} {}',
        "[" * 100_000,
        b"\xff\xfe\x00",
        b" " * 4_000_001,
    ],
)
def test_what_is_no_game_in_json_is_refused(score, text):
    assert isinstance(score(text), str)


@pytest.mark.parametrize("name", ["there-is-no-such-file.json", "."])
def test_a_file_that_cannot_be_read_is_refused(name, capsys):
    with pytest.raises(SystemExit) as exit_:
        call_command("score_sheet", name)
    assert exit_.value.code == 2
    assert "cannot be read" in capsys.readouterr().err
