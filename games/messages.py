"""What a browser may send to a table: a typed schema for each message, bounded in size and rate."""

from __future__ import annotations

import time
from typing import Annotated, Literal, get_args

import msgspec

MESSAGE_LENGTH = 4096
MOVE_LENGTH = 64
TALK_LENGTH = 500
A_SECOND = 10.0  # messages a socket may send, on average
AT_ONCE = 40.0  # and in a burst
PATIENCE = 100.0  # how far beyond that before the socket is closed

Whole = Annotated[int, msgspec.Meta(ge=0, le=1 << 31)]
Written = Annotated[str, msgspec.Meta(pattern=r"^(?:[0-9a-f]{64})?\Z")]  # 32 bytes, or none
OfAGame = Literal["resign", "claim", "adjourn", "wait", "resume"]


class MoveMessage(msgspec.Struct, forbid_unknown_fields=True, frozen=True):
    """A move, from the place (hand, ply) where the player stood; ``game``, when it is known."""

    move: Annotated[str, msgspec.Meta(max_length=MOVE_LENGTH)]
    at: tuple[Whole, Whole]
    game: Whole | None = None


class VerbMessage(msgspec.Struct, forbid_unknown_fields=True, frozen=True):
    """A verb that says all by itself."""

    verb: Literal["look", "ping", "line_up", "step_out"]


class GameMessage(msgspec.Struct, forbid_unknown_fields=True, frozen=True):
    """A verb about a game; ``game``: the one that was seen, so that it counts for no later one."""

    verb: OfAGame
    game: Whole | None = None


class RematchMessage(msgspec.Struct, forbid_unknown_fields=True, frozen=True):
    """Ask for another game; ``terms``: the mark of what it was shown to be played by and for."""

    verb: Literal["rematch"]
    game: Whole | None = None
    terms: Annotated[str, msgspec.Meta(max_length=16)] = ""


class ReadyMessage(msgspec.Struct, forbid_unknown_fields=True, frozen=True):
    """Leave the showdown of a hand; which, as in GameMessage."""

    verb: Literal["ready"]
    game: Whole | None = None
    hand: Whole | None = None


class HintMessage(msgspec.Struct, forbid_unknown_fields=True, frozen=True):
    """Ask what the computer would do in one's place."""

    verb: Literal["hint"]
    game: Whole | None = None


class CallOffMessage(msgspec.Struct, forbid_unknown_fields=True, frozen=True):
    """Offer to call the game off, or answer the other player's offer."""

    verb: Literal["call_off"]
    answer: Literal["offer", "accept", "refuse"]
    game: Whole | None = None


class SortMessage(msgspec.Struct, forbid_unknown_fields=True, frozen=True):
    """How one holds one's cards; the cards count when the order is one's own."""

    verb: Literal["sort"]
    sort: Literal["melds", "suit", "rank", "own"]
    cards: Annotated[
        list[Annotated[str, msgspec.Meta(max_length=2)]], msgspec.Meta(max_length=11)
    ] = []


class SeedMessage(msgspec.Struct, forbid_unknown_fields=True, frozen=True):
    """One's part of the shuffle: the hash of 32 bytes, and later, alone, the bytes."""

    verb: Literal["seed"]
    hash: Written = ""
    bytes: Written = ""
    game: Whole | None = None

    def __post_init__(self) -> None:
        if bool(self.hash) == bool(self.bytes):
            raise ValueError("one or the other")


class ChatMessage(msgspec.Struct, forbid_unknown_fields=True, frozen=True):
    """Something said to the others."""

    verb: Literal["chat"]
    text: Annotated[str, msgspec.Meta(min_length=1, max_length=TALK_LENGTH)]


class MuteMessage(msgspec.Struct, forbid_unknown_fields=True, frozen=True):
    """Read somebody's talk no more, or again."""

    verb: Literal["mute"]
    user: Whole
    on: bool


class ReportMessage(msgspec.Struct, forbid_unknown_fields=True, frozen=True):
    """Show a message to the administrators."""

    verb: Literal["report"]
    message: Whole
    reason: Annotated[str, msgspec.Meta(max_length=300)] = ""


class _Peek(msgspec.Struct, frozen=True):
    verb: str = ""


Message = (
    MoveMessage | VerbMessage | GameMessage | ReadyMessage | CallOffMessage | SortMessage
    | RematchMessage | HintMessage | SeedMessage | ChatMessage | MuteMessage | ReportMessage
)  # fmt: skip

_peek = msgspec.json.Decoder(_Peek)
_move = msgspec.json.Decoder(MoveMessage)
_plain = msgspec.json.Decoder(VerbMessage)
_verbs: dict[str, msgspec.json.Decoder[Message]] = {
    **dict.fromkeys(get_args(OfAGame), msgspec.json.Decoder(GameMessage)),
    "rematch": msgspec.json.Decoder(RematchMessage),
    "ready": msgspec.json.Decoder(ReadyMessage),
    "hint": msgspec.json.Decoder(HintMessage),
    "call_off": msgspec.json.Decoder(CallOffMessage),
    "sort": msgspec.json.Decoder(SortMessage),
    "seed": msgspec.json.Decoder(SeedMessage),
    "chat": msgspec.json.Decoder(ChatMessage),
    "mute": msgspec.json.Decoder(MuteMessage),
    "report": msgspec.json.Decoder(ReportMessage),
}


def read(text: str) -> Message | None:
    """The message in ``text``, or None if it is none we know. Never raises, whatever it is fed."""
    if len(text) > MESSAGE_LENGTH:
        return None
    try:
        verb = _peek.decode(text).verb
        return _verbs.get(verb, _plain).decode(text) if verb else _move.decode(text)
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
