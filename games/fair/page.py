"""The shuffle of a hand as its replay page tells it; the reader's own browser then checks it."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import chain
from typing import Any

from games.fair.finding import NotProven, proof_of_sheet
from games.replay.finding import Replayed

View = dict[str, Any]


def laid_out(hand: Replayed) -> View | None:
    """What the script needs, or None for a hand that cannot be checked.

    Not the deck: it follows from the secret, and is compared with the cards that were seen.
    """
    try:
        proof = proof_of_sheet(hand.sheet_id, hand.number)
    except NotProven:
        return None
    if proof is None:
        return None
    shown = proof.as_dict()
    del shown["deck"]
    return {**shown, "played": _played(hand.views)}


def _played(views: Sequence[View]) -> View:
    """Every card this page shows, by where it must lie in the deck."""
    first = views[0]
    held = {
        one["seat"]: "".join([*chain.from_iterable(one["melds"]), *one["loose"]])
        for one in first["hands"]
    }
    stock = [view["log"][-1] for view in views if view["log"]]
    return {
        "hands": [held[seat] for seat in sorted(held)],
        "upcard": first["upcard"],
        "drawn": "".join(one["card"] for one in stock if one["move"] == "draw stock"),
    }
