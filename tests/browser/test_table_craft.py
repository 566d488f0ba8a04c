"""The table's craft: dragging, one's own order, calling off, preferences, the keyboard alone."""

from __future__ import annotations

import json
import re
import time

import pytest
from playwright.sync_api import Locator, Page, expect

from tests.browser.hands import click_on, sit_together, step, touch, worst_card
from tests.browser.test_axe import wrong_with

CARDS = "nodes => nodes.map(node => node.dataset.card)"


def shown(page: Page) -> list[str]:
    """The cards of the hand, from left to right."""
    return page.locator(".hand [data-card]").evaluate_all(CARDS)


def middle(place: Locator) -> tuple[float, float]:
    box = place.bounding_box()
    assert box is not None
    return box["x"] + box["width"] / 2, box["y"] + box["height"] / 2


def grip(page: Page, card: str) -> tuple[float, float]:
    """A point of the card that its neighbour does not cover."""
    box = page.locator(f".hand [data-card='{card}']").bounding_box()
    assert box is not None
    return box["x"] + 8, box["y"] + 40


class Mouse:
    """Drags as a mouse does."""

    def __init__(self, page: Page) -> None:
        self.page = page

    def press(self, x: float, y: float) -> None:
        self.page.mouse.move(x, y)
        self.page.mouse.down()

    def move(self, x: float, y: float) -> None:
        self.page.mouse.move(x, y, steps=6)

    def let_go(self) -> None:
        self.page.mouse.up()


class Finger:
    """Drags as a finger does, by real touches of the browser."""

    def __init__(self, page: Page) -> None:
        self.wire = page.context.new_cdp_session(page)
        self.at = (0.0, 0.0)

    def _say(self, kind: str, points: list[tuple[float, float]]) -> None:
        touches = [{"x": x, "y": y} for x, y in points]
        self.wire.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": touches})

    def press(self, x: float, y: float) -> None:
        self.at = (x, y)
        self._say("touchStart", [self.at])

    def move(self, x: float, y: float) -> None:
        (from_x, from_y), parts = self.at, 6
        for part in range(1, parts + 1):
            self.at = (from_x + (x - from_x) * part / parts, from_y + (y - from_y) * part / parts)
            self._say("touchMove", [self.at])

    def let_go(self) -> None:
        self._say("touchEnd", [])

    def cancel(self) -> None:
        self._say("touchCancel", [])


def drag(page: Page, hand: Mouse | Finger, start: tuple[float, float], end: tuple) -> None:
    hand.press(*start)
    hand.move(*end)
    hand.let_go()


HANDS = {"laptop": Mouse, "phone": Finger}


@pytest.fixture
def at_table(player):
    """Two seated players; gives the one whose turn it is to draw, and the other."""

    def sit(names: tuple[str, str], screen: str = "laptop", **options: str) -> tuple[Page, Page]:
        alice, bob = player(names[0], screen), player(names[1], screen)
        sit_together(alice, bob, **options)
        pages = [alice, bob]
        while not alice.locator("body[data-phase=draw]").count():
            mover = next(page for page in pages if page.locator("body[data-turn=mine]").count())
            version = mover.locator("body").get_attribute("data-version")
            click_on(mover, "pass")
            for page in pages:
                page.wait_for_function("was => document.body.dataset.version > was", arg=version)
        mover = next(page for page in pages if page.locator("body[data-turn=mine]").count())
        return mover, next(page for page in pages if page is not mover)

    return sit


@pytest.mark.parametrize("screen", ["laptop", "phone"])
def test_a_turn_by_dragging_alone(at_table, screen):
    mover, _other = at_table((f"adele-{screen}", f"bastien-{screen}"), screen)
    hand = HANDS[screen](mover)
    drag(mover, hand, middle(mover.locator(".stockp .card")), middle(mover.locator(".hand")))
    expect(mover.locator("body")).to_have_attribute("data-phase", "discard")
    assert len(shown(mover)) == 11
    thrown = worst_card(mover)
    drag(mover, hand, grip(mover, thrown), middle(mover.locator(".discp .card").last))
    expect(mover.locator("body")).to_have_attribute("data-turn", "")
    expect(mover.locator(f".discp [data-card-shown='{thrown}']")).to_be_visible()
    expect(mover.locator(".lifted")).to_have_count(0)
    assert thrown not in shown(mover)


@pytest.mark.parametrize("screen", ["laptop", "phone"])
def test_an_own_order_by_dragging_survives_a_reload_and_another_device(
    at_table, window, site, screen
):
    mover, _other = at_table((f"agathe-{screen}", f"bruno-{screen}"), screen)
    before = shown(mover)
    last = mover.locator(".hand .slot").last
    edge = last.bounding_box()
    start = grip(mover, before[0])
    drag(mover, HANDS[screen](mover), start, (edge["x"] + edge["width"] - 4, start[1]))
    wanted = [*before[1:], before[0]]
    assert shown(mover) == wanted
    assert not mover.locator(".slot.sel").count()  # it was no click
    mover.wait_for_timeout(300)
    mover.reload()
    expect(mover.locator(".conn")).to_have_attribute("data-line", "open")
    assert shown(mover) == wanted
    tablet = window(site.url, "laptop")
    tablet.context.add_cookies(mover.context.cookies())
    tablet.goto(mover.url)
    expect(tablet.locator(".conn")).to_have_attribute("data-line", "open")
    assert shown(tablet) == wanted
    # a card drawn there comes last here, and what is thrown leaves the rest in order
    tablet.keyboard.press("1")
    expect(mover.locator(".hand .slot.new")).to_have_count(1)
    assert shown(mover)[:-1] == wanted
    assert mover.locator(".hand .slot").last.get_attribute("class").split()[1] == "new"
    touch(mover, wanted[4])
    click_on(mover, "discard")
    expect(mover.locator(".hand [data-card]")).to_have_count(10)
    assert shown(mover)[:-1] == [card for card in wanted if card != wanted[4]]


def test_a_drag_given_up_goes_back_and_throws_nothing(at_table):
    mover, _other = at_table(("aline", "bernard"))
    click_on(mover, "draw-stock")
    expect(mover.locator("body")).to_have_attribute("data-phase", "discard")
    before, card = shown(mover), worst_card(mover)
    version = mover.locator("body").get_attribute("data-version")
    hand = Mouse(mover)
    hand.press(*grip(mover, card))
    hand.move(*middle(mover.locator(".discp .card").last))
    expect(mover.locator(".discp.drop")).to_have_count(1)
    mover.keyboard.press("Escape")
    hand.let_go()
    drag(mover, hand, grip(mover, card), middle(mover.locator(".score")))
    expect(mover.locator(".lifted")).to_have_count(0)
    assert shown(mover) == before
    assert not mover.locator(".slot.sel, .slot.away").count()
    assert mover.locator("body").get_attribute("data-version") == version


def test_a_finger_taken_away_by_the_system_throws_nothing(at_table):
    mover, _other = at_table(("aurore", "blaise"), "phone")
    click_on(mover, "draw-stock")
    expect(mover.locator("body")).to_have_attribute("data-phase", "discard")
    before, card = shown(mover), worst_card(mover)
    finger = Finger(mover)
    finger.press(*grip(mover, card))
    finger.move(*middle(mover.locator(".discp .card").last))
    finger.cancel()
    expect(mover.locator(".lifted")).to_have_count(0)
    assert shown(mover) == before
    expect(mover.locator("body")).to_have_attribute("data-phase", "discard")


def test_the_game_is_called_off_when_both_want_it(at_table):
    mover, other = at_table(("armelle", "benjamin"))
    for answer in ("call-off-refuse", "call-off-accept"):
        click_on(mover, "menu")
        click_on(mover, "call-off-offer")
        click_on(mover, "call-off-send")
        expect(mover.locator(".offer[data-panel=call-off-mine]")).to_be_visible()
        expect(other.locator(".offer[data-panel=call-off]")).to_be_visible()
        other.wait_for_timeout(700)  # a touch meant for something else answers nothing
        click_on(other, answer)
        expect(mover.locator(".offer:visible")).to_have_count(0)
    for page in (mover, other):
        expect(page.locator("body")).to_have_attribute("data-state", "finished")
        expect(page.locator("h1")).to_have_text("Partie annulée")


def test_an_answer_given_too_soon_counts_for_nothing(at_table):
    mover, other = at_table(("annick", "boniface"))
    for act in ("menu", "call-off-offer", "call-off-send"):
        click_on(mover, act)
    other.locator(".offer[data-panel=call-off]").wait_for()
    other.evaluate("document.querySelector('[data-act=call-off-accept]').click()")
    other.wait_for_timeout(300)
    assert other.locator("body").get_attribute("data-state") == "playing"


def test_preferences_are_there_before_the_first_paint_and_after_a_reload(seated, laid):
    scene = laid["knock"]
    page = seated(scene["cookies"][0])
    page.goto(scene["table"])
    click_on(page, "menu")
    click_on(page, "preferences")
    for name in ("deck4", "large", "french", "sounds"):
        page.locator(f"#preferences-dialog input[name={name}]").check()
    page.locator("#preferences-dialog input[name=animation]").uncheck()
    page.locator("#preferences-dialog button[value=close]").click()
    wide = page.locator(".hand .card").first.bounding_box()["width"]
    page.add_init_script(
        "addEventListener('DOMContentLoaded', () => "
        "{ globalThis.early = { ...document.documentElement.dataset }; })"
    )
    page.reload()
    wanted = {"deck": "4", "cards": "large", "courts": "french", "sounds": "on", "animation": "off"}
    assert page.evaluate("globalThis.early") == wanted
    expect(page.locator(".conn")).to_have_attribute("data-line", "open")
    assert page.locator(".hand .card").first.bounding_box()["width"] == wide > 104
    king = page.locator(".hand [data-card=Kd] use").first
    assert king.get_attribute("href").endswith("#fKd")


def test_a_browser_that_keeps_nothing_still_plays(seated, laid):
    scene = laid["knock"]
    page = seated(scene["cookies"][0])
    page.add_init_script(
        "Object.defineProperty(globalThis, 'localStorage', { get() { throw new Error('no'); } })"
    )
    page.goto(scene["table"])
    expect(page.locator(".hand [data-card]")).to_have_count(11)
    click_on(page, "menu")
    click_on(page, "preferences")
    page.locator("#preferences-dialog input[name=deck4]").check()
    assert page.locator("html").get_attribute("data-deck") == "4"


def test_a_hand_by_the_keyboard_alone(at_table):
    mover, other = at_table(("astrid", "baudouin"))
    pages = [mover, other]
    for _ in range(6):
        page = next(one for one in pages if one.locator("body[data-turn=mine]").count())
        page.keyboard.press("Digit1")
        expect(page.locator("body")).to_have_attribute("data-phase", "discard")
        page.keyboard.press("Digit3")
        third = shown(page)[2]
        expect(page.locator(f".slot.sel [data-card='{third}']")).to_be_visible()
        page.keyboard.press("Escape")
        page.keyboard.press("ArrowLeft")
        card = page.evaluate("document.activeElement.dataset.card")
        page.keyboard.press("Space")
        page.wait_for_timeout(650)
        page.keyboard.press("Enter")
        expect(page.locator("body")).to_have_attribute("data-turn", "")
        assert card not in shown(page)
        page.wait_for_function(
            "version => Number(document.body.dataset.version) >= Number(version)",
            arg=page.locator("body").get_attribute("data-version"),
        )
        for one in pages:
            one.wait_for_function(
                "version => Number(document.body.dataset.version) >= Number(version)",
                arg=page.locator("body").get_attribute("data-version"),
            )


def test_the_keyboard_puts_a_card_elsewhere(seated, laid):
    scene = laid["their turn"]
    page = seated(scene["cookies"][0])
    page.goto(scene["table"])
    expect(page.locator(".conn")).to_have_attribute("data-line", "open")
    before = shown(page)
    page.keyboard.press("ArrowRight")
    card = page.evaluate("document.activeElement.dataset.card")
    page.keyboard.press("Shift+ArrowRight")
    at = before.index(card)
    assert shown(page)[at : at + 2] == [before[at + 1], card]
    assert page.evaluate("document.activeElement.dataset.card") == card


def test_the_open_pile_may_be_looked_through(seated, laid):
    scene = laid["open pile"]
    page = seated(scene["cookies"][1], "phone")
    page.goto(scene["table"])
    expect(page.locator(".conn")).to_have_attribute("data-line", "open")
    page.locator(".browse").tap()
    cards = page.locator("#discards-dialog [data-card]").evaluate_all(CARDS)
    assert cards[0] == page.locator(".discp [data-card-shown]").get_attribute("data-card-shown")
    assert len(cards) == 2


def test_the_title_calls_once_and_is_quiet_when_looked_at(at_table):
    mover, other = at_table(("anouk", "bertrand"))
    plain = other.title()
    other.evaluate(
        "() => { document.hasFocus = () => false; }"
    )
    step([mover, other])
    step([mover, other])
    expect(other.locator("body")).to_have_attribute("data-turn", "mine")
    assert other.title() == "À vous de jouer"
    other.evaluate(
        "() => { document.hasFocus = () => true; dispatchEvent(new Event('focus')); }"
    )
    assert other.title() == plain


COUNT_FLIGHTS = """() => {
    globalThis.flights = [];
    const animate = Element.prototype.animate;
    Element.prototype.animate = function (frames, how) {
        globalThis.flights.push(how.delay ?? 0);
        return animate.call(this, frames, how);
    };
}"""


def flights(page: Page) -> list[float]:
    return page.evaluate("globalThis.flights.splice(0)")


def test_cards_fly_for_both_and_hold_nobody_up(at_table):
    mover, other = at_table(("angele", "barnabe"))
    for page in (mover, other):
        page.emulate_media(reduced_motion="no-preference")
        page.evaluate(COUNT_FLIGHTS)
    click_on(mover, "draw-stock")
    card = mover.locator(".hand .slot.new [data-card]").get_attribute("data-card")
    touch(mover, card)  # while it still flies
    click_on(mover, "discard")
    expect(other.locator("body")).to_have_attribute("data-turn", "mine")
    assert flights(mover)
    assert flights(other)
    for page in (mover, other):
        expect(page.locator(".lifted")).to_have_count(0)


@pytest.mark.parametrize("why", ["preference", "reduced motion"])
def test_nothing_moves_for_who_wants_it_calm(at_table, why):
    pages = at_table((f"agnan-{why[:4]}", f"bertille-{why[:4]}"))
    for page in pages:
        page.evaluate(COUNT_FLIGHTS)
        if why == "preference":
            page.emulate_media(reduced_motion="no-preference")
            page.evaluate("tableSettings.keep({ ...tableSettings.read(), animation: false })")
    step(list(pages))
    step(list(pages))
    assert [flights(page) for page in pages] == [[], []]


def test_what_is_laid_off_travels_after_both_hands_lie_open(seated, laid):
    scene = laid["to lay off"]
    page = seated(scene["cookies"][0], reduced_motion="no-preference")
    page.goto(scene["table"])
    expect(page.locator(".conn")).to_have_attribute("data-line", "open")
    page.evaluate(COUNT_FLIGHTS)
    click_on(page, "knock")
    click_on(page, "knock-confirm")
    expect(page.locator(".slot.lay")).to_have_count(1)
    delays = flights(page)
    assert [delay for delay in delays if delay > 500] == [650]
    assert len(delays) > 10


def minutes_ago(minutes: float) -> int:
    return int((time.time() - 60 * minutes) * 1000)


def clock(**more) -> dict:
    at = minutes_ago(0.3)
    return {"pace": "60", "clock": {
        "seat": 0, "turn_from": at, "turn_ms": 60_000, "reserve_ms": [240_000, 90_000],
        "deadline": at + 300_000, **more,
    }}  # fmt: skip


STATES = {
    "offer": ("knock", {"call_off": {"by": 1}}),
    "own offer": ("their turn", {"call_off": {"by": 0}}),
    "absence": ("their turn", {"present": [True, False], "absence": {
        "seat": 1, "since": minutes_ago(6), "why": "gone", "choices": ["wait", "adjourn", "claim"],
    }}),
    "adjourned": ("knock", {**clock(deadline=None), "adjourned": True}),
    "clock": ("knock", {**clock(), "spectators": 3, "present": [True, False]}),
    "little time": ("knock", {**clock(deadline=minutes_ago(-0.1)), "timeouts": [1, 2]}),
    "line": ("knock", {"rotation": "loser", "line": [{"name": "Max", "you": False}]}),
    "offer between hands": ("after a knock", {"call_off": {"by": 1}}),
}  # fmt: skip


def shown_as(page: Page, more: dict) -> None:
    """Let the socket say more of the table than it knows."""

    def between(route) -> None:
        server = route.connect_to_server()

        def pass_on(text: str) -> None:
            message = json.loads(text)
            route.send(json.dumps(message | more if message["type"] == "table" else message))

        server.on_message(pass_on)

    page.route_web_socket(re.compile(r"/ws/tables/"), between)


COVERED = """() => {
    const box = selector => [...document.querySelectorAll(selector)].filter(one =>
        one.getClientRects().length).map(one => [selector, one.getBoundingClientRect()]);
    const offers = box(".offer"), kept = [...box(".score"), ...box(".turn:not(.now)"),
        ...box(".hand .card"), ...box(".btns"), ...box(".me-r")];
    return offers.flatMap(([, a]) => kept.filter(([, b]) => a.left < b.right - 1
        && b.left < a.right - 1 && a.top < b.bottom - 1 && b.top < a.bottom - 1)
        .map(([selector]) => selector));
}"""
ON_ITS_SIDE = {"viewport": {"width": 640, "height": 360}}
SIZES = {"laptop": {}, "phone": {}, "phone on its side": ON_ITS_SIDE}


@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize("state", STATES)
def test_every_state_of_the_table_has_room_and_axe_agrees(seated, laid, state, size):
    scene, more = STATES[state]
    page = seated(laid[scene]["cookies"][0], size.split()[0], **SIZES[size])
    shown_as(page, more)
    page.goto(laid[scene]["table"])
    expect(page.locator(".conn")).to_have_attribute("data-line", "open")
    page.wait_for_timeout(200)
    if "offer" in state or state in ("absence", "adjourned"):
        expect(page.locator(".offer")).to_be_visible()
    assert page.evaluate(COVERED) == []
    assert wrong_with(page, state) == []


def test_the_clock_counts_by_the_servers_time_and_warns_by_more_than_colour(seated, laid):
    page = seated(laid["knock"]["cookies"][0], "phone")
    ahead = 3 * 3_600_000  # this browser's clock is three hours slow
    at = minutes_ago(0) + ahead
    told = clock(turn_from=at - 55_000, reserve_ms=[4000, 0], deadline=at + 9000)
    shown_as(page, {**told, "now": at})
    page.goto(laid["knock"]["table"])
    own = page.locator(".score [data-clock='0']")
    expect(own).to_have_class(re.compile(r"\bon\b.*\blow\b"))
    expect(own.locator(".t")).to_have_text(re.compile(r"^0:0\d$"))
    assert own.locator(".mark svg:visible use").get_attribute("href") == "#i-late"
    expect(page.locator("#alert")).to_have_text("Plus que dix secondes.")
