"""Two people in two windows: open a room, follow its link, play by clicking what is offered."""

from __future__ import annotations

from playwright.sync_api import Page, expect


def open_room(page: Page, name: str = "Salle des cousins", **options: str) -> str:
    """Open a room by the form; gives its invitation link. Options as the form spells them."""
    page.goto("/rooms/new/")
    page.fill("input[name=name]", name)
    preset = options.pop("preset", "complete")
    page.locator(f"input[name=preset][value={preset}]").check()
    if "pace" in options:
        page.locator(f"input[name=pace][value='{options.pop('pace')}']").check()
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
        await_cards(page)


def await_cards(page: Page) -> None:
    """Wait until a hand is dealt: a game that has begun may still be shuffling."""
    expect(page.locator("body")).to_have_attribute("data-state", "playing")
    expect(page.locator("body")).not_to_have_attribute("data-phase", "")


def state(page: Page) -> str:
    return page.locator("body").get_attribute("data-state") or ""


def click_on(page: Page, act: str) -> bool:
    """Click an offered action; False if the page does not offer it."""
    button = page.locator(f"[data-act='{act}']:not([aria-disabled=true]):visible")
    if not button.count():
        return False
    button.first.click()
    return True


def touch(page: Page, card: str) -> None:
    """Touch a card of the hand where it shows: at its left edge, the next one lies over the rest.
    """
    page.locator(f".hand [data-card='{card}']").click(position={"x": 10, "y": 30})


WORST = """() => {
    const worth = (card) => Math.min("A23456789TJQK".indexOf(card[0]) + 1, 10);
    const cards = (where) => [...document.querySelectorAll(
        `.hand ${where} .slot:not(.locked) [data-card]`)].map((node) => node.dataset.card);
    const loose = cards(".dead");
    return (loose.length ? loose : cards("")).sort((a, b) => worth(b) - worth(a))[0];
}"""


def worst_card(page: Page) -> str:
    """The highest card in no meld that may be thrown."""
    return str(page.evaluate(WORST))


# What a sensible player would touch next, and where it shows: takes what makes a meld of three,
# throws the highest card in no meld.
NEXT = """() => {
    const ranks = "A23456789TJQK";
    const worth = (card) => Math.min(ranks.indexOf(card[0]) + 1, 10);
    const held = new Set([...document.querySelectorAll(".hand [data-card]")]
        .map((node) => node.dataset.card));
    const has = (rank, suit) => held.has(`${ranks[rank]}${suit}`);
    const useful = (card) => {
        const [rank, suit] = [ranks.indexOf(card[0]), card[1]];
        return [..."cdhs"].filter((other) => has(rank, other)).length >= 2
            || [[-2, -1], [-1, 1], [1, 2]].some((by) => by.every((far) => has(rank + far, suit)));
    };
    const top = document.querySelector("[data-act=draw-discard] [data-card-shown]");
    const offered = (node) => node.getAttribute("aria-disabled") !== "true" && !node.disabled
        && node.getClientRects().length;
    const draws = top && useful(top.dataset.cardShown) ? ["draw-discard"] : ["pass", "draw-stock"];
    const acts = document.querySelector("dialog[open]") ? ["knock-confirm"]
        : ["big-gin", "gin", "knock", ...draws];
    if (document.querySelector(".hand .sel")) acts.push("discard");
    let node = acts.flatMap((act) => [...document.querySelectorAll(`[data-act="${act}"]`)])
        .find(offered);
    if (!node && document.querySelector("[data-act=discard]")) {
        const cards = (where) =>
            [...document.querySelectorAll(`.hand ${where} .slot:not(.locked) [data-card]`)];
        const loose = cards(".dead");
        [node] = (loose.length ? loose : cards(""))
            .sort((a, b) => worth(b.dataset.card) - worth(a.dataset.card));
    }
    if (!node) return null;
    const box = node.getBoundingClientRect();
    const at = node.dataset.card ? [box.left + 10, box.top + 30]
        : [box.left + box.width / 2, box.top + box.height / 2];
    const seen = node.contains(document.elementFromPoint(...at));
    const what = node.dataset.act ?? node.dataset.card;
    const moves = what !== "knock" && !node.dataset.card;
    return { what, at, seen, moves, touch: "ontouchstart" in window };
}"""
MOVED = "before => document.body.dataset.version !== before"


def take_turn(page: Page) -> None:
    """The clicks of whoever's turn it is, each where the thing shows, until the table has moved."""
    before = page.locator("body").get_attribute("data-version")
    for _ in range(40):
        wanted = page.evaluate(NEXT)
        if wanted is None:  # the line is busy or still opening
            page.wait_for_timeout(50)
        else:
            assert wanted["seen"], f"{wanted['what']} is covered"
            (page.touchscreen.tap if wanted["touch"] else page.mouse.click)(*wanted["at"])
            if wanted["moves"]:
                page.wait_for_function(MOVED, arg=before)
                return
    raise AssertionError("nothing is offered")


def step(pages: list[Page]) -> str:
    """Let the table move on by one click; gives the state before it."""
    now = state(pages[0])
    if now == "playing":
        mine = [page for page in pages if page.locator("body[data-turn=mine]").count()]
        if mine:
            take_turn(mine[0])
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
