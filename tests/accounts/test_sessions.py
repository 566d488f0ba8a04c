"""Whose sessions these are, asked for many who come at once: the same answers as one by one."""

from __future__ import annotations

import pytest
from django.contrib.sessions.models import Session
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext, override_settings

from accounts.models import User
from accounts.sessions import pass_by, passes_by

pytestmark = pytest.mark.django_db


def session_of(person):
    browser = Client()
    browser.force_login(person)
    return browser.session.session_key


def asked_for(keys):
    with CaptureQueriesContext(connection) as asked:
        passes_by(keys)
    return len(asked)


def test_many_sessions_are_asked_for_in_two_statements(alice, bob, charlie):
    keys = [session_of(person) for person in (alice, bob, charlie)]
    held = passes_by([*keys, keys[0]])
    assert held == [pass_by(key) for key in (*keys, keys[0])]
    assert [one.user_id for one in held] == [alice.pk, bob.pk, charlie.pk, alice.pk]
    assert (asked_for(keys[:1]), asked_for(keys)) == (2, 2)


def test_whoever_is_nobody_among_many_is_nobody(alice, bob, charlie):
    hers, his, theirs = (session_of(person) for person in (alice, bob, charlie))
    over = session_of(alice)
    Session.objects.filter(pk=over).update(expire_date="2020-01-01T00:00Z")
    User.objects.filter(pk=bob.pk).update(is_active=False)
    User.objects.filter(pk=charlie.pk).update(times_signed_out=1)
    empty = Client().session.session_key
    strange = ["", "x" * 32, "\0" * 32, "x" * 5000, None, empty, his, theirs, over]
    held = passes_by([*strange, hers])
    assert held == [None] * len(strange) + [pass_by(hers)]
    assert held[-1].user_id == alice.pk


def test_a_session_signed_with_the_secret_before_still_speaks_for_its_user(alice, bob, settings):
    old, other = session_of(alice), session_of(bob)
    with override_settings(SECRET_KEY="another" * 9, SECRET_KEY_FALLBACKS=[settings.SECRET_KEY]):
        held = passes_by([old, other])
    assert [one.user_id for one in held] == [alice.pk, bob.pk]
