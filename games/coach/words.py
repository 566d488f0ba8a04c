"""Verdicts and moves as the coach says them, and figures with their margins."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from django.utils import formats
from django.utils.translation import npgettext, pgettext, pgettext_lazy

from games.coach.verdicts import Judged, Verdict
from games.engine.bots import Weighed
from games.engine.cards import BITS, CARDS, gather
from games.engine.melds import least_deadwood
from games.replay.finding import View
from games.replay.words import CARD, Sentence, shown

if TYPE_CHECKING:
    from django.utils.functional import _StrPromise as StrPromise


def verdict(given: Verdict) -> str:
    return {
        "right": pgettext("the coach", "right"),
        "even": pgettext("the coach", "as good"),
        "doubtful": pgettext("the coach", "doubtful"),
        "costly": pgettext("the coach", "costly"),
    }[given]


def counted(given: Verdict, count: int) -> str:
    """"3 doubtful": French words agree with their number."""
    said = {
        "right": npgettext("the coach", "%(count)s right", "%(count)s right", count),
        "even": npgettext("the coach", "%(count)s as good", "%(count)s as good", count),
        "doubtful": npgettext("the coach", "%(count)s doubtful", "%(count)s doubtful", count),
        "costly": npgettext("the coach", "%(count)s costly", "%(count)s costly", count),
    }
    return said[given] % {"count": count}


def worth(one: Weighed, places: int) -> str:
    """Expected points and their margin: "−1,8 ± 0,6"."""
    points, margin = round(one.points, places), formats.number_format(one.margin, places)
    sign = "−" if points < 0 else "+" if points > 0 else ""
    return f"{sign}{formats.number_format(abs(points), places)} ± {margin}"


class Told(NamedTuple):
    """How each kind of move is told."""

    passed: StrPromise
    stock: StrPromise
    taken: StrPromise
    big_gin: StrPromise
    discard: StrPromise
    gin: StrPromise
    knock: StrPromise


DONE = Told(
    passed=pgettext_lazy("the coach", "Passed"),
    stock=pgettext_lazy("the coach", "Drew from the stock"),
    taken=pgettext_lazy("the coach", "Took %(card)s"),
    big_gin=pgettext_lazy("the coach", "Declared big gin"),
    discard=pgettext_lazy("the coach", "Discarded %(card)s"),
    gin=pgettext_lazy("the coach", "Went gin, throwing %(card)s"),
    knock=pgettext_lazy("the coach", "Knocked with %(deadwood)s, throwing %(card)s"),
)
POSSIBLE = Told(
    passed=pgettext_lazy("the coach", "pass"),
    stock=pgettext_lazy("the coach", "draw from the stock"),
    taken=pgettext_lazy("the coach", "take %(card)s"),
    big_gin=pgettext_lazy("the coach", "declare big gin"),
    discard=pgettext_lazy("the coach", "discard %(card)s"),
    gin=pgettext_lazy("the coach", "go gin, throwing %(card)s"),
    knock=pgettext_lazy("the coach", "knock with %(deadwood)s, throwing %(card)s"),
)


def made(before: View, seat: int, move: str) -> Sentence:
    """What was done: "Discarded: 9♥"."""
    return _told(DONE, before, seat, move)


def better(before: View, seat: int, one: Judged) -> Sentence:
    """What would have been better; of two discards the card says it."""
    verb, _rest, name = one.best.move.partition(" ")
    if verb == "discard" and one.made.move.startswith(verb):
        return Sentence("", shown(name))
    return option(before, seat, one.best.move)


def option(before: View, seat: int, move: str) -> Sentence:
    """What could be done: "discard K♣"."""
    return _told(POSSIBLE, before, seat, move)


def _told(told: Told, before: View, seat: int, move: str) -> Sentence:
    verb, _rest, name = move.partition(" ")
    if verb == "pass":
        return Sentence(str(told.passed))
    if move == "draw stock":
        return Sentence(str(told.stock))
    if verb == "draw":
        return _with_card(told.taken, before["pile"][0])
    if verb == "big":
        return Sentence(str(told.big_gin))
    if verb == "discard":
        return _with_card(told.discard, name)
    deadwood = _deadwood_without(before, seat, name)
    return _with_card(told.knock if deadwood else told.gin, name, deadwood)


def _with_card(format: StrPromise, card: str, deadwood: int = 0) -> Sentence:
    before, _card, after = str(format).partition(CARD)
    values = {"deadwood": deadwood}
    return Sentence(before % values, shown(card), after % values)


def _deadwood_without(before: View, seat: int, card: str) -> int:
    """What a knock that throws this card leaves."""
    held = gather(CARDS[name] for name in before["hands"][seat]["held"])
    return least_deadwood(held ^ BITS[CARDS[card]])
