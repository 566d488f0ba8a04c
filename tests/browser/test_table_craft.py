"""The table's craft: dragging, one's own order, calling off, preferences, the keyboard alone."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import Locator, Page, expect

from tests.browser.hands import click_on, step, touch, worst_card
from tests.browser.test_axe import wrong_with
from tests.browser.times import wind

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
def at_table(together):
    """Two seated players; gives the one whose turn it is to draw, and the other."""

    def sit(names: tuple[str, str], screen: str = "laptop", **options: str) -> tuple[Page, Page]:
        alice, bob = together(names, (screen, screen), **options)
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


def test_a_pile_taken_up_and_given_up_is_not_drawn_from(at_table):
    """Giving up draws the pile anew under a mouse that is still down."""
    mover, _other = at_table(("alix", "baudouin"))
    hand, (x, y) = Mouse(mover), middle(mover.locator(".stockp .card"))
    hand.press(x, y)
    hand.move(x + 12, y)
    expect(mover.locator(".lifted")).to_have_count(1)
    mover.keyboard.press("Escape")
    hand.let_go()
    assert not mover.locator(".pile[aria-disabled=true]").count(), "a move is on its way"
    expect(mover.locator("body")).to_have_attribute("data-phase", "draw")
    drag(mover, hand, (x, y), middle(mover.locator(".hand")))
    expect(mover.locator("body")).to_have_attribute("data-phase", "discard")


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


EARLY = (
    "addEventListener('DOMContentLoaded', () => "
    "{ globalThis.early = { ...document.documentElement.dataset }; })"
)


def test_preferences_are_there_before_the_first_paint_and_on_every_device(seated, laid):
    scene = laid["to choose"]
    page = seated(scene["cookies"][0])
    page.goto(scene["table"])
    click_on(page, "menu")
    click_on(page, "preferences")
    for name in ("deck4", "large", "french", "sounds"):
        page.locator(f"#preferences-dialog input[name={name}]").check()
    with page.expect_response(lambda answer: answer.url.endswith("/account/table/")) as kept:
        page.locator("#preferences-dialog input[name=animation]").uncheck()
    assert kept.value.status == 204
    page.locator("#preferences-dialog button[value=close]").click()
    wide = page.locator(".hand .card").first.bounding_box()["width"]
    elsewhere = seated(scene["cookies"][0])
    for device in (page, elsewhere):
        device.add_init_script(EARLY)
        device.goto(scene["table"])
        wanted = {
            "kept": "", "deck": "4", "cards": "large", "courts": "french", "sounds": "on",
            "animation": "off",
        }  # fmt: skip
        assert device.evaluate("globalThis.early") == wanted
        expect(device.locator(".conn")).to_have_attribute("data-line", "open")
        assert device.locator(".hand .card").first.bounding_box()["width"] == wide > 104
        king = device.locator(".hand [data-card=Kd] use").first
        assert king.get_attribute("href").endswith("#fKd")


def test_a_browser_that_keeps_nothing_still_plays_and_says_what_is_lost(seated, laid, faults):
    scene = laid["to choose"]
    page = seated(scene["cookies"][0])
    page.route("**/account/table/", lambda route: route.abort())
    page.add_init_script(
        "Object.defineProperty(globalThis, 'localStorage', { get() { throw new Error('no'); } })"
    )
    page.goto(scene["table"])
    expect(page.locator(".hand [data-card]")).to_have_count(11)
    click_on(page, "menu")
    click_on(page, "preferences")
    other = page.locator("#preferences-dialog input[name=large]")
    other.set_checked(not other.is_checked())
    assert page.locator("html[data-cards=large]").count() == other.is_checked()
    expect(page.locator("#alert")).to_contain_text("votre compte n’a pas répondu")
    faults.clear()  # the browser reports the request that was stopped


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


def test_the_keyboard_puts_a_card_elsewhere_and_says_where(seated, laid):
    scene = laid["their turn"]
    page = seated(scene["cookies"][0])
    page.goto(scene["table"])
    expect(page.locator(".conn")).to_have_attribute("data-line", "open")
    before = shown(page)
    page.keyboard.press("ArrowRight")
    card = page.evaluate("document.activeElement.dataset.card")
    name = page.evaluate("document.activeElement.ariaLabel")
    page.keyboard.press("Shift+ArrowRight")
    at = before.index(card)
    assert shown(page)[at : at + 2] == [before[at + 1], card]
    assert page.evaluate("document.activeElement.dataset.card") == card
    expect(page.locator("#live")).to_have_text(f"{name}, place {at + 2} sur 10")


# Somebody may come back at the same moment, and be told of in the same place.
LISTEN = """() => {
    const live = document.querySelector("#live");
    window.heard = [];
    new MutationObserver(() => window.heard.push(live.textContent))
        .observe(live, { childList: true, characterData: true, subtree: true });
}"""
HEARD = "text => window.heard.some((said) => said.includes(text))"


def test_a_touch_raises_a_card_and_arrows_move_it_while_the_other_plays(seated, laid):
    scene = laid["to move"]
    alice, bob = (seated(cookie, "phone") for cookie in scene["cookies"])
    for page in (alice, bob):
        page.goto(scene["table"])
        expect(page.locator(".conn")).to_have_attribute("data-line", "open")
    before = shown(alice)
    assert not alice.locator(".step").count()
    alice.evaluate(LISTEN)
    place = {"x": 10, "y": 40}
    alice.locator(f".hand [data-card='{before[4]}']").tap(position=place)
    for act, at in (("card-right", 5), ("card-left", 4), ("card-left", 3)):
        alice.locator(f"[data-act={act}]").tap()
        assert shown(alice).index(before[4]) == at
        alice.wait_for_function(HEARD, arg=f"place {at + 1} sur 10")
    wanted = shown(alice)
    click_on(bob, "draw-stock")
    expect(bob.locator("body")).to_have_attribute("data-phase", "discard")
    touch(bob, worst_card(bob))
    click_on(bob, "discard")
    expect(alice.locator("body")).to_have_attribute("data-turn", "mine")
    expect(alice.locator(f".slot.sel [data-card='{before[4]}']")).to_be_visible()
    alice.locator(f".hand [data-card='{before[4]}']").tap(position=place)  # and put back
    expect(alice.locator(".slot.sel, .step")).to_have_count(0)
    alice.reload()
    expect(alice.locator(".conn")).to_have_attribute("data-line", "open")
    assert shown(alice) == wanted


def test_a_card_that_may_not_be_thrown_may_still_be_moved(seated, laid):
    page = seated(laid["taken"]["cookies"][0], "phone")
    page.goto(laid["taken"]["table"])
    expect(page.locator(".conn")).to_have_attribute("data-line", "open")
    page.locator(".hand [data-card=Qs]").tap()
    expect(page.locator("#toast")).to_be_visible()
    expect(page.locator("[data-act=discard]")).to_have_text("Jeter…")
    page.locator("[data-act=card-left]").tap()
    assert shown(page)[-2] == "Qs"
    expect(page.locator("body")).to_have_attribute("data-phase", "discard")


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


# The scene of each state, and how the clock stands there: seconds left, reserves, time-outs.
STATES: dict[str, tuple[str, tuple]] = {
    "offer": ("offer", ()),
    "own offer": ("own offer", ()),
    "clock": ("clock", (280,)),
    "little time": ("clock", (9.5, (0, 0), (1, 2))),
    "line": ("in line", ()),
    "offer between hands": ("offer between hands", ()),
}


COVERED = """() => {
    const box = selector => [...document.querySelectorAll(selector)].filter(one =>
        one.getClientRects().length).map(one => [selector, one.getBoundingClientRect()]);
    const offers = box(".offer"), kept = [...box(".score"), ...box(".turn:not(.now)"),
        ...box(".hand .card"), ...box(".btns"), ...box(".me-r")];
    return offers.flatMap(([, a]) => kept.filter(([, b]) => a.left < b.right - 1
        && b.left < a.right - 1 && a.top < b.bottom - 1 && b.top < a.bottom - 1)
        .map(([selector]) => selector));
}"""
WIDTHS = {
    "phone": ((360, 640), (640, 360), (820, 1180)),
    "laptop": ((1280, 800), (1536, 864)),
}


@pytest.mark.parametrize("screen", WIDTHS)
@pytest.mark.parametrize("state", STATES)
def test_every_state_of_the_table_has_room_and_axe_agrees(seated, laid, stored, state, screen):
    scene, time_left = STATES[state]
    page = seated(laid[scene]["cookies"][0], screen)
    if time_left:
        wind(stored, laid[scene], *time_left)
    page.goto(laid[scene]["table"])
    expect(page.locator(".conn")).to_have_attribute("data-line", "open")
    page.wait_for_timeout(200)
    if "offer" in state:
        expect(page.locator(".offer")).to_be_visible()
    assert wrong_at_every_width(page, state, screen) == []


def wrong_at_every_width(page: Page, state: str, screen: str) -> list[str]:
    """What is covered and what axe says, the same window taking each size in turn."""
    wrong = []
    for width, height in WIDTHS[screen]:
        page.set_viewport_size({"width": width, "height": height})
        page.evaluate("() => new Promise(requestAnimationFrame)")
        where = f"{state} at {width}"
        wrong += [f"{where}: {each} is covered" for each in page.evaluate(COVERED)]
        wrong += wrong_with(page, where)
    return wrong


@pytest.mark.parametrize("screen", WIDTHS)
def test_a_raised_card_four_colours_and_the_preferences_have_room_and_axe_agrees(
    seated, laid, screen
):
    page = seated(laid["gin"]["cookies"][0], screen, color_scheme="dark")
    page.goto(laid["gin"]["table"])
    expect(page.locator(".conn")).to_have_attribute("data-line", "open")
    touch(page, "Jc")
    page.evaluate("tableSettings.show({ ...tableSettings.read(), deck4: true, large: true })")
    wrong = wrong_at_every_width(page, "raised", screen)
    page.set_viewport_size(dict(zip(("width", "height"), WIDTHS[screen][0], strict=True)))
    click_on(page, "menu")
    click_on(page, "preferences")
    page.locator("details.keys summary").click()
    assert wrong + wrong_with(page, "preferences") == []


THREE_HOURS_SLOW = """Date = class extends Date {
    constructor(...given) { super(...(given.length ? given : [Date.now()])); }
    static now() { return super.now() - 3 * 3600_000; }
};"""


def test_the_clock_counts_by_the_servers_time_and_warns_by_more_than_colour(
    seated, laid, stored
):
    page = seated(laid["little time"]["cookies"][0], "phone")
    page.add_init_script(THREE_HOURS_SLOW)
    wind(stored, laid["little time"], 9.5, (0, 0))
    page.goto(laid["little time"]["table"])
    own = page.locator(".score [data-clock='0']")
    expect(own).to_have_class(re.compile(r"\bon\b.*\blow\b"))
    expect(own.locator(".t")).to_have_text(re.compile(r"^0:0\d$"))
    assert own.locator(".mark svg:visible use").get_attribute("href") == "#i-late"
    expect(page.locator("#alert")).to_have_text("Plus que dix secondes.")
