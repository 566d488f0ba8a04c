"""What a table offers to play by and for, with a mark by which what somebody saw is known again.

Nobody is put into a game they did not agree to: whatever seats somebody brings the mark of what
stood on their page, and is refused where the table offers something else by now.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from accounts.refusal import N_, Refusal
from games.models import Rotation, Table
from games.presets import RuleSet
from scoring.rules.stakes import Stakes

MARK_LENGTH = 16


@dataclass(frozen=True, slots=True)
class Offer:
    """Rules and stakes of a game to come."""

    rules: RuleSet
    stakes: Stakes

    @classmethod
    def of(cls, rules: Mapping[str, Any], stakes: Mapping[str, Any]) -> Offer:
        return cls(RuleSet.from_dict(rules), Stakes.from_dict(stakes))

    @property
    def mark(self) -> str:
        """The same for the same offer, whenever and by whichever process it is worked out."""
        told = json.dumps([self.rules.as_dict(), self.stakes.to_dict()], sort_keys=True)
        return hashlib.sha256(told.encode()).hexdigest()[:MARK_LENGTH]

    def require_seen(self, seen: str | None) -> None:
        """Refuse whoever agreed to something else. Raises Refusal: changed_offer.

        ``None``: who asks chose this themselves. A page that names nothing agrees to no stake.
        """
        if seen is None or seen == self.mark or not (seen or self.stakes.played_for):
            return
        raise Refusal(
            "changed_offer",
            N_("What is played here has changed; it is now: %(offer)s. Agree to it, or leave it."),
            offer=self,
        )


def next_terms(
    table_id: int, rules: Mapping[str, Any], stakes: Mapping[str, str]
) -> tuple[Mapping[str, Any], Mapping[str, str]]:
    """Rules and stakes of the game after one by these. The same two play the same again, for a
    host's purse while it is offered alone; where turns are taken, as the room plays today."""
    about = Table.objects.values_list("rotation", "room__rules", "room__stakes")
    return terms_after(*about.get(pk=table_id), rules, stakes)


def terms_after(
    rotation: str,
    room_rules: Mapping[str, Any],
    room_stakes: Mapping[str, str],
    rules: Mapping[str, Any],
    stakes: Mapping[str, str],
) -> tuple[Mapping[str, Any], Mapping[str, str]]:
    """The same at a table of which this is known."""
    if rotation != Rotation.NONE:
        return room_rules, room_stakes
    promised = Stakes.from_dict(stakes).purse_from == "owner"
    return rules, {} if promised and stakes != room_stakes else stakes
