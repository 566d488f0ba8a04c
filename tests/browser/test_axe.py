"""axe finds nothing on any page and in any state of the table, and no page scrolls sideways."""

from __future__ import annotations

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Page

from tests.conftest import PASSWORD

SCREENS = ("phone", "laptop")
OPEN_PAGES = (
    "/", "/account/signup/", "/account/login/", "/account/password/reset/",
    "/account/password/reset/done/", "/rules/",
)  # fmt: skip
OWN_PAGES = ("/", "/rooms/", "/rooms/new/", "/join/", "/account/", "/account/password/change/")

AXE = Axe()


def wrong_with(page: Page, what: str) -> list[str]:
    """What axe says against the page as it stands, and whether it is wider than the screen."""
    found = AXE.run(page).response["violations"]
    said = [
        f"{what}: {each['id']}: {node['target']} {node['failureSummary']}"
        for each in found
        for node in each["nodes"]
    ]
    width = page.evaluate("document.documentElement.scrollWidth")
    if width > page.viewport_size["width"]:
        said.append(f"{what}: {width} px wide")
    return said


def table(page: Page, scene: dict) -> None:
    """Go to a laid table and wait until its line is open."""
    page.goto(scene["table"])
    page.wait_for_selector(".conn[data-line=open]", state="attached")


@pytest.mark.parametrize("screen", SCREENS)
def test_pages_for_everybody(seated, laid, faults, screen):
    page = seated(None, screen)
    said = []
    for path in (*OPEN_PAGES, laid["waiting"]["invitation"], "/nothing/"):
        page.goto(path)
        said += wrong_with(page, path)
    page.goto("/account/signup/")
    page.fill("input[name=username]", "Léo")
    page.fill("input[name=password1]", PASSWORD)
    page.press("input[name=password1]", "Enter")
    page.wait_for_selector(".err")
    said += wrong_with(page, "a refused sign-up")
    assert said == []
    faults.clear()  # the browser reports the 404


@pytest.mark.parametrize("screen", SCREENS)
def test_pages_of_a_person(seated, laid, screen):
    page = seated(laid["crowd"]["cookies"][0], screen)
    said = []
    scenes = ("thirty hands", "reached by the other", "first knock", "resigned", "upcard")
    sheets = [laid[scene]["sheet"] for scene in scenes]
    for path in (*OWN_PAGES, laid["crowd"]["room"], laid["crowd"]["invitation"], *sheets):
        page.goto(path)
        said += wrong_with(page, path)
    assert said == []


@pytest.mark.parametrize("screen", SCREENS)
def test_every_state_of_the_table(seated, laid, screen):
    page = seated(laid["upcard"]["cookies"][0], screen)
    said = []
    states = (
        "upcard", "their turn", "draw", "loose", "taken", "gin", "big gin", "limit by upcard",
        "after a knock", "after an undercut", "the stock out", "first knock", "resigned", "waiting",
    )
    for scene in states:
        table(page, laid[scene])
        said += wrong_with(page, scene)
    assert said == []


@pytest.mark.parametrize("screen", SCREENS)
def test_dialogs_the_log_long_names_and_a_lost_line(seated, laid, faults, screen):
    page = seated(laid["several"]["cookies"][0], screen)
    table(page, laid["several"])
    page.click("[data-act=knock]")
    page.uncheck("input[name=proposed]")
    said = wrong_with(page, "knock dialog")
    page.keyboard.press("Escape")
    page.click("[data-act=menu]")
    said += wrong_with(page, "menu")
    page.click("[data-act=resign]")
    said += wrong_with(page, "resign dialog")
    page.keyboard.press("Escape")
    if screen == "phone":
        page.click("a.peek")
        said += wrong_with(page, "log")
        page.click("a.close")
    page.context.set_offline(True)
    page.evaluate("() => window.dispatchEvent(new Event('offline'))")
    page.wait_for_selector(".turn.alert")
    said += wrong_with(page, "lost line")
    page.context.close()
    faults.clear()  # the browser reports the failed tries
    page = seated(laid["long names"]["cookies"][0], screen)
    for scene in ("long names", "after long names", "long names won"):
        table(page, laid[scene])
        said += wrong_with(page, scene)
    page.goto(laid["long names won"]["sheet"])
    said += wrong_with(page, "sheet of long names")
    page.goto(laid["long names won"]["room"])
    said += wrong_with(page, "room of long names")
    assert said == []


def test_the_dark_scheme(seated, laid):
    page = seated(laid["knock"]["cookies"][0], "phone", color_scheme="dark")
    said = []
    for scene in ("knock", "after a knock", "won"):
        table(page, laid[scene])
        said += wrong_with(page, scene)
    for path in ("/", "/rooms/new/", laid["crowd"]["room"], laid["won"]["sheet"]):
        page.goto(path)
        said += wrong_with(page, path)
    assert said == []


@pytest.mark.parametrize("screen", SCREENS)
def test_someone_who_only_watches(seated, laid, screen):
    page = seated(laid["watcher"], screen)
    said = []
    for scene in ("knock", "after a knock", "waiting"):
        table(page, laid[scene])
        said += wrong_with(page, f"watching {scene}")
    assert said == []
