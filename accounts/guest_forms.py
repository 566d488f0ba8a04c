"""The two forms of a guest: the name one comes in under, and the password that keeps everything."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from django import forms
from django.contrib.auth.password_validation import validate_password
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from accounts.forms import PASSWORD_HELP, Dressed, NameField, free_name
from accounts.guests import GuestNameTaken
from accounts.models import User, validate_name
from accounts.refusal import Refusal


class ArrivalForm(Dressed, forms.Form):
    """A name is all a guest is asked for."""

    username = NameField(
        max_length=100,
        widget=forms.TextInput(attrs={"autocomplete": "nickname", "autocapitalize": "words"}),
        error_messages={"required": _("Choose the name the others will see.")},
    )

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.dress(username=_("Your name at the table"))

    def tell(self, refusal: Refusal) -> None:
        """Show a refusal at the name; where another is proposed, it stands there to be sent."""
        super().tell(refusal)
        if isinstance(refusal, GuestNameTaken):
            self.data = {**self.data, "username": refusal.params["free"]}


class ClaimForm(Dressed, forms.Form):
    """The guest's name, which may become another, and a password."""

    username = NameField(
        max_length=100, widget=forms.TextInput(attrs={"autocomplete": "username"})
    )
    password = forms.CharField(
        strip=False,
        help_text=PASSWORD_HELP,
        widget=forms.PasswordInput(attrs={"autocomplete": "new-password"}),
    )

    def __init__(self, guest: User, data: Mapping[str, Any] | None) -> None:
        self.guest = guest
        super().__init__(data, initial={"username": guest.username})
        self.dress(username=_("Name"), password=_("Password"))
        self.fields["username"].help_text = gettext("Yours at the table; you may change it here.")

    def clean_username(self) -> str:
        name: str = self.cleaned_data["username"]
        validate_name(name)
        return free_name(name, self.guest)

    def clean_password(self) -> str:
        password: str = self.cleaned_data["password"]
        validate_password(password, User(username=self.cleaned_data.get("username", "")))
        return password
