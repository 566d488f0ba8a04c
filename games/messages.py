"""What a browser may send to a table: a typed schema for each message, bounded in size and rate."""

from __future__ import annotations

import time
from typing import Annotated, Literal

import msgspec

MESSAGE_BYTES = 1024
MOVE_LENGTH = 64
A_SECOND = 10.0  # messages a socket may send, on average
AT_ONCE = 40.0  # and in a burst
PATIENCE = 100.0  # how far beyond that before the socket is closed

Whole = Annotated[int, msgspec.Meta(ge=0, le=1 << 31)]


class MoveMessage(msgspec.Struct, forbid_unknown_fields=True, frozen=True):
    """A move, from the place (hand, ply) where the player stood; ``game``, when it is known."""

    move: Annotated[str, msgspec.Meta(max_length=MOVE_LENGTH)]
    at: tuple[Whole, Whole]
    game: Whole | None = None


class VerbMessage(msgspec.Struct, forbid_unknown_fields=True, frozen=True):
    """Anything else a player says to the table."""

    verb: Literal["ready", "resign", "rematch", "look", "ping"]


_move = msgspec.json.Decoder(MoveMessage)
_verb = msgspec.json.Decoder(VerbMessage)


def read(text: str) -> MoveMessage | VerbMessage | None:
    """The message in ``text``, or None if it is none we know. Never raises, whatever it is fed."""
    if len(text) > MESSAGE_BYTES:
        return None
    try:
        return _move.decode(text) if '"move"' in text else _verb.decode(text)
    except (msgspec.DecodeError, UnicodeError, RecursionError, ValueError):
        return None


class Allowance:
    """How much a socket may still say: a bucket that fills with time."""

    def __init__(self) -> None:
        self._left = AT_ONCE
        self._at = time.monotonic()

    def spend(self) -> Literal["ok", "slow_down", "flood"]:
        """Take one message off the allowance."""
        now = time.monotonic()
        self._left = min(AT_ONCE, self._left + (now - self._at) * A_SECOND) - 1
        self._at = now
        if self._left >= 0:
            return "ok"
        return "slow_down" if self._left > -PATIENCE else "flood"
