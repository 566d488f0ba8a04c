"""A player who goes away in the middle of their turn, for real: waited for, adjourned, claimed."""

from __future__ import annotations

from playwright.sync_api import Locator, Page, expect

from tests.browser.hands import click_on
from tests.browser.test_axe import wrong_with
from tests.browser.test_table_craft import wrong_at_every_width

PATIENCE = 15_000


def panel(page: Page, name: str) -> Locator:
    return page.locator(f".offer[data-panel='{name}']:visible")


def answer(page: Page, name: str, act: str) -> None:
    """Press a button of the panel, once it can have been meant."""
    expect(panel(page, name)).to_be_visible(timeout=PATIENCE)
    page.wait_for_timeout(650)
    click_on(page, act)


def test_who_goes_away_on_their_turn_is_waited_for_then_the_game_adjourned_resumed_and_claimed(
    together, hasty, seated
):
    pages = together(("Achille", "Bérénice"), site=hasty)
    first = bool(pages[0].locator("body[data-turn=mine]").count())
    goes, stays = pages if first else reversed(pages)
    address, who = goes.url, goes.context.cookies()
    cards = goes.locator(".hand [data-card]").count()

    # Back before the click, one finds the game as it was.
    expect(stays.locator(".opp .here:not(.not)")).to_be_visible(timeout=PATIENCE)
    goes.goto("about:blank")
    expect(panel(stays, "absence")).to_contain_text("n’est plus là", timeout=PATIENCE)
    expect(stays.locator(".opp .here.not")).to_be_visible()
    assert wrong_at_every_width(stays, "absence", "phone") == []
    stays.set_viewport_size({"width": 1280, "height": 800})
    goes.goto(address)
    expect(panel(stays, "absence")).to_have_count(0, timeout=PATIENCE)
    expect(goes.locator("body")).to_have_attribute("data-turn", "mine")

    goes.close()  # the window; whose it is stays signed in
    answer(stays, "absence", "wait")
    expect(panel(stays, "absence")).to_have_count(0)
    answer(stays, "absence", "adjourn")  # asked again
    expect(panel(stays, "adjourned")).to_be_visible()
    assert wrong_at_every_width(stays, "adjourned", "phone") == []
    stays.set_viewport_size({"width": 1280, "height": 800})

    device = seated(None, "phone")
    device.context.add_cookies(who)
    device.goto(hasty.url)
    expect(device.locator("#lists .games")).to_contain_text("Ajournée")
    device.goto(address)
    answer(device, "adjourned", "resume")
    for page in (device, stays):
        expect(page.locator(".offer:visible")).to_have_count(0)
    expect(device.locator("body")).to_have_attribute("data-turn", "mine")
    assert device.locator(".hand [data-card]").count() == cards

    device.close()
    answer(stays, "absence", "claim")
    assert wrong_with(stays, "claiming") == []
    click_on(stays, "claim-confirm")
    expect(stays.locator("body")).to_have_attribute("data-state", "finished")
    expect(stays.locator(".sum h1")).to_contain_text("Vous gagnez")
    assert wrong_with(stays, "claimed") == []
