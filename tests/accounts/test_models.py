"""What the database promises of people."""

from __future__ import annotations

import pytest
from django.core.exceptions import ValidationError
from django.db import IntegrityError, connection, transaction

from accounts.models import FirstAdminLink, User


@pytest.mark.django_db
@pytest.mark.parametrize("other", ["ALICE", "Ａlice", "alıce"])
def test_the_database_refuses_a_second_alice(alice, other):
    with pytest.raises(IntegrityError, match=r"name_key|no_two_names_look_alike"):
        User.objects.create_user(other, password="x")


@pytest.mark.django_db
def test_a_raw_write_cannot_take_a_name_that_looks_alike(alice, bob):
    with pytest.raises(IntegrityError), transaction.atomic(), connection.cursor() as cursor:
        cursor.execute("UPDATE accounts_user SET name_key = 'alice' WHERE id = %s", [bob.pk])


@pytest.mark.django_db
def test_a_name_without_its_key_is_refused(bob):
    with pytest.raises(IntegrityError, match="every_name_has_its_key"):
        User.objects.filter(pk=bob.pk).update(name_key="")


@pytest.mark.django_db
def test_saving_only_the_name_keeps_the_key_in_step(alice):
    alice.username = "Alicia"
    alice.save(update_fields=["username"])
    assert User.objects.get(pk=alice.pk).name_key == "alicia"


@pytest.mark.django_db
def test_a_form_hears_that_the_name_is_taken_though_nobody_types_the_key(alice):
    with pytest.raises(ValidationError) as refused:
        User(username="ALICE", password="x").full_clean(exclude={"name_key"})
    assert "name_taken" in str(refused.value.error_dict["__all__"][0].code)


@pytest.mark.django_db
@pytest.mark.parametrize("typed", ["alice", "ALICE", "Alice", "ａｌｉｃｅ"])
def test_people_are_found_by_their_name_in_any_case(alice, typed):
    assert User.objects.get_by_natural_key(typed) == alice


@pytest.mark.django_db
def test_a_first_admin_link_is_not_used_before_it_is_made():
    link = FirstAdminLink(token_hash="a" * 64, made_at="2026-01-02T00:00Z",
                          used_at="2026-01-01T00:00Z")  # fmt: skip
    with pytest.raises(IntegrityError, match="a_link_is_used_after_it_is_made"):
        link.save()
