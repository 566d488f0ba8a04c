"""What a pad's page sends: hands, each with a mark of its own, as a bounded typed schema."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Annotated, Any, Literal
from uuid import UUID

import msgspec

from accounts.refusal import N_, Refusal
from games import presets
from games.engine import cards
from games.engine.seats import next_seat
from scoring import pad
from scoring import rules as scoring
from scoring.rules import HandResult

AT_ONCE = 60  # entries in one sending
Number = Annotated[int, msgspec.Meta(ge=1, le=1 << 31)]
Sheet = Annotated[int, msgspec.Meta(ge=1, lt=10**18)]
Seat = Literal[0, 1]
Kind = Literal["knock", "gin", "big_gin", "undercut", "first_knock", "void"]


class BadEntry(Refusal):
    """What was sent is no hand at all."""

    def __init__(self) -> None:
        super().__init__("malformed", N_("The site did not understand this hand."))


class Entry(msgspec.Struct, forbid_unknown_fields=True, frozen=True):
    """One hand as it was entered. ``upcard``: its value, where it decides and is known."""

    entry: UUID
    number: Number
    kind: Kind
    winner: Seat | None = None
    knocker: Annotated[int, msgspec.Meta(ge=0, le=scoring.HIGHEST_KNOCK)] = 0
    defender: Annotated[int, msgspec.Meta(ge=0, le=scoring.HIGHEST_DEADWOOD)] = 0
    spade: bool = False
    upcard: Annotated[int, msgspec.Meta(ge=1, le=10)] | None = None


class Sending(msgspec.Struct, forbid_unknown_fields=True, frozen=True):
    """Hands in the order they were played, for the edition their writer saw."""

    sheet: Sheet
    entries: Annotated[tuple[Entry, ...], msgspec.Meta(max_length=AT_ONCE)]


_decoder = msgspec.json.Decoder(Sending)


def read_sending(body: bytes) -> Sending:
    """Raises BadEntry for anything else."""
    try:
        return _decoder.decode(body)
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as error:
        raise BadEntry from error


@dataclass(frozen=True, slots=True)
class Written:
    """What became of a sending: these are on the sheet, and the next one was refused, if any."""

    entries: tuple[UUID, ...]
    refused: UUID | None = None
    why: Refusal | None = None


def write(sending: Sending, user_id: int) -> Written:
    """Write hands in their order, each for itself, up to the first that is refused.

    Raises Refusal: not_found, for whoever does not keep this pad.
    """
    rules = pad.kept(sending.sheet, user_id).rules
    done: list[UUID] = []
    for one in sending.entries:
        try:
            result = HandResult(one.winner, one.kind, one.knocker, one.defender, one.spade)
            check(rules, result, one.upcard)
            pad.enter(sending.sheet, user_id, one.number, result, one.entry)
        except Refusal as refusal:
            return Written(tuple(done), one.entry, refusal)
        done.append(one.entry)
    return Written(tuple(done))


def check(rules: Mapping[str, Any], result: HandResult, upcard: int | None = None) -> None:
    """Refuse a hand nobody can have under these rules. The ledger asks again, but for the limit."""
    rule_set = presets.RuleSet.from_dict(rules)
    scoring.check_hand(rule_set.scoring, result, limit_of(rule_set, upcard))


def limit_of(rules: presets.RuleSet, upcard: int | None = None) -> int:
    """The most a knock may have in a hand whose upcard has this value, where it is known."""
    if rules.play.knock_limit == "upcard" and upcard is not None:
        return rules.play.limit(cards.card("A23456789T"[upcard - 1] + "h"))
    return rules.highest_knock


def result_of(
    rules: Mapping[str, Any], finisher: int, how: str, knocker: int, defender: int, spade: bool
) -> HandResult:
    """The result of what people say: who finished, how, and what both had left.

    ``how``: knock, gin, big_gin or void. Whether a knock was undercut follows from the figures.
    """
    if how == "void":
        return HandResult(None, "void")
    if rules.get("format") == "first_knock":
        return HandResult(finisher, "first_knock", 0 if how == "gin" else knocker, defender, spade)
    if how in ("gin", "big_gin"):
        return HandResult(finisher, how, 0, defender, spade)
    if defender <= knocker:
        return HandResult(next_seat(finisher, 2), "undercut", knocker, defender, spade)
    return HandResult(finisher, "knock", knocker, defender, spade)
