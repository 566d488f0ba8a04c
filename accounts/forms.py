"""The forms of people: allauth's in our words, the account page, the first administrator."""

from __future__ import annotations

from typing import Any

from allauth.account import forms as allauth_forms
from allauth.account.adapter import get_adapter
from django import forms
from django.conf import settings
from django.contrib.auth.password_validation import validate_password
from django.http import HttpRequest
from django.utils.translation import get_language, gettext
from django.utils.translation import gettext_lazy as _

from accounts import names, people
from accounts.models import TableSettings, User
from accounts.refusal import Refusal

# Each in its own words: who cannot read the page must find theirs.
LANGUAGES = [("fr", "Français"), ("en", "English")]
PASSWORD_HELP = _("At least 8 characters, not all digits, not one of the common ones.")


class Dressed(forms.BaseForm):
    """A form in the site's clothes: real labels instead of placeholders, our classes."""

    def dress(self, **labels: Any) -> None:
        for name, field in self.fields.items():
            field.label = labels.get(name, field.label)
            field.widget.attrs.pop("placeholder", None)
            if not isinstance(field.widget, forms.CheckboxInput):
                field.widget.attrs["class"] = "in"

    def tell(self, refusal: Refusal) -> None:
        """Show a refusal at the name, which is what people are refused."""
        self.add_error("username", gettext(refusal.sentence) % refusal.params)


class NameField(forms.CharField):
    """A name as it is typed, tidied before anything looks at it.

    One that is too long anyway is left as it is: tidying a million stacked accents takes minutes.
    """

    def to_python(self, value: Any) -> str:
        typed = super().to_python(value) or ""
        too_long = self.max_length is not None and len(typed) > self.max_length
        return typed if too_long else names.tidy(typed)


class SignUpForm(Dressed, allauth_forms.SignupForm):
    """A name and a password; an e-mail address for those who want to be able to reset it."""

    field_order = ("username", "password1", "email")

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.fields["username"].help_text = _("2 to 24 characters. The other players see it.")
        self.fields["password1"].help_text = PASSWORD_HELP
        self.fields["email"].help_text = _(
            "Only used to choose a new password, and to write to you if you ask for it."
        )
        self.dress(username=_("Name"), password1=_("Password"), email=_("E-mail (optional)"))

    def save(self, request: HttpRequest) -> User:
        """The address stands on the user alone: a second copy could outlive a change."""
        adapter = get_adapter()
        return adapter.save_user(request, adapter.new_user(request), self)


class SignInForm(Dressed, allauth_forms.LoginForm):
    """The name in any case, and the password."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.fields["password"].help_text = ""
        self.fields["login"].widget.attrs["autocapitalize"] = "none"
        self.dress(login=_("Name"), password=_("Password"))


class ChangePasswordForm(Dressed, allauth_forms.ChangePasswordForm):
    """The present password and the new one, once: the page can show what is typed."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        del self.fields["password2"]
        self.fields["oldpassword"].help_text = ""
        self.fields["password1"].help_text = PASSWORD_HELP
        self.dress(oldpassword=_("Present password"), password1=_("New password"))


class SetPasswordForm(Dressed, allauth_forms.SetPasswordForm):
    """A first password for someone who has none yet."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        del self.fields["password2"]
        self.fields["password1"].help_text = PASSWORD_HELP
        self.dress(password1=_("New password"))


class ResetPasswordForm(Dressed, allauth_forms.ResetPasswordForm):
    """The address to send the link to."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.dress(email=_("E-mail"))


class ForgottenForm(Dressed, forms.Form):
    """The name of who forgot their password, where the host hands links over."""

    username = NameField(
        max_length=100,
        widget=forms.TextInput(attrs={"autocomplete": "username", "autocapitalize": "none"}),
    )

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.dress(username=_("Name"))


class ResetPasswordKeyForm(Dressed, allauth_forms.ResetPasswordKeyForm):
    """A new password, on the way in by a link."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        del self.fields["password2"]
        self.fields["password1"].help_text = PASSWORD_HELP
        self.dress(password1=_("New password"))


class AccountForm(Dressed, forms.ModelForm):
    """One's own name, address, language, time, and who sees one's page.

    A new address asks for the password.

    Whoever holds the address can reset the password, so a borrowed phone must not change it.
    """

    language = forms.ChoiceField(label=_("Language"), choices=LANGUAGES)
    pages_for = forms.ChoiceField(
        label=_("Who may see my player page"), choices=User.PagesFor.choices, required=False
    )
    password = forms.CharField(
        label=_("Present password"),
        required=False,
        strip=False,
        help_text=_("Only needed to change the e-mail address."),
        widget=forms.PasswordInput(attrs={"autocomplete": "current-password"}),
    )

    class Meta:
        model = User
        fields = ("username", "email", "language", "time_zone", "pages_for")
        field_classes = {"username": NameField}

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        zone = self.fields["time_zone"]
        zone.help_text = _("Like Europe/Paris. Left empty: %(zone)s, as the site.") % {
            "zone": settings.TIME_ZONE
        }
        zone.widget.attrs |= {
            "list": "zones", "autocomplete": "off", "autocapitalize": "off", "spellcheck": "false",
        }  # fmt: skip
        self.kept_email = self.instance.email
        self.initial["language"] = get_language()  # the one being read, however it was chosen
        self.fields["username"].widget.attrs["autocomplete"] = "username"
        self.dress(
            username=_("Name"), email=_("E-mail (optional)"), time_zone=_("Time zone (optional)")
        )

    def clean_pages_for(self) -> str:
        """Nothing chosen changes nothing."""
        return self.cleaned_data["pages_for"] or self.instance.pages_for

    def clean_email(self) -> str:
        return self.cleaned_data["email"].lower()

    def clean_username(self) -> str:
        return free_name(self.cleaned_data["username"], self.instance)

    def clean(self) -> dict[str, Any]:
        data = super().clean() or {}
        changed = "email" in data and data["email"] != self.kept_email
        if changed and not self.errors and not self._password_is_right(data.get("password", "")):
            self.add_error("password", _("Type your present password to change the address."))
        return data

    def _password_is_right(self, password: str) -> bool:
        """Counted with the failed sign-ins: this page is no way round their limit."""
        return bool(password) and get_adapter().reauthenticate(self.instance, password)


class TableSettingsForm(forms.ModelForm):
    """How somebody wants to see and hear a table; what is not ticked is not wanted."""

    class Meta:
        model = TableSettings
        fields = ("deck4", "large", "french", "sounds", "animation")
        help_texts = {
            "deck4": _("Diamonds blue, clubs green"),
            "french": _("R D V instead of K Q J"),
            "sounds": _("Your turn, a card, a knock"),
        }


class FirstAdminForm(Dressed, forms.Form):
    """The host's name and password."""

    username = NameField(max_length=100, widget=forms.TextInput(attrs={"autocomplete": "username"}))
    password = forms.CharField(
        strip=False,
        help_text=PASSWORD_HELP,
        widget=forms.PasswordInput(attrs={"autocomplete": "new-password"}),
    )

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.dress(username=_("Name"), password=_("Password"))

    def clean_username(self) -> str:
        return get_adapter().clean_username(self.cleaned_data["username"])

    def clean_password(self) -> str:
        password = self.cleaned_data["password"]
        validate_password(password, User(username=self.cleaned_data.get("username", "")))
        return password


def free_name(name: str, user: User) -> str:
    """The name, if nobody else carries it or one that looks like it."""
    if User.objects.named(name).exclude(pk=user.pk).exists():
        raise forms.ValidationError(gettext(people.NameTaken().sentence), code="name_taken")
    return name


class PresentPasswordForm(Dressed, forms.Form):
    """The present password, where something cannot be undone. Whoever has none is not asked."""

    password = forms.CharField(
        strip=False,
        widget=forms.PasswordInput(attrs={"autocomplete": "current-password"}),
    )

    def __init__(self, user: User, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.user = user
        if not user.has_usable_password():
            del self.fields["password"]
        self.dress(password=_("Present password"))

    def clean_password(self) -> str:
        """Counted with the failed sign-ins."""
        password: str = self.cleaned_data["password"]
        if not get_adapter().reauthenticate(self.user, password):
            raise forms.ValidationError(
                get_adapter().error_messages["enter_current_password"], code="wrong_password"
            )
        return password
