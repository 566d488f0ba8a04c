"""Whom the administration lets say nothing for a while: the only writer of this.

Somebody silenced reads and plays as before. A silence ends by itself.
"""

from __future__ import annotations

from datetime import datetime

from django.utils import timezone

from accounts.refusal import N_, Refusal
from games.models import Silence


class Silenced(Refusal):
    """Somebody who may say nothing now."""


def silence(user_id: int, reason: str, until: datetime, by_id: int | None = None) -> None:
    """Let somebody say nothing until then; whom this holds already, it holds anew."""
    reason, now = reason.strip(), timezone.now()
    if not reason:
        raise Refusal("no_reason", N_("Say why: it stands in the journal."))
    if until <= now:
        raise Refusal("over_already", N_("This moment is past: choose a later day."))
    told = {"reason": reason, "since": now, "until": until, "by_id": by_id}
    Silence.objects.update_or_create(user_id=user_id, defaults=told)


def lift(user_id: int) -> bool:
    """Let somebody speak again; whether they were silenced."""
    return bool(Silence.objects.filter(user_id=user_id).delete()[0])


def require_voice(user_id: int) -> None:
    """Refuse whoever may say nothing now."""
    if Silence.objects.filter(user_id=user_id, until__gt=timezone.now()).exists():
        raise Silenced(
            "silenced", N_("You cannot write for now: the host of this site has muted you.")
        )
