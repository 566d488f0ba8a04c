"""The computer's accounts: one a level, and nobody's: not by the verbs, not by a raw write."""

from __future__ import annotations

import pytest
from django.db import IntegrityError, transaction

from accounts import bots, guests, names, suspensions
from accounts.models import User
from accounts.refusal import Refusal
from games import friends, merging
from games.engine.bots import LEVELS

pytestmark = pytest.mark.django_db


@pytest.fixture
def bot():
    return bots.account_of("strong")


def refused(code, call, *arguments):
    with pytest.raises(Refusal) as refusal:
        call(*arguments)
    assert refusal.value.code == code


def test_the_levels_are_those_of_the_engine():
    assert bots.LEVELS == LEVELS
    assert [one["slug"] for one in bots.choices()] == list(LEVELS)


def test_each_level_has_one_account_made_when_it_is_first_asked_for(bot):
    assert bots.account_of("strong") == bot
    assert (bot.username, bot.bot, bot.is_active) == ("Fort", "strong", False)
    assert not bot.has_usable_password()
    refused("unknown_level", bots.account_of, "champion")
    refused("unknown_level", bots.account_of, "")


@pytest.mark.parametrize("name", [*names.BOTS.values(), "Beginner", "STRONG", "expert"])
def test_nobody_takes_the_name_of_a_level(name):
    refused("name_reserved", names.check, name)


def test_whoever_had_the_name_of_a_level_before_keeps_it(alice):
    User.objects.filter(pk=alice.pk).update(username="Expert", name_key=names.key("Expert"))
    assert bots.account_of("expert").username == "Expert 2"


@pytest.mark.parametrize(
    "change",
    [
        {"is_active": True},
        {"is_staff": True},
        {"is_superuser": True},
        {"is_guest": True},
        {"email": "fort@example.org"},
        {"password": "md5$salt$hash"},
        {"bot": "champion"},
    ],
    ids=lambda change: next(iter(change)),
)
def test_the_database_lets_nobody_be_the_computer(bot, change):
    with pytest.raises(IntegrityError), transaction.atomic():
        User.objects.filter(pk=bot.pk).update(**change)


def test_no_level_has_two_accounts(bot, alice):
    with pytest.raises(IntegrityError), transaction.atomic():
        User.objects.filter(pk=alice.pk).update(bot="strong", is_active=False, password="!")


def test_nobody_signs_in_as_the_computer_nor_befriends_blocks_or_merges_it(bot, alice, client):
    client.post("/accounts/login/", {"login": "Fort", "password": "!"})
    assert "_auth_user_id" not in client.session
    refused("no_such_person", friends.ask, alice.pk, "Fort")
    refused("no_such_person", friends.block, alice.pk, bot.pk, True)
    guest = guests.arrive("Léa")
    refused("no_account", merging.merge, guest.pk, bot.pk)


def test_the_administration_neither_lists_nor_reinstates_the_computer(bot, admin_client):
    page = admin_client.get("/admin/accounts/user/")
    assert b"Fort" not in page.content
    assert admin_client.get(f"/admin/accounts/user/{bot.pk}/change/").status_code == 302
    suspensions.suspend([bot], "because")
    assert suspensions.reinstate([bot]) == []
    bot.refresh_from_db()
    assert not bot.is_active
