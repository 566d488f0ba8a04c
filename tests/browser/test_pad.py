"""The pad in a phone's browser: a whole game with the network cut in the middle, and the rest."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from games.presets import rule_set
from tests import processes
from tests.browser.test_axe import wrong_with

# Who was out of reach is asked again after a wait that grows up to half a minute.
TRIED_AGAIN_WITHIN = 45_000
VECTORS = Path(__file__).parent.parent / "vectors" / "sheets.jsonl"


def begin(page: Page, preset: str | None = None, other: str = "Camille") -> str:
    """Begin a pad by its form; gives its address."""
    page.goto("/pad/")
    page.fill("[name=name_1]", other)
    if preset:
        page.locator("details.rules > summary").click()
        page.check(f"input[value={preset}]")
    page.click("form.open .send button")
    page.wait_for_selector("body[data-ready]")
    return re.sub(r"^https?://[^/]+", "", page.url)


def end_of_hand(page: Page, seat: int, how: int | str, left: int | None = None) -> None:
    """The two taps of a hand, up to its sum."""
    page.click("#void" if how == "void" else f'[data-seat="{seat}"][data-value="{how}"]')
    if left is not None:
        if left > 43:
            page.click("[data-tap=more]")
        page.click(f'[data-tap=left][data-value="{left}"]')


def hand(page: Page, seat: int, how: int | str, left: int | None = None) -> None:
    end_of_hand(page, seat, how, left)
    page.click("[data-tap=write]")


def totals(page: Page) -> list[int]:
    return [int(text) for text in page.locator("#totals b").all_inner_texts()]


def written(page: Page, count: int) -> None:
    """Wait until so many hands are on the sheet and none waits."""
    expect(page.locator("#rows tr:has(th.n)")).to_have_count(count)
    expect(page.locator("#rows tr.wait")).to_have_count(0, timeout=TRIED_AGAIN_WITHIN)


def sheet(page: Page) -> dict:
    """The pad as the server has it now."""
    told: dict = page.evaluate(
        "() => fetch(location.pathname + 'state/').then((answer) => answer.json())"
    )
    return told["state"]


def stored(page: Page) -> list[str]:
    """What kinds of things the browser keeps of pads."""
    kinds: list[str] = page.evaluate("Object.keys(localStorage).map((key) => key.split(':')[0])")
    return kinds


def test_a_whole_game_with_the_network_cut_in_the_middle(player, faults):
    page = player("Malo", "phone")
    begin(page)
    expect(page.locator(".tot .dealer")).to_have_count(1)
    hand(page, 0, 3, 24)
    end_of_hand(page, 0, 7, 4)
    said = "Malo 7 − Camille 4 + 25 de contre = 28 pour Camille"
    expect(page.locator(".sum")).to_contain_text(said)
    page.click("[data-tap=write]")
    written(page, 2)
    expect(page.locator("body[data-kept]")).to_be_attached()

    page.context.set_offline(True)
    hand(page, 1, "gin", 13)
    expect(page.locator("#rows tr.wait")).to_have_count(1)
    expect(page.locator("#line")).to_contain_text("1 manche en attente d’envoi")
    page.reload()
    page.wait_for_selector("body[data-ready]")
    assert totals(page) == [21, 66]
    hand(page, 0, "big_gin", 9)
    hand(page, 0, "void")
    expect(page.locator("#rows tr.wait")).to_have_count(3)
    page.reload()
    page.wait_for_selector("body[data-ready]")
    assert totals(page) == [61, 66]
    hand(page, 0, 2, 60)
    expect(page.locator("#verdict")).to_contain_text("Malo atteint l’objectif")
    expect(page.locator("#taps")).to_be_hidden()

    page.context.set_offline(False)
    won = "Malo gagne la partie de 178 points."
    expect(page.locator("#verdict")).to_contain_text(won, timeout=TRIED_AGAIN_WITHIN)
    written(page, 6)
    state = sheet(page)
    assert [one["points"] for one in state["hands"]] == [21, 28, 38, 40, 0, 58]
    # 119 and 66 of the hands, 3 and 2 of them at 25, 100 for the game
    assert (state["points"], state["over"]["totals"]) == ([119, 66], [294, 116])
    assert stored(page) == ["pad-state"]
    page.reload()
    page.wait_for_selector("body[data-ready]")
    assert sheet(page)["hands"] == state["hands"]
    faults.clear()  # the browser reports what it could not reach


def test_an_answer_that_never_came_writes_the_hand_once(player, faults):
    """The hand was written and the line cut before the answer: sent again, it is the same hand."""
    page = player("Malo", "phone")
    begin(page)

    page.wait_for_selector("body[data-line=open]")
    page.wait_for_load_state("networkidle")
    lost = []

    def lose(route):
        lost.append(route.request.method)
        route.fetch()
        route.abort()

    page.route("**/state/", lose, times=1)
    hand(page, 0, 3, 24)
    expect(page.locator("#rows tr.wait")).to_have_count(0)
    written(page, 1)
    assert lost == ["POST"]
    assert [one["points"] for one in sheet(page)["hands"]] == [21]
    faults.clear()


def test_a_hand_waiting_is_taken_back_without_a_trace(player, faults):
    page = player("Malo", "phone")
    begin(page)
    page.wait_for_selector("body[data-kept]")
    page.context.set_offline(True)
    page.reload()
    page.wait_for_selector("body[data-ready]")
    hand(page, 0, 3, 24)
    hand(page, 1, 3, 24)
    page.click("#undo")
    page.click("#sure [value=yes]")
    expect(page.locator("#rows tr.wait")).to_have_count(1)
    page.context.set_offline(False)
    written(page, 1)
    state = sheet(page)
    assert (state["points"], state["editions"]) == ([21, 0], [])
    faults.clear()


def test_a_sheet_corrected_elsewhere_keeps_the_hand(player, window, site, faults):
    page = player("Malo", "phone")
    where = begin(page)
    hand(page, 0, 3, 24)
    hand(page, 1, 3, 24)
    written(page, 2)
    page.context.set_offline(True)
    hand(page, 0, "gin", 10)
    elsewhere = window(site.url)
    elsewhere.context.add_cookies(page.context.cookies())
    elsewhere.goto(where)
    elsewhere.wait_for_selector("body[data-ready]")
    elsewhere.click("#undo")
    elsewhere.click("#sure [value=yes]")
    elsewhere.wait_for_selector(".note")
    page.context.set_offline(False)
    expect(page.locator("#stuck")).to_contain_text("Manche 3 : Malo, gin contre 10")
    expect(page.locator("#stuck")).to_contain_text("corrigée")
    assert sheet(page)["points"] == [21, 0]
    page.reload()
    expect(page.locator("#stuck")).to_be_visible()
    assert wrong_with(page, "a hand that is stuck") == []
    page.click("[data-stuck=rebase]")
    written(page, 2)
    assert sheet(page)["points"] == [56, 0]
    expect(elsewhere.locator("#totals")).to_contain_text("56")  # the other window follows
    faults.clear()


def test_signing_out_elsewhere_keeps_the_hand_and_says_so(player, window, site, faults):
    page = player("Malo", "phone")
    where = begin(page)
    page.wait_for_selector("body[data-kept]")
    page.context.clear_cookies(name="sessionid")
    hand(page, 0, 3, 24)
    expect(page.locator("#stuck")).to_contain_text("Vous êtes déconnecté")
    expect(page.locator("#stuck")).to_contain_text("Manche 1 : Malo, frappe 3 contre 24")
    page.goto("/")
    page.wait_for_function(
        "async () => !(await caches.keys()).some((name) => name.startsWith('pad-'))"
    )
    assert stored(page) == ["pad-queue"]
    again = player("Malo", "phone")
    page.context.add_cookies(again.context.cookies())
    page.goto(where)
    written(page, 1)
    assert sheet(page)["points"] == [21, 0]
    faults.clear()


def test_a_follower_sees_each_hand_and_can_write_none(player, window):
    page = player("Malo", "phone")
    bob = player("Bob", "phone")
    page.goto("/pad/")
    page.select_option("[name=who_1]", "account")
    page.fill("[name=name_1]", "bob")
    page.click("form.open .send button")
    page.wait_for_selector("body[data-ready]")
    bob.goto("/pad/")
    bob.click("[name=do][value=accept]")
    bob.wait_for_selector("body[data-line=open]")
    expect(bob.locator("#taps")).to_have_count(0)
    hand(page, 0, 3, 24)
    expect(bob.locator("#totals")).to_contain_text("21")
    assert wrong_with(bob, "a pad one follows") == []


def test_the_upcard_narrows_what_can_be_tapped_and_a_spade_doubles(player):
    page = player("Malo", "phone")
    begin(page, "oklahoma_spades")
    page.select_option("[name=upcard]", "4")
    expect(page.locator('[data-tap=end][data-seat="0"]')).to_have_count(4 + 2)
    page.click("[data-tap=spade]")
    end_of_hand(page, 0, "gin", 30)
    expect(page.locator(".sum")).to_contain_text("(Camille 30 + 25 de gin) × 2 = 110 pour Malo")
    page.click("[data-tap=write]")
    written(page, 1)
    assert sheet(page)["points"] == [110, 0]
    expect(page.locator("[data-tap=spade]")).to_have_attribute("aria-pressed", "false")


def test_the_first_to_knock_needs_one_tap_and_a_rematch_another_sheet(player):
    page = player("Malo", "phone")
    where = begin(page, "first_to_knock")
    end_of_hand(page, 1, 8)
    expect(page.locator(".sum")).to_contain_text("1 point pour Camille")
    page.click("[data-tap=write]")
    expect(page.locator("#verdict")).to_contain_text("Camille gagne la partie.")
    page.click("#result button")
    page.wait_for_url(lambda address: "/pad/" in address and not address.endswith(where))
    page.wait_for_selector("body[data-ready]")
    assert totals(page) == [0, 0]


ADD_UP = """async ([module, games]) => {
    const { withPending } = await import(module);
    return games.map(({ rules, hands }) => {
        const empty = { rules, points: [0, 0], won: [0, 0], dealer: 0, hands: [] };
        const view = withPending(empty, hands);
        return { points: view.points, reached: view.reached };
    });
}"""


def as_sent(one: dict) -> dict:
    """A hand of a vector, as a pad's page has it."""
    figures = {"knocker": one["knocker_deadwood"], "defender": one["defender_deadwood"]}
    winner = None if one["kind"] == "void" else one["winner"]
    return {"kind": one["kind"], "winner": winner, "spade": one.get("spade", False), **figures}


def test_the_page_adds_up_as_the_sheets_of_the_vectors_do(player):
    """The arithmetic of a page without a network, on the recorded games."""
    page = player("Malo")
    begin(page)
    loaded = page.evaluate("performance.getEntriesByType('resource').map((one) => one.name)")
    module = next(name for name in loaded if "/pad/sums." in name)
    rows = [json.loads(line) for line in VECTORS.read_text().splitlines()]
    games = [
        {"rules": rule_set(row["rules"]).as_dict(), "hands": [as_sent(one) for one in row["hands"]]}
        for row in rows
    ]
    assert len(games) > 30
    expected = [
        {"points": row["expect"]["hand_points"], "reached": row["expect"]["reached"]}
        for row in rows
    ]
    assert page.evaluate(ADD_UP, [module, games]) == expected


def test_without_script_hands_are_written_by_forms(player, window, site):
    here = player("Malo")
    where = begin(here)
    page = window(site.url, "phone", java_script_enabled=False)
    page.context.add_cookies(here.context.cookies())
    page.goto(where)
    page.check('[name=ending][value="0-knock"]')
    page.fill("[name=knocker]", "4")
    page.fill("[name=defender]", "21")
    page.click("form.plain button")
    expect(page.locator(".sum")).to_contain_text("Camille 21 − Malo 4 = 17 pour Malo")
    page.click("text=Écrire ainsi")
    expect(page.locator("#rows")).to_contain_text("4 contre 21")


@pytest.mark.parametrize("screen", ["phone", "laptop"])
def test_axe_finds_nothing_and_nothing_scrolls_sideways(player, screen):
    page = player("Malo", screen)
    page.goto("/pad/")
    said = wrong_with(page, "my pads")
    where = begin(page, "oklahoma_spades", "W" * 24)
    page.select_option("[name=upcard]", "4")
    said += wrong_with(page, "who finishes")
    page.click('[data-tap=end][data-seat="0"][data-value="4"]')
    said += wrong_with(page, "what is left")
    page.click("[data-tap=more]")
    said += wrong_with(page, "more that is left")
    page.click('[data-tap=left][data-value="60"]')
    said += wrong_with(page, "the sum")
    page.click("[data-tap=write]")
    written(page, 1)
    page.click("#undo")
    said += wrong_with(page, "the question")
    page.click("#sure [value=no]")
    hand(page, 1, 3, 2)
    written(page, 2)
    page.goto(f"{where}hands/1/")
    said += wrong_with(page, "a correction")
    page.fill("[name=defender]", "98")
    page.click("text=Calculer")
    said += wrong_with(page, "a correction worked out")
    page.click("text=Corriger ainsi")
    page.wait_for_selector("body[data-ready]")
    hand(page, 0, "gin", 98)
    expect(page.locator("#verdict")).to_contain_text("gagne")
    said += wrong_with(page, "over")
    assert said == []


def test_the_first_visit_of_a_pad_is_light(player):
    page = player("Malo", "phone")
    where = begin(page)
    fresh = page.context.new_page()
    wire = fresh.context.new_cdp_session(fresh)
    wire.send("Network.enable")
    wire.send("Network.setCacheDisabled", {"cacheDisabled": True})
    wire.send("Network.setBypassServiceWorker", {"bypass": True})
    sizes: list[int] = []
    wire.on("Network.loadingFinished", lambda event: sizes.append(event["encodedDataLength"]))
    fresh.goto(where)
    fresh.wait_for_selector("body[data-ready]")
    assert len(sizes) > 10
    assert sum(sizes) <= 60 * 1024


def test_a_pad_is_served_by_the_scaled_site_too(newcomer, scaled: list[processes.Web]):
    """Bonuses come from a worker, and the page hears of them."""
    page = newcomer("Malo", "phone", scaled[0])
    begin(page)
    hand(page, 0, "gin", 98)
    expect(page.locator("#verdict")).to_contain_text("Malo gagne la partie")
    written(page, 1)
