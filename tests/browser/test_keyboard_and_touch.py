"""A hand by the keyboard alone on the laptop, and one by touch alone on the phone."""

from __future__ import annotations

import itertools

import pytest
from playwright.sync_api import Page, expect

LEAST = 44
BUSY = "() => document.querySelector('.conn').dataset.line === 'open'"

# What can be touched and is smaller than a finger. Cards of a hand lie over each other.
TOO_SMALL = """least => [...document.querySelectorAll(
    "button, a.btn, summary, select, nav a, label.choice, .in"
)].filter(node => node.getClientRects().length && !node.closest(".vh"))
  .map(node => [node, node.getBoundingClientRect()])
  .filter(([node, box]) => box.width > 1
      && (box.height < least - .5 || (box.width < least - .5 && !node.closest(".hand"))))
  .map(([node, box]) => `${node.outerHTML.slice(0, 90)} ${box.width} x ${box.height}`)"""

# Whatever offers itself but lies outside the screen or under something else.
COVERED = """() => [...document.querySelectorAll(
    ".acts [data-act], .pile, .hand [data-card], .tbar a, .tbar button")]
  .filter(node => node.getClientRects().length)
  .filter(node => {
      const box = node.getBoundingClientRect();
      const at = [box.left + 10, box.top + Math.min(30, box.height / 2)];
      return !node.contains(document.elementFromPoint(...at));
  }).map(node => node.outerHTML.slice(0, 90))"""

# A dialog keeps the focus; on its way round it may rest in the browser's own frame.
INSIDE = """() => document.activeElement === document.body
    || document.activeElement.closest("dialog") !== null"""


def two(seated, scene: dict, screen: str) -> list[Page]:
    """Both players at a laid table."""
    pages = [seated(cookie, screen) for cookie in scene["cookies"]]
    for page in pages:
        page.goto(scene["table"])
        page.wait_for_function(BUSY)
    return pages


def focused(page: Page, name: str) -> str | None:
    return page.evaluate(f"document.activeElement.dataset.{name} ?? null")


def tab_to(page: Page, act: str) -> None:
    """Press Tab until this action has the focus, and see that it shows."""
    for _ in range(30):
        page.keyboard.press("Tab")
        if focused(page, "act") == act:
            style = page.evaluate("getComputedStyle(document.activeElement).outlineStyle")
            assert style == "solid"
            return
    raise AssertionError(f"Tab never comes to {act}")


def test_a_hand_by_keyboard_alone(seated, laid):
    alice, bob = two(seated, laid["by keyboard"], "laptop")
    tab_to(alice, "pass")
    alice.keyboard.press("Enter")
    expect(bob.locator("body")).to_have_attribute("data-turn", "mine")
    expect(bob.locator("#live")).to_have_text("Léo passe. À vous. Prenez la dame ou passez.")
    tab_to(bob, "pass")
    bob.keyboard.press("Enter")

    expect(alice.locator("body")).to_have_attribute("data-turn", "mine")
    alice.keyboard.press("1")
    expect(alice.locator("body")).to_have_attribute("data-phase", "discard")
    expect(alice.locator("#live")).to_contain_text("Vous piochez le roi de carreau. À vous.")
    reached = []
    for _ in range(11):
        alice.keyboard.press("ArrowRight")
        reached.append(focused(alice, "card"))
    held = alice.locator(".hand [data-card]")
    assert sorted(reached) == sorted(held.evaluate_all("all => all.map(one => one.dataset.card)"))
    while focused(alice, "card") != "Kd":
        alice.keyboard.press("ArrowLeft")
    alice.keyboard.press("Enter")
    expect(alice.locator("[data-card=Kd]")).to_have_attribute("aria-pressed", "true")
    alice.keyboard.press("Escape")
    expect(alice.locator(".hand .sel")).to_have_count(0)
    alice.keyboard.press("Enter")
    tab_to(alice, "discard")
    alice.keyboard.press("Enter")

    expect(bob.locator("#live")).to_have_text(
        "Léo jette le roi de carreau. À vous. Piochez, ou prenez le roi."
    )
    bob.keyboard.press("2")
    expect(bob.locator("body")).to_have_attribute("data-phase", "discard")
    bob.keyboard.press("ArrowRight")
    while focused(bob, "card") != "Qc":
        bob.keyboard.press("ArrowRight")
    bob.keyboard.press("Enter")
    bob.wait_for_timeout(700)
    bob.keyboard.press("Enter")  # again on the same card: thrown

    expect(alice.locator("body")).to_have_attribute("data-turn", "mine")
    alice.keyboard.press("1")
    expect(alice.locator("body")).to_have_attribute("data-phase", "discard")
    alice.keyboard.press("k")
    dialog = alice.locator("#knock-dialog")
    expect(dialog).to_be_visible()
    for _ in range(8):
        alice.keyboard.press("Tab")
        assert alice.evaluate(INSIDE)
    alice.keyboard.press("Escape")
    expect(dialog).to_be_hidden()
    expect(alice.locator("body")).to_have_attribute("data-state", "playing")
    alice.keyboard.press("k")
    alice.keyboard.press("Enter")  # from the card to throw: it means the knock, not the way back
    expect(alice.locator("body")).to_have_attribute("data-state", "between")
    said = alice.locator("#live").text_content()
    assert said.startswith("Vous piochez. Vous frappez." if "piochez" in said else "Vous frappez.")
    assert "Vous marquez" in said
    assert ".." not in said
    tab_to(alice, "ready")
    alice.keyboard.press("Enter")
    tab_to(bob, "ready")
    bob.keyboard.press("Enter")
    for page in (alice, bob):
        expect(page.locator("body")).to_have_attribute("data-state", "playing")


def test_a_hand_by_touch_alone(seated, laid):
    alice, bob = two(seated, laid["by touch"], "phone")

    def tap(page: Page, act: str) -> None:
        page.locator(f"[data-act={act}]:visible").first.tap()

    def tap_card(page: Page, card: str) -> None:
        page.locator(f".hand [data-card='{card}']").tap(position={"x": 10, "y": 40})

    tap(alice, "pass")
    expect(bob.locator("body")).to_have_attribute("data-turn", "mine")
    tap(bob, "pass")
    expect(alice.locator("body")).to_have_attribute("data-turn", "mine")
    tap(alice, "draw-stock")
    expect(alice.locator("body")).to_have_attribute("data-phase", "discard")
    for card in alice.locator(".hand [data-card]").all():
        card.tap(position={"x": 10, "y": 40})
        expect(card).to_have_attribute("aria-pressed", "true")

    # a double tap is an accident, not a discard
    tap_card(alice, "Kd")
    tap_card(alice, "5h")
    tap_card(alice, "5h")
    alice.wait_for_timeout(300)
    expect(alice.locator("body")).to_have_attribute("data-phase", "discard")
    tap_card(alice, "Kd")
    tap(alice, "discard")
    expect(bob.locator("body")).to_have_attribute("data-turn", "mine")

    bob.locator("a.peek").tap()
    expect(bob.locator(".log .lines")).to_be_visible()
    bob.locator("a.close").tap()
    expect(bob.locator(".log .lines")).to_be_hidden()
    tap(bob, "draw-discard")
    expect(bob.locator("body")).to_have_attribute("data-phase", "discard")
    tap_card(bob, "Kd")
    expect(bob.locator("#toast")).to_be_visible()
    tap_card(bob, "Qc")
    tap(bob, "discard")

    expect(alice.locator("body")).to_have_attribute("data-turn", "mine")
    tap(alice, "draw-stock")
    tap(alice, "knock")
    expect(alice.locator("#knock-dialog")).to_be_visible()
    tap(alice, "knock-confirm")
    expect(alice.locator("body")).to_have_attribute("data-state", "between")
    tap(alice, "ready")
    tap(bob, "ready")
    for page in (alice, bob):
        expect(page.locator("body")).to_have_attribute("data-state", "playing")

    tap(alice, "menu")
    tap(alice, "sheet")
    alice.wait_for_url("**/sheets/*/")
    alice.go_back()
    expect(alice.locator("body")).to_have_attribute("data-state", "playing")
    alice.wait_for_function(BUSY)


def test_everything_to_touch_is_as_large_as_a_finger(seated, laid):
    page = seated(laid["crowd"]["cookies"][0], "phone")
    small = []
    room, sheet = laid["crowd"]["room"], laid["won"]["sheet"]
    for path in ("/", "/rooms/", "/rooms/new/", "/account/", "/rules/", room, sheet):
        page.goto(path)
        small += [f"{path}: {each}" for each in page.evaluate(TOO_SMALL, LEAST)]
    for scene in ("upcard", "several", "big gin", "after a knock", "won", "waiting"):
        page.goto(laid[scene]["table"])
        page.wait_for_selector(".conn[data-line=open]", state="attached")
        small += [f"{scene}: {each}" for each in page.evaluate(TOO_SMALL, LEAST)]
        strips = page.evaluate(
            """() => { const lefts = [...document.querySelectorAll(".hand [data-card]")]
                .map(card => card.getBoundingClientRect().left);
                return lefts.slice(1).map((left, at) => left - lefts[at]); }"""
        )
        small += [f"{scene}: a strip of {strip} px" for strip in strips if strip < 24]
    assert small == []


SIZES = (
    (360, 640), (360, 560), (320, 568), (412, 915), (640, 360), (640, 400), (820, 1180),
    (1024, 600), (1280, 800),
)


@pytest.mark.parametrize(
    "scene", ["upcard", "several", "gin", "big gin", "limit by upcard", "long names"]
)
def test_nothing_on_the_table_is_covered_or_cut(seated, laid, scene):
    """Also with the bars of a phone's browser shown, and on a laptop zoomed to 200 %."""
    page = seated(laid[scene]["cookies"][0])
    page.goto(laid[scene]["table"])
    page.wait_for_selector(".conn[data-line=open]", state="attached")
    wrong = []
    for cards, (width, height) in itertools.product(("usual", "large"), SIZES):
        page.evaluate("cards => { document.documentElement.dataset.cards = cards; }", cards)
        page.set_viewport_size({"width": width, "height": height})
        page.evaluate("() => new Promise(requestAnimationFrame)")
        where = f"{width} x {height}, {cards} cards"
        wrong += [f"{where}: {each}" for each in page.evaluate(COVERED)]
        if page.evaluate("document.documentElement.scrollWidth") > width:
            wrong.append(f"{where}: scrolls sideways")
    assert wrong == []
