"""The second step of signing in: allauth's, in our words; and who must have one.

A code of an app, a passkey, or a recovery code where both are lost. The only writer of their loss.
"""

from __future__ import annotations

from typing import Any

import segno
from allauth.mfa.adapter import DefaultMFAAdapter
from allauth.mfa.models import Authenticator
from django.utils.translation import gettext_lazy as _

from accounts import sealing
from accounts.models import User

STEPS = (Authenticator.Type.TOTP, Authenticator.Type.WEBAUTHN)


class FactorAdapter(DefaultMFAAdapter):
    """allauth's hooks: names as they stand in an app, and the picture it reads."""

    error_messages = {
        **DefaultMFAAdapter.error_messages,
        "incorrect_code": _("This code is not right, or no longer. Take the next one."),
    }

    def encrypt(self, text: str) -> str:
        return sealing.seal(text)

    def decrypt(self, encrypted_text: str) -> str:
        return sealing.unseal(encrypted_text)

    def get_totp_issuer(self) -> str:
        return "Gin Rami"

    def _get_user_identifier(self, user: Any) -> str:
        return str(user.username)

    def _get_site_name(self) -> str:
        return "Gin Rami"

    def build_totp_svg(self, url: str) -> str:
        """By the package that draws the other QR codes here."""
        drawn = segno.make(url, error="m").svg_inline(border=2, scale=4)
        # An image of its own, not a part of the page: it must say what it is.
        return drawn.replace("<svg ", '<svg xmlns="http://www.w3.org/2000/svg" ', 1)


def has_one(user_id: int) -> bool:
    """Whether signing in as this person takes a second step."""
    return Authenticator.objects.filter(user_id=user_id, type__in=STEPS).exists()


def remove(user_id: int) -> bool:
    """Take away every second step of somebody who lost them, their recovery codes too.

    From then on their password alone opens, until they set one up again. Whether there was one.
    """
    return bool(Authenticator.objects.filter(user_id=user_id).delete()[0])


def is_missing(user: Any) -> bool:
    """Whether this person looks after the site and signs in with a password alone."""
    return bool(isinstance(user, User) and user.is_staff and not has_one(user.pk))
