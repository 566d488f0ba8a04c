"""Two friends play a whole game by the page alone, and the sheet they read adds up."""

from __future__ import annotations

import pytest
from playwright.sync_api import Page, expect

from tests.browser.hands import click_on, play_to, sit_together, step, take_turn

READ = """() => {
    const cells = (rows, inner) => [...document.querySelectorAll(rows)].flatMap(row =>
        [...row.querySelectorAll("td.c")].map((cell, seat) => [seat, cell.querySelector(inner)]))
        .filter(([, figure]) => figure)
        .map(([seat, figure]) => [seat, Number(figure.textContent.replace(/[^0-9-]/g, ""))]);
    return {
        gains: cells(".paper tbody tr", ".p"),
        bonuses: cells(".paper tr.bonus", ".run"),
        totals: cells(".paper tr.tot", ".run").map(([, points]) => points),
    };
}"""


def read_sheet(page: Page) -> dict[str, list]:
    """The sheet of the finished game, as it stands on the page."""
    click_on(page, "sheet")
    page.wait_for_url("**/sheets/*/")
    # Once a worker has written the bonuses: they are sent for when all have been shown the end.
    expect(page.locator(".verdict")).to_be_visible(timeout=30_000)
    return page.evaluate(READ)


def assert_adds_up(sheet: dict[str, list], target: int) -> None:
    for seat in (0, 1):
        entries = [*sheet["gains"], *sheet["bonuses"]]
        assert sheet["totals"][seat] == sum(points for who, points in entries if who == seat)
    hands = [sum(points for who, points in sheet["gains"] if who == seat) for seat in (0, 1)]
    assert max(hands) >= target > min(hands)


@pytest.mark.parametrize("screens", [("laptop", "phone")])
def test_two_friends_play_to_the_target_and_the_sheet_adds_up(newcomer, screens):
    alice, bob = newcomer("Sidonie", screens[0]), newcomer("Philémon", screens[1])
    sit_together(alice, bob, target="50")  # of games to 100 there are plenty without a browser
    play_to([alice, bob], "finished")
    sheet = read_sheet(alice)
    assert_adds_up(sheet, 50)
    assert sheet["bonuses"]
    bob.reload()
    expect(bob.locator("body")).to_have_attribute("data-state", "finished")
    assert read_sheet(bob) == sheet


def test_the_same_game_on_two_processes(newcomer, scaled):
    alice = newcomer("alice", site=scaled[0])
    bob = newcomer("bob", site=scaled[1])
    sit_together(alice, bob, target="50")
    play_to([alice, bob], "finished")
    sheet = read_sheet(bob)
    assert_adds_up(sheet, 50)
    assert read_sheet(alice) == sheet


def test_resigning_asks_first_and_a_rematch_starts_when_both_want_it(together):
    alice, bob = together(("anna", "bruno"), ("laptop", "phone"))
    click_on(alice, "menu")
    click_on(alice, "resign")
    click_on(alice, "resign-confirm")
    for page in (alice, bob):
        expect(page.locator("body")).to_have_attribute("data-state", "finished")
    address = alice.url
    click_on(bob, "rematch")
    click_on(alice, "rematch")
    for page in (alice, bob):
        expect(page.locator("body")).to_have_attribute("data-state", "playing")
    assert alice.url == address


def test_a_button_drawn_anew_while_it_is_pressed_is_pressed_all_the_same(together):
    """Both ask at once: what the other did comes between the button's going down and up."""
    alice, bob = together(("audrey", "benoit"))
    for act in ("menu", "resign", "resign-confirm"):
        click_on(alice, act)
    for page in (alice, bob):
        expect(page.locator("body")).to_have_attribute("data-state", "finished")
    button = alice.locator("[data-act=rematch]")
    box = button.bounding_box()
    alice.mouse.move(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)
    alice.mouse.down()
    click_on(bob, "rematch")
    expect(button).to_have_text("Accepter la revanche")
    moved = button.bounding_box()["y"] - box["y"]
    assert abs(moved) < box["height"] / 4, "it moved from under the pointer"
    alice.mouse.up()
    for page in (alice, bob):
        expect(page.locator("body")).to_have_attribute("data-state", "playing")


def test_a_button_that_says_another_thing_by_then_is_not_pressed(together):
    """Who pressed for one game has not agreed to another that is offered before they let go."""
    alice, _bob = together(("alma", "bertil"))
    for act in ("menu", "resign", "resign-confirm"):
        click_on(alice, act)
    box = alice.locator("[data-act=rematch]").bounding_box()
    alice.mouse.move(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)
    alice.mouse.down()
    alice.evaluate("""() => {
        const old = document.querySelector("[data-act=rematch]"), anew = old.cloneNode(true);
        anew.dataset.terms = "others";
        old.replaceWith(anew);
    }""")
    alice.mouse.up()
    assert not alice.locator("[data-act=rematch][aria-disabled=true]").count(), "it was pressed"


def test_a_reload_in_the_middle_of_a_turn_shows_the_same_hand(together):
    alice, bob = together(("agnes", "basile"))
    for _ in range(4):
        step([alice, bob])

    def shown(page):
        cards = page.locator(".hand [data-card]")
        return sorted(cards.evaluate_all("nodes => nodes.map(node => node.dataset.card)"))

    for page in (alice, bob):
        before = (shown(page), page.locator("body").get_attribute("data-phase"))
        page.reload()
        expect(page.locator("body")).to_have_attribute("data-state", "playing")
        assert (shown(page), page.locator("body").get_attribute("data-phase")) == before


def test_a_second_tab_follows_and_its_stale_click_is_refused(together, faults):
    alice, bob = together(("amelie", "boris"))
    mover = alice if alice.locator("body[data-turn=mine]").count() else bob
    other_tab = mover.context.new_page()
    other_tab.goto(mover.url)
    expect(other_tab.locator("body")).to_have_attribute("data-turn", "mine")
    while mover.locator("body[data-turn=mine]").count():
        take_turn(mover)
    expect(other_tab.locator("body")).to_have_attribute("data-turn", "")
    mover.close()
    expect(other_tab.locator("body")).to_have_attribute("data-state", "playing")


def test_a_lost_connection_is_said_and_comes_back_by_itself(together, faults):
    alice, bob = together(("ariane", "benoit"))
    alice.context.set_offline(True)
    alice.evaluate("() => window.dispatchEvent(new Event('offline'))")
    expect(alice.locator(".conn")).to_have_attribute("data-line", "lost")
    if bob.locator("body[data-turn=mine]").count():
        take_turn(bob)
    alice.context.set_offline(False)
    expect(alice.locator(".conn")).to_have_attribute("data-line", "open", timeout=30_000)
    version = bob.locator("body").get_attribute("data-version")
    expect(alice.locator("body")).to_have_attribute("data-version", version)
    faults.clear()  # the browser itself reports the failed tries


def test_a_stranger_finds_no_table(together, player, faults):
    alice, _bob = together(("alix", "bela"))
    charlie = player("charlie")
    answer = charlie.goto(alice.url)
    assert answer is not None
    assert answer.status == 404
    faults.clear()  # the browser reports the 404
