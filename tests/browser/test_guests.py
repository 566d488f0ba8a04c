"""A friend opens an invitation and plays as a guest, then keeps everything by a password."""

from __future__ import annotations

import re
import time

import pytest
from playwright.sync_api import expect

from tests.browser.hands import click_on, open_room, play_to, step
from tests.browser.test_axe import SCREENS, wrong_with
from tests.conftest import PASSWORD


def path_of(link):
    return link[link.index("/j/") :]


@pytest.fixture
def invited(player, window, site):
    """Somebody waits at a table; the window of whoever they sent the link to, and the link."""

    def invite(host_name, screen="laptop", **options):
        host = player(host_name)
        link = path_of(open_room(host, **options))
        host.locator("a[href^='/tables/']").first.click()
        expect(host.locator("body")).to_have_attribute("data-state", "waiting")
        return host, window(site.url, screen), link

    return invite


@pytest.mark.parametrize("screen", SCREENS)
def test_a_link_a_name_and_the_first_move(invited, screen):
    host, guest, link = invited(f"Hortense {screen}", screen)
    name = f"Gaspard {screen}"
    acts, begun = ["open the link", "write a name", "send it", "move"], time.monotonic()
    guest.goto(link)
    reading = time.monotonic()
    said = wrong_with(guest, "an invitation for a guest")
    looked = time.monotonic() - reading
    guest.fill("input[name=username]", name)
    guest.press("input[name=username]", "Enter")
    guest.wait_for_url(re.compile(r"/tables/\d+/$"))
    for page in (host, guest):
        expect(page.locator("body")).to_have_attribute("data-state", "playing")
    expect(host.locator(".opp .nm")).to_contain_text(name)
    expect(host.locator(".opp .guest")).to_have_text("invité")
    expect(host.locator(".opp .guest")).to_be_visible()
    before = guest.locator("body").get_attribute("data-version")
    while guest.locator("body[data-turn=mine]").count() == 0:
        step([host, guest])
    step([guest, host])
    assert guest.locator("body").get_attribute("data-version") != before
    seconds = time.monotonic() - begun - looked
    print(f"{screen}: {len(acts)} acts, {seconds:.1f} s")  # noqa: T201 - shown with -s
    guest.goto("/")
    said += wrong_with(guest, "home of a guest")
    expect(guest.locator("#lists .games")).to_contain_text(f"Hortense {screen}")
    assert said == []


def test_a_guest_keeps_seat_and_games_after_choosing_a_password(invited, window, site, faults):
    host, guest, link = invited("Octave", preset="first_to_knock")
    guest.goto(link)
    guest.fill("input[name=username]", "octave")  # taken: a free name stands there to be sent
    guest.press("input[name=username]", "Enter")
    expect(guest.locator("input[name=username]")).to_have_value("octave 2")
    faults.clear()  # the browser reports the refused name
    guest.press("input[name=username]", "Enter")
    guest.wait_for_url(re.compile(r"/tables/\d+/$"))
    table = guest.url
    play_to([host, guest], "finished")
    guest.locator(".sum .keep a").click()
    expect(guest.locator("input[name=username]")).to_have_value("octave 2")
    guest.fill("input[name=username]", "Ottavia")
    guest.fill("input[name=password]", PASSWORD)
    guest.press("input[name=password]", "Enter")
    guest.wait_for_url(table)
    expect(guest.locator("body")).to_have_attribute("data-state", "finished")
    expect(guest.locator(".sum .keep")).to_have_count(0)
    elsewhere = window(site.url, "phone")
    elsewhere.goto("/account/login/")
    elsewhere.fill("input[name=login]", "ottavia")
    elsewhere.fill("input[name=password]", PASSWORD)
    elsewhere.press("input[name=password]", "Enter")
    elsewhere.wait_for_url(site.url + "/")
    elsewhere.goto("/history/")
    elsewhere.locator("a[href^='/sheets/']").first.click()
    expect(elsewhere.locator(".paper thead")).to_contain_text("octave 2")  # as it was
    expect(elsewhere.locator(".paper thead small")).to_have_text("invité")
    elsewhere.goto(table)
    expect(elsewhere.locator("body")).to_have_attribute("data-state", "finished")
    for page in (host, elsewhere):
        assert click_on(page, "rematch")
    expect(host.locator("body")).to_have_attribute("data-state", "playing")
    expect(host.locator(".opp .nm")).to_contain_text("Ottavia")
    expect(host.locator(".opp .guest")).to_be_hidden()


@pytest.mark.parametrize("screen", SCREENS)
def test_pages_of_a_guest_fit_and_axe_finds_nothing(invited, faults, screen):
    _host, guest, link = invited(f"Irène {screen}", screen)
    guest.goto(link)
    guest.fill("input[name=username]", f"Irène {screen}")
    guest.press("input[name=username]", "Enter")
    expect(guest.locator("main .err")).to_be_visible()
    said = wrong_with(guest, "a name that is taken")
    faults.clear()  # the browser reports the refused name
    guest.press("input[name=username]", "Enter")
    guest.wait_for_url(re.compile(r"/tables/\d+/$"))
    guest.wait_for_selector(".conn[data-line=open]", state="attached")
    said += wrong_with(guest, "the table of a guest")
    for page in ("/account/keep/", "/account/logout/", "/rooms/", "/history/"):
        guest.goto(page)
        said += wrong_with(guest, page)
    guest.goto("/rooms/")
    guest.locator("main a[href^='/rooms/']:not([href$='new/'])").first.click()
    expect(guest.locator("#room-members .tag", has_text="invité")).to_be_visible()
    said += wrong_with(guest, "the room of a guest")
    assert said == []


def test_a_room_without_guests_asks_for_an_account(player, window, site):
    host = player("Joséphine")
    host.goto("/rooms/new/")
    host.fill("input[name=name]", "Salle sans invités")
    host.check("input[name=guests][value=no]")
    host.click(".send button")
    host.wait_for_url(re.compile(r"/rooms/\d+/$"))
    expect(host.locator(".rm-head")).to_contain_text("sans invités")
    guest = window(site.url, "phone")
    guest.goto(path_of(host.locator("#link").input_value()))
    expect(guest.locator("input[name=username]")).to_have_count(0)
    guest.locator(".inv a[href^='/account/signup/']").click()
    expect(guest.locator("input[name=password1]")).to_be_visible()
