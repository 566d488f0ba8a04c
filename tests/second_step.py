"""The app on somebody's phone: what it shows for a key."""

from __future__ import annotations

from allauth.mfa.totp.internal import auth as totp


def code_of(secret: str) -> str:
    """What an app shows now."""
    _before, counter, _after = totp.yield_hotp_counters_from_time()
    return totp.format_hotp_value(totp.hotp_value(secret, counter))
