"""Letters on their way to the mail server, carried by a thread of this process: nobody waits.

A page is answered at once, whatever the mail server does and whoever it is written to: neither the
answer nor how long it takes tells who has an account. What is in a letter may open one, so it goes
through no broker, and is lost with the process: whoever waits for it asks again.
"""

from __future__ import annotations

import logging
import threading
from queue import Full, Queue

from django.conf import settings
from django.core.mail import EmailMessage

logger = logging.getLogger(__name__)

LETTERS_AT_MOST = 100  # waiting in one process

_bag: Queue[tuple[EmailMessage, str]] = Queue(LETTERS_AT_MOST)
_beginning = threading.Lock()
_carrier: threading.Thread | None = None


def carry(letter: EmailMessage, about: str) -> bool:
    """Send a letter when its turn comes; whether it is on its way. ``about``: for the log.

    Never raises: what fails is logged, with nobody's address.
    """
    if not settings.CARRIES_LETTERS:
        return send(letter, about)
    try:
        _bag.put_nowait((letter, about))
    except Full:
        logger.error("%s was not sent: too many letters wait for the mail server.", about)
        return False
    _begin()
    return True


def send(letter: EmailMessage, about: str) -> bool:
    """Send a letter now, for whoever may wait; whether it left. Never raises."""
    try:
        letter.send()
    except Exception as error:  # of the mail server, or of an address it cannot take
        logger.error("%s could not be sent: %s", about, type(error).__name__)
        return False
    return True


def waiting() -> int:
    """How many letters of this process are not sent yet, the one under way among them."""
    return _bag.unfinished_tasks


def _begin() -> None:
    global _carrier
    with _beginning:
        if _carrier is None:
            _carrier = threading.Thread(target=_work, name="letters", daemon=True)
            _carrier.start()


def _work() -> None:
    while True:
        letter, about = _bag.get()
        try:
            send(letter, about)
        finally:
            _bag.task_done()
