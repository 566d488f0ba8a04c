"""Signing up, in and out through the pages, and where one lands."""

from __future__ import annotations

import pytest
from allauth.core import ratelimit
from django.contrib.auth import get_user
from django.test import Client, RequestFactory
from django.urls import reverse

from accounts import names, people, suspensions
from accounts.backends import NameBackend
from accounts.models import SignIn, User

PASSWORD = "violette-et-bois-mort-7"
INVITATION = "/j/un-jeton-d-invitation/"


@pytest.fixture
def bells(monkeypatch):
    """Every group rung, in order."""
    rung: list[str] = []
    monkeypatch.setattr(people.live, "ring", rung.append)
    return rung


def sign_up(client, name="Dora", password=PASSWORD, **more):
    return client.post("/account/signup/", {"username": name, "password1": password, **more})


def sign_in(client, name="alice", password=PASSWORD, **more):
    return client.post("/account/login/", {"login": name, "password": password, **more})


def refusals(answer):
    return [error.code for errors in answer.context["form"].errors.as_data().values()
            for error in errors]  # fmt: skip


# --- signing up


@pytest.mark.django_db
def test_a_name_and_a_password_are_enough(client):
    answer = sign_up(client)
    assert (answer.status_code, answer["Location"]) == (302, "/")
    user = get_user(client)
    assert (user.username, user.email, user.is_staff) == ("Dora", "", False)
    assert user.check_password(PASSWORD)


@pytest.mark.django_db
def test_a_friend_with_an_invitation_comes_back_to_it_after_signing_up(client):
    page = client.get("/account/login/", {"next": INVITATION}).content.decode()
    assert "/account/signup/?next=" in page
    page = client.get("/account/signup/", {"next": INVITATION}).content.decode()
    assert f'name="next" value="{INVITATION}"' in page
    assert sign_up(client, next=INVITATION)["Location"] == INVITATION


@pytest.mark.django_db
def test_the_invitation_survives_a_refused_sign_up(client):
    page = sign_up(client, name="x", next=INVITATION)
    assert f'name="next" value="{INVITATION}"' in page.content.decode()


@pytest.mark.django_db
@pytest.mark.parametrize("name", ["alice", "ALICE", "Ａlice", " alice "])
def test_a_name_that_looks_taken_is_refused(client, alice, name):
    answer = sign_up(client, name)
    assert answer.status_code == 200
    assert "username" in answer.context["form"].errors
    assert User.objects.count() == 1


@pytest.mark.django_db
@pytest.mark.parametrize("name", ["bo\u202eb", "аlice", "x" * 25, "<script>", "b\x00b", ""])
def test_a_hostile_name_is_refused_with_a_sentence(client, name):
    answer = sign_up(client, name)
    assert answer.status_code == 200
    assert answer.context["form"].errors["username"]
    assert not User.objects.exists()


@pytest.mark.django_db
def test_two_people_taking_one_name_at_once_get_one_account(client, alice, monkeypatch):
    """The second passes the form before the first is written: the database decides."""
    monkeypatch.setattr("accounts.adapter.Adapter.clean_username", lambda self, name, **k: name)
    answer = sign_up(client, "ALICE")
    assert answer.status_code == 200
    assert answer.context["form"].errors["username"]
    assert User.objects.count() == 1


@pytest.mark.django_db
@pytest.mark.parametrize("password", ["court7", "12345678901", "password", "Dora-Dora"])
def test_a_weak_password_is_refused(client, password):
    answer = sign_up(client, name="Dora-Dora", password=password)
    assert answer.context["form"].errors["password1"]
    assert not User.objects.exists()


@pytest.mark.django_db
def test_an_address_already_known_here_is_not_told(client, alice):
    alice.email = "famille@example.org"
    alice.save()
    assert sign_up(client, email="Famille@Example.org").status_code == 302
    assert User.objects.get(username="Dora").email == "famille@example.org"


@pytest.mark.django_db
def test_sign_ups_are_limited(client):
    answers = [sign_up(client, name="x").status_code for _ in range(11)]
    assert answers == [200] * 10 + [429]


# --- signing in


@pytest.mark.django_db
@pytest.mark.parametrize("name", ["alice", "ALICE", " Alice", "ａｌｉｃｅ"])
def test_the_name_signs_in_in_any_case(client, alice, name):
    assert sign_in(client, name).status_code == 302
    assert get_user(client) == alice


@pytest.mark.django_db
def test_accents_are_found_in_any_case(client):
    elodie = User.objects.create_user("Élodie", password=PASSWORD)
    sign_in(client, "éLODIE")
    assert get_user(client) == elodie


@pytest.mark.django_db
def test_a_wrong_password_and_an_unknown_name_get_the_same_answer(client, alice):
    wrong = sign_in(client, password="pas-le-bon-mot")
    unknown = sign_in(client, name="personne")
    assert wrong.context["form"].errors == unknown.context["form"].errors
    assert not get_user(client).is_authenticated


@pytest.mark.django_db
@pytest.mark.parametrize(
    "away",
    ["https://evil.example/", "//evil.example/", "/\\evil.example", "javascript:alert(1)",
     "http:///evil.example", "https:evil.example"],
)  # fmt: skip
@pytest.mark.parametrize("door", [sign_in, sign_up])
def test_next_leads_nowhere_else(client, alice, away, door):
    assert door(client, next=away)["Location"] == "/"


@pytest.mark.django_db
def test_failed_sign_ins_are_limited_however_the_name_is_spelt(client, alice):
    spellings = ["alice", "ALICE", "Alice", "aLICE", "ａlice", "alIce", "Ａlice", "ALIce"]
    for name in spellings:
        sign_in(client, name, "faux-mot-de-passe")
    answer = sign_in(client)
    assert refusals(answer) == ["too_many_login_attempts"]
    assert not get_user(client).is_authenticated


@pytest.mark.django_db
def test_the_limit_of_one_person_does_not_touch_another(client, alice, bob):
    for _ in range(9):
        sign_in(client, "alice", "faux-mot-de-passe")
    assert sign_in(client, "bob").status_code == 302


@pytest.mark.django_db
def test_nobody_elsewhere_shuts_somebody_out_of_their_account(client, settings, alice):
    """Nor are strangers let guess for ever from ever other places."""
    settings.ALLAUTH_TRUSTED_PROXY_COUNT = 1

    def tried(place, password):
        return client.post("/account/login/", {"login": "alice", "password": password},
                           headers={"x-forwarded-for": place})  # fmt: skip

    for _try in range(8):
        tried("203.0.113.7", "faux")
    assert refusals(tried("203.0.113.99", PASSWORD)) == ["too_many_login_attempts"]
    assert tried("198.51.100.7", PASSWORD).status_code == 302
    client.logout()
    key = names.key("alice")
    for _elsewhere in range(60):
        ratelimit.consume(RequestFactory().post("/"), action="login_failed_anywhere", key=key)
    assert refusals(tried("192.0.2.7", PASSWORD)) == ["too_many_login_attempts"]
    assert tried("198.51.100.8", PASSWORD).status_code == 302


@pytest.mark.django_db
def test_guesses_at_one_moment_from_many_places_count_one_another(settings, alice, monkeypatch):
    settings.ALLAUTH_TRUSTED_PROXY_COUNT = 1
    settings.ACCOUNT_RATE_LIMITS = {
        **settings.ACCOUNT_RATE_LIMITS, "login_failed_anywhere": "3/h/key"
    }  # fmt: skip
    looked_at = []

    def guess(place):
        Client().post("/account/login/", {"login": "alice", "password": "faux"},
                      headers={"x-forwarded-for": f"203.0.{place}.7"})  # fmt: skip

    def slow(self, request, **credentials):
        looked_at.append(credentials)
        if len(looked_at) < 9:  # another comes while this one is looked at
            guess(len(looked_at))

    monkeypatch.setattr(NameBackend, "authenticate", slow)
    guess(0)
    assert len(looked_at) == 3


@pytest.mark.django_db
def test_a_right_password_is_no_failure_anywhere(client, settings, alice):
    settings.ACCOUNT_RATE_LIMITS = {
        **settings.ACCOUNT_RATE_LIMITS, "login_failed_anywhere": "2/h/key"
    }  # fmt: skip
    SignIn.objects.all().delete()
    for _time in range(3):
        assert sign_in(client).status_code == 302
        client.logout()
        SignIn.objects.all().delete()  # nobody knows them from here


@pytest.mark.django_db
def test_whoever_is_shut_out_by_others_comes_in_by_a_link(client, alice):
    for _elsewhere in range(60):
        ratelimit.consume(
            RequestFactory().post("/"), action="login_failed_anywhere", key=names.key("alice")
        )
    assert refusals(sign_in(client)) == ["too_many_login_attempts"]
    form = client.get(people.reset_path(alice))
    client.post(form["Location"], {"password1": "trefle-et-pique-22"})
    assert sign_in(client, password="trefle-et-pique-22").status_code == 302


@pytest.mark.django_db
def test_sign_ins_are_counted_by_the_address_the_trusted_proxy_saw(client, settings, alice):
    settings.ALLAUTH_TRUSTED_PROXY_COUNT = 1
    for n in range(31):  # what a client claims ahead of the proxy's entry changes nothing
        last = client.post("/account/login/", {"login": f"qui{n}"},
                           headers={"x-forwarded-for": f"10.9.8.{n}, 203.0.113.7"})  # fmt: skip
    assert last.status_code == 429
    other = client.post("/account/login/", {"login": "qui"},
                        headers={"x-forwarded-for": "203.0.113.7, 203.0.113.8"})  # fmt: skip
    assert other.status_code == 200


@pytest.mark.django_db
@pytest.mark.parametrize("seen", ["203.0.113.7", "2001:db8::7", " 203.0.113.7:9000 "])
def test_who_came_past_fewer_proxies_than_are_trusted_is_counted_as_the_first_saw_them(
    client, settings, alice, seen
):
    settings.ALLAUTH_TRUSTED_PROXY_COUNT = 2
    elsewhere = {"x-forwarded-for": "203.0.113.8"}
    for n in range(31):
        last = client.post("/account/login/", {"login": f"qui{n}"},
                           headers={"x-forwarded-for": seen})  # fmt: skip
    assert last.status_code == 429
    assert client.post("/account/login/", {"login": "qui"}, headers=elsewhere).status_code == 200


@pytest.mark.django_db
def test_an_address_that_is_none_opens_nothing_and_breaks_nothing(client, settings):
    settings.ALLAUTH_TRUSTED_PROXY_COUNT = 2
    for said in ("unknown", "\x00", "203.0.113.7.8"):
        answer = client.post("/account/login/", {"login": "x"}, headers={"x-forwarded-for": said})
        assert answer.status_code == 403


@pytest.mark.django_db
def test_without_a_proxy_a_claimed_address_is_ignored(client, alice):
    for n in range(31):
        last = client.post("/account/login/", {"login": f"qui{n}"},
                           headers={"x-forwarded-for": f"10.9.8.{n}"})  # fmt: skip
    assert last.status_code == 429


@pytest.mark.django_db
def test_a_suspended_player_is_told_so_only_with_the_right_password(client, alice):
    suspensions.suspend([alice], "Triche")
    assert sign_in(client)["Location"] == reverse("account_inactive")
    assert sign_in(client, password="faux-mot-de-passe").status_code == 200
    assert not get_user(client).is_authenticated


@pytest.mark.django_db
def test_the_preferred_language_is_spoken_from_the_sign_in_on(client, alice):
    alice.language = "en"
    alice.save()
    assert sign_in(client).cookies["django_language"].value == "en"


# --- signing out and changing


@pytest.mark.django_db
def test_signing_out_needs_a_button(client, alice):
    client.force_login(alice)
    assert client.get("/account/logout/").status_code == 200
    assert get_user(client).is_authenticated


@pytest.mark.django_db(transaction=True)
@pytest.mark.parametrize("door", ["/account/logout/", "/admin/logout/"])
def test_signing_out_rings_the_sockets_once_the_session_is_gone(client, alice, monkeypatch, door):
    alice.is_staff = True
    alice.save()
    client.force_login(alice)
    heard = []
    key = client.session.session_key
    monkeypatch.setattr(
        people.live, "ring", lambda group: heard.append((group, client.session.exists(key)))
    )
    client.post(door)
    assert heard == [(f"user.{alice.pk}", False)]


@pytest.mark.django_db(transaction=True)
def test_a_new_password_ends_the_other_sessions_and_rings(client, alice, bells):
    elsewhere = type(client)()
    elsewhere.force_login(alice)
    client.force_login(alice)
    new = "trefle-et-pique-22"
    answer = client.post("/account/password/change/", {"oldpassword": PASSWORD, "password1": new})
    assert answer["Location"] == "/account/"
    assert get_user(client) == alice
    assert not get_user(elsewhere).is_authenticated
    assert bells == [f"user.{alice.pk}"]


@pytest.mark.django_db
def test_a_wrong_present_password_changes_nothing(client, alice, bells):
    client.force_login(alice)
    answer = client.post(
        "/account/password/change/", {"oldpassword": "faux", "password1": "trefle-et-pique-22"}
    )
    assert answer.status_code == 200
    assert User.objects.get(pk=alice.pk).check_password(PASSWORD)
    assert bells == []


@pytest.mark.django_db
@pytest.mark.parametrize(
    "path",
    ["email/", "confirm-email/", "reauthenticate/", "reauthenticate/code/", "login/code/confirm/",
     "signup/passkey/", "phone/verify/"],
)  # fmt: skip
def test_pages_of_allauth_without_a_face_here_are_closed(client, alice, path):
    client.force_login(alice)
    assert client.get(f"/account/{path}").status_code == 404
