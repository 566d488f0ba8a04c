"""The first hand: two prepared hands, and what the reader is to do at each of their moments.

The cards and moves stand here; every view, deadwood and point is the engine's and the score
sheet's. What is said about them is in templates/help/, a page a language. Seat 0 is the reader.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, Literal

from django.utils.translation import gettext as _

from games.engine.cards import CARDS, DECK, points, texts
from games.engine.position import Position, course
from games.engine.showdown import Outcome
from games.engine.view import view_for
from games.help import drawings, figures
from games.help.drawings import Group, Laid
from games.replay.words import meld_name, shown
from scoring.rules import HandResult, ScoringRules

View = dict[str, Any]
Kind = Literal["pick", "ask", "move", "read"]
READER, OTHER = 0, 1
OTHER_NAME = "Camille"


@dataclass(frozen=True)
class Prepared:
    """A hand whose deck was put in order: who deals, what each is dealt, what is drawn, the moves.

    ``first`` are the cards of whoever did not deal, who is asked about the upcard first.
    """

    dealer: int
    first: str
    second: str
    upcard: str
    stock: str
    moves: tuple[str, ...]

    @cached_property
    def deck(self) -> tuple[int, ...]:
        """The whole deck; what is never drawn comes last, in order."""
        first, second = self.first.split(), self.second.split()
        dealt = [card for pair in zip(first, second, strict=True) for card in pair]
        known = [CARDS[card] for card in (*dealt, self.upcard, *self.stock.split())]
        return (*known, *(card for card in DECK if card not in known))

    @cached_property
    def positions(self) -> list[Position]:
        """Every moment, as the engine plays it under the usual rules."""
        return course(figures.usual().play, self.deck, self.dealer, self.moves)

    @property
    def outcome(self) -> Outcome:
        """How it ended."""
        ended = self.positions[-1].outcome
        if ended is None:
            raise drawings.NoSuchExample("a prepared hand is played to its end")
        return ended


HANDS = (
    Prepared(
        dealer=OTHER,
        first="7h 8h 9h Jc Jd Ks 8c 3d 5d 4s",
        second="Qs Qc Kd 6h 6s 5s 5c As 2c 4d",
        upcard="Js",
        stock="3c 2h Qh",
        moves=(
            "draw discard", "discard Ks",
            "draw stock", "discard Kd",
            "draw stock", "discard 8c",
            "draw stock", "discard 4d",
            "draw discard", "knock 4s",
        ),
    ),
    Prepared(
        dealer=READER,
        first="9d Td Ks Kh Kc 4c 2h Ad Qc 7s",
        second="5s 5h 5c As 2s 3s Qd 8d 3h 2c",
        upcard="Jd",
        stock="9h Ah",
        moves=(
            "draw discard", "discard Qc",
            "draw stock", "discard 9h",
            "draw stock", "knock 7s",
        ),
    ),
)  # fmt: skip


@dataclass(frozen=True)
class Step:
    """A moment of the lesson. ``right`` is what is taught: a move, the cards to touch, an answer.

    ``shown_at`` is the ply whose view the reader has; ``sorted_out``: whether the melds lie apart.
    """

    slug: str
    kind: Kind
    hand: int
    shown_at: int
    right: tuple[str, ...] = ()
    sorted_out: bool = True

    @property
    def position(self) -> Position:
        return HANDS[self.hand].positions[self.shown_at]

    @cached_property
    def view(self) -> View:
        """What the reader's seat may know at this moment."""
        return view_for(self.position, READER)


STEPS = (
    Step("melds", "pick", 0, 0, ("7h", "8h", "9h"), sorted_out=False),
    Step("deadwood", "ask", 0, 0),
    Step("upcard", "move", 0, 0, ("draw discard",)),
    Step("discard", "move", 0, 1, ("discard Ks",)),
    Step("draw", "move", 0, 4, ("draw stock",)),
    Step("keep", "move", 0, 5, ("discard 8c",)),
    Step("take", "move", 0, 8, ("draw discard",)),
    Step("knock", "move", 0, 9, ("knock 4s",)),
    Step("lay-off", "read", 0, 10),
    Step("second", "move", 1, 2, ("draw stock",)),
    Step("danger", "move", 1, 3, ("discard 9h",)),
    Step("defence", "pick", 1, 4, ("Qd", "8d")),
    Step("undercut", "read", 1, 6),
    Step("sheet", "read", 1, 6),
)


@dataclass(frozen=True)
class Card:
    """A card of the reader's hand. ``kind``: of a meld, loose, or may not be thrown now."""

    drawn: drawings.Shown
    kind: str
    new: bool


@dataclass(frozen=True)
class Fan:
    """Cards of the reader's hand that lie together."""

    cards: Sequence[Card]
    caption: str
    dead: bool
    number: int | None


def fans(step: Step) -> list[Fan]:
    """The reader's hand, as the table would show it."""
    view = step.view
    if not step.sorted_out:
        dealt = [_card(view, card, "loose") for card in view["held"]]
        return [Fan(dealt, _("Your hand"), True, None)]
    found = [
        Fan([_card(view, card, "meld") for card in group], meld_name(group), False, None)
        for group in view["melds"]
    ]
    loose = [one.card for one in drawings.left_over(view["loose"]).cards] if view["loose"] else []
    loose.sort(key=lambda card: card == view["drawn"])  # the card just drawn comes last
    after = view["after_best_discard"]
    number = view["deadwood"] if after is None else after
    if step.kind == "ask":
        number = None  # it is what is asked
    left = [_card(view, card, "loose") for card in loose]
    return [*found, Fan(left, _("Deadwood"), True, number)]


def _card(view: View, card: str, kind: str) -> Card:
    locked = card in view["locked"]
    return Card(shown(card), "locked" if locked else kind, card == view["drawn"])


def knocked(hand: int) -> list[Group]:
    """The knocker's cards before anything is laid off on them."""
    outcome = HANDS[hand].outcome
    layout = outcome.layout[outcome.knocker or 0]
    return [
        *(drawings.meld(texts(one)) for one in layout.melds),
        drawings.left_over(texts(layout.loose)),
    ]


def showdown(hand: int, names: tuple[str, str], rules: ScoringRules) -> Laid:
    """How a prepared hand ended."""
    return drawings.laid(HANDS[hand].outcome, names, rules)


def answers(step: Step) -> list[tuple[int, str]]:
    """What the question about deadwood may be answered, each with whose sum it is."""
    view = step.view
    melded = sum(points(CARDS[card]) for meld in view["melds"] for card in meld)
    right = view["deadwood"]
    return [(melded, "melds"), (right, "right"), (melded + right, "all")]


def results() -> list[HandResult]:
    """Both hands as the score sheet hears of them."""
    ends = [prepared.outcome for prepared in HANDS]
    return [
        HandResult(end.winner, end.end, end.knocker_deadwood, end.defender_deadwood) for end in ends
    ]


def drawn_up() -> dict[str, Any]:
    """All the lesson's page draws from."""
    names = (_("You"), OTHER_NAME)
    rules = figures.usual().scoring
    rows = figures.sheet_rows(results(), rules)
    return {
        "steps": {step.slug.replace("-", "_"): _told(step) for step in STEPS},
        "count": len(STEPS),
        "other": OTHER_NAME,
        "first": showdown(0, names, rules),
        "second": showdown(1, names, rules),
        "knocked": knocked(1),
        "rows": rows,
        "totals": [sum(row.gains[seat] or 0 for row in rows) for seat in (READER, OTHER)],
    }


def _told(step: Step) -> dict[str, Any]:
    view = step.view
    return {
        "slug": step.slug,
        "kind": step.kind,
        "number": STEPS.index(step) + 1,
        "right": " ".join(step.right) if step.kind == "pick" else "".join(step.right),
        "view": view,
        "fans": fans(step),
        "top": shown(view["pile"][0]) if view["pile"] else None,
        "knock": view["knocks"][0] if view["knocks"] else None,
        "to_go": _to_go(view),
        "answers": answers(step) if step.kind == "ask" else [],
        "sum": drawings.left_over(view["loose"]).caption if view["loose"] else "",
        "mine": view["to_act"] == READER,
    }


def _to_go(view: View) -> int:
    """How much deadwood too much there is for a knock."""
    after = view["after_best_discard"]
    return max(0, after - view["knock_limit"]) if after is not None else 0
