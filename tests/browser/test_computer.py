"""Playing against the computer: at once as a visitor, and a short game against each level."""

from __future__ import annotations

import pytest
from playwright.sync_api import Page, expect

from games.engine.bots import LEVELS
from tests.browser.hands import click_on, open_room, state, take_turn

MINE_OR_OVER = (
    "() => document.body.dataset.turn === 'mine' || document.body.dataset.state !== 'playing'"
)


def my_turn(page: Page) -> None:
    expect(page.locator("body")).to_have_attribute("data-turn", "mine")


def test_a_visitor_plays_in_one_click_and_is_given_a_hint(window, site):
    page = window(site.url, "phone")
    page.goto("/")
    page.locator("form.play button.btn-brass").click()
    page.wait_for_url("**/tables/*/")
    expect(page.locator("body")).to_have_attribute("data-state", "playing")
    expect(page.locator(".opp .bot")).to_have_text("ordinateur")
    my_turn(page)
    before = page.locator("body").get_attribute("data-version")
    assert click_on(page, "hint")
    expect(page.locator(".toast.tip")).to_contain_text("Conseil")
    assert page.locator("body").get_attribute("data-version") == before
    take_turn(page)
    expect(page.locator(".toast.tip")).to_be_hidden()
    page.goto("/")
    expect(page.locator("#lists .games")).to_contain_text("Habitué (ordinateur)")


@pytest.fixture
def room(player):
    """A window in a room where games are short."""
    page = player("Solène")
    open_room(page, "Petites parties", preset="first_to_knock")
    return page


def test_a_short_game_is_played_to_its_end_against_each_level(room):
    page, here = room, room.url
    for level in LEVELS:
        page.goto(here)
        page.locator(".rm-head form button").click()  # to a table where one waits
        expect(page.locator("body")).to_have_attribute("data-state", "waiting")
        assert click_on(page, "computer")
        page.locator(f"#computer-dialog input[value={level}]").check()
        page.locator("#computer-dialog button.btn-1").click()
        expect(page.locator("body")).to_have_attribute("data-state", "playing")
        while state(page) != "finished":
            page.wait_for_function(MINE_OR_OVER)
            if state(page) == "playing":
                take_turn(page)
        expect(page.locator(".sum h1")).to_contain_text("partie")
    page.goto(here)
    for name in ("Débutant", "Habitué", "Fort", "Expert"):
        expect(page.locator("#room-tables")).to_contain_text(f"{name} (ordinateur)")
