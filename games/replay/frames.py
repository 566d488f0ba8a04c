"""The moments of a hand as the page's script gets them: each as what changed since the last one.

Nothing is added to the views here: what is not in them cannot be sent.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

View = Mapping[str, Any]


def packed(views: Iterable[View]) -> list[dict[str, Any]]:
    """A frame a moment; the first says everything, the others what is new."""
    frames: list[dict[str, Any]] = []
    before: dict[str, Any] = {}
    for view in views:
        now = {
            "stock": view["stock"],
            "top": view["pile"][0] if view["pile"] else "",
            **{f"h{hand['seat']}": _hand(hand) for hand in view["hands"]},
        }
        frames.append({name: value for name, value in now.items() if before.get(name) != value})
        before = now
    return frames


def _hand(hand: View) -> list[Any]:
    """One open hand: melds, what is left and its deadwood; with a card more, what was drawn,
    the best discard and the deadwood after it.
    """
    melds = " ".join("".join(meld) for meld in hand["melds"])
    shown = [melds, "".join(hand["loose"]), hand["deadwood"]]
    if hand["drawn"] is None:
        return shown
    return [*shown, hand["drawn"], hand["best_discard"], hand["after_best_discard"]]
