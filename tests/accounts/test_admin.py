"""The administration of people: what it does, and what staff may not do."""

from __future__ import annotations

import re
from datetime import timedelta

import pytest
from django.contrib.admin.models import LogEntry
from django.contrib.auth.models import Group, Permission
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from accounts import people, suspensions
from accounts.models import User

NEW = "trefle-et-pique-22"


@pytest.fixture
def host(db):
    return User.objects.create_superuser("hote", password=NEW)


@pytest.fixture
def helper(db):
    """Staff with every right over people and groups that Django can give, but no superuser."""
    user = User.objects.create_user("aide", password=NEW, is_staff=True)
    user.user_permissions.set(
        Permission.objects.filter(content_type__app_label__in=["accounts", "auth"])
    )
    return user


@pytest.fixture
def bells(monkeypatch, django_capture_on_commit_callbacks):
    rung: list[str] = []
    monkeypatch.setattr(people.live, "ring", rung.append)
    return rung


def signed_in(user):
    client = Client()
    client.force_login(user)
    return client


def page(name, *args):
    return reverse(f"admin:{name}", args=args)


def change(actor, person, **changes):
    data = {"username": person.username, "email": person.email, "language": person.language}
    for shown in ("suspensions", "sign_ins"):  # lists on the page, of which nothing is changed
        data |= {f"{shown}-TOTAL_FORMS": "0", f"{shown}-INITIAL_FORMS": "0"}
    data.update(changes)
    sent = {name: value for name, value in data.items() if value is not None}
    return signed_in(actor).post(page("accounts_user_change", person.pk), sent)


def act(actor, action, *chosen, **more):
    """Choose people on the list and an action; with its reason, unless another test wants none."""
    data = {"action": action, "_selected_action": [user.pk for user in chosen]}
    data |= {"reason": "Insultes à la table"} | more
    return signed_in(actor).post(page("accounts_user_changelist"), data, follow=True)


# --- the pages themselves


def test_every_page_of_people_opens_and_holds_no_inline_script_or_style(host, alice):
    paths = [
        page("index"),
        page("app_list", "accounts"),
        page("accounts_user_changelist"),
        page("accounts_user_changelist") + "?q=ALI&is_active__exact=1",
        page("accounts_user_add"),
        page("accounts_user_change", alice.pk),
        page("accounts_user_history", alice.pk),
        page("accounts_user_reset_link", alice.pk),
        page("accounts_user_suspend", alice.pk),
        page("accounts_user_reinstate", alice.pk),
        page("admin_logentry_changelist"),
        page("auth_user_password_change", alice.pk),
        page("auth_group_changelist"),
        page("auth_group_add"),
    ]
    client = signed_in(host)
    for path in paths:
        answer = client.get(path)
        assert answer.status_code == 200, path
        html = answer.content.decode()
        assert not re.search(r"\sstyle=|<style|\son[a-z]+=\"|javascript:", html), path
        for tag in re.findall(r"<script[^>]*>", html):
            assert "src=" in tag or "application/json" in tag or "data-" in tag, (path, tag)


def test_addresses_kept_by_allauth_are_not_shown(host):
    assert "emailaddress" not in signed_in(host).get(page("index")).content.decode().lower()


@pytest.mark.parametrize("typed", ["ALICE", "ａlice", "alice@EXAMPLE.org", "ali"])
def test_people_are_found_by_name_or_address_in_any_case(host, alice, bob, typed):
    alice.email = "alice@example.org"
    alice.save()
    answer = signed_in(host).get(page("accounts_user_changelist"), {"q": typed})
    assert list(answer.context["cl"].queryset) == [alice]


def test_the_admin_signs_in_by_the_sites_own_page_with_its_limits(client, host, alice):
    assert (
        client.get("/admin/login/?next=/admin/")["Location"] == "/account/login/?next=%2Fadmin%2F"
    )
    assert client.post("/admin/login/", {"username": "hote", "password": NEW}).status_code == 302
    assert "_auth_user_id" not in client.session
    assert signed_in(alice).get("/admin/", follow=True).status_code == 403


def test_a_person_added_by_the_host_can_play_and_nothing_more(host):
    data = {"username": "Dora", "password1": NEW, "password2": NEW, "is_superuser": "on"}
    signed_in(host).post(page("accounts_user_add"), data)
    dora = User.objects.get(name_key="dora")
    assert dora.check_password(NEW)
    assert (dora.is_staff, dora.is_superuser) == (False, False)


@pytest.mark.parametrize("name", ["ALICE", "Ａlice", "x", "bo\u202eb"])
def test_a_name_is_refused_in_the_admin_as_elsewhere(host, alice, bob, name):
    data = {"username": name, "password1": NEW, "password2": NEW}
    assert signed_in(host).post(page("accounts_user_add"), data).status_code == 200
    assert change(host, bob, username=name).status_code == 200
    bob.refresh_from_db()
    assert bob.username == "bob"
    assert User.objects.count() == 3


def test_nobody_is_deleted(host, alice):
    client = signed_in(host)
    assert client.post(page("accounts_user_delete", alice.pk), {"post": "yes"}).status_code == 403
    act(host, "delete_selected", alice)
    assert User.objects.filter(pk=alice.pk).exists()


# --- suspending


@pytest.mark.django_db(transaction=True)
def test_suspending_shuts_out_at_once_and_rings(host, alice, bells):
    at_home = signed_in(alice)
    signed_in(host).post(page("accounts_user_suspend", alice.pk), {"reason": "Triche"})
    assert bells == [f"user.{alice.pk}"]
    assert at_home.get("/account/").status_code == 302


@pytest.mark.django_db(transaction=True)
def test_people_are_suspended_and_reinstated_together(host, alice, bob, bells):
    act(host, "suspend", alice, bob)
    assert not User.objects.filter(pk__in=[alice.pk, bob.pk], is_active=True).exists()
    assert sorted(bells) == sorted([f"user.{alice.pk}", f"user.{bob.pk}"])
    act(host, "reinstate", alice)
    assert User.objects.get(pk=alice.pk).is_active
    assert LogEntry.objects.filter(user=host).count() == 3


def test_the_host_cannot_shut_themselves_out(host):
    assert signed_in(host).get(page("accounts_user_suspend", host.pk)).status_code == 403
    act(host, "suspend", host)
    host.refresh_from_db()
    assert (host.is_active, host.is_staff, host.is_superuser) == (True, True, True)


def test_a_suspension_says_why_until_when_and_by_whom(host, alice):
    day = timezone.localdate() + timedelta(days=3)
    data = {"reason": "Insultes", "until": day.isoformat()}
    signed_in(host).post(page("accounts_user_suspend", alice.pk), data)
    told = suspensions.of(alice.pk)
    assert (told.reason, told.by) == ("Insultes", host)
    assert timezone.localtime(told.until).date() == day + timedelta(days=1)
    entry = LogEntry.objects.get(user=host)
    assert "Insultes" in entry.change_message
    html = signed_in(host).get(page("accounts_user_change", alice.pk)).content.decode()
    assert "Insultes" in html
    assert page("accounts_user_reinstate", alice.pk) in html


@pytest.mark.parametrize("wrong", [{"reason": " "}, {"until": "2020-01-01"}, {"until": "demain"},
                                   {"until": "9999-12-31"}])  # fmt: skip
def test_nobody_is_suspended_without_a_reason_or_for_the_past(host, alice, wrong):
    data = {"reason": "Insultes", **wrong}
    answer = signed_in(host).post(page("accounts_user_suspend", alice.pk), data)
    assert answer.status_code == 200
    assert "errorlist" in answer.content.decode()
    act(host, "suspend", alice, reason="")
    alice.refresh_from_db()
    assert alice.is_active
    assert not LogEntry.objects.exists()


def test_only_the_suspended_are_reinstated(host, alice, bob):
    User.objects.filter(pk=bob.pk).update(is_active=False)  # somebody who left for good
    suspensions.suspend([alice], "Triche")
    act(host, "reinstate", alice, bob)
    assert User.objects.get(pk=alice.pk).is_active
    assert not User.objects.get(pk=bob.pk).is_active


def test_the_journal_shows_who_did_what_and_why_to_superusers_alone(host, helper, alice):
    act(helper, "suspend", alice, reason="Insultes à bob")
    html = signed_in(host).get(page("admin_logentry_changelist")).content.decode()
    assert "Insultes à bob" in html
    assert "aide" in html
    assert signed_in(helper).get(page("admin_logentry_changelist")).status_code == 403


@pytest.mark.django_db(transaction=True)
def test_a_password_chosen_by_the_admin_rings(host, alice, bells):
    data = {"password1": NEW, "password2": NEW}
    signed_in(host).post(page("auth_user_password_change", alice.pk), data)
    assert User.objects.get(pk=alice.pk).check_password(NEW)
    assert bells == [f"user.{alice.pk}"]


# --- what staff may not do


def test_staff_help_players(helper, alice):
    change(helper, alice, email="alice@example.org")
    alice.refresh_from_db()
    assert alice.email == "alice@example.org"
    act(helper, "suspend", alice)
    alice.refresh_from_db()
    assert not alice.is_active


def test_staff_cannot_raise_a_players_rights(helper, alice):
    everything = [permission.pk for permission in Permission.objects.all()[:5]]
    group = Group.objects.create(name="arbitres")
    change(helper, alice, is_superuser="on", is_staff="on", groups=[group.pk],
           user_permissions=everything)  # fmt: skip
    alice.refresh_from_db()
    assert (alice.is_superuser, alice.is_staff) == (False, False)
    assert not alice.groups.exists()
    assert not alice.user_permissions.exists()


@pytest.mark.parametrize("person", ["host", "helper", "colleague"])
def test_staff_cannot_change_anyone_with_rights(helper, host, person):
    colleague = User.objects.create_user("collegue", password="x", is_staff=True)
    target = {"host": host, "helper": helper, "colleague": colleague}[person]
    before = User.objects.filter(pk=target.pk).values().get()
    assert change(helper, target, email="pris@example.org", is_superuser="on").status_code == 403
    client = signed_in(helper)
    for name in ("auth_user_password_change", "accounts_user_reset_link", "accounts_user_suspend",
                 "accounts_user_reinstate"):  # fmt: skip
        data = {"password1": NEW, "password2": NEW, "reason": "Parce que"}
        assert client.get(page(name, target.pk)).status_code == 403
        assert client.post(page(name, target.pk), data).status_code == 403
    act(helper, "suspend", target)
    after = User.objects.filter(pk=target.pk).values().get()
    after["last_login"] = before["last_login"]
    assert after == before


def test_staff_cannot_read_a_password_hash(helper, host):
    html = signed_in(helper).get(page("accounts_user_change", host.pk)).content.decode()
    assert host.password not in html
    assert host.password.split("$")[-1] not in html


@pytest.mark.parametrize("lookup", ["password__startswith", "user_permissions__codename"])
def test_staff_cannot_fish_for_secrets_by_filters(helper, host, lookup):
    client = signed_in(helper)
    path = page("accounts_user_changelist")
    assert client.get(path, {lookup: "a"}).status_code == 400


def test_staff_cannot_write_rights_into_a_group(helper):
    group = Group.objects.create(name="arbitres")
    helper.groups.add(group)
    client = signed_in(helper)
    data = {"name": "arbitres", "permissions": [p.pk for p in Permission.objects.all()[:5]]}
    assert client.post(page("auth_group_change", group.pk), data).status_code == 403
    assert client.post(page("auth_group_add"), data).status_code == 403
    assert not group.permissions.exists()


def test_staff_add_people_without_rights(helper):
    data = {"username": "Dora", "password1": NEW, "password2": NEW, "is_superuser": "on"}
    signed_in(helper).post(page("accounts_user_add"), data)
    assert not User.objects.get(name_key="dora").is_superuser


# --- the reset link


def test_the_reset_link_is_made_by_a_button_and_opens_the_account(host, alice):
    client = signed_in(host)
    path = page("accounts_user_reset_link", alice.pk)
    assert "/reset/key/" not in client.get(path).content.decode()
    shown = client.post(path)
    assert "no-store" in shown["Cache-Control"]
    link = re.search(r'value="(https?://[^/"]+(/account/password/reset/key/[^"]+))"',
                     shown.content.decode())[2]  # fmt: skip
    visitor = Client()
    form = visitor.get(link)["Location"]
    visitor.post(form, {"password1": NEW})
    assert User.objects.get(pk=alice.pk).check_password(NEW)
    entry = LogEntry.objects.get(user=host)
    assert "/reset/key/" not in entry.change_message


def test_a_reset_link_is_not_made_for_the_suspended(host, alice):
    suspensions.suspend([alice], "Triche")
    answer = signed_in(host).post(page("accounts_user_reset_link", alice.pk))
    assert answer.status_code == 302


def test_a_reset_link_of_nobody_is_not_found(host):
    assert signed_in(host).get(page("accounts_user_reset_link", 987654)).status_code == 404


def test_a_player_gets_no_reset_link(alice, bob):
    assert signed_in(alice).post(page("accounts_user_reset_link", bob.pk)).status_code == 302


@pytest.mark.parametrize("model", ["mfa/authenticator", "usersessions/usersession"])
def test_what_opens_somebodys_account_is_not_in_the_administration(host, model):
    assert signed_in(host).get(f"/admin/{model}/").status_code == 404
    assert model not in signed_in(host).get("/admin/").content.decode()
