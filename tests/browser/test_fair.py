"""Two browsers give to the shuffle, and each checks the deck by itself once the hand is over."""

from __future__ import annotations

import hashlib
import hmac

from playwright.sync_api import Page, expect

from tests.browser.hands import await_cards, click_on, sit_together, step

KEPT = """() => Object.values(JSON.parse(localStorage.getItem("ginrami.fair")))[0]"""
BOUND = """() => Object.values(JSON.parse(localStorage.getItem("ginrami.fair")))
    .map((entry) => entry.bound)"""
HASHED = """async (texts) => {
    const { sha256, hmac, toHex } = await import("/static/js/fair/sha256.js");
    const bytes = (text) => new TextEncoder().encode(text);
    const both = (text) => [sha256(bytes(text)), hmac(bytes(text), bytes("said"))];
    return texts.map((text) => both(text).map(toHex));
}"""
CHEATED = """async () => {
    const { proofHere, verdict } = await import("/static/js/fair/verdict.js");
    const { keptOfAny } = await import("/static/js/fair/kept.js");
    const { sha256, toHex, fromHex } = await import("/static/js/fair/sha256.js");
    const { dealt } = await import("/static/js/fair/deal.js");
    const told = await proofHere();
    const read = () => JSON.parse(told);
    const found = {};
    const judge = (how, cheat) => {
        const proof = read();
        const kept = keptOfAny(proof.game, proof.hand);
        found[how] = verdict(proof, cheat(proof, kept) ?? kept).well;
    };
    const hashOf = (hex) => toHex(sha256(fromHex(hex)));
    const deal = (proof) => { // all over by these values, so that only what was kept tells
        const { deck, dealer } = dealt(proof);
        const hand = (seat) =>
            deck.slice(0, 20).filter((_, at) => at % 2 === (seat - dealer + 1) % 2).join("");
        const played = { hands: [hand(0), hand(1)], upcard: deck[20], drawn: "" };
        Object.assign(proof, { dealer, played });
    };
    const seats = (proof) => proof.seats.forEach((seat) => {
        seat.value = toHex(sha256(fromHex(seat.value)));
        seat.bound_by = toHex(sha256(fromHex(seat.value)));
    });
    judge("nothing", () => {});
    judge("a card of each hand swapped", ({ played }) => {
        const [one, two] = played.hands;
        played.hands = [two.slice(0, 2) + one.slice(2), one.slice(0, 2) + two.slice(2)];
    });
    judge("another upcard", ({ played }) => { played.upcard = played.hands[0].slice(0, 2); });
    judge("another secret", (proof) => { proof.secret = "ab".repeat(32); });
    judge("another chain", (proof) => {
        proof.secret = "ab".repeat(32);
        proof.commitment = toHex(sha256(fromHex(proof.secret)));
    });
    judge("other contributions, bound anew", seats);
    judge("the other's value, chosen after one's own was known", (proof, [{ seat }]) => {
        const value = "ab".repeat(32);
        Object.assign(proof.seats[1 - seat], { value, bound_by: hashOf(value) });
        deal(proof);
    });
    judge("a chain said to have begun elsewhere", (proof, kept) => {
        const [secret, first] = ["ab".repeat(32), 0];
        Object.assign(proof, { secret, first, commitment: hashOf(hashOf(secret)) });
        deal(proof);
        return kept.map((entry) => ({ ...entry, commitment: proof.commitment }));
    });
    judge("what was published for a secret", (proof) => {
        Object.assign(proof, { secret: proof.commitment, first: proof.hand + 1 });
        deal(proof);
        return [];
    });
    judge("a given value said to be a substitute", ({ seats: [one] }) => { one.replaced = true; });
    judge("another dealer", (proof) => { proof.dealer = 1 - proof.dealer; });
    return found;
}"""


def resigned(page: Page) -> str:
    """Give the game up; where its first hand is told again."""
    for act in ("menu", "resign", "resign-confirm"):
        click_on(page, act)
    expect(page.locator("body")).to_have_attribute("data-state", "finished")
    sheet = page.locator("#menu-dialog [data-act=sheet]").get_attribute("href")
    return f"{sheet}hands/1/"


def test_both_browsers_give_to_the_shuffle_of_a_rematch(player):
    """After cards were played; neither waits until the site has drawn in their place."""
    pages = player("Germaine"), player("Henriette", "phone")
    sit_together(*pages)
    for _ in range(6):
        step([*pages])
    resigned(pages[0])
    for page in pages:
        assert click_on(page, "rematch")
    for page in pages:
        expect(page.locator("body")).to_have_attribute("data-state", "playing")
        await_cards(page)
        assert page.evaluate(BOUND) == [True, True]


def test_each_browser_gives_and_then_checks_the_deck_by_itself(player):
    alice, bob = player("Gaëlle"), player("Hervé", "phone")
    sit_together(alice, bob)
    kept = [page.evaluate(KEPT) for page in (alice, bob)]
    assert kept[0]["commitment"] == kept[1]["commitment"]
    assert kept[0]["bytes"] != kept[1]["bytes"]
    assert [entry["bound"] for entry in kept] == [True, True]
    replay = resigned(alice)
    for page in (alice, bob):
        page.goto(replay)
        page.locator(".rp-fair").scroll_into_view_if_needed()
        line = page.locator("[data-fair=well]")
        expect(line).to_contain_text("d’après ce qu’il a gardé avant la donne")
    found = alice.evaluate(CHEATED)
    assert found.pop("nothing") is True
    assert set(found.values()) == {False}, found
    texts = ["", "abc", *("é" * length for length in (27, 28, 32, 55, 64, 1000))]
    assert alice.evaluate(HASHED, texts) == [
        [hashlib.sha256(text.encode()).hexdigest(),
         hmac.digest(text.encode(), b"said", "sha256").hex()]
        for text in texts
    ]  # fmt: skip
