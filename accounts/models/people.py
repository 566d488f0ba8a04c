"""People: our own user, a person with an account or a guest."""

from __future__ import annotations

from typing import Any

from django.contrib.auth.models import AbstractUser, UserManager
from django.core.exceptions import ValidationError
from django.db import models
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from accounts import names, zones


def validate_name(name: str) -> None:
    """Django's question about a name, answered by ``names``."""
    try:
        names.check(name)
    except names.BadName as refusal:
        raise ValidationError(
            gettext(refusal.sentence) % refusal.params, code=refusal.code
        ) from refusal


def validate_zone(name: str) -> None:
    """Django's question about a time zone, answered by ``zones``."""
    try:
        zones.check(name)
    except zones.BadZone as refusal:
        raise ValidationError(gettext(refusal.sentence), code=refusal.code) from refusal


class People(UserManager["User"]):
    """Finds people by their name however it is typed."""

    def get_by_natural_key(self, username: str | None) -> User:
        return self.get(name_key=names.key(username or ""))

    def named(self, name: str) -> models.QuerySet[User]:
        """Whoever carries this name or one that looks like it: nobody or one."""
        return self.filter(name_key=names.key(name))


class User(AbstractUser):
    """Someone who signs in with a name and a password. ``username`` is what the others see.

    A guest has a name and no password yet: the browser that came in is their only way back.
    """

    class PagesFor(models.TextChoices):
        EVERYONE = "everyone", _("Everyone")
        PLAYED = "played", _("People I have played with")
        NOBODY = "nobody", _("Nobody")

    first_name = None  # type: ignore[assignment]
    last_name = None  # type: ignore[assignment]
    username = models.CharField(
        _("name"), max_length=100, unique=True, validators=[validate_name],
        error_messages={"unique": _(names.TAKEN)},
    )  # fmt: skip
    name_key = models.CharField(max_length=300, editable=False)
    email = models.EmailField(_("e-mail address"), blank=True)
    # Whoever reads mail there has said so. Only there does the site write of itself.
    email_confirmed = models.BooleanField(_("address confirmed"), default=False, editable=False)
    language = models.CharField(_("language"), max_length=5, blank=True)
    # None chosen: the site's own.
    time_zone = models.CharField(
        _("time zone"), max_length=zones.LONGEST, blank=True, validators=[validate_zone]
    )
    pages_for = models.CharField(
        _("who may see my player page"), max_length=8, choices=PagesFor, default=PagesFor.PLAYED
    )

    is_guest = models.BooleanField(_("guest"), default=False, editable=False)
    # The day they were last here, more or less; of guests alone, who expire.
    guest_seen_at = models.DateTimeField(_("guest last seen"), null=True, editable=False)

    # The level of a computer player (bots.py); nobody can ever be one of these.
    bot = models.CharField(_("computer"), max_length=10, default="", blank=True, editable=False)

    # How often all their sessions were ended at once: a part of what each session must match.
    times_signed_out = models.PositiveIntegerField(default=0, editable=False)

    # Since when nobody can be this any more: the row stays for what others hold points at it.
    deleted_at = models.DateTimeField(_("deleted"), null=True, editable=False)

    objects = People()  # type: ignore[misc]

    class Meta(AbstractUser.Meta):
        constraints = (
            models.UniqueConstraint(
                fields=["name_key"],
                name="no_two_names_look_alike",
                violation_error_code="name_taken",
                violation_error_message=_(names.TAKEN),
            ),
            models.CheckConstraint(condition=~models.Q(name_key=""), name="every_name_has_its_key"),
            models.CheckConstraint(
                condition=models.Q(pages_for__in=("everyone", "played", "nobody")),
                name="a_page_is_for_everyone_those_played_or_nobody",
            ),
            models.CheckConstraint(
                condition=models.Q(email_confirmed=False) | ~models.Q(email=""),
                name="a_confirmed_address_is_there",
            ),
            models.CheckConstraint(
                condition=models.Q(deleted_at=None)
                | models.Q(
                    is_active=False, is_staff=False, is_superuser=False, email="",
                    password__startswith="!",  # noqa: S106 - the mark of none
                ),
                name="a_deleted_account_is_nobodys",
            ),
            models.CheckConstraint(
                condition=models.Q(is_guest=False)
                | models.Q(password__startswith="!"),  # noqa: S106 - the mark of having none
                name="a_guest_has_no_password",
            ),
            models.CheckConstraint(
                condition=models.Q(is_guest=False) | models.Q(is_staff=False, is_superuser=False),
                name="a_guest_has_no_rights",
                violation_error_message=_("A guest has no rights: they choose a password first."),
            ),
            models.CheckConstraint(
                condition=models.Q(is_guest=True, guest_seen_at__isnull=False)
                | models.Q(is_guest=False, guest_seen_at=None),
                name="a_guest_alone_was_seen",
            ),
            models.CheckConstraint(
                condition=models.Q(bot="")
                | models.Q(
                    is_active=False, is_staff=False, is_superuser=False, is_guest=False, email="",
                    password__startswith="!",  # noqa: S106 - the mark of none
                ),
                name="a_bot_is_nobodys",
            ),
            models.CheckConstraint(
                condition=models.Q(bot__in=("", "beginner", "regular", "strong", "expert")),
                name="a_bot_has_a_known_level",
            ),
            models.UniqueConstraint(
                fields=["bot"], condition=~models.Q(bot=""), name="one_bot_a_level"
            ),
        )

    @classmethod
    def normalize_username(cls, username: str) -> str:
        return names.tidy(username)

    def _get_session_auth_hash(self, secret: str | None = None) -> str:
        """What a session must match: Django's, which changes with the password, and our count."""
        known: str = super()._get_session_auth_hash(secret=secret)  # type: ignore[misc]
        return f"{self.times_signed_out}.{known}" if self.times_signed_out else known

    def clean(self) -> None:
        super().clean()
        self.name_key = names.key(self.username)

    def validate_constraints(self, exclude: Any = None) -> None:
        """Forms leave out what nobody types; it is checked all the same."""
        untyped = {"name_key", "is_guest", "password"}
        super().validate_constraints(exclude=set(exclude or ()) - untyped)

    def save(self, *args: Any, **kwargs: Any) -> None:
        """Keep the key in step with the name, and the address in the case it is looked up by."""
        self.name_key = names.key(self.username)
        self.email = self.email.lower()
        fields = kwargs.get("update_fields")
        if fields is not None and "username" in fields:
            kwargs["update_fields"] = {*fields, "name_key"}
        super().save(*args, **kwargs)
