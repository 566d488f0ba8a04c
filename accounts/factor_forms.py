"""The forms of the second step: allauth's in our words."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from allauth.account.forms import ReauthenticateForm
from allauth.mfa.adapter import get_adapter
from allauth.mfa.base import forms as base_forms
from allauth.mfa.totp import forms as totp_forms
from allauth.mfa.webauthn import forms as key_forms
from django import forms
from django.utils.translation import gettext_lazy as _

from accounts.forms import Dressed

CODE = {"autocomplete": "one-time-code", "autocapitalize": "off", "spellcheck": "false"}


class ActivateForm(Dressed, totp_forms.ActivateTOTPForm):
    """The first code of an app, which proves that it is set up."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.fields["code"].widget.attrs |= {**CODE, "inputmode": "numeric"}
        self.dress(code=_("Code of 6 digits the app shows"))


class StepForm(Dressed, base_forms.AuthenticateForm):
    """A code on the way in: of the app, or a recovery code."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.fields["code"].widget.attrs |= CODE
        self.fields["code"].help_text = _("Of the app, or one of your recovery codes.")
        self.dress(code=_("Code"))


class StepAgainForm(Dressed, base_forms.ReauthenticateForm):
    """The same before something that matters."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.fields["code"].widget.attrs |= CODE
        self.fields["code"].help_text = _("Of the app, or one of your recovery codes.")
        self.dress(code=_("Code"))


class PasswordAgainForm(Dressed, ReauthenticateForm):
    """The password before something that matters."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.fields["password"].help_text = ""
        self.dress(password=_("Present password"))


class Careful(forms.Form):
    """What a browser sends as a passkey is anybody's to bend: whatever fails is not right."""

    def clean_credential(self) -> Any:
        return _read(getattr(super(), "clean_credential", lambda: self.cleaned_data["credential"]))

    def clean(self) -> dict[str, Any]:
        cleaned: dict[str, Any] = _read(super().clean)
        return cleaned


def _read(clean: Callable[[], Any]) -> Any:
    try:
        return clean()
    except forms.ValidationError:
        raise
    except Exception as bent:  # fido2 raises what its parts raise
        raise get_adapter().validation_error("incorrect_code") from bent


class StepByKeyForm(Careful, key_forms.AuthenticateWebAuthnForm):
    """A passkey as the second step."""


class SignInByKeyForm(Careful, key_forms.LoginWebAuthnForm):
    """A passkey alone."""


class KeyAgainForm(Careful, key_forms.ReauthenticateWebAuthnForm):
    """A passkey before something that matters."""


class AddKeyForm(Careful, Dressed, key_forms.AddWebAuthnForm):
    """A passkey, always one that also opens the door by itself."""

    name = forms.CharField(max_length=60, required=False)
    passwordless = forms.BooleanField(widget=forms.HiddenInput, initial=True, required=False)

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.dress(name=_("What to call it"))
