"""Letters to people who asked for them: the wish, the link that ends it, and how one is sent.

The only writer of the wish. A letter tells at most where to look; without a mail server or an
address of the site to lead back to, none is written.
"""

from __future__ import annotations

from datetime import timedelta
from typing import Any

from celery import current_app
from django.conf import settings
from django.core import signing
from django.core.mail import EmailMultiAlternatives
from django.db import transaction
from django.template.loader import render_to_string
from django.urls import reverse
from django.utils import timezone, translation

from accounts import mailbag
from accounts.models import LetterWish, User
from accounts.zones import zone

_links = signing.Signer(salt="the link that ends letters")


Kind = LetterWish.Kind


def write_later(task: str, number: int, wait: timedelta) -> None:
    """Have a task write about this row once the present transaction is over and so long has passed.

    By its name: tasks stand above the verbs. Lost, or embedded, a sweep finds what is untold.
    """
    if settings.WRITES_LETTERS and not settings.EMBEDDED:
        seconds = wait.total_seconds() + 1

        def ring() -> None:
            current_app.send_task(task, [number], countdown=seconds)

        transaction.on_commit(ring, robust=True)


def wanted(user_id: int) -> set[str]:
    """The kinds of letters somebody asked for."""
    return set(LetterWish.objects.filter(user_id=user_id).values_list("kind", flat=True))


def wants(user_id: int, kind: str = Kind.TURNS) -> bool:
    """Whether somebody asked to be written to, by default when a game waits for them."""
    return kind in wanted(user_id)


def wish(user_id: int, on: bool, kind: str = Kind.TURNS) -> None:
    """Write letters of this kind to somebody from now on, or no more. Twice is once."""
    if on:
        LetterWish.objects.get_or_create(user_id=user_id, kind=kind)
    else:
        LetterWish.objects.filter(user_id=user_id, kind=kind).delete()


def stop(user_id: int) -> None:
    """Write nothing to somebody any more."""
    LetterWish.objects.filter(user_id=user_id).delete()


def ending_path(user_id: int) -> str:
    """The address that ends the letters to somebody, signed in or not. It opens nothing else."""
    return reverse("accounts:stop_letters", args=[_links.sign(str(user_id))])


def reader_of(token: str) -> User | None:
    """Whose letters this link ends; None for a link that is none of ours."""
    try:
        number = _links.unsign(token)
    except signing.BadSignature:
        return None
    return User.objects.filter(pk=number).first()


def send(user: User, template: str, context: dict[str, Any]) -> bool:
    """Write a letter somebody asked for, which says how to get no more; whether it is on its way.

    A worker sees it off. Embedded, the thread that sends for us keeps the clocks of games as well.
    """
    stop = settings.SITE_URL + ending_path(user.pk)
    # So that a mail program offers the same in one click (RFC 8058).
    headers = {
        "List-Unsubscribe": f"<{stop}>",
        "List-Unsubscribe-Post": "List-Unsubscribe=One-Click",
    }
    words = {**context, "stop": stop}
    return post(user, user.email, template, words, headers, settings.EMBEDDED)


def post(
    user: User,
    address: str,
    template: str,
    context: dict[str, Any],
    headers: dict[str, str],
    carried: bool = True,
) -> bool:
    """Write to somebody in their language, at their time, plain and as a page.

    Whether it is on its way; or has left, if it is not to be ``carried`` there by a thread.
    """
    language = user.language or settings.LANGUAGE_CODE
    with translation.override(language), timezone.override(zone(user.time_zone)):
        words = {**context, "name": user.username, "LANGUAGE_CODE": language}
        subject = " ".join(render_to_string(f"{template}_subject.txt", words).split())
        letter = EmailMultiAlternatives(
            subject=settings.ACCOUNT_EMAIL_SUBJECT_PREFIX + subject,
            body=render_to_string(f"{template}_message.txt", words).strip() + "\n",
            to=[address],
            headers={**headers, "Auto-Submitted": "auto-generated"},
        )
        page = render_to_string(f"{template}_message.html", words)
    letter.attach_alternative(page, "text/html")
    about = f"{template} to person {user.pk}"
    return mailbag.carry(letter, about) if carried else mailbag.send(letter, about)
