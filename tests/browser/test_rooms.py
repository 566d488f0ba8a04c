"""Rooms and the home page in the browser: they follow by themselves, fit, and axe finds nothing."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import Page, expect

from tests.browser.test_axe import SCREENS, wrong_with


def room_of(page: Page, name: str, **choices: str) -> str:
    """Open a room by its form, by the choices named; gives its address."""
    page.goto("/rooms/new/")
    page.fill("#id_name", name)
    for field, value in choices.items():
        page.check(f"input[name={field}][value='{value}']")
    page.click(".send button")
    page.wait_for_url(re.compile(r"/rooms/\d+/$"))
    return re.sub(r"^https?://[^/]+", "", page.url)


def follows(page: Page) -> None:
    """Wait until the page's line is open."""
    page.wait_for_selector("body[data-line=open]")


def test_a_room_follows_who_comes_sits_down_and_ends_a_game(player):
    alice, bob = player("Alice"), player("Bob")
    room = room_of(alice, "Salle qui suit", pace="day")
    follows(alice)
    expect(alice.locator(".rm-head")).to_contain_text("un coup par jour")
    code = alice.locator(".code").inner_text().split()[-1]
    bob.goto("/join/")
    bob.fill("#code", code)
    bob.click("main .btn-1")
    expect(alice.locator("#room-members")).to_contain_text("Bob")
    follows(bob)
    expect(alice.locator("#room-members .av.on")).to_have_count(2)
    bob.click("#room-tables .btn-1")
    bob.wait_for_selector(".conn[data-line=open]", state="attached")
    expect(alice.locator("#room-tables .tag-you")).to_have_text("En jeu")
    expect(alice.locator("#room-tables")).to_contain_text("Alice contre Bob")
    alice.goto("/")
    expect(alice.locator("#lists .games")).to_contain_text("un coup par jour")
    alice.goto(room)
    bob.click("[data-act=menu]")
    bob.click("[data-act=resign]")
    bob.click("dialog[open] .btn-danger")
    follows(alice)
    expect(alice.locator("#room-tables .table tbody tr").first).to_contain_text("Alice")
    expect(alice.locator(".duels")).to_contain_text("Alice – Bob")


def test_whoever_is_removed_is_shown_out_of_the_open_page(player, faults):
    alice, bob = player("Anna"), player("Basile")
    room = room_of(alice, "Salle fermée")
    code = alice.locator(".code").inner_text().split()[-1]
    bob.goto("/join/")
    bob.fill("#code", code)
    bob.click("main .btn-1")
    follows(bob)
    bob.wait_for_timeout(4_500)  # a page just loaded is not loaded again
    alice.goto(room)
    alice.click("#room-members a[href*='/members/']")
    alice.click("form[action$='/remove/'] button")
    expect(alice.locator("#room-members")).not_to_contain_text("Basile")
    expect(bob.locator("#room-members")).to_have_count(0, timeout=10_000)
    faults.clear()  # the browser reports the 404


def test_the_lobby_shows_a_public_table_and_leads_to_a_seat(player):
    zoe, alice = player("Zora"), player("Aline")
    zoe.goto("/")
    follows(zoe)
    room_of(alice, "Salle ouverte à tous", public="yes", pace="60")
    row = zoe.locator("#lists li", has_text="Salle ouverte à tous")
    expect(row).to_contain_text("Aline")
    row.locator("button").click()
    zoe.wait_for_url(re.compile(r"/tables/\d+/$"))
    zoe.wait_for_selector(".conn[data-line=open]", state="attached")


def test_settings_are_kept_and_said(player):
    alice = player("Adèle")
    room = room_of(alice, "Salle à régler")
    alice.click(".change")
    alice.check("input[name=spectators][value=no]")
    alice.click(".custom > summary")
    alice.select_option("#id_undercut", "20")
    expect(alice.locator("#changed")).to_contain_text("contre")
    alice.click(".send button")
    expect(alice).to_have_url(re.compile(f"{room}$"))
    expect(alice.locator(".rm-head")).to_contain_text("sans spectateurs")
    expect(alice.locator(".diff")).to_contain_text("contre à 20 au lieu de 25")


@pytest.mark.parametrize("screen", SCREENS)
def test_axe_finds_nothing_on_the_pages_of_a_room(player, screen):
    name = f"Camille {screen}"
    alice, bob = player(name, screen), player(f"Malik {screen}")
    room = room_of(alice, "Salle des cousins", public="yes", pace="30")
    said = wrong_with(alice, "a new room")
    code = alice.locator(".code").inner_text().split()[-1]
    bob.goto(room)
    said += wrong_with(bob, "a public room")
    bob.goto("/")
    said += wrong_with(bob, "home with an open table")
    bob.goto("/join/")
    bob.fill("#code", code)
    bob.click("main .btn-1")
    alice.reload()
    alice.click(".turns summary")
    said += wrong_with(alice, "the choice of a rotation")
    for link in (".change", "#room-members a", ".quit a"):
        alice.goto(room)
        alice.click(link)
        said += wrong_with(alice, link)
    assert said == []


def at_the_table(page: Page) -> None:
    page.wait_for_selector(".conn[data-line=open]", state="attached")


def test_three_friends_take_turns_at_one_table(player):
    ines, jean = player("Inès"), player("Jean")
    kim = player("Kim", "phone")
    room = room_of(ines, "Salle tournante")
    code = ines.locator(".code").inner_text().split()[-1]
    for page in (jean, kim):
        page.goto("/join/")
        page.fill("#code", code)
        page.click("main .btn-1")
    jean.locator("#room-tables .btn-1").click()  # the first table is taken by these two
    at_the_table(jean)
    jean.goto(room)
    jean.click(".turns summary")
    jean.select_option("#rotation", "loser")
    jean.click(".pick .btn")
    at_the_table(jean)
    row = ines.locator("#room-tables li", has_text="à tour de rôle")
    ines.goto(room)
    row.locator(".btn-1").click()
    at_the_table(ines)
    kim.goto(room)
    kim.locator("#room-tables button[value=line_up]").click()
    expect(kim.locator("#room-tables")).to_contain_text("Kim")
    kim.locator("#room-tables li", has_text="à tour de rôle").get_by_role("link").click()
    at_the_table(kim)
    ines.click("[data-act=menu]")
    ines.click("[data-act=resign]")
    ines.click("dialog[open] .btn-danger")
    expect(ines.locator(".go")).to_contain_text("Vous laissez votre place à Kim")
    assert wrong_with(ines, "making room") + wrong_with(kim, "taking a place") == []
    kim.get_by_role("button", name="Prendre la place").click()
    expect(kim.locator(".go")).to_contain_text("C’est noté")
    host = ines.context.new_page()
    host.goto(f"{room}settings/")
    host.click(".custom > summary")
    host.select_option("#id_undercut", "20")
    host.click(".send button")
    expect(kim.locator("#toast")).to_contain_text("Les conditions de la prochaine partie")
    kim.get_by_role("button", name="Prendre la place").click()
    jean.get_by_role("button", name="Partie suivante").click()
    expect(kim.locator("p.turn")).to_be_visible()
    expect(kim.locator("body")).to_contain_text("Jean")
    expect(ines.get_by_role("button", name="Quitter la file").first).to_be_visible()
