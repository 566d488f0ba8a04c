"""The site in Chromium, on a real server: players sign up, sit down and click.

Any console error, failed script or violated content security policy fails the test.
"""

from __future__ import annotations

import contextlib
import itertools
import json
import sqlite3
import urllib.request
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, BrowserContext, Page, expect, sync_playwright

from tests import processes
from tests.browser.chromium import ARGUMENTS, CHROMIUM
from tests.browser.hands import await_cards
from tests.conftest import PASSWORD

ADDRESSES = (f"10.{n >> 16 & 255}.{n >> 8 & 255}.{n & 255}" for n in itertools.count(1))
SCREENS = {
    "laptop": {"viewport": {"width": 1280, "height": 800}},
    "phone": {"viewport": {"width": 360, "height": 640}, "has_touch": True, "is_mobile": True},
}


@pytest.fixture(scope="session")
def browser() -> Iterator[Browser]:
    if not Path(CHROMIUM).exists():
        pytest.skip("no Chromium: install it or set CHROMIUM")
    with sync_playwright() as playwright:
        chromium = playwright.chromium.launch(executable_path=CHROMIUM, args=ARGUMENTS)
        yield chromium
        chromium.close()


class Impatient(processes.Web):
    """The site where no test waits for minutes (impatient.py)."""

    application = "tests.browser.impatient:application"

    def lay(
        self, names: Sequence[str], options: Mapping[str, object] | None = None
    ) -> dict[str, Any]:
        """People who are signed in; with options, at a table of theirs (laying.py)."""
        body = json.dumps({"names": list(names), "options": options}).encode()
        with urllib.request.urlopen(self.url + "/lay/", body, timeout=20) as answer:  # noqa: S310
            laid: dict[str, Any] = json.load(answer)
        return laid


@pytest.fixture(scope="session")
def site(tmp_path_factory: pytest.TempPathFactory) -> Iterator[processes.Web]:
    """The embedded site, one for all browser tests. Its clocks count from the first second on."""
    folder = tmp_path_factory.mktemp("embedded")
    at_once = {"GRACE_SECONDS": "0", "BOT_PACE_SECONDS": "0", "FAIR_PATIENCE": "3"}
    with processes.embedded_site(folder, Impatient, **at_once) as web:
        yield web


@pytest.fixture(scope="session")
def hasty(site: processes.Web, tmp_path_factory: pytest.TempPathFactory) -> Iterator[processes.Web]:
    """The same site, by a process to which a player is gone after seconds."""
    env = {**site.env, "GONE_AFTER_SECONDS": "2", "TICKER": "0"}
    web = Impatient(env, tmp_path_factory.mktemp("hasty"))
    try:
        yield web.wait()
    finally:
        web.stop()


@pytest.fixture
def stored(site: processes.Web) -> Callable[..., None]:
    """Change what the site has stored, by a statement: to let time pass, for instance."""
    path = Path(site.env["DATA_DIR"]) / "ginrami.sqlite3"

    def change(statement: str, *values: object) -> None:
        with contextlib.closing(sqlite3.connect(path, timeout=10)) as database, database:
            assert database.execute(statement, values).rowcount > 0

    return change


@pytest.fixture(scope="session")
def scaled(tmp_path_factory: pytest.TempPathFactory) -> Iterator[list[processes.Web]]:
    """The scaled site: two Daphnes, worker and beat on PostgreSQL and Valkey."""
    with processes.scaled_site(tmp_path_factory.mktemp("scaled")) as webs:
        yield webs


@pytest.fixture(scope="session")
def laid(site: processes.Web) -> dict[str, Any]:
    """Tables in every state, laid on the running site with chosen cards (see laid.py)."""
    env = {"DATA_DIR": str(site.log_file.parent / "data")}
    call = "from tests.browser import laid; laid.tell()"
    told = processes.manage(env, "shell", "--verbosity", "0", "--command", call)
    scenes: dict[str, Any] = json.loads(told[told.index("{") :])
    return scenes


def let_in(page: Page, cookie: str, site: processes.Web) -> None:
    """Give a window somebody's session."""
    page.context.add_cookies([{"name": "sessionid", "value": cookie, "url": site.url}])


@pytest.fixture
def seated(window: Callable[..., Page], site: processes.Web) -> Callable[..., Page]:
    """A window of somebody of a laid table, whose session it holds; nobody's without one."""

    def open_window(cookie: str | None, screen: str = "laptop", **options: object) -> Page:
        page = window(site.url, screen, **options)
        if cookie:
            let_in(page, cookie, site)
        return page

    return open_window


@pytest.fixture
def faults() -> Iterator[list[str]]:
    """What the pages complained about; a test that expects a complaint clears the list."""
    found: list[str] = []
    yield found
    assert found == []


@pytest.fixture
def window(browser: Browser, faults: list[str]) -> Iterator[Callable[..., Page]]:
    """Open a separate window, as another person would: own cookies and address, French, calm."""
    contexts: list[BrowserContext] = []

    def open_window(url: str, screen: str = "laptop", **options: object) -> Page:
        away = {"X-Forwarded-For": next(ADDRESSES)}
        usual = {"locale": "fr-FR", "reduced_motion": "reduce", "base_url": url}
        options = {**usual, **SCREENS[screen], **options}
        context = browser.new_context(extra_http_headers=away, **options)
        context.set_default_timeout(10_000)
        contexts.append(context)
        page = context.new_page()
        page.on("pageerror", lambda error: faults.append(f"{page.url}: {error}"))
        page.on("console", lambda said: said.type == "error" and faults.append(
            f"{page.url}: {said.text}"
        ))
        return page

    yield open_window
    for context in contexts:
        context.close()


@pytest.fixture(scope="session")
def signed_up() -> set[tuple[str, str]]:
    """Who has an account where: the tests share a site, and a name is taken once."""
    return set()


@pytest.fixture
def newcomer(
    request: pytest.FixtureRequest, window: Callable[..., Page], signed_up: set[tuple[str, str]]
) -> Callable[..., Page]:
    """A window of somebody, who signs up by the page, or in if an earlier test brought them.

    `site=` names another server.
    """

    def enter(name: str, screen: str = "laptop", site: processes.Web | None = None) -> Page:
        web = site or request.getfixturevalue("site")
        known = (web.url, name.casefold()) in signed_up
        page = window(web.url, screen)
        page.goto("/account/login/" if known else "/account/signup/")
        page.fill("input[name=login]" if known else "input[name=username]", name)
        secret = "input[name=password]" if known else "input[name=password1]"
        page.fill(secret, PASSWORD)
        page.press(secret, "Enter")
        page.wait_for_url(lambda address: "/login" not in address and "/signup" not in address)
        signed_up.add((web.url, name.casefold()))
        return page

    return enter


@pytest.fixture
def player(site: processes.Web, seated: Callable[..., Page]) -> Callable[..., Page]:
    """A window of somebody who is signed in already, on the home page."""

    def enter(name: str, screen: str = "laptop") -> Page:
        page = seated(site.lay([name])["cookies"][0], screen)
        page.goto("/")
        return page

    return enter


@pytest.fixture
def together(site: processes.Web, window: Callable[..., Page]) -> Callable[..., tuple[Page, Page]]:
    """Windows of two at a table of their own, cards dealt; options as a room is opened with."""

    def sit(
        names: tuple[str, str], screens: tuple[str, str] = ("laptop", "laptop"),
        site: processes.Web = site, **options: object,
    ) -> tuple[Page, Page]:
        laid = site.lay(names, options)
        alice, bob = (window(site.url, screen) for screen in screens)
        for page, cookie in zip((alice, bob), laid["cookies"], strict=True):
            let_in(page, cookie, site)
            page.goto(laid["table"])
        for page in (alice, bob):
            await_cards(page)
            expect(page.locator(".conn")).to_have_attribute("data-line", "open")
        return alice, bob

    return sit
