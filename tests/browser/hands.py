"""Two people in two windows: open a room, follow its link, play by clicking what is offered."""

from __future__ import annotations

from playwright.sync_api import Page, expect

WORTH = {**{rank: at + 1 for at, rank in enumerate("A23456789T")}, "J": 10, "Q": 10, "K": 10}


def open_room(page: Page, name: str = "Salle des cousins", **options: str) -> str:
    """Open a room by the form; gives its invitation link. Options as the form spells them."""
    page.goto("/rooms/new/")
    page.fill("input[name=name]", name)
    preset = options.pop("preset", "complete")
    page.locator(f"input[name=preset][value={preset}]").check()
    if options:
        page.locator("details.custom summary").click()
    for option, value in options.items():
        field = page.locator(f"[name={option}]")
        if field.evaluate("field => field.tagName") == "SELECT":
            field.select_option(value)
        else:
            field.fill(value)
    page.locator("form.open button.btn-1").click()
    page.wait_for_url("**/rooms/*/")
    return page.locator("input[readonly]").first.input_value()


def sit_together(host: Page, guest: Page, **options: str) -> None:
    """The host opens a room, the guest follows the link; both end at the table, cards dealt."""
    link = open_room(host, **options)
    host.locator("a[href^='/tables/']").first.click()
    expect(host.locator("body")).to_have_attribute("data-state", "waiting")
    guest.goto(link[link.index("/j/") :])
    guest.locator(".inv button.btn-brass").click()
    guest.wait_for_url("**/tables/*/")
    for page in (host, guest):
        expect(page.locator("body")).to_have_attribute("data-state", "playing")


def state(page: Page) -> str:
    return page.locator("body").get_attribute("data-state") or ""


def click_on(page: Page, act: str) -> bool:
    """Click an offered action; False if the page does not offer it."""
    button = page.locator(f"[data-act='{act}']:not([aria-disabled=true]):visible")
    if not button.count():
        return False
    button.first.click()
    return True


def worst_card(page: Page) -> str:
    """The highest card in no meld that may be thrown."""
    loose = page.locator(".hand .dead .slot:not(.locked) [data-card]")
    cards = loose.evaluate_all("nodes => nodes.map(node => node.dataset.card)")
    if not cards:
        every = page.locator(".hand .slot:not(.locked) [data-card]")
        cards = every.evaluate_all("nodes => nodes.map(node => node.dataset.card)")
    return max(cards, key=lambda card: WORTH[card[0]])


def touch(page: Page, card: str) -> None:
    """Touch a card of the hand where it shows: at its left edge, the next one lies over the rest.
    """
    page.locator(f".hand [data-card='{card}']").click(position={"x": 10, "y": 30})


def take_turn(page: Page) -> None:
    """One click of whoever's turn it is, as a sensible player makes it."""
    if click_on(page, "big-gin") or click_on(page, "gin"):
        if page.locator("[data-act=knock-confirm]:visible").count():
            click_on(page, "knock-confirm")
    elif click_on(page, "knock"):
        click_on(page, "knock-confirm")
    elif click_on(page, "pass") or click_on(page, "draw-stock"):
        pass
    else:
        touch(page, worst_card(page))
        click_on(page, "discard")


def step(pages: list[Page]) -> str:
    """Let the table move on by one click; gives the state before it."""
    now = state(pages[0])
    if now == "playing":
        mine = [page for page in pages if page.locator("body[data-turn=mine]").count()]
        if mine:
            before = mine[0].locator("body").get_attribute("data-version")
            take_turn(mine[0])
            mine[0].wait_for_function(
                "before => document.body.dataset.version !== before", arg=before
            )
    elif now == "between":
        for page in pages:
            click_on(page, "ready")
        expect(pages[0].locator("body")).not_to_have_attribute("data-state", "between")
    for page in pages:
        page.wait_for_function(
            "version => Number(document.body.dataset.version) >= Number(version)",
            arg=pages[0].locator("body").get_attribute("data-version"),
        )
    return now


def play_to(pages: list[Page], wanted: str, clicks: int = 3000) -> None:
    """Play until the table is in this state."""
    for _ in range(clicks):
        if state(pages[0]) == wanted:
            return
        step(pages)
    raise AssertionError(f"the table never came to {wanted!r}")
