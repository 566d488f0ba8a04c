"""A turn that runs out, a game put aside and taken up elsewhere, a rematch pressed by both at once.

The stored times are moved into the past; what follows is the site's own doing.
"""

from __future__ import annotations

from playwright.sync_api import Page, expect

from tests import processes
from tests.browser.hands import click_on, sit_together, step
from tests.conftest import PASSWORD

# Nobody loses by time in the first minute after a start, which the site may still be in.
PATIENCE = 90_000

TIME_IS_OVER = """
from datetime import timedelta
from django.utils import timezone
from games.models import Clock, SeatTime
clock = Clock.objects.latest("pk")
SeatTime.objects.filter(clock=clock).update(reserve_ms=0)
clock.turn_from = timezone.now() - timedelta(minutes=10)
clock.deadline = timezone.now() - timedelta(seconds=1)
clock.save()
"""


def let_time_run_out(site: processes.Web) -> None:
    """As if the player to act had thought for ten minutes."""
    env = {"DATA_DIR": str(site.log_file.parent / "data")}
    processes.manage(env, "shell", "--verbosity", "0", "--command", TIME_IS_OVER)


def sign_in(page: Page, name: str) -> None:
    page.goto("/account/login/")
    page.fill("input[name=login]", name)
    page.fill("input[name=password]", PASSWORD)
    page.press("input[name=password]", "Enter")
    page.wait_for_url(lambda address: "/login" not in address)


def test_the_site_moves_for_whoever_lets_the_time_run_out(player, site):
    alice, bob = player("thelma"), player("theo", "phone")
    sit_together(alice, bob, pace="30")
    slow, other = (alice, bob) if alice.locator("body[data-turn=mine]").count() else (bob, alice)
    let_time_run_out(site)
    expect(other.locator("body")).to_have_attribute("data-turn", "mine", timeout=PATIENCE)
    expect(slow.locator("body")).to_have_attribute("data-turn", "")
    assert step([alice, bob]) == "playing"


def test_a_game_both_have_left_is_adjourned_and_resumed_on_another_device(player, site, window):
    alice, bob = player("tania"), player("timon")
    sit_together(alice, bob, pace="30")
    for page in (alice, bob):
        page.context.close()
    device = window(site.url, "phone")
    sign_in(device, "tania")
    adjourned = device.locator("a.btn[href^='/tables/']")
    for _ in range(12):
        let_time_run_out(site)
        device.wait_for_timeout(6_000)
        device.goto("/")
        if "Ajournée" in device.locator("main").inner_text():
            break
    adjourned.first.click()
    expect(device.locator("[data-act=resume]:visible")).to_be_visible()
    click_on(device, "resume")
    expect(device.locator("[data-act=resume]:visible")).to_have_count(0)
    expect(device.locator("body")).to_have_attribute("data-state", "playing")
    assert device.locator(".hand [data-card]").count() >= 10


def test_two_who_press_rematch_at_once_get_one_new_game(player):
    alice, bob = player("thea"), player("titus")
    sit_together(alice, bob)
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
