"""A morning of whoever looks after the site, while two people play."""

from __future__ import annotations

import pytest
from playwright.sync_api import expect

from tests import processes
from tests.browser.test_axe import wrong_with

SEED = """
from allauth.mfa.models import Authenticator
from accounts.models import User
from games import talk
from games.models import GameSeat
from tests.sockets import cookie_of
host, _new = User.objects.get_or_create(username="gardien", is_staff=True, is_superuser=True)
Authenticator.objects.get_or_create(user=host, type="totp", defaults={"data": {"secret": "x"}})
bad, good = (User.objects.named(name).get() for name in ("NAMES"))
game = GameSeat.objects.filter(user=bad).latest("pk").game
said = talk.say(game.table.room_id, None, bad.pk, "Espèce de tricheur")
talk.report(said, good.pk, "Il m'insulte")
print(cookie_of(host))
"""


def host_of(site, bad: str, good: str) -> str:
    """A host with two steps, in whose absence one has insulted the other; their cookie."""
    env = {"DATA_DIR": str(site.log_file.parent / "data")}
    seed = SEED.replace('"NAMES"', f'"{bad}", "{good}"')
    told = processes.manage(env, "shell", "--no-imports", "--verbosity", "0", "--command", seed)
    return told.split()[-1].partition("=")[2]


@pytest.mark.parametrize("screen", ["laptop", "phone"])
def test_a_morning_in_the_administration(screen, site, together, seated, faults):
    bad, good = f"Hargneux {screen}", f"Paisible {screen}"
    theirs, other = together((bad, good))
    host = seated(host_of(site, bad, good), screen)

    # The report is told of on the first page; it is read, and its author muted.
    host.goto("/admin/")
    expect(host.locator("html")).to_have_attribute("lang", "fr")
    expect(host.locator(".now")).to_contain_text("Signalements à examiner")
    assert wrong_with(host, "first page of the administration") == []
    host.click(".figures .alert a")
    host.locator("#result_list tbody th a").first.click()
    expect(host.locator("body")).to_contain_text("Espèce de tricheur")
    host.click("button[value=mute]")
    expect(host.locator(".messagelist")).to_contain_text("ne peut plus écrire")

    # Its author is found by name and suspended, in the middle of the game.
    host.goto("/admin/accounts/user/")
    host.fill("#searchbar", bad.upper())
    host.press("#searchbar", "Enter")
    host.click("#result_list tbody th a")
    host.click(".object-tools >> text=Suspendre")
    assert wrong_with(host, "suspending") == []
    host.fill("textarea[name=reason]", "Insultes")
    host.click("input[type=submit].default")
    expect(host.locator(".messagelist")).to_contain_text("1 personne suspendue")
    expect(host.locator("#content")).to_contain_text("Suspendu")
    theirs.wait_for_url("**/account/login/**")  # the page by itself, without a click
    expect(other.get_by_role("status").filter(has_text=f"{bad} n’est plus là")).to_be_attached()
    expect(other.locator("body")).to_have_attribute("data-state", "playing")

    # The game is declared void, and its sheet corrected.
    host.click(".object-tools >> text=Ses parties")
    host.locator("#result_list tbody th a").first.click()
    host.click(".object-tools >> text=Annuler la partie")
    host.fill("textarea[name=reason]", "Insultes")
    host.click("input[type=submit].default")
    expect(other.locator("body")).to_have_attribute("data-state", "finished")
    host.click(".object-tools >> text=Sa feuille")
    host.click(".object-tools >> text=Écrire une correction")
    host.fill("input[name=points]", "12")
    host.fill("textarea[name=reason]", "Dédommagement")
    host.click("input[type=submit].default")
    expect(host.locator("#content")).to_contain_text("Dédommagement")

    # All of it stands in the journal.
    host.goto("/admin/admin/logentry/")
    for words in ("Insultes", "Dédommagement", "Partie annulée"):
        expect(host.locator("#result_list")).to_contain_text(words)
    faults.clear()  # the address of a socket that was closed on the suspended
