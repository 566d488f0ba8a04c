"""Share links: made and revoked by those whose sheet it is, and by nobody else."""

from __future__ import annotations

import re

import pytest
from django.db import IntegrityError, transaction

from accounts.refusal import Refusal
from games.presets import rule_set
from scoring import ledger, shares
from scoring.ledger import SeatEntry
from scoring.models import ShareLink
from scoring.rules import HandResult

pytestmark = pytest.mark.django_db


@pytest.fixture
def sheet_id(alice, bob):
    seats = [SeatEntry("alice", alice.pk), SeatEntry("bob", bob.pk)]
    return ledger.open_sheet(rule_set({}).as_dict(), seats)


@pytest.fixture
def pad(alice):
    """Alice keeps the score of two people without accounts."""
    seats = [SeatEntry("Odile", kind="name"), SeatEntry("Paul", kind="name")]
    rules = rule_set({}).as_dict()
    return ledger.open_sheet(rules, seats, source="paper", keeper_id=alice.pk, first_dealer=0)


def test_a_link_opens_its_sheet_until_it_is_revoked(sheet_id, alice):
    token = shares.share(sheet_id, alice.pk)
    assert re.fullmatch(r"[\w-]{22}", token)
    assert shares.sheet_of(token) == sheet_id
    shares.revoke(sheet_id, alice.pk)
    assert shares.sheet_of(token) is None
    assert shares.token_of(sheet_id) is None


def test_a_sheet_has_one_link_whoever_of_its_players_asks(sheet_id, alice, bob):
    token = shares.share(sheet_id, alice.pk)
    assert shares.share(sheet_id, bob.pk) == shares.share(sheet_id, alice.pk) == token
    assert ShareLink.objects.count() == 1


def test_the_database_refuses_a_second_link_that_works(sheet_id, alice):
    shares.share(sheet_id, alice.pk)
    with pytest.raises(IntegrityError), transaction.atomic():
        ShareLink.objects.create(sheet_id=sheet_id, token="another")
    shares.revoke(sheet_id, alice.pk)
    ShareLink.objects.create(sheet_id=sheet_id, token="another")


def test_either_player_revokes_and_the_next_link_is_another(sheet_id, alice, bob):
    old = shares.share(sheet_id, alice.pk)
    shares.revoke(sheet_id, bob.pk)
    shares.revoke(sheet_id, bob.pk)
    new = shares.share(sheet_id, bob.pk)
    assert new != old
    assert (shares.sheet_of(old), shares.sheet_of(new)) == (None, sheet_id)


def test_nobody_else_makes_or_revokes_a_link(sheet_id, alice, charlie):
    token = shares.share(sheet_id, alice.pk)
    for verb in (shares.share, shares.revoke):
        with pytest.raises(Refusal) as refused:
            verb(sheet_id, charlie.pk)
        assert refused.value.code == "not_found"
    assert shares.sheet_of(token) == sheet_id


def test_a_sheet_that_is_none_is_not_found(alice):
    with pytest.raises(Refusal):
        shares.share(9999, alice.pk)


def test_whoever_keeps_a_pad_shares_it(pad, alice, bob):
    assert shares.may_share(alice.pk, pad)
    assert not shares.may_share(bob.pk, pad)
    assert not shares.may_share(None, pad)


def test_a_link_opens_the_editions_to_come(pad, alice):
    ledger.record_hand(pad, 1, HandResult(0, "knock", 4, 21))
    token = shares.share(pad, alice.pk)
    edition = ledger.edition(pad, [HandResult(0, "knock", 4, 20)])
    assert shares.first_edition(edition) == pad
    assert shares.token_of(edition) == token
    assert shares.share(edition, alice.pk) == token
    shares.revoke(edition, alice.pk)
    assert shares.sheet_of(token) is None
