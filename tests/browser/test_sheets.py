"""Sheets as they are read, printed, taken along and brought in."""

from __future__ import annotations

import json
from typing import Any

import pytest
from playwright.sync_api import Page

from tests import processes
from tests.browser.test_axe import SCREENS, wrong_with


@pytest.fixture(scope="module")
def papers(site: processes.Web) -> dict[str, Any]:
    """Sheets of games with real cards on the running site (see papers.py)."""
    env = {"DATA_DIR": str(site.log_file.parent / "data")}
    call = "from tests.browser import papers; papers.tell()"
    told = processes.manage(env, "shell", "--verbosity", "0", "--command", call)
    found: dict[str, Any] = json.loads(told[told.index("{") :])
    return found


@pytest.mark.parametrize("screen", SCREENS)
def test_axe_finds_nothing_on_any_sheet(seated, papers, screen):
    page = seated(papers["cookie"], screen)
    said = []
    for name in ("long", "old", "new", "open"):
        page.goto(papers[name])
        for summary in page.locator("details summary").all():
            summary.click()
        said += wrong_with(page, name)
    assert said == []


@pytest.mark.parametrize("name", ["long", "longer", "old", "new"])
def test_a_sheet_prints_on_one_page(seated, papers, name):
    page = seated(papers["cookie"])
    page.goto(papers[name])
    assert page.pdf(format="A4", prefer_css_page_size=True).count(b"/Type /Page\n") == 1
    page.emulate_media(media="print")
    assert not page.locator(".tools").is_visible()


def test_a_correction_leads_to_the_earlier_sheet_and_back(seated, papers):
    page = seated(papers["cookie"])
    page.goto(papers["new"])
    assert page.locator(".paper tr.traced").count() == 2
    assert page.locator(".paper tr.gone del").count() == 1
    page.click(".edition a")
    page.wait_for_url(f"**{papers['old']}")
    assert page.locator(".paper tr.traced").count() == 3
    page.click(".edition.old a")
    page.wait_for_url(f"**{papers['new']}")


def test_a_sheet_taken_along_is_brought_in_again(seated, papers, tmp_path):
    page = seated(papers["cookie"])
    page.goto(papers["new"])
    with page.expect_download() as download:
        page.click("a[href$='.json']")
    saved = tmp_path / download.value.suggested_filename
    download.value.save_as(saved)
    first = totals(page)
    page.goto("/history/import/")
    page.set_input_files("input[type=file]", saved)
    page.click("button[value=look]")
    assert totals(page) == first
    assert wrong_with(page, "a game looked at") == []
    assert page.is_checked("input[name=me][value='0']")
    page.click("button[value=keep]")
    page.wait_for_url("**/sheets/*/")
    assert totals(page) == first


@pytest.mark.parametrize("screen", SCREENS)
def test_a_pasted_text_that_is_no_game_is_refused_in_place(seated, papers, screen, faults):
    page = seated(papers["cookie"], screen)
    page.goto("/history/import/")
    assert wrong_with(page, "import") == []
    page.fill("textarea", "bonjour")
    page.click("button[value=look]")
    page.wait_for_selector("[role=alert]")
    assert page.input_value("textarea") == "bonjour"
    assert wrong_with(page, "a refused import") == []
    faults.clear()  # the browser reports the 422


def test_each_hand_played_here_leads_to_its_replay(seated, laid):
    page = seated(laid["thirty hands"]["cookies"][0])
    page.goto(laid["thirty hands"]["sheet"])
    page.locator(".paper .replay").nth(2).click()
    page.wait_for_url("**/hands/3/")


def totals(page: Page) -> list[str]:
    return page.locator(".paper tr.tot .run").all_inner_texts()
