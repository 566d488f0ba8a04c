"""A replay in the browser: every way to step through it, on a phone and a laptop, with and without
script; and the link a player makes for others.
"""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import expect

from tests.browser.test_axe import wrong_with

SCREENS = ("phone", "laptop")
KILOBYTE = 1024


@pytest.fixture(params=SCREENS)
def screen(request):
    return request.param


@pytest.fixture
def opened(seated, laid):
    """A replay of a laid hand, as its first player sees it."""

    def open_replay(scene, screen="laptop", ply=None, **options):
        page = seated(laid[scene]["cookies"][0], screen, **options)
        asked = "" if ply is None else f"?ply={ply}"
        page.goto(f"{laid[scene]['sheet']}hands/1/{asked}")
        return page

    return open_replay


def at(page):
    """The moment shown, by the page's own words and by its address."""
    shown = int(page.inner_text("[data-at]").split("/")[0])
    asked = re.search(r"ply=(\d+)$", page.url)
    assert asked is None or int(asked[1]) == shown
    return shown


def held(page, seat):
    cards = page.locator(f".side[data-seat='{seat}'] [data-card]")
    return sorted(cards.evaluate_all("all => all.map((one) => one.dataset.card)"))


def step(page, name):
    page.click(f"[data-step='{name}']")


def test_buttons_step_through_every_move(opened, screen):
    page = opened("after a knock", screen)
    assert at(page) == 0
    for ply in (1, 2, 3):
        step(page, "1")
        assert at(page) == ply
    assert "Kd" in held(page, 0)
    assert page.locator(".slot.new [data-card='Kd']").count() == 1
    expect(page.locator("[data-said]")).to_contain_text("Léo pioche")
    expect(page.locator(".rp-list [aria-current=step]")).to_contain_text("Léo pioche")
    step(page, "-1")
    assert "Kd" not in held(page, 0)
    step(page, "last")
    assert at(page) == 4
    assert page.locator(".slot.lay [data-card='9h']").count() == 1
    expect(page.locator(".sum")).to_contain_text("Léo marque 34 points")
    expect(page.locator(".calc .t dd")).to_have_text("34")
    page.click("[data-step='1']", force=True)
    assert at(page) == 4
    step(page, "first")
    assert at(page) == 0
    assert page.locator(".sum").is_hidden()


def test_keys_slider_and_list_step_too(opened):
    page = opened("the stock out")
    page.keyboard.press("ArrowRight")
    page.keyboard.press("ArrowRight")
    assert at(page) == 2
    page.keyboard.press("ArrowLeft")
    assert at(page) == 1
    page.keyboard.press("End")
    assert at(page) == 60
    page.keyboard.press("Home")
    assert at(page) == 0
    page.focus("#ply")
    page.keyboard.press("ArrowRight")
    assert at(page) == 1
    assert "passe" in page.get_attribute("#ply", "aria-valuetext")
    page.click(".rp-list a[href='?ply=7']")
    assert at(page) == 7
    assert page.locator(".rp-list [aria-current]").count() == 1


def test_a_finger_steps_too(opened):
    page = opened("after a knock", "phone")
    page.tap("[data-step='1']")
    page.tap("[data-step='1']")
    assert at(page) == 2


def test_it_plays_by_itself_stops_and_starts_over(opened):
    page = opened("after a knock")
    page.select_option("[data-speed]", "600")
    page.click("[data-play]")
    expect(page.locator("[data-play]")).to_have_text("Pause")
    expect(page.locator("[data-at]")).to_have_text("4 / 4")
    expect(page.locator("[data-play]")).to_have_text("Lecture")
    page.click("[data-play]")
    expect(page.locator("[data-at]")).to_have_text("1 / 4")
    page.click("[data-play]")
    expect(page.locator("[data-play]")).to_have_text("Lecture")


def test_each_step_is_an_address_and_the_way_back_is_one_step(opened, laid):
    page = opened("after a knock")
    page.goto(laid["after a knock"]["sheet"])
    page.goto(f"{laid['after a knock']['sheet']}hands/1/?ply=1")
    step(page, "1")
    step(page, "1")
    assert page.input_value("#link").endswith("hands/1/?ply=3")
    page.reload()
    assert at(page) == 3
    page.go_back()
    assert page.url.endswith(laid["after a knock"]["sheet"])


def test_a_hand_of_many_moves_is_stepped_beyond_what_the_page_brought(opened):
    page = opened("fifty turns")
    page.click(".rp-list a[href='?ply=60'] >> nth=0")
    step(page, "1")
    expect(page.locator("[data-at]")).to_have_text("61 / 100")
    expect(page.locator("[data-play]")).to_be_visible()
    page.keyboard.press("End")
    expect(page.locator("[data-at]")).to_have_text("100 / 100")


def test_without_script_every_step_is_a_page(opened):
    page = opened("after a knock", java_script_enabled=False)
    for ply in (1, 2, 3, 4):
        page.click("[data-step='1']")
        assert at(page) == ply
    assert page.locator(".slot.lay [data-card='9h']").count() == 1
    assert "Léo marque 34 points" in page.inner_text(".sum")
    page.click("[data-step='first']")
    assert at(page) == 0
    page.fill("#ply", "2")
    page.click("[data-go]")
    assert at(page) == 2


def test_script_and_server_draw_the_same(opened):
    for ply in (0, 3, 4):
        drawn = []
        for script in (True, False):
            page = opened("after a knock", ply=ply, java_script_enabled=script)
            cards = page.locator(".rp-felt [data-card]")
            drawn.append((
                page.locator(".dwn").all_inner_texts(),
                cards.evaluate_all("all => all.map((one) => one.dataset.card)"),
                cards.evaluate_all("all => all.map((one) => one.getAttribute('aria-label'))"),
                page.locator(".m, .lay, .new, .pile").count(),
            ))
        assert drawn[0] == drawn[1]


def test_axe_finds_nothing_and_nothing_is_too_wide(opened, laid, seated, screen):
    said = []
    for scene, ply in (("after a knock", 0), ("after a knock", 3), ("after a knock", 4),
                       ("after an undercut", 4), ("the stock out", 31), ("resigned", 3),
                       ("after long names", 4)):  # fmt: skip
        page = opened(scene, screen, ply)
        said += wrong_with(page, f"{scene} {ply}")
    page = opened("after the spade", screen, 4, color_scheme="dark")
    said += wrong_with(page, "dark")
    assert said == []


def test_both_hands_and_the_buttons_are_seen_at_once(opened, screen):
    for scene, ply in (("after a knock", 3), ("the stock out", 31)):
        page = opened(scene, screen, ply)
        tall = page.viewport_size["height"]
        for box in page.locator(".side .row").all() + page.locator(".rp-buttons .btn").all():
            place = box.bounding_box()
            assert place["y"] >= 0
            assert place["y"] + place["height"] <= tall
        controls = page.locator(".rp-controls").bounding_box()
        for row in page.locator(".side .row").all():
            place = row.bounding_box()
            assert place["y"] + place["height"] <= controls["y"]


def test_the_first_load_is_light(seated, laid):
    page = seated(laid["the stock out"]["cookies"][0])
    wire = page.context.new_cdp_session(page)
    wire.send("Network.enable")
    sizes = []
    wire.on("Network.loadingFinished", lambda event: sizes.append(event["encodedDataLength"]))
    page.goto(f"{laid['the stock out']['sheet']}hands/1/?ply=30", wait_until="networkidle")
    assert len(sizes) > 10
    assert sum(sizes) <= 60 * KILOBYTE


def test_a_link_is_made_opened_by_a_stranger_and_revoked(opened, seated, laid, screen, faults):
    page = opened("after gin", screen, 2)
    page.click("#share button")
    link = page.input_value("#share-link")
    assert re.search(r"/s/[\w-]{22}/$", link)
    path = re.sub(r"^https?://[^/]+", "", link)
    stranger = seated(None, screen)
    stranger.goto(path)
    assert "Léo" in stranger.inner_text("main")
    stranger.goto(f"{path}hands/1/?ply=4")
    expect(stranger.locator(".sum")).to_be_visible()
    assert stranger.locator("#share").count() == 0
    said = wrong_with(stranger, "a stranger's replay") + wrong_with(page, "with a link")
    page.click("#share summary")
    page.click("#share .btn-danger")
    assert page.locator("#share-link").count() == 0
    assert stranger.goto(path).status == 404
    assert said == []
    faults.clear()  # the browser reports the 404
