"""Forgetting a person: their account becomes one that nobody can use and that names nobody.

The row stays, for what others hold points at it: their games, totals and figures against this
player do not change. What is to happen in games and on sheets first is ``games/farewell.py``'s.
"""

from __future__ import annotations

from allauth.account.models import EmailAddress
from allauth.mfa.models import Authenticator
from allauth.usersessions.models import UserSession
from django.contrib.admin.models import LogEntry
from django.contrib.contenttypes.models import ContentType
from django.db import transaction
from django.utils import timezone

from accounts import names, people
from accounts.models import LetterWish, ResetRequest, SignIn, Suspension, TableSettings, User
from accounts.refusal import N_, Refusal

PERSONAL = (
    TableSettings, LetterWish, EmailAddress, SignIn, Suspension, ResetRequest, Authenticator,
    UserSession,
)  # fmt: skip


def forget(user_id: int) -> None:
    """Take everything personal off an account and shut it for good. Twice is once.

    Raises Refusal: last_administrator.
    """
    with transaction.atomic():
        everyone = User.objects.order_by("pk").select_for_update(no_key=True)
        looking_after = list(everyone.filter(is_superuser=True, is_active=True))
        user = everyone.get(pk=user_id)
        if user.deleted_at is not None:
            return
        if [one.pk for one in looking_after] == [user_id]:
            raise Refusal(
                "last_administrator",
                N_("Nobody else looks after this site. Give somebody all rights first."),
            )
        for kept in PERSONAL:
            kept._default_manager.filter(user_id=user_id).delete()
        user.groups.clear()
        user.user_permissions.clear()
        _rename_in_the_log(user_id)
        _empty(user)
        people.keep(user)


def _empty(user: User) -> None:
    user.username = f"{names.GONE} {user.pk}"
    user.email = user.language = user.time_zone = ""
    user.email_confirmed = False
    user.pages_for = User.PagesFor.NOBODY
    user.is_active = user.is_staff = user.is_superuser = user.is_guest = False
    user.guest_seen_at = user.last_login = None
    user.deleted_at = timezone.now()
    user.set_unusable_password()  # ends what sessions there are


def _rename_in_the_log(user_id: int) -> None:
    """What administrators did to this person stays written, without the name."""
    about = LogEntry.objects.filter(
        content_type=ContentType.objects.get_for_model(User), object_id=str(user_id)
    )
    about.update(object_repr=f"{names.GONE} {user_id}", change_message="")
