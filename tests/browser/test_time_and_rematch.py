"""A turn that runs out, a game put aside and taken up elsewhere, a rematch pressed by both at once.

The stored times are moved into the past; what follows is the site's own doing.
"""

from __future__ import annotations

import contextlib
from datetime import UTC, datetime, timedelta

from playwright.sync_api import Page, expect

from tests.browser.hands import click_on, step
from tests.conftest import PASSWORD

PATIENCE = 15_000
NO_RESERVE = """UPDATE games_seattime SET reserve_ms = 0
    WHERE clock_id = (SELECT MAX(id) FROM games_clock)"""
NO_TIME = """UPDATE games_clock SET turn_from = ?, deadline = ?
    WHERE id = (SELECT MAX(id) FROM games_clock)"""


def let_time_run_out(stored) -> None:
    """As if the player to act had thought for ten minutes."""
    now = datetime.now(UTC).replace(tzinfo=None)
    stored(NO_RESERVE)
    stored(NO_TIME, str(now - timedelta(minutes=10)), str(now - timedelta(seconds=1)))


def sign_in(page: Page, name: str) -> None:
    page.goto("/account/login/")
    page.fill("input[name=login]", name)
    page.fill("input[name=password]", PASSWORD)
    page.press("input[name=password]", "Enter")
    page.wait_for_url(lambda address: "/login" not in address)


def test_the_site_moves_for_whoever_lets_the_time_run_out(together, stored):
    alice, bob = together(("thelma", "theo"), ("laptop", "phone"), pace="30")
    slow, other = (alice, bob) if alice.locator("body[data-turn=mine]").count() else (bob, alice)
    let_time_run_out(stored)
    expect(other.locator("body")).to_have_attribute("data-turn", "mine", timeout=PATIENCE)
    expect(slow.locator("body")).to_have_attribute("data-turn", "")
    assert step([alice, bob]) == "playing"


def test_a_game_both_have_left_is_adjourned_and_resumed_on_another_device(
    together, site, window, stored
):
    alice, bob = together(("tania", "timon"), pace="30")
    for page in (alice, bob):
        page.context.close()
    device = window(site.url, "phone")
    sign_in(device, "tania")
    for _ in range(3):  # whoever was still thought to be here had a move made for them
        let_time_run_out(stored)
        with contextlib.suppress(AssertionError):
            expect(device.locator("#lists .games")).to_contain_text("Ajournée")
            break
    expect(device.locator("#lists .games")).to_contain_text("Ajournée", timeout=PATIENCE)
    device.locator("a.btn[href^='/tables/']").first.click()
    expect(device.locator("[data-act=resume]:visible")).to_be_visible()
    expect(device.locator(".conn")).to_have_attribute("data-line", "open")
    click_on(device, "resume")
    expect(device.locator("[data-act=resume]:visible")).to_have_count(0)
    expect(device.locator("body")).to_have_attribute("data-state", "playing")
    assert device.locator(".hand [data-card]").count() >= 10


def test_two_who_press_rematch_at_once_get_one_new_game(together):
    alice, bob = together(("thea", "titus"))
    for act in ("menu", "resign", "resign-confirm"):
        click_on(alice, act)
    for page in (alice, bob):
        expect(page.locator("[data-act=rematch]:visible")).to_be_visible()
    press = "() => document.querySelector('[data-act=rematch]').click()"
    for page in (alice, bob):
        page.evaluate(f"() => setTimeout({press}, 300 - (Date.now() % 300))")
    for page in (alice, bob):
        expect(page.locator("body")).to_have_attribute("data-state", "playing")
    numbers = [page.locator(".tbar .rules").inner_text() for page in (alice, bob)]
    assert numbers[0] == numbers[1]
    assert "2" in numbers[0]
