"""Tables laid with chosen cards: states of the game that chance would take long to bring.

Rows are written by the table's own verbs, with a deck of our choice in place of a shuffled one.
Run inside the site (``manage.py shell``): ``lay_all`` prints the scenes as JSON for the browser.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Callable, Iterable, Mapping, Sequence
from datetime import timedelta
from types import MappingProxyType, SimpleNamespace
from typing import Any
from unittest import mock

from django.conf import settings
from django.db import connection
from django.test import Client
from django.utils import timezone

from accounts import hot
from accounts.models import User
from accounts.people import keep
from games import dealing, positions, rooms, table
from games.engine import cards
from games.models import Hand, Room, Table
from games.rooms import opening
from scoring import tasks

FAR_CLOCK = SimpleNamespace(now=lambda: timezone.now() + timedelta(days=1))
WIDE = ("W" * 24, "Ŵ" + "MW" * 11 + "M")

# One seat's ten cards, by what they are good for.
SEVEN = "5h 6h 7h 8h Jc Jd Js As 2d 4c"  # seven deadwood
GIN = "5h 6h 7h 8h Jc Jd Js 2c 2d 2s"
SEVERAL = "3c 3d 3h 3s 4s 5s 6s Ah 2d 4c"  # the sets and the run contend for the three of spades
LOOSE = "Kd Qh 9c 7s 5h 3c Ad Td 8h 2s"
APART = "6c 6h 7h 9s Jc Jd Js As 2d 4c"
POOR = "9h Ks Kc Kh 4d 6d 8d Tc Qc 3s"  # the nine fits on a run of hearts that ends with the eight
ONE = "3c 3d 3h Qc Qd Qh 6s 7s 8s Ac"
ALMOST = "3c 3d 3h Qc Qd Qh 6s 7s 8s Th"
LIKE_SEVEN = "3c 3d 3h Qc Qd Qh 8s 9s Ts 7c"

Script = Sequence[str]
TO_THE_DRAW: Script = ("pass", "pass")
DRAWN: Script = (*TO_THE_DRAW, "draw stock")


def deck(mine: str, theirs: str, up: str, stock: str = "", dealer: int = 1) -> str:
    """A deck that deals these hands to seats 0 and 1; what is not named follows in order."""
    hands = {0: mine.split(), 1: theirs.split()}
    first = 1 - dealer
    dealt = [card for pair in zip(hands[first], hands[dealer], strict=True) for card in pair]
    named = [*dealt, up, *stock.split()]
    rest = [text for text in map(cards.text, cards.DECK) if text not in named]
    whole = "".join([*named, *rest])
    assert len(whole) == 104, (mine, theirs, up, stock)
    return whole


def person(name: str) -> User:
    found = User.objects.filter(username=name).first()
    if found is not None:
        return found
    user = User(username=name)
    user.set_unusable_password()
    keep(user)
    return user


def tomorrow() -> Any:
    """The moment at which what is played is stored, as statements take it."""
    return connection.ops.adapt_datetimefield_value(FAR_CLOCK.now())


def cookie(user: User) -> str:
    """A session of this person, as the browser holds it."""
    client = Client()
    client.force_login(user)
    return client.cookies[settings.SESSION_COOKIE_NAME].value


class Laid:
    """One table with its two players, moved by a script.

    ``held``: a hand that is over stays on the table for a day, however long the reader looks.
    """

    def __init__(
        self, names: Sequence[str], options: dict[str, Any], room: str = "Salle des cousins",
        held: bool = True,
    ) -> None:
        self.held = held
        self.people = [person(name) for name in names]
        rules = {"preset": "complete", **options}
        stakes = rules.pop("stakes", None)
        with mock.patch.object(opening, "OPENED_A_DAY", 1_000):  # one person lays every scene
            room_id = rooms.open_room(self.people[0].pk, room, rules, stakes=stakes)
        self.table = Table.objects.get(room_id=room_id)
        for user in self.people[1:]:
            rooms.join_room(self.table.room.invitation, user.pk)

    def deal(self, whole: str, dealer: int = 1) -> None:
        """Deal this deck: the first hand by sitting down, a later one by both being ready."""
        with (
            mock.patch.object(dealing, "fresh_deck", return_value=whole),
            mock.patch.object(dealing, "first_dealer", return_value=dealer),
        ):
            game = self.table.games.order_by("-number").first()
            if game is None or game.started_at is None:
                table.sit_down(self.table.pk, self.people[1].pk)
            else:
                for user in self.people:
                    table.ready(self.table.pk, user.pk)

    def play(self, moves: Iterable[str]) -> None:
        """Make these moves, each by whoever's turn it is."""
        with mock.patch.object(hot, "now", tomorrow if self.held else hot.now):
            for move in moves:
                at, position = self._place()
                table.make_move(self.table.pk, self.people[position.to_act].pk, move, at)

    def drag_on(self, take: Callable[[Any], list[str]]) -> None:
        """Take turns in this manner until the hand is over."""
        while True:
            _at, position = self._place()
            if position is None:
                return
            self.play(take(position))

    def _place(self) -> tuple[tuple[int, int], Any]:
        hand = Hand.objects.filter(game__table=self.table, ended_at=None).last()
        if hand is None:
            return (0, 0), None
        ply = hand.moves.count()
        return (hand.number, ply), positions.position_of(hand.game_id, hand.pk, ply)

    def seen(self) -> dict[str, Any]:
        """Where this table is and who may look at it."""
        game = self.table.games.latest("number")
        return {
            "table": f"/tables/{self.table.pk}/",
            "room": f"/rooms/{self.table.room_id}/",
            "invitation": f"/j/{self.table.room.invitation}/",
            "sheet": f"/sheets/{game.sheet_id}/" if game.sheet_id else None,
            "cookies": [cookie(user) for user in self.people],
        }


def from_the_stock(position: Any) -> list[str]:
    """Draw and throw what was drawn."""
    return ["draw stock", f"discard {cards.text(position.deck[position.stock_from])}"]


def from_the_pile(position: Any) -> list[str]:
    """Take what lies on the pile and throw something else: nobody touches the stock."""
    held = position.held[position.to_act]
    return ["draw discard", f"discard {cards.text(held[0])}"]


def hand(
    name: str,
    whole: str,
    moves: Script,
    *,
    names: Sequence[str] = ("Léo", "Camille"),
    room: str = "Salle des cousins",
    rules: Mapping[str, Any] = MappingProxyType({}),
    pace: str = "none",
    more: Callable[[Laid], None] = lambda laid: None,
) -> tuple[str, Callable[[], Laid]]:
    """A scene: one dealt hand and the moves made in it."""

    def lay() -> Laid:
        laid = Laid(names, dict(rules), room)
        Room.objects.filter(pk=laid.table.room_id).update(pace=pace)
        laid.deal(whole)
        laid.play(moves)
        more(laid)
        return laid

    return name, lay


def _resigned(laid: Laid) -> None:
    table.resign(laid.table.pk, laid.people[1].pk)


def _before_the_bonuses(laid: Laid) -> None:
    """Ended by resigning, the task lost on its way; a sweep would find it."""
    with mock.patch.object(tasks.write_bonuses, "delay"):
        _resigned(laid)


def _offered_by(laid: Laid, seat: int) -> None:
    """Offer to call the game off: after the last move, which may stand in the future."""
    later = FAR_CLOCK.now() + timedelta(minutes=1)
    with mock.patch("django.utils.timezone.now", return_value=later):
        table.call_off(laid.table.pk, laid.people[seat].pk, "offer")


def _in_line(laid: Laid) -> None:
    """The loser makes room, and two wait."""
    Table.objects.filter(pk=laid.table.pk).update(rotation="loser")
    for name in ("Max", WIDE[0]):
        rooms.join_room(laid.table.room.invitation, person(name).pk)
        table.line_up(laid.table.pk, person(name).pk)


def _won_by(laid: Laid, winner: int, loses: str, number: int) -> None:
    """Deal hand ``number``, if it does not lie there yet, and let this seat knock with seven."""
    dealer = number % 2
    if number > 1:
        mine, theirs = (SEVEN, loses) if winner == 0 else (loses, SEVEN)
        laid.deal(deck(mine, theirs, "Ts", "Kd Jh", dealer), dealer)
    drawn = "Jh" if dealer == winner else "Kd"
    laid.play((*DRAWN, *(("discard Kd", "draw stock") if drawn == "Jh" else ()), f"knock {drawn}"))


def _many_hands(laid: Laid) -> None:
    """Thirty short hands: won in turn, and one in six void."""
    for number in range(1, 31):
        if number % 6:
            _won_by(laid, number % 3 % 2, POOR, number)
            continue
        laid.deal(deck(SEVEN, POOR, "Ts", "Kd Jh", number % 2), number % 2)
        laid.play(TO_THE_DRAW)
        laid.drag_on(from_the_stock)


def _small_and_often(laid: Laid) -> None:
    """Four small hands for one, then the target by a single big one of the other."""
    for number in (1, 2, 3, 4):
        _won_by(laid, 0, ALMOST, number)
    laid.deal(deck(POOR, GIN, "Ts", "Kd As"), 1)
    laid.play((*DRAWN, "discard Kd", "draw stock", "knock As"))


# Both hands after it are short: a card is thrown, one is taken, and the third draw knocks.
SHORT = deck(SEVEN, POOR, "Qs", "Kd Jh")
KNOCK = deck(SEVEN, POOR, "Qs", "Kd")
SCENES = dict([
    hand("upcard", KNOCK, ()),
    hand("by keyboard", SHORT, ()),
    hand("by touch", SHORT, ()),
    hand("passed", KNOCK, ("pass",)),
    hand("stock only", KNOCK, TO_THE_DRAW),
    hand("knock", KNOCK, DRAWN),
    hand("to lay off", KNOCK, DRAWN),
    # Nora keeps settings that no other test may meet.
    hand("to choose", KNOCK, DRAWN, names=("Nora", "Camille")),
    hand("their turn", KNOCK, (*DRAWN, "discard Kd")),
    hand("to move", KNOCK, (*DRAWN, "discard Kd"), names=("Nina", "Camille")),
    hand("draw", deck(LOOSE, POOR.replace("Kh", "2c"), "Qs", "Kh"),
         (*DRAWN, "discard Kh", "draw stock", "discard 9h")),
    hand("loose", deck(LOOSE, APART, "Qs", "Ac"), DRAWN),
    hand("taken", deck(LOOSE, POOR.replace("Kh", "2c").replace("9h", "Jc"), "Qs"),
         ("draw discard",)),
    hand("several", deck(SEVERAL, POOR.replace("4d", "5c").replace("3s", "Jc"), "Qs", "Ac"),
         DRAWN),
    hand("gin", deck(GIN, POOR, "Qs", "Kd"), DRAWN),
    hand("big gin", deck(GIN, POOR, "Qs", "2h"), DRAWN),
    hand("limit by upcard", deck(SEVEN, POOR, "7s", "Kd"), DRAWN,
         rules={"preset": "oklahoma_spades"}),
    hand("gin only", deck(SEVEN, POOR, "Ad", "Kd"), DRAWN,
         rules={"preset": "oklahoma_money_play"}),
    hand("open pile", KNOCK, (*DRAWN, "discard Kd"), rules={"discard_history": "open"}),
    hand("long names", KNOCK, DRAWN, names=WIDE, room="Wim Wenders " * 5),
    hand("offer", KNOCK, DRAWN, more=lambda laid: _offered_by(laid, 1)),
    hand("own offer", KNOCK, (*DRAWN, "discard Kd"), more=lambda laid: _offered_by(laid, 0)),
    hand("offer between hands", KNOCK, (*DRAWN, "knock Kd"),
         more=lambda laid: _offered_by(laid, 1)),
    hand("in line", KNOCK, DRAWN, more=_in_line),
    hand("clock", KNOCK, DRAWN, pace="60"),
    hand("little time", KNOCK, DRAWN, pace="60"),
    hand("after a knock", KNOCK, (*DRAWN, "knock Kd")),
    hand("after gin", deck(GIN, POOR, "Qs", "Kd"), (*DRAWN, "knock Kd")),
    hand("after big gin", deck(GIN, POOR, "Qs", "2h"), (*DRAWN, "big gin")),
    hand("after an undercut", deck(SEVEN, ONE, "9c", "Kd"), (*DRAWN, "knock Kd")),
    hand("after a tie", deck(SEVEN, LIKE_SEVEN, "Ks", "Kd"), (*DRAWN, "knock Kd")),
    hand("after long names", deck(SEVEN, POOR, "Qs", "Kd"), (*DRAWN, "knock Kd"), names=WIDE,
         room="Wim Wenders " * 5),
    hand("after the spade", deck(SEVEN, POOR, "7s", "Kd"), (*DRAWN, "knock Kd"),
         rules={"preset": "oklahoma_spades"}),
    hand("the stock out", deck(LOOSE, APART, "Qs"), TO_THE_DRAW,
         more=lambda laid: laid.drag_on(from_the_stock)),
    hand("fifty turns", KNOCK, (), more=lambda laid: laid.drag_on(from_the_pile)),
    hand("first knock", KNOCK, (*DRAWN, "knock Kd"), rules={"preset": "first_to_knock"}),
    hand("won", deck(GIN, POOR, "Qs", "2h"), (*DRAWN, "big gin"), rules={"target": 50}),
    # Gin against fifty points of deadwood is the whole game, and more than a buy-in.
    hand("for chips", deck(GIN, POOR, "Qs", "Kd"), (), rules={
        "preset": "money_play", "target": 50,
        "stakes": {"mode": "money", "amount": "0.75", "commission": "house"},
    }),
    hand("bonuses to come", KNOCK, DRAWN, rules={"target": 50}, more=_before_the_bonuses),
    hand("reached by the other", deck(SEVEN, ALMOST, "Ts", "Kd Jh"), (),
         rules={"target": 50, "game_bonus": 0}, more=_small_and_often),
    hand("resigned", KNOCK, DRAWN, more=_resigned),
    hand("long names won", deck(GIN, POOR, "Qs", "2h"), (*DRAWN, "big gin"), names=WIDE,
         room="Wim Wenders " * 5, rules={"target": 50}),
    hand("thirty hands", deck(POOR, SEVEN, "Ts", "Kd Jh"), (), rules={"target": 1000},
         more=_many_hands),
])


def lay_waiting() -> Laid:
    return Laid(("Léo", "Camille"), {})


def lay_crowd() -> Laid:
    """A room with twelve tables in every state and thirty members."""
    laid = Laid(("Léo", "Camille"), {}, "Le club du jeudi soir")
    room = laid.table.room
    laid.deal(KNOCK)
    everyone = [person(f"Membre {number}") for number in range(28)]
    for user in everyone:
        rooms.join_room(room.invitation, user.pk)
    for number, user in enumerate(everyone[:11]):
        opened = rooms.open_table(room.pk, user.pk)
        if number % 3:
            table.sit_down(opened, everyone[-1 - number].pk)
        if number % 3 == 2:
            table.resign(opened, user.pk)
    return laid


def lay(names: Sequence[str] = ()) -> dict[str, Any]:
    """Lay these scenes, or all, and tell where they are."""
    every = {**SCENES, "waiting": lay_waiting, "crowd": lay_crowd}
    laid = {name: every[name]().seen() for name in names or every}
    laid["watcher"] = cookie(watcher(laid))
    return laid


def watcher(laid: Mapping[str, Mapping[str, Any]]) -> User:
    """Somebody who is a member of every room and plays nowhere."""
    user = person("Zoé")
    for scene in laid.values():
        room_id = Table.objects.get(pk=scene["table"].split("/")[2]).room_id
        rooms.join_by_code(Room.objects.get(pk=room_id).code, user.pk)
    return user


def tell(names: Sequence[str] = ()) -> None:
    sys.stdout.write(json.dumps(lay(names)) + "\n")
