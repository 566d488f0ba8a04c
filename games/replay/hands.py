"""Both hands as the server draws them, at one moment: melds, what was laid off, what is left."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from games.engine.cards import CARDS, points, rank
from games.replay.words import Sentence, Shown, article, card_name, meld_name, said, shown

View = Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class Group:
    """A meld, or the cards left over, with what is written under it."""

    cards: Sequence[Shown]
    caption: Sentence
    dead: bool = False
    laid_off: str = ""
    word: str = ""


@dataclass(frozen=True, slots=True)
class Side:
    """One player's cards."""

    seat: int
    name: str
    groups: Sequence[Group]
    deadwood: int
    what: str = ""

    @property
    def letter(self) -> str:
        """Whose colours the disc beside the name has."""
        return "abcd"[self.seat]


def deadwood_of(view: View, seat: int) -> int:
    """What counts against a seat at this moment: after the best discard while it has a card more,
    after laying off at the showdown.
    """
    if view["result"] is not None:
        return int(view["result"]["hands"][seat]["deadwood"])
    hand = view["hands"][seat]
    after = hand["after_best_discard"]
    return int(hand["deadwood"] if after is None else after)


def sides(view: View, names: Sequence[str], order: Sequence[int]) -> list[Side]:
    """The hands of these seats, in this order."""
    return [_side(view, names, seat) for seat in order]


def _side(view: View, names: Sequence[str], seat: int) -> Side:
    result = view["result"]
    hand = (result or view)["hands"][seat]
    groups = [
        _meld(meld, _added(result, seat, at), names, hand.get("drawn"))
        for at, meld in enumerate(hand["melds"])
    ]
    if hand["loose"]:
        groups.append(_left_over(hand))
    what = _did(result, hand, names) if result else ""
    return Side(seat, names[seat], groups, deadwood_of(view, seat), what)


def _added(result: View | None, seat: int, at: int) -> dict[str, int]:
    """The cards others laid off on a meld of the knocker, each with who did."""
    if result is None or seat != result["knocker"]:
        return {}
    return {
        off["card"]: hand["seat"]
        for hand in result["hands"]
        for off in hand["laid_off"]
        if off["meld"] == at
    }


def _meld(
    meld: Sequence[str], added: Mapping[str, int], names: Sequence[str], drawn: str | None
) -> Group:
    cards = [*meld, *added]
    if len({card[0] for card in meld}) > 1:
        cards.sort(key=_by_rank)
    drawings = [
        _laid_off(card, names[added[card]]) if card in added else _held(card, drawn)
        for card in cards
    ]
    laid = ", ".join(each.index for each in drawings if each.laid_off)
    return Group(drawings, Sentence(meld_name(meld)), laid_off=laid)


def _laid_off(card: str, name: str) -> Shown:
    label = _("%(card)s, laid off by %(name)s") % {"card": card_name(card), "name": name}
    return Shown(card, label, laid_off=True)


def _held(card: str, drawn: str | None) -> Shown:
    if card != drawn:
        return shown(card)
    label = ", ".join([card_name(card), _("just drawn")])
    return Shown(card, label, drawn=True)


def _left_over(hand: View) -> Group:
    """The cards in no meld: how they add up, or what they would be after the best discard."""
    loose = sorted(hand["loose"], key=_by_rank)
    cards = [_held(card, hand.get("drawn")) for card in loose]
    if hand.get("after_best_discard") is not None:
        format = _("%(deadwood)s without %(card)s")
        caption = said(format, "", hand["best_discard"], deadwood=hand["after_best_discard"])
        return Group(cards, caption, dead=True, word=_("Deadwood"))
    sums = [points(CARDS[card]) for card in loose]
    if len(sums) == 1:
        return Group(cards, Sentence(str(sums[0])), dead=True, word=_("Deadwood"))
    added = f"{' + '.join(map(str, sums))} = {sum(sums)}"
    return Group(cards, Sentence(added), dead=True)


def _did(result: View, hand: View, names: Sequence[str]) -> str:
    """What a player did at the showdown."""
    if hand["seat"] == result["knocker"]:
        return _knocker_did(result)
    count = len(hand["laid_off"])
    if not count:
        return ""
    return ngettext(
        "lays off %(count)s card on %(name)s’s melds",
        "lays off %(count)s cards on %(name)s’s melds",
        count,
    ) % {"count": count, "name": names[result["knocker"]]}


def _knocker_did(result: View) -> str:
    if result["end"] == "big_gin":
        return _("big gin, eleven cards")
    thrown = result["thrown"]
    gin = result["end"] == "gin"
    format = _("gin, throwing %(card)s") if gin else _("knocks, throwing %(card)s")
    return format % {"card": article(thrown) + shown(thrown).index}


def _by_rank(card: str) -> tuple[int, int]:
    return rank(CARDS[card]), CARDS[card]
