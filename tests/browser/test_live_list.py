"""The lists of a page follow by themselves, and disturb nobody who uses them."""

from __future__ import annotations

import itertools

import pytest
from playwright.sync_api import Page, expect

from tests.browser.hands import click_on, open_room

NUMBERS = itertools.count(1)
ROWS = "#room-tables .rt > li"


@pytest.fixture
def pair(player):
    """Two in one room, the host on its page, the guest at its first table."""
    number = next(NUMBERS)
    alice, bob = player(f"hôte {number}"), player(f"ami {number}", "phone")
    link = open_room(alice)
    bob.goto(link[link.index("/j/") :])
    bob.locator(".inv button.btn-brass").click()
    bob.wait_for_url("**/tables/*/")
    return alice, bob


def open_table(page: Page, room: Page) -> None:
    """Open one more table of the room that the other window shows."""
    page.goto(room.url[room.url.index("/rooms/") :])
    page.locator(".rm-head form button").click()
    page.wait_for_url("**/tables/*/")


def test_a_new_table_shows_and_focus_choices_and_open_parts_stay(pair):
    alice, bob = pair
    expect(alice.locator(".mem")).to_contain_text("ami")
    before = alice.locator(ROWS).count()
    alice.locator("details.turns summary").click()
    alice.select_option("#rotation", "winner")
    alice.locator("details.turns summary").focus()
    open_table(bob, alice)
    expect(alice.locator(ROWS)).to_have_count(before + 1)
    expect(alice.locator("details.turns")).to_have_attribute("open", "")
    expect(alice.locator("details.turns summary")).to_be_focused()
    expect(alice.locator("#rotation")).to_have_value("winner")
    alice.locator(ROWS).last.locator("button, a.btn").first.click()
    alice.wait_for_url("**/tables/*/")


@pytest.mark.parametrize("ends", ["on the button", "elsewhere"])
def test_nothing_is_swapped_under_a_button_that_is_down(pair, ends):
    alice, bob = pair
    expect(alice.locator(".mem")).to_contain_text("ami")
    before = alice.locator(ROWS).count()
    alice.locator(ROWS).first.locator("button, a.btn").first.hover()
    alice.mouse.down()
    open_table(bob, alice)
    alice.wait_for_timeout(3000)
    assert alice.locator(ROWS).count() == before
    if ends == "on the button":
        alice.mouse.up()
        alice.wait_for_url("**/tables/*/")
    else:
        alice.mouse.move(0, 0)
        alice.mouse.up()
        expect(alice.locator(ROWS)).to_have_count(before + 1)


def test_a_press_that_opens_a_menu_lets_the_lists_follow_though_nobody_hears_its_end(pair):
    alice, bob = pair
    expect(alice.locator(".mem")).to_contain_text("ami")
    before = alice.locator(ROWS).count()
    alice.locator(ROWS).first.hover(position={"x": 5, "y": 5})
    alice.mouse.down(button="right")  # the menu takes the rest
    open_table(bob, alice)
    expect(alice.locator(ROWS)).to_have_count(before + 1)


def test_nothing_is_swapped_under_who_chooses(pair):
    alice, bob = pair
    expect(alice.locator(".mem")).to_contain_text("ami")
    before = alice.locator(ROWS).count()
    alice.locator("details.turns summary").click()
    alice.evaluate("window.field = document.querySelector('#rotation')")
    alice.focus("#rotation")
    open_table(bob, alice)
    alice.wait_for_timeout(3000)
    assert alice.evaluate("document.activeElement === window.field")
    alice.locator("#say").focus()
    expect(alice.locator(ROWS)).to_have_count(before + 1)


def test_what_changed_while_the_line_was_down_is_made_up_for(pair, faults):
    alice, bob = pair
    expect(alice.locator("body")).to_have_attribute("data-line", "open")
    before = alice.locator(ROWS).count()
    alice.context.set_offline(True)
    alice.evaluate("window.dispatchEvent(new Event('offline'))")
    expect(alice.locator("body")).not_to_have_attribute("data-line", "open")
    open_table(bob, alice)
    alice.context.set_offline(False)
    alice.evaluate("window.dispatchEvent(new Event('online'))")
    expect(alice.locator(ROWS)).to_have_count(before + 1, timeout=15_000)
    faults.clear()  # the browser reports the failed tries


def test_a_removed_member_s_page_says_that_there_is_no_room(pair, faults):
    alice, bob = pair
    for act in ("menu", "resign", "resign-confirm"):
        click_on(bob, act)
    expect(bob.locator("body")).to_have_attribute("data-state", "finished")
    bob.goto(alice.url[alice.url.index("/rooms/") :])
    expect(bob.locator("body")).to_have_attribute("data-line", "open")
    bob.wait_for_timeout(4500)  # one just loaded is not loaded again
    alice.locator(".mem a[href*='/members/']").first.click()
    alice.locator("form[action*='remove'] button").click()
    expect(bob.locator("#talk")).to_have_count(0)
    expect(bob.locator("#room-tables")).to_have_count(0)
    faults.clear()  # the browser reports the 404
