"""The first hand: every taught move is legal, every claim is the engine's and the score sheet's."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from django.conf import settings

from games.engine.cards import CARDS, DECK, gather, points
from games.engine.melds import least_deadwood
from games.engine.position import apply, legal_moves
from games.engine.view import view_for
from games.help import figures, lesson
from games.help.lesson import HANDS, OTHER, READER, STEPS
from games.help.pages import LANGUAGES
from scoring.rules import hand_line

BY_SLUG = {step.slug: step for step in STEPS}


def prose(language: str) -> dict[str, str]:
    """What is written of each step, by its slug."""
    path = Path(settings.BASE_DIR) / "templates" / "help" / language / "first-hand.html"
    parts = re.split(r"\{% with s=steps\.(\w+) %\}", path.read_text(encoding="utf-8"))
    return dict(zip((slug.replace("_", "-") for slug in parts[1::2]), parts[2::2], strict=True))


def test_the_prepared_decks_are_whole():
    for prepared in HANDS:
        assert sorted(prepared.deck) == list(DECK)
        assert prepared.positions[-1].phase == "over"


@pytest.mark.parametrize("step", [s for s in STEPS if s.kind == "move"], ids=lambda s: s.slug)
def test_every_taught_move_is_the_readers_and_is_legal(step):
    (move,) = step.right
    assert step.position.to_act == READER
    assert move in legal_moves(step.position)
    assert step.view == view_for(step.position, READER)
    after = apply(step.position, move)
    assert after == HANDS[step.hand].positions[step.shown_at + 1], "the hand goes on as taught"


def test_the_run_to_find_is_one_and_there_is_no_other_meld():
    step = BY_SLUG["melds"]
    assert [set(meld) for meld in step.view["melds"]] == [set(step.right)]


def test_of_the_answers_about_deadwood_one_is_right():
    step = BY_SLUG["deadwood"]
    held = gather(CARDS[card] for card in step.view["held"])
    answers = {whose: answer for answer, whose in lesson.answers(step)}
    assert answers["right"] == least_deadwood(held)
    assert answers["all"] == sum(points(CARDS[card]) for card in step.view["held"])
    assert len(set(answers.values())) == 3


def test_each_taught_discard_is_the_best_or_the_safest():
    for slug in ("discard", "keep"):
        view = BY_SLUG[slug].view
        assert BY_SLUG[slug].right == (f"discard {view['best_discard']}",)
    danger = BY_SLUG["danger"].view
    loose = {card: points(CARDS[card]) for card in danger["loose"]}
    assert danger["drawn"] == "9h"
    assert max(loose, key=loose.__getitem__) == "Qd", "the heaviest is the one not to throw"
    held = HANDS[1].positions[BY_SLUG["danger"].shown_at].held[OTHER]
    for card, melds in (("Qd", True), ("8d", True), ("9h", False)):
        before = least_deadwood(gather(held))
        with_it = least_deadwood(gather([*held, CARDS[card]]))
        assert (with_it == before) is melds, card


def test_the_taught_knock_is_the_lowest_and_the_card_awaited_completed_a_run():
    view = BY_SLUG["knock"].view
    assert BY_SLUG["knock"].right == (f"knock {view['knocks'][0]['card']}",)
    assert ["3d", "4d", "5d"] in view["melds"]
    assert BY_SLUG["take"].view["pile"] == ["4d"]
    assert not BY_SLUG["keep"].view["knocks"], "before that there was too much"


def test_the_cards_to_lay_off_are_those_the_engine_lays_off():
    outcome = HANDS[1].positions[-1].outcome
    laid = {card for card, _meld in outcome.layout[READER].laid_off}
    assert laid == {CARDS[card] for card in BY_SLUG["defence"].right}


def test_points_and_sheet_are_those_of_the_score_sheet():
    rules = figures.usual().scoring
    told = lesson.drawn_up()
    lines = [hand_line(rules, number, hand) for number, hand in enumerate(lesson.results(), 1)]
    assert [line.kind for line in lines] == ["knock", "undercut"]
    assert [told["first"].line.points, told["second"].line.points] == [
        line.points for line in lines
    ]
    assert told["totals"] == [sum(line.points for line in lines), 0]


def test_nothing_of_the_other_hand_or_the_stock_is_on_the_page_before_it_is_laid_open():
    for step in STEPS:
        if step.position.phase != "over":
            hidden = HANDS[step.hand].positions[step.shown_at].held[OTHER]
            shown = {card.drawn.card for fan in lesson.fans(step) for card in fan.cards}
            assert not shown & {card for card in CARDS if CARDS[card] in hidden}


@pytest.mark.parametrize("language", LANGUAGES)
def test_what_is_said_of_a_try_is_about_cards_that_are_there(language):
    written = prose(language)
    assert list(written) == list(BY_SLUG)
    for slug, text in written.items():
        step = BY_SLUG[slug]
        for names in re.findall(r'data-for="([^"]+)"', text):
            if names == "*" or names in ("meld", "locked", "melds", "all"):
                continue
            if names in ("pass", "draw stock", "draw discard"):
                assert names in step.view["legal"]
                assert names not in step.right
                continue
            for name in names.split():
                assert name in step.view["held"], f"{slug}: {name}"
                assert name not in step.right
                assert f"discard {name}" not in step.right


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_wrong_try_finds_a_sentence(language):
    for slug, text in prose(language).items():
        step = BY_SLUG[slug]
        written = re.findall(r'data-for="([^"]+)"', text)
        said = {name for names in written for name in (names, *names.split())}
        if step.kind == "ask":
            assert said == {"melds", "all"}
        if step.kind == "pick":
            assert "*" in said
        if step.kind == "move":
            kinds = {card.drawn.card: card.kind for fan in lesson.fans(step) for card in fan.cards}
            for move in set(step.view["legal"]) - set(step.right):
                verb, *card = move.split(" ", 1)
                if verb == "discard":
                    assert {"*", card[0], kinds[card[0]]} & said, f"{slug}: {move}"
                elif verb != "knock":
                    assert move in said, f"{slug}: {move}"


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_cards_a_step_names_are_on_its_felt_or_were_seen_by_the_reader(language):
    for slug, text in prose(language).items():
        step = BY_SLUG[slug]
        seen = set(step.view["held"]) | set(step.view["pile"]) | {step.view["upcard"]}
        position = step.position
        if position.phase == "over":
            seen |= {card for card in CARDS if any(CARDS[card] in held for held in position.held)}
        for card in re.findall(r'\{% card "(\w\w)" %\}', text):
            assert card in seen, f"{slug} names {card}"
