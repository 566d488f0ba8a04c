"""The options of play: what a room may choose about how a hand is played (rules, section 10).

Points are not here: what a hand is worth is the score sheet's business.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final, Literal

from accounts.refusal import N_, Refusal
from games.engine.cards import Card, points, rank

VALUES: Final[dict[str, tuple[object, ...]]] = {
    "format": ("points", "first_knock"),
    "knock_limit": (10, 0, "upcard"),
    "oklahoma_ace": ("gin", 1),
    "big_gin": (True, False),
    "layoffs": (True, False),
    "keep_drawn_card": ("from_discard", "any"),
    "discard_history": ("top_only", "open"),
}


class BadPlayRules(Refusal):
    """An option that does not exist, or does not go with another."""


@dataclass(frozen=True)
class PlayRules:
    """How hands are played in a game. A knock limit of 0 means gin only.

    ``first_knock`` has no lay-offs, whatever ``layoffs`` says, and no big gin.
    """

    format: Literal["points", "first_knock"] = "points"
    knock_limit: Literal[10, 0, "upcard"] = 10
    oklahoma_ace: Literal["gin", 1] = "gin"
    big_gin: bool = False
    layoffs: bool = True
    keep_drawn_card: Literal["from_discard", "any"] = "from_discard"
    discard_history: Literal["top_only", "open"] = "top_only"

    def __post_init__(self) -> None:
        for option, values in VALUES.items():
            value = getattr(self, option)
            if not any(value == known and type(value) is type(known) for known in values):
                raise BadPlayRules(
                    "bad_value",
                    N_("“%(value)s” is not a value of the option “%(option)s”."),
                    option=option,
                    value=value,
                )
        if self.format == "first_knock" and self.big_gin:
            raise BadPlayRules("no_big_gin", N_("There is no big gin in first to knock."))

    def limit(self, upcard: Card) -> int:
        """Return the most deadwood a knock may leave in a hand with this upcard.

        Rules, section 5: it stays for the whole hand, even after the upcard has been taken.
        """
        if self.knock_limit != "upcard":
            return self.knock_limit
        if rank(upcard) == 0:
            return 0 if self.oklahoma_ace == "gin" else self.oklahoma_ace
        return points(upcard)
