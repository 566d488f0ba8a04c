"""Suspending: at once, everywhere, for as long as said, and over for good when it is over."""

from __future__ import annotations

from datetime import timedelta

import pytest
from django.db import IntegrityError, transaction
from django.test import Client
from django.utils import timezone

from accounts import sessions, suspensions, tasks
from accounts.models import Suspension, User
from accounts.refusal import Refusal

pytestmark = pytest.mark.django_db


def signed_in(person):
    client = Client()
    client.force_login(person)
    return client


def is_in(client):
    return client.get("/account/").status_code == 200


def test_every_session_ends_for_good(alice, charlie):
    phone, laptop, other = signed_in(alice), signed_in(alice), signed_in(charlie)
    held = sessions.pass_of(alice, phone.session)
    suspensions.suspend([alice], "Triche")
    assert not is_in(phone)
    assert not is_in(laptop)
    assert is_in(other)
    suspensions.reinstate([alice])
    assert not is_in(laptop)  # a session of before does not come back
    with pytest.raises(sessions.SignedOut):
        sessions.require_open(held)
    assert is_in(signed_in(User.objects.get(pk=alice.pk)))


def test_a_suspension_ends_by_itself_and_not_before(alice, bob):
    now = timezone.now()
    suspensions.suspend([alice], "Une semaine", now + timedelta(days=7))
    suspensions.suspend([bob], "Jusqu'à nouvel ordre")
    tasks.lift_suspensions()
    assert not User.objects.filter(is_active=True).exists()
    Suspension.objects.update(since=now - timedelta(days=8))
    Suspension.objects.filter(user=alice).update(until=now - timedelta(days=1))
    tasks.lift_suspensions()
    assert list(User.objects.filter(is_active=True)) == [alice]
    assert suspensions.of(bob.pk) is not None


def test_a_second_suspension_takes_the_place_of_the_first(alice, bob):
    suspensions.suspend([alice], "Un jour", timezone.now() + timedelta(days=1))
    suspensions.suspend([alice], "Un mois", by=bob)
    assert suspensions.of(alice.pk).reason == "Un mois"
    first = Suspension.objects.get(reason="Un jour")
    assert (first.ended_at is not None, first.ended_by) == (True, bob)


@pytest.mark.parametrize(("reason", "days"), [("  ", 3), ("Triche", -1)])
def test_a_suspension_without_reason_or_future_changes_nothing(alice, reason, days):
    with pytest.raises(Refusal):
        suspensions.suspend([alice], reason, timezone.now() + timedelta(days=days))
    assert User.objects.get(pk=alice.pk).is_active


def test_the_database_refuses_two_suspensions_at_once(alice):
    suspensions.suspend([alice], "Triche")
    for wrong in (
        {"reason": "Encore"},
        {"reason": "", "ended_at": timezone.now()},
        {"reason": "Finie", "ended_at": timezone.now(), "until": timezone.now()},
    ):
        with pytest.raises(IntegrityError), transaction.atomic():
            Suspension.objects.create(
                user=alice, since=timezone.now() + timedelta(hours=1), **wrong
            )
