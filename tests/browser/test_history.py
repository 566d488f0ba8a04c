"""Looking back in Chromium: a history, a player, an archive, and the time zone of a device."""

from __future__ import annotations

import zipfile
from urllib.parse import urlsplit

import pytest
from playwright.sync_api import expect

from tests.browser.test_axe import wrong_with

SCREENS = ("phone", "laptop")
KILOBYTE = 1024


@pytest.fixture
def veteran(seated, laid):
    """A window of somebody who has finished a game."""

    def enter(screen="laptop", **options):
        return seated(laid["won"]["cookies"][0], screen, **options)

    return enter


def pages_of(page):
    """The address of the opponent's page, and of one's own."""
    page.goto("/history/")
    other = page.get_attribute(".hl .op a", "href")
    page.goto("/account/")
    return other, page.get_attribute("a[href^='/players/']", "href")


@pytest.mark.parametrize("screen", SCREENS)
@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_axe_finds_nothing_on_pages_that_look_back(veteran, screen, scheme):
    page = veteran(screen, color_scheme=scheme)
    other, own = pages_of(page)
    said = []
    for path in (
        "/history/", "/history/?result=won&q=a&since=2020-01-01", "/history/?since=x&result=lost",
        "/history/export/", other, own, f"{other}with-me/",
    ):  # fmt: skip
        page.goto(path)
        for summary in page.query_selector_all("details.figures summary"):
            summary.click()
        said += wrong_with(page, path)
    assert said == []


def test_a_row_leads_to_its_sheet_and_a_name_to_its_player(veteran):
    page = veteran()
    page.goto("/history/")
    page.click(".hl .ru", force=True)  # whatever lies there: the way to the sheet
    page.wait_for_url("**/sheets/*/")  # and loaded: no way back from a page half there
    page.go_back()
    page.click(".hl .op a")
    assert urlsplit(page.url).path.startswith("/players/")
    page.click("text=Face à face")
    page.click("text=Nos feuilles")
    expect(page.locator(".chip")).to_have_count(1)
    page.click(".chip")
    expect(page.locator(".chip")).to_have_count(0)


def test_days_can_be_chosen_once_they_are_asked_for(veteran):
    page = veteran()
    page.goto("/history/")
    assert not page.is_visible("#id_since")
    page.select_option("#id_period", "dates")
    page.fill("#id_since", "2020-01-01")
    page.click(".filters button")
    assert page.is_visible("#id_since")
    assert page.input_value("#id_since") == "2020-01-01"


def test_an_archive_is_built_while_one_looks_and_then_fetched(veteran):
    page = veteran()
    page.goto("/history/export/")
    page.click(".export button")
    with page.expect_download(timeout=20_000) as fetched:
        page.click("a[download]", timeout=20_000)
    with zipfile.ZipFile(fetched.value.path()) as archive:
        assert "index.csv" in archive.namelist()
        assert archive.testzip() is None


def test_a_device_elsewhere_offers_its_time_once(veteran):
    page = veteran(timezone_id="Pacific/Auckland")
    page.goto("/history/")
    offer = page.locator("[data-zone]")
    expect(offer).to_contain_text("Pacific/Auckland")
    assert wrong_with(page, "the offer") == []
    offer.locator("button").first.click()
    page.wait_for_selector(".note")
    expect(page.locator("[data-zone]")).to_have_count(0)
    page.goto("/account/")
    assert page.input_value("#id_time_zone") == "Pacific/Auckland"
    page.fill("#id_time_zone", "")
    page.click("text=Enregistrer")
    page.wait_for_selector(".note")


def test_a_device_at_home_is_offered_nothing(veteran):
    page = veteran(timezone_id="Europe/Paris")
    page.goto("/history/")
    page.wait_for_load_state("networkidle")
    assert not page.is_visible("[data-zone]")


def test_pages_that_look_back_work_without_script(veteran):
    page = veteran(java_script_enabled=False)
    page.goto("/history/")
    page.select_option("#id_result", "lost")
    page.click(".filters button")
    expect(page.locator(".chip")).to_have_count(1)
    page.goto("/history/export/")
    with page.expect_navigation():  # a page half there cannot be loaded again
        page.click(".export button")
    for _ in range(20):  # as somebody without script does, until the archive is there
        page.wait_for_timeout(250)
        page.reload()
        if page.locator("a[download]").count():
            break
    expect(page.locator("a[download]")).to_have_count(1)


@pytest.mark.parametrize("where", ["history", "player", "export"])
def test_pages_that_look_back_are_light(veteran, where):
    page = veteran()
    other, _own = pages_of(page)
    wire = page.context.new_cdp_session(page)
    wire.send("Network.enable")
    wire.send("Network.clearBrowserCache")
    sizes = []
    wire.on("Network.loadingFinished", lambda event: sizes.append(event["encodedDataLength"]))
    address = {"history": "/history/", "player": other, "export": "/history/export/"}[where]
    page.goto(address, wait_until="networkidle")
    assert len(sizes) > 3
    assert sum(sizes) <= 60 * KILOBYTE
