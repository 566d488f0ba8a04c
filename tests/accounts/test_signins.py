"""What is kept of signing in: when, roughly from where, and no more than the last few."""

from __future__ import annotations

import pytest
from django.urls import reverse

from accounts import signins
from accounts.models import SignIn
from tests.conftest import PASSWORD

pytestmark = pytest.mark.django_db


def test_signing_in_is_written_down_and_a_failure_is_not(client, alice):
    place = reverse("account_login")
    client.post(place, {"login": "alice", "password": "faux"})
    assert not SignIn.objects.exists()
    client.post(
        place, {"login": "Alice", "password": PASSWORD},
        headers={"User-Agent": "Mozilla/5.0\u202e (Téléphone)"},
    )  # fmt: skip
    told = SignIn.objects.get()
    assert (told.user, told.address) == (alice, "127.0.0.0/24")
    assert told.agent == "Mozilla/5.0 (Téléphone)"


@pytest.mark.parametrize(("address", "kept"), [
    ("192.0.2.77", "192.0.2.0/24"),
    ("2001:db8:1:2::77", "2001:db8:1::/48"),
    ("::ffff:192.0.2.77", "192.0.2.0/24"),
    ("unix", ""),
])  # fmt: skip
def test_of_an_address_only_its_network_is_kept(address, kept):
    assert signins.network_of(address) == kept


def test_only_the_last_sign_ins_are_kept(alice, charlie):
    signins.note(charlie.pk, "192.0.2.1", "autre")
    for number in range(signins.KEPT + 3):
        signins.note(alice.pk, "192.0.2.1", f"n{number}")
    agents = list(SignIn.objects.filter(user=alice).values_list("agent", flat=True))
    assert agents == [f"n{number}" for number in range(signins.KEPT + 2, 2, -1)]
    assert SignIn.objects.filter(user=charlie).count() == 1
