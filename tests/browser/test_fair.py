"""Two browsers give to the shuffle, and each checks the deck by itself once the hand is over."""

from __future__ import annotations

import hashlib
import hmac

from playwright.sync_api import Page, expect

from tests.browser.hands import click_on, sit_together

KEPT = """() => Object.values(JSON.parse(localStorage.getItem("ginrami.fair")))[0]"""
HASHED = """async (texts) => {
    const { sha256, hmac, toHex } = await import("/static/js/fair/sha256.js");
    const bytes = (text) => new TextEncoder().encode(text);
    return texts.map((text) => [toHex(sha256(bytes(text))), toHex(hmac(bytes(text), bytes("said")))]);
}"""
CHEATED = """async () => {
    const { verdict } = await import(document.querySelector("script[src*='verdict']").src);
    const { keptOfAny } = await import("/static/js/fair/kept.js");
    const { sha256, toHex, fromHex } = await import("/static/js/fair/sha256.js");
    const read = () => JSON.parse(document.getElementById("proof").textContent);
    const found = {};
    const judge = (how, cheat) => {
        const proof = read();
        cheat(proof);
        found[how] = verdict(proof, keptOfAny(read().game, read().first)).well;
    };
    const seats = (proof) => proof.seats.forEach((seat) => {
        seat.value = toHex(sha256(fromHex(seat.value)));
        seat.bound_by = toHex(sha256(fromHex(seat.value)));
    });
    judge("nothing", () => {});
    judge("a card of each hand swapped", ({ played: { hands: [one, two] } }) => {
        [one[0], two[0]] = [two[0], one[0]];
    });
    judge("another upcard", ({ played }) => { played.upcard = played.hands[0][0]; });
    judge("another secret", (proof) => { proof.secret = "ab".repeat(32); });
    judge("another chain", (proof) => {
        proof.secret = "ab".repeat(32);
        proof.commitment = toHex(sha256(fromHex(proof.secret)));
    });
    judge("other contributions, bound anew", seats);
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
