"""Signing in with two steps: set up, asked, lost, and who must have it."""

from __future__ import annotations

import re
import time
from importlib import import_module

import pytest
from allauth.mfa.models import Authenticator
from allauth.mfa.recovery_codes.internal.auth import RecoveryCodes
from allauth.mfa.totp.internal import auth as totp
from allauth.usersessions.models import UserSession
from django.apps import apps
from django.contrib.admin.models import LogEntry
from django.contrib.auth import get_user
from django.contrib.auth.models import Permission
from django.core.cache import cache

from accounts import people, sealing, second_factor
from accounts.forgetting import forget
from accounts.models import User
from tests.conftest import PASSWORD
from tests.games.pages import door, led_to, read
from tests.second_step import code_of

pytestmark = [pytest.mark.django_db, pytest.mark.two_steps]

HOME = "/account/two-steps/"
APP = "/account/two-steps/app/"
CODES = "/account/two-steps/codes/"


def sign_in(name, password=PASSWORD):
    browser = door()
    return browser, browser.post("/account/login/", {"login": name, "password": password})


def set_up(browser):
    """Set the app up as its owner does; returns the key it holds."""
    asked = browser.get(APP)
    if asked.status_code == 302:
        assert led_to(asked).startswith("/account/confirm/")
        browser.post(led_to(asked), {"password": PASSWORD})
    page = read(browser.get(APP))
    secret = re.search(r'class="key">(\w+)<', page)[1]
    assert led_to(browser.post(APP, {"code": code_of(secret)})) == CODES
    return secret


def test_an_app_is_set_up_and_then_asked_for(alice):
    browser, _answer = sign_in("alice")
    assert "Set the app up" in read(browser.get(HOME))
    secret = set_up(browser)
    assert "Remove the app" in read(browser.get(HOME))
    other, answer = sign_in("alice")
    assert led_to(answer) == "/account/two-steps/sign-in/"
    assert not get_user(other).is_authenticated
    assert other.get("/account/").status_code == 302
    read(other.get("/account/two-steps/sign-in/"))
    refused = other.post("/account/two-steps/sign-in/", {"code": "000000"})
    assert "This code is not right" in read(refused)
    other.post("/account/two-steps/sign-in/", {"code": code_of(secret)})
    assert get_user(other).username == "alice"


def test_the_password_is_asked_before_the_app_is_set_up_or_removed(alice):
    browser = door(alice)
    assert led_to(browser.get(APP)).startswith("/account/confirm/")
    answer = browser.post("/account/confirm/", {"password": "faux"})
    assert "This is not your present password." in read(answer)
    set_up(browser)
    later = door(alice)
    assert led_to(later.get(APP + "remove/")).startswith("/account/")
    assert second_factor.has_one(alice.pk)


def test_a_recovery_code_opens_once(alice):
    browser, _answer = sign_in("alice")
    set_up(browser)
    codes = re.findall(r"<li><code>(\d+)</code>", read(browser.get(CODES)))
    assert len(codes) == 10
    assert codes[0] in browser.get(CODES + "download/").content.decode()
    for expected in (True, False):
        other, _answer = sign_in("alice")
        other.post("/account/two-steps/sign-in/", {"code": codes[0]})
        assert get_user(other).is_authenticated is expected


def test_new_codes_replace_the_old_ones(alice):
    browser, _answer = sign_in("alice")
    set_up(browser)
    before = read(browser.get(CODES))
    assert led_to(browser.post(CODES + "new/")) == CODES
    assert re.findall(r"<code>(\d+)", read(browser.get(CODES))) != re.findall(
        r"<code>(\d+)", before
    )


def test_a_code_is_right_a_little_before_and_after_its_time_and_only_once(
    alice, monkeypatch
):
    at = time.time()
    monkeypatch.setattr(totp.time, "time", lambda: at)
    set_up(sign_in("alice")[0])
    secret = sealing.unseal(Authenticator.objects.get(type="totp").data["secret"])
    now = int(at) // 30
    for counter, opens in ((now - 3, False), (now - 1, True), (now - 1, False), (now + 3, False)):
        other, _answer = sign_in("alice")
        code = totp.format_hotp_value(totp.hotp_value(secret, counter))
        other.post("/account/two-steps/sign-in/", {"code": code})
        assert get_user(other).is_authenticated is opens, counter - now


def test_guesses_of_a_code_are_limited(alice):
    set_up(sign_in("alice")[0])
    secret = sealing.unseal(Authenticator.objects.get(type="totp").data["secret"])
    other, _answer = sign_in("alice")
    for _guess in range(8):
        other.post("/account/two-steps/sign-in/", {"code": "000000"})
    other.post("/account/two-steps/sign-in/", {"code": code_of(secret)})
    assert not get_user(other).is_authenticated


def test_the_app_is_removed_with_its_codes(alice):
    browser, _answer = sign_in("alice")
    set_up(browser)
    read(browser.get(APP + "remove/"))
    assert led_to(browser.post(APP + "remove/")) == HOME
    assert not Authenticator.objects.exists()


def test_the_picture_holds_the_name_and_no_script(alice):
    browser, _answer = sign_in("alice")
    browser.post("/account/confirm/?next=" + APP, {"password": PASSWORD})
    page = read(browser.get(APP))
    assert 'src="data:image/svg+xml;base64,' in page
    adapter = second_factor.FactorAdapter()
    assert 'xmlns="http://www.w3.org/2000/svg"' in adapter.build_totp_svg("otpauth://totp/alice")
    assert adapter.build_totp_url(alice, "ABC").startswith("otpauth://totp/alice?secret=ABC")


@pytest.mark.parametrize("rights", [{"is_staff": True}, {"is_staff": True, "is_superuser": True}])
@pytest.mark.parametrize("page", ["/admin/", "/admin/accounts/user/", "/admin/r/1/1/"])
def test_the_administration_opens_only_after_two_steps(page, rights, alice):
    User.objects.filter(pk=alice.pk).update(**rights)
    browser, _answer = sign_in("alice")
    assert led_to(browser.get(page)) == HOME
    assert led_to(browser.post(page)) == HOME
    assert "the administration opens once" in read(browser.get(HOME))
    set_up(browser)
    assert browser.get("/admin/").status_code == 200
    assert 'href="/admin/"' in read(browser.get(HOME))


def test_recovery_codes_alone_are_no_second_step(alice):
    User.objects.filter(pk=alice.pk).update(is_staff=True)
    RecoveryCodes.activate(alice)
    assert led_to(door(alice).get("/admin/")) == HOME


def test_players_need_no_second_step(alice, charlie):
    assert sign_in("alice")[1]["Location"] == "/"
    assert led_to(door(charlie).get("/admin/")).startswith("/admin/login/")


def test_the_first_administrator_is_led_through_it(client):
    client.cookies["django_language"] = "en"
    token = people.make_first_admin_link()
    sent = {"username": "Hôte", "password": PASSWORD}
    assert led_to(client.post(f"/first-admin/{token}/", sent)) == HOME
    assert led_to(client.get("/admin/")) == HOME
    assert client.get(APP).status_code == 200  # the password was just typed
    set_up(client)
    assert client.get("/admin/").status_code == 200


def test_a_reset_link_does_not_go_round_the_second_step(alice):
    set_up(sign_in("alice")[0])
    browser = door()
    alice.refresh_from_db()  # a link dies once its owner has signed in
    page = led_to(browser.get(people.reset_path(alice)))
    browser.post(page, {"password1": "tierce-belote-et-dix-9"})
    assert not get_user(browser).is_authenticated
    assert led_to(sign_in("alice", "tierce-belote-et-dix-9")[1]).endswith("/sign-in/")


# --- passkeys


def test_a_passkey_is_asked_for_this_site_and_person(alice):
    browser, _answer = sign_in("alice")
    browser.post("/account/confirm/?next=/", {"password": PASSWORD})
    answer = browser.get("/account/two-steps/keys/add/")
    asked = answer.context["js_data"]["creation_options"]["publicKey"]
    assert asked["rp"]["name"] == "Gin Rami"
    assert asked["user"]["name"] == "alice"
    read(answer)


@pytest.mark.parametrize("sent", ["", "{}", "[]", "1", '{"id": "x"}', "{", '"' * 9])
def test_a_bent_passkey_is_refused(sent, alice):
    browser, _answer = sign_in("alice")
    browser.post("/account/confirm/?next=/", {"password": PASSWORD})
    answer = browser.post(
        "/account/two-steps/keys/add/", {"name": "x", "credential": sent, "passwordless": "on"}
    )
    assert answer.status_code == 200
    assert door().post("/account/two-steps/keys/sign-in/", {"credential": sent}).status_code == 302
    assert not Authenticator.objects.exists()


def test_the_way_in_by_a_passkey_names_nobody(alice):
    answer = door().get(
        "/account/two-steps/keys/sign-in/", headers={"accept": "application/json"}
    )
    assert answer.json()["request_options"]["publicKey"]["allowCredentials"] == []


# --- at rest, and lost


def test_what_is_kept_of_a_second_step_is_sealed(alice, settings):
    secret = set_up(sign_in("alice")[0])
    kept = {one.type: one.data for one in Authenticator.objects.all()}
    assert secret not in str(kept)
    assert sealing.unseal(kept["totp"]["secret"]) == secret
    assert kept["recovery_codes"]["seed"].startswith(sealing.MARK)
    settings.SECRET_KEY = "another key than before, as long as it must be"
    other, _answer = sign_in("alice")
    answer = other.post("/account/two-steps/sign-in/", {"code": code_of(secret)})
    assert "This code is not right" in read(answer)


def test_what_was_kept_before_in_the_clear_still_opens(alice):
    secret = set_up(sign_in("alice")[0])
    Authenticator.objects.filter(type="totp").update(data={"secret": secret})
    other, _answer = sign_in("alice")
    cache.clear()  # the code was used a moment ago
    other.post("/account/two-steps/sign-in/", {"code": code_of(secret)})
    assert get_user(other).is_authenticated


def test_what_was_kept_in_the_clear_is_sealed_by_a_migration(alice):
    secret = set_up(sign_in("alice")[0])
    Authenticator.objects.filter(type="totp").update(data={"secret": secret})
    migration = import_module("accounts.migrations.0012_second_steps_are_sealed")
    for _twice in range(2):
        migration.seal_all(apps, None)
    kept = {one.type: one.data for one in Authenticator.objects.all()}
    assert kept["totp"]["secret"].startswith(sealing.MARK)
    assert sealing.unseal(kept["totp"]["secret"]) == secret
    assert kept["recovery_codes"]["used_mask"] == 0
    migration.unseal_all(apps, None)
    assert Authenticator.objects.get(type="totp").data == {"secret": secret}


@pytest.fixture
def host(db, monkeypatch):
    monkeypatch.setattr(second_factor, "is_missing", lambda user: False)
    return User.objects.create_superuser("hote", password=PASSWORD)


def lost_step(person):
    return f"/admin/accounts/user/{person.pk}/lost-step/"


def test_a_lost_second_step_is_removed_with_a_reason(host, alice):
    set_up(sign_in("alice")[0])
    office = door(host)
    assert lost_step(alice) in read(office.get(f"/admin/accounts/user/{alice.pk}/change/"))
    read(office.post(lost_step(alice), {"reason": " "}))
    assert second_factor.has_one(alice.pk)
    office.post(lost_step(alice), {"reason": "Téléphone perdu"})
    assert not Authenticator.objects.exists()
    assert "Téléphone perdu" in LogEntry.objects.get(user=host).change_message
    assert sign_in("alice")[1]["Location"] == "/"
    assert lost_step(alice) not in read(office.get(f"/admin/accounts/user/{alice.pk}/change/"))


def test_staff_remove_no_second_step_of_those_with_rights_nor_their_own(host, alice, bob, charlie):
    User.objects.filter(pk__in=[alice.pk, bob.pk]).update(is_staff=True)
    for person in (alice, bob, charlie):
        set_up(sign_in(person.username)[0])
    bob.user_permissions.set(Permission.objects.filter(codename="change_user"))
    sent = {"reason": "Téléphone perdu"}
    said = [door(who).post(lost_step(whose), sent).status_code
            for who, whose in ((bob, alice), (bob, bob), (bob, host), (host, host),
                               (alice, charlie), (bob, charlie), (host, alice))]  # fmt: skip
    assert said == [403, 403, 403, 403, 403, 302, 302]


def test_nothing_of_a_second_step_is_left_of_whoever_deletes_their_account(alice):
    set_up(sign_in("alice")[0])
    forget(alice.pk)
    assert not Authenticator.objects.exists()
    assert not UserSession.objects.exists()
