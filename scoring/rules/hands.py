"""What one hand is worth, and which results no hand can have (rules, sections 5, 7 and 8)."""

from __future__ import annotations

from dataclasses import dataclass, field

from accounts.refusal import N_, Refusal
from scoring.rules.options import ScoringRules, in_short

HAND_KINDS = ("knock", "gin", "big_gin", "undercut", "first_knock")
HIGHEST_KNOCK = 10
MOST_HANDS = 1_000  # of one game that somebody writes down: void hands alone would never end it
HIGHEST_DEADWOOD = 98  # K K Q Q J J T T 9 9 without a meld


class BadSheet(Refusal):
    """A hand, an end or a line that these rules can never produce."""


@dataclass(frozen=True, slots=True)
class HandResult:
    """How a hand ended, as far as the paper needs to know. Of a void hand only ``kind`` counts.

    ``winner`` is the seat that scores: the knocker, or the defender of an undercut. ``idle``: void
    because nobody drew from the stock for too long, not because it ran out.
    """

    winner: int | None
    kind: str
    knocker_deadwood: int = 0
    defender_deadwood: int = 0
    spade: bool = False
    idle: bool = False


@dataclass(frozen=True, slots=True)
class Line:
    """One line of the sheet: points = (base + bonus) x multiplier (rules, section 8)."""

    seat: int
    kind: str
    hand: int | None
    base: int
    bonus: int = 0
    multiplier: int = 1
    reason: str | None = None
    author: str | None = field(default=None, compare=False)

    @property
    def points(self) -> int:
        return (self.base + self.bonus) * self.multiplier


def check_hand(rules: ScoringRules, result: HandResult, highest_knock: int = HIGHEST_KNOCK) -> None:
    """Refuse a result that no hand under these rules can have (rules, sections 5 and 7).

    ``highest_knock`` is the most deadwood that may ever be knocked with: 0 in a gin-only room.
    """
    kind, knocker, defender = result.kind, result.knocker_deadwood, result.defender_deadwood
    if kind == "void":
        return
    if kind not in HAND_KINDS:
        raise BadSheet("bad_kind", N_("No hand ends by %(kind)s."), kind=in_short(kind))
    if (kind == "first_knock") != (rules.format == "first_knock"):
        raise BadSheet(
            "bad_kind", N_("A hand of this game cannot end by %(kind)s."), kind=in_short(kind)
        )
    if type(result.winner) is not int or result.winner < 0:
        raise BadSheet(
            "bad_winner", N_("No seat %(seat)s can win a hand."), seat=in_short(result.winner)
        )
    if type(result.spade) is not bool:
        raise BadSheet("bad_spade", N_("The spade mark is either true or false."))
    for deadwood in (knocker, defender):
        if type(deadwood) is not int or not 0 <= deadwood <= HIGHEST_DEADWOOD:
            raise BadSheet(
                "bad_deadwood",
                N_("Deadwood is a whole number from 0 to %(most)s, not %(value)s."),
                most=HIGHEST_DEADWOOD,
                value=in_short(deadwood),
            )
    _check_deadwood(rules, result, highest_knock)


def _check_deadwood(rules: ScoringRules, result: HandResult, highest_knock: int) -> None:
    kind, knocker, defender = result.kind, result.knocker_deadwood, result.defender_deadwood
    if kind in ("gin", "big_gin") and knocker:
        raise BadSheet(
            "gin_with_deadwood",
            N_("Gin leaves no deadwood: the knocker cannot have %(knocker)s."),
            knocker=knocker,
        )
    if kind == "big_gin" and rules.big_gin is None:
        raise BadSheet("no_big_gin", N_("These rules know no big gin."))
    if kind in ("knock", "undercut") and not knocker:
        raise BadSheet(
            "knock_is_gin", N_("A knock without deadwood is gin, and gin cannot be undercut.")
        )
    if knocker > highest_knock:
        raise BadSheet(
            "over_the_limit",
            N_("Nobody can knock with %(knocker)s under these rules: the limit is %(limit)s."),
            knocker=knocker,
            limit=highest_knock,
        )
    if kind == "knock" and defender <= knocker:
        raise BadSheet(
            "knock_is_undercut",
            N_("A knock with %(knocker)s against %(defender)s is an undercut, not a knock."),
            knocker=knocker,
            defender=defender,
        )
    if kind == "undercut" and defender > knocker:
        raise BadSheet(
            "undercut_not_earned",
            N_("%(defender)s against a knock with %(knocker)s is no undercut."),
            knocker=knocker,
            defender=defender,
        )


def hand_line(rules: ScoringRules, number: int, result: HandResult) -> Line | None:
    """The line a hand puts on the sheet, or None for a void hand (rules, section 7)."""
    check_hand(rules, result)
    if result.kind == "void" or result.winner is None:
        return None
    knocker, defender = result.knocker_deadwood, result.defender_deadwood
    base, bonus = {
        "knock": (defender - knocker, 0),
        "gin": (defender, rules.gin),
        "big_gin": (defender, rules.big_gin or 0),
        "undercut": (knocker - defender, rules.undercut),
        "first_knock": (1, 0),
    }[result.kind]
    multiplier = 2 if rules.spades_double and result.spade else 1
    return Line(result.winner, result.kind, number, base, bonus, multiplier)
