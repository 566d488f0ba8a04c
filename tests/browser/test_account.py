"""One's own account in Chromium: deleted, opened with two steps or a passkey, closed elsewhere."""

from __future__ import annotations

import pytest
from playwright.sync_api import Page, expect

from tests.browser.hands import click_on, open_room
from tests.browser.test_axe import wrong_with
from tests.conftest import PASSWORD
from tests.second_step import code_of

SCREENS = ("phone", "laptop")
APP = "/account/two-steps/app/"


def confirm(page: Page, path: str) -> None:
    """Go where the password is asked again first, and type it."""
    page.goto(path)
    if "/confirm/" in page.url:
        page.fill("input[name=password]", PASSWORD)
        page.press("input[name=password]", "Enter")
    page.wait_for_url(f"**{path}")


def set_up(page: Page) -> str:
    """Set the app up; returns its key."""
    confirm(page, APP)
    secret = page.inner_text(".key")
    page.fill("input[name=code]", code_of(secret))
    page.press("input[name=code]", "Enter")
    page.wait_for_url("**/codes/")
    return secret


def sign_in(page: Page, name: str) -> None:
    page.goto("/account/login/")
    page.fill("input[name=login]", name)
    page.fill("input[name=password]", PASSWORD)
    page.press("input[name=password]", "Enter")


def test_whoever_played_with_a_deleted_account_keeps_the_sheet(together):
    alice, bob = together(("Partante", "Restante"), ("laptop", "phone"))
    for act in ("menu", "resign", "resign-confirm"):
        click_on(alice, act)
    expect(bob.locator("body")).to_have_attribute("data-state", "finished")
    bob.click(".befriend button")  # the table comes again
    expect(bob.locator(".befriend")).to_have_count(0)
    expect(bob.locator("body")).to_have_attribute("data-state", "finished")
    alice.goto("/friends/")
    expect(alice.locator("main")).to_contain_text("Restante")
    alice.click("button[value=link]")
    assert wrong_with(alice, "friends") == []
    bob.goto("/f/" + alice.input_value("#friend-link").partition("/f/")[2])
    assert wrong_with(bob, "a friend's link") == []
    bob.click("main form button")
    expect(bob.locator(".note")).to_contain_text("maintenant amis")
    bob.goto("/history/")
    expect(bob.locator(".hl")).to_contain_text("Partante")
    sheet = bob.get_attribute("a.sheet", "href")
    bob.goto(sheet)
    totals = bob.locator("table.paper, .paper table").first.inner_text().replace("Partante", "")
    alice.goto("/account/")
    alice.click("a.btn-danger")
    assert wrong_with(alice, "deleting") == []
    alice.fill("input[name=password]", PASSWORD)
    alice.click("button.btn-danger")
    expect(alice.locator(".note")).to_contain_text("Votre compte est supprimé")
    bob.goto("/history/")
    expect(bob.locator(".hl")).to_contain_text("joueur supprimé")
    expect(bob.locator("main")).not_to_contain_text("Partante")
    bob.goto(sheet)
    after = bob.locator("table.paper, .paper table").first.inner_text()
    assert after.replace("joueur supprimé", "") == totals
    sign_in(alice, "Partante")
    expect(alice.locator(".err")).to_be_visible()


@pytest.mark.parametrize("screen", SCREENS)
def test_axe_finds_nothing_on_the_pages_of_an_account(player, window, site, screen):
    name = f"Prudente {screen}"
    page = player(name, screen)
    said = []
    for path in ("/account/", "/account/delete/", "/account/devices/", "/account/two-steps/"):
        page.goto(path)
        said += wrong_with(page, path)
    page.goto(APP)
    said += wrong_with(page, "the password again")
    confirm(page, APP)
    said += wrong_with(page, "the app")
    assert page.evaluate("document.querySelector('.qr-code img').naturalWidth") > 100
    secret = set_up(page)
    for path in (
        "/account/two-steps/codes/", "/account/two-steps/codes/new/", "/account/two-steps/",
        "/account/two-steps/app/remove/", "/account/two-steps/keys/add/",
    ):  # fmt: skip
        page.goto(path)
        said += wrong_with(page, path)
    other = window(site.url, screen)
    sign_in(other, name)
    other.wait_for_url("**/two-steps/sign-in/")
    said += wrong_with(other, "the second step")
    other.fill("input[name=code]", code_of(secret))
    other.press("input[name=code]", "Enter")
    expect(other.locator(".who")).to_be_visible()
    assert said == []


def test_a_passkey_opens_the_door_by_itself(player):
    page = player("Empreinte")
    page.goto(page.url.replace("127.0.0.1", "localhost"))
    line = page.context.new_cdp_session(page)
    line.send("WebAuthn.enable")
    key = {
        "protocol": "ctap2", "transport": "internal", "hasResidentKey": True,
        "hasUserVerification": True, "isUserVerified": True,
    }  # fmt: skip
    line.send("WebAuthn.addVirtualAuthenticator", {"options": key})
    confirm(page, "/account/two-steps/keys/add/")
    page.click("form[data-passkey] button")
    page.wait_for_url("**/codes/")
    page.goto("/account/two-steps/")
    expect(page.locator(".places li")).to_have_count(1)
    page.context.clear_cookies()
    page.goto("/account/login/")
    page.click("form[data-passkey] button")
    expect(page.locator(".who-name")).to_have_text("Empreinte")


def test_a_device_is_signed_out_from_another(player, window, site):
    laptop = player("Nomade")
    phone = window(site.url, "phone")
    sign_in(phone, "Nomade")
    expect(phone.locator(".who")).to_be_visible()
    laptop.goto("/account/devices/")
    expect(laptop.locator(".places li")).to_have_count(2)
    laptop.locator(".places button").first.click()
    expect(laptop.locator(".places li")).to_have_count(1)
    phone.goto("/account/")
    assert "/login/" in phone.url


@pytest.mark.parametrize("screen", SCREENS)
def test_a_friend_s_invitation_shows_on_the_open_home_page(player, screen):
    alice, bob = player(f"Amie {screen}", screen), player(f"Ami {screen}")
    open_room(alice, "Salle des amis")
    bob.goto("/")
    alice.goto("/friends/")
    alice.fill("input[name=name]", f"Ami {screen}")
    alice.click("button[value=ask]")
    bob.click("#lists button[value=accept]")  # it came by itself
    bob.goto("/")
    alice.goto("/friends/")
    said = wrong_with(alice, "friends")
    alice.click("button[value=invite]")
    expect(bob.locator("#lists")).to_contain_text("vous invite dans «\u00a0Salle des amis\u00a0»")
    said += wrong_with(bob, "invited")
    bob.click("#lists button[name=come]")
    bob.wait_for_url("**/rooms/*/")
    assert said == []
