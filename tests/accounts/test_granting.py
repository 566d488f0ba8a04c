"""The rights a superuser gives: in the reader's words, and none that nothing asks for."""

from __future__ import annotations

import re

import pytest
from django.contrib.auth.models import Permission

from tests.games.pages import read

pytestmark = pytest.mark.django_db


@pytest.fixture
def page(admin_client):
    admin_client.cookies["django_language"] = "fr"

    def asked(address):
        page = read(admin_client.get(address))
        return re.findall(r'<option value="\d+"[^>]*>([^<]*)</option>', page)

    return asked


@pytest.mark.parametrize("address", ["/admin/auth/group/add/", "/admin/accounts/user/{}/change/"])
def test_rights_are_told_in_the_language_of_the_page(address, page, admin_user):
    told = page(address.format(admin_user.pk))
    assert "Salles\u00a0: voir" in told
    assert "Parties\u00a0: agir" in told
    assert not [one for one in told if one.startswith("Can ") or " | " in one]


def test_what_the_administration_does_not_do_cannot_be_given(page):
    told = len(page("/admin/auth/group/add/"))
    assert 10 < told < Permission.objects.count() / 3
