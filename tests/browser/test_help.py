"""The first hand, gone through as somebody would who has never played; and pages of help by axe."""

from __future__ import annotations

from playwright.sync_api import expect

from games.help.lesson import STEPS
from games.help.pages import PAGES
from tests.browser.test_axe import wrong_with

KILOBYTE = 1024


def touch(page, *cards):
    for card in cards:
        place = {"x": 10, "y": 30}  # the strip the next card leaves free
        page.click(f".ls:not([hidden]) .hand [data-card='{card}']", position=place)


def right(page, step):
    """Do what is taught at a step."""
    if step.kind == "pick":
        touch(page, *step.right)
    elif step.kind == "ask":
        page.click(".ls:not([hidden]) [data-try=right]")
    elif step.kind == "move":
        verb, card = step.right[0].rsplit(" ", 1)
        if verb == "discard":
            touch(page, card)
            page.click(".ls:not([hidden]) [data-throw]")
        else:
            page.click(f".ls:not([hidden]) button[data-try='{step.right[0]}']")


def test_somebody_learns_the_game(seated):
    """Signed out, on a phone: every step is shown, done and told, and axe finds nothing."""
    page = seated(None, "phone")
    page.goto("/help/first-hand/")
    said = []
    for number, step in enumerate(STEPS, 1):
        expect(page.locator(f"#{step.slug}")).to_be_visible()
        expect(page.locator("[data-at]")).to_have_text(str(number))
        if step.kind != "read":
            expect(page.locator("[data-next]")).to_be_hidden()
            right(page, step)
            expect(page.locator(".ls-told")).not_to_be_empty()
        if step.slug in ("melds", "knock", "undercut"):
            said += wrong_with(page, step.slug)
        page.click("[data-next]")
    expect(page.locator("#end .go-on")).to_be_visible()
    assert said == []


def test_a_wrong_try_is_answered_kindly_and_costs_nothing(seated):
    """By keyboard: a mistake is told, the answer can be shown, and one may leave and go back."""
    page = seated(None)
    page.goto("/help/first-hand/#discard")
    assert wrong_with(page, "discard") == []
    told = page.locator(".ls-told")
    page.keyboard.press("ArrowRight")
    page.keyboard.press("Enter")
    page.click(".ls:not([hidden]) [data-throw]")
    expect(told).to_contain_text("rangée")
    touch(page, "Js")
    page.click(".ls:not([hidden]) [data-throw]")
    expect(told).to_contain_text("même tour")
    expect(page.locator("[data-next]")).to_be_hidden()
    page.click("[data-show]")
    expect(told).to_contain_text("Le roi")
    page.keyboard.press("Enter")
    expect(page.locator("#draw")).to_be_focused()
    page.keyboard.press("2")
    expect(told).to_contain_text("tout seul")
    page.keyboard.press("1")
    expect(page.locator("[data-next]")).to_be_focused()
    page.click("[data-back]")
    expect(page.locator("#discard")).to_be_visible()
    page.click(".ls-skip")
    expect(page.locator("#end")).to_be_focused()


def test_without_script_the_lesson_is_a_page_to_read(seated):
    page = seated(None, "phone", java_script_enabled=False)
    page.goto("/help/first-hand/")
    for step in STEPS:
        expect(page.locator(f"#{step.slug}")).to_be_visible()
    assert page.locator(".lesson button:visible").count() == 1, "to play the computer, at the end"
    assert page.locator(".done:visible").count() == sum(step.kind != "read" for step in STEPS)


def test_pages_of_help_are_light_and_axe_finds_nothing(window, site):
    said = []
    for path in ("/help/", *(page.address for page in PAGES.values())):
        page = window(site.url, "phone")
        wire = page.context.new_cdp_session(page)
        wire.send("Network.enable")
        sizes: list[float] = []
        wire.on(
            "Network.loadingFinished", lambda event, to=sizes: to.append(event["encodedDataLength"])
        )
        page.goto(path, wait_until="networkidle")
        said += wrong_with(page, path)
        if sum(sizes) > 60 * KILOBYTE:
            said.append(f"{path}: {sum(sizes)} bytes")
        page.context.close()
    assert said == []
