"""What is kept of second steps is sealed with a key made from SECRET_KEY: a copy of the database
alone, a backup that went astray, makes nobody's codes.
"""

from __future__ import annotations

import base64
import logging
import secrets

from cryptography.fernet import Fernet, InvalidToken
from django.utils.crypto import salted_hmac

logger = logging.getLogger(__name__)

MARK = "sealed:"  # what was kept before has none
NOTHING = 20  # bytes of what stands for a secret nobody can read


def seal(text: str) -> str:
    """This text as it is kept."""
    return MARK + _box().encrypt(text.encode()).decode()


def unseal(kept: str) -> str:
    """The text that was kept. Where SECRET_KEY is another by now: one that opens nothing."""
    if not kept.startswith(MARK):
        return kept
    try:
        return _box().decrypt(kept.removeprefix(MARK)).decode()
    except InvalidToken:
        logger.error("A second step was sealed with another SECRET_KEY: it opens nothing.")
        return base64.b32encode(secrets.token_bytes(NOTHING)).decode()


def _box() -> Fernet:
    key = salted_hmac("second steps at rest", "", algorithm="sha256").digest()
    return Fernet(base64.urlsafe_b64encode(key))
