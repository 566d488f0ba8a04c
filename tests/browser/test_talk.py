"""People talk: at the table and in the room, on laptop and phone, with and without script."""

from __future__ import annotations

import itertools
import re

import pytest
from playwright.sync_api import Page, expect

from tests.browser.hands import click_on, open_room
from tests.browser.test_axe import wrong_with

NUMBERS = itertools.count(1)
HOSTILE = "<img src=x onerror=alert(1)> javascript:alert(2) https://a@evil.example/ \u202edecoded"


def say(page: Page, text: str) -> None:
    page.fill("#say", text)
    page.press("#say", "Enter")
    expect(page.locator("#say")).to_have_value("")


def lines(page: Page):
    return page.locator("#talk .msg .what")


def room_of(page: Page) -> str:
    return page.locator(".tbar .where").get_attribute("href") or ""


def menu_of(page: Page, text: str):
    """The menu of a line, opened."""
    line = page.locator("#talk .msg", has_text=text)
    line.locator("summary").click()
    return line


@pytest.fixture
def two(player):
    """Windows of two people nobody has met yet, on a laptop and a phone."""
    number = next(NUMBERS)
    return player(f"alice {number}"), player(f"bob {number}", "phone")


@pytest.fixture
def pair(together):
    number = next(NUMBERS)
    return together((f"alice {number}", f"bob {number}"), ("laptop", "phone"))


def test_two_at_a_table_talk_and_the_phone_counts_what_it_has_not_shown(pair):
    alice, bob = pair
    say(alice, "Celle-là est pour moi.")
    expect(bob.locator(".peek [data-unread]")).to_contain_text("1")
    bob.click("a.peek")
    expect(bob.locator(".peek [data-unread]")).to_be_hidden()
    expect(lines(bob)).to_have_text(["Celle-là est pour moi."])
    expect(bob.locator("#talk .msg b")).to_have_text([re.compile("^alice")])
    say(bob, "On verra bien. https://fr.wikipedia.org/wiki/Rami_(jeu).")
    link = alice.locator("#talk .msg a")
    expect(link).to_have_attribute("href", "https://fr.wikipedia.org/wiki/Rami_(jeu)")
    expect(link).to_have_attribute("rel", "noopener noreferrer nofollow ugc")
    expect(link).to_have_attribute("target", "_blank")
    assert wrong_with(alice, "talk") == []
    assert wrong_with(bob, "talk on a phone") == []
    alice.reload()
    expect(lines(alice)).to_have_count(2)


def test_what_is_typed_and_said_between_two_hands_is_kept(pair):
    alice, bob = pair
    alice.fill("#say", "Bien jo")
    click_on(bob, "menu")
    click_on(bob, "resign")
    click_on(bob, "resign-confirm")
    expect(alice.locator("body")).to_have_attribute("data-state", "finished")
    say_open = alice.locator("[data-act=talk]")
    say_open.click()
    expect(alice.locator("#say")).to_have_value("Bien jo")
    say(alice, "Bien joué !")
    expect(bob.locator(".talk-open [data-unread]")).to_contain_text("1")
    bob.click("[data-act=talk]")
    expect(lines(bob)).to_have_text(["Bien joué !"])
    assert wrong_with(bob, "talk dialog on a phone") == []
    assert wrong_with(alice, "talk dialog") == []
    bob.keyboard.press("Escape")
    expect(bob.locator("#talk-dialog")).to_be_hidden()


def test_hostile_text_stays_text(pair):
    alice, bob = pair
    for page in pair:
        page.on("dialog", lambda _: pytest.fail("a script ran"))
    bob.click("a.peek")
    say(bob, HOSTILE)
    expect(lines(alice)).to_have_text([HOSTILE.replace("\u202e", "")])
    assert alice.locator("#talk .msg a, #talk .msg img").count() == 0
    bob.goto(room_of(bob))
    say(bob, HOSTILE)
    assert bob.locator("#talk .msg a, #talk .msg img").count() == 0


def test_a_draw_of_the_table_neither_moves_the_talk_nor_takes_the_focus(pair):
    alice, _bob = pair
    alice.fill("#say", "je rédige")
    for page in pair:
        if page.locator("body[data-turn=mine]").count():
            version = page.locator("body").get_attribute("data-version")
            if page is alice:
                alice.evaluate("document.querySelector('[data-act=pass]').click()")
            else:
                click_on(page, "pass")
            alice.wait_for_function("v => document.body.dataset.version !== v", arg=version)
            break
    expect(alice.locator("#say")).to_have_value("je rédige")
    expect(alice.locator("#say")).to_be_focused()
    alice.keyboard.type(" k g 1 2")
    expect(alice.locator("#say")).to_have_value("je rédige k g 1 2")


def test_muting_hides_earlier_and_later_lines_and_survives_a_reload(pair):
    alice, bob = pair
    bob.click("a.peek")
    say(bob, "un")
    expect(lines(alice)).to_have_text(["un"])
    menu_of(alice, "un").locator("[data-talk=mute]").click()
    expect(lines(alice)).to_have_count(0)
    say(bob, "deux")
    alice.reload()
    expect(alice.locator(".hushed summary")).to_contain_text("1")
    expect(lines(alice)).to_have_count(0)
    expect(lines(bob)).to_have_text(["un", "deux"])
    alice.click(".hushed summary")
    assert wrong_with(alice, "people hidden") == []
    alice.click(".hushed [data-talk=unmute]")
    expect(lines(alice)).to_have_text(["un", "deux"])


def test_a_line_is_reported_with_a_reason(pair):
    alice, bob = pair
    bob.click("a.peek")
    say(bob, "Tricheuse !")
    line = menu_of(alice, "Tricheuse")
    line.locator("[data-talk=report]").click()
    line.locator("input").fill("Insulte")
    assert wrong_with(alice, "reporting") == []
    line.locator("[data-talk=send-report]").click()
    expect(alice.locator(".hushed .done")).to_be_visible()


def test_whoever_writes_too_fast_is_told_and_keeps_the_text(pair):
    alice, _bob = pair
    for number in range(5):
        say(alice, str(number))
    alice.fill("#say", "encore")
    alice.press("#say", "Enter")
    expect(alice.locator("#talk .err")).to_be_visible()
    expect(alice.locator("#say")).to_have_value("encore")
    assert wrong_with(alice, "refused talk") == []


def test_a_room_talks_live(two):
    alice, bob = two
    link = open_room(alice)
    bob.goto(link[link.index("/j/") :])
    bob.locator(".inv button.btn-brass").click()
    bob.wait_for_url("**/tables/*/")
    bob.goto(room_of(bob))
    expect(alice.locator(".mem")).to_contain_text("bob")
    say(alice, "Une petite partie ?")
    expect(lines(bob)).to_have_text(["Une petite partie ?"])
    for page, what in ((alice, "room"), (bob, "room on a phone")):
        assert wrong_with(page, what) == []


def test_a_room_talks_without_script(two, window, site):
    alice, _bob = two
    open_room(alice)
    plain = window(site.url, java_script_enabled=False)
    plain.context.add_cookies(alice.context.cookies())
    plain.goto(alice.url)
    plain.fill("#say", "Sans script")
    plain.press("#say", "Enter")
    plain.wait_for_url(re.compile("#talk$"))
    expect(plain.locator("#talk .msg")).to_have_text(re.compile("alice.*Sans script"))
    expect(lines(alice)).to_have_text(["Sans script"])
