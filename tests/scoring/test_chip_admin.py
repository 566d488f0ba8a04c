"""Chips in the administration: read by rows, moved by its verbs with a reason, all of it logged."""

from __future__ import annotations

from decimal import Decimal

import pytest
from django.contrib.admin.models import LogEntry
from django.contrib.auth.models import Permission
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.urls import reverse

from scoring import chips
from scoring.models import ChipAccount, StartingGrant

ACCOUNTS = "admin:scoring_chipaccount_changelist"
MOVEMENTS = "admin:scoring_chipposting_changelist"


def grant(client, user, **sent):
    page = reverse("admin:scoring_chips_grant", args=[user.pk])
    return client.post(page, {"amount": "12,50", "reason": "Tournoi", **sent})


def test_chips_are_given_for_a_reason_that_their_owner_reads(admin_client, alice):
    assert grant(admin_client, alice).status_code == 302
    assert chips.wallet(alice.pk) == chips.starting_grant() + Decimal("12.50")
    assert chips.history(alice.pk)[0].reason == "Tournoi"
    assert "12" in LogEntry.objects.get().change_message
    page = admin_client.get(reverse(MOVEMENTS) + f"?player={alice.pk}").content.decode()
    assert "Tournoi" in page


@pytest.mark.parametrize("sent", [{"reason": ""}, {"amount": "-5000"}, {"amount": "0"}])
def test_nothing_is_given_without_a_reason_or_beyond_what_is_there(admin_client, alice, sent):
    assert grant(admin_client, alice, **sent).status_code == 200
    assert not ChipAccount.objects.filter(user=alice, postings__isnull=False).exists()
    assert not LogEntry.objects.exists()


def test_only_who_has_the_right_gives_chips(client, alice, bob):
    bob.is_staff = True
    bob.save()
    bob.user_permissions.set(Permission.objects.filter(codename="view_chipaccount"))
    client.force_login(bob)
    assert grant(client, alice).status_code == 403
    assert not ChipAccount.objects.filter(user=alice).exists()


def test_the_starting_grant_is_a_rule_for_those_to_come(admin_client, alice, bob):
    chips.grant(alice.pk, Decimal("1"), "Avant", "admin")
    page = reverse("admin:scoring_startinggrant_add")
    assert admin_client.post(page, {"amount": "50", "reason": "Moins"}).status_code == 302
    assert (chips.wallet(alice.pk), chips.wallet(bob.pk)) == (1001, 50)
    assert StartingGrant.objects.get().author == "admin"


def test_a_shortfall_is_shown_only_while_there_is_one(admin_client, alice):
    chips.grant(alice.pk, Decimal("1"), "Avant", "admin")
    assert "alice" not in admin_client.get(reverse(ACCOUNTS) + "?short=yes").content.decode()
    assert "alice" in admin_client.get(reverse(ACCOUNTS)).content.decode()


def test_the_lists_ask_the_same_whatever_their_length(admin_client, alice, bob):
    def asked():
        with CaptureQueriesContext(connection) as queries:
            for page in (ACCOUNTS, MOVEMENTS):
                admin_client.get(reverse(page))
        return len(queries)

    chips.grant(alice.pk, Decimal("1"), "Un", "admin")
    few = asked()
    for amount in range(1, 6):
        chips.grant(bob.pk, Decimal(amount), "Autres", "admin")
    assert asked() == few


def test_a_rate_shows_chips_in_another_unit_to_who_asks_for_it(admin_client, client, alice):
    page = reverse("admin:scoring_unitrate_add")
    sent = {"unit": "EUR", "per_chip": "0,1", "reason": "Comme entre nous"}
    assert admin_client.post(page, sent).status_code == 302
    client.force_login(alice)
    assert "≈" not in client.get("/chips/").content.decode()
    client.post("/chips/unit/", {"unit": "EUR"})
    assert "≈ 100,00\N{NO-BREAK SPACE}€" in client.get("/chips/").content.decode()
    assert admin_client.post(page, {**sent, "per_chip": "0"}).status_code == 302
    assert "≈" not in client.get("/chips/").content.decode()


def test_a_rate_is_told_without_zeros_and_gone_in_words(admin_client):
    add = reverse("admin:scoring_unitrate_add")
    french = {"accept-language": "fr"}
    for rate, said in (("10", "Un jeton vaut 10 £"), ("0,050", "Un jeton vaut 0,05 £"),
                       ("0", "Les jetons ne se montrent plus en £")):  # fmt: skip
        sent = {"unit": "GBP", "per_chip": rate, "reason": "Pour voir"}
        page = admin_client.post(add, sent, follow=True, headers=french).content.decode()
        assert said in page.replace("\N{NO-BREAK SPACE}", " ")
        assert "0,050000" not in page


@pytest.mark.parametrize(("unit", "per_chip"), [("XXX", "1"), ("EUR", "-1"), ("EUR", "0.0000001")])
def test_no_other_rate_is_kept(db, unit, per_chip):
    with pytest.raises(chips.Refused):
        chips.set_rate(unit, Decimal(per_chip))
    assert chips.rates() == []
