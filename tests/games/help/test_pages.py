"""The pages of help: there in both languages, alike, and none of their links leads nowhere."""

from __future__ import annotations

import re
from functools import lru_cache
from html.parser import HTMLParser
from pathlib import Path
from urllib.parse import urlsplit

import pytest
from django.conf import settings
from django.test import Client
from django.urls import Resolver404, resolve

from games.help.pages import LANGUAGES, PAGES

pytestmark = pytest.mark.django_db

TEMPLATES = Path(settings.BASE_DIR) / "templates" / "help"
ADDRESSES = ("/help/", "/rules/", *(f"/help/{slug}/" for slug in PAGES if slug != "rules"))


class Told(HTMLParser):
    """The headings of a page with their anchors, its links, and everything that can be linked."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.headings: list[tuple[str, str | None]] = []
        self.links: list[str] = []
        self.anchors: list[str] = []
        self.labels: list[str] = []
        self.feed(text)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        found = dict(attrs)
        if found.get("id"):
            self.anchors.append(str(found["id"]))
        if tag in ("h1", "h2", "h3"):
            self.headings.append((tag, found.get("id")))
        if tag == "section":
            self.headings.append((tag, found.get("id")))
        if tag == "a" and found.get("href"):
            self.links.append(str(found["href"]))


@lru_cache
def told(address: str, language: str) -> Told:
    browser = Client()
    browser.cookies[settings.LANGUAGE_COOKIE_NAME] = language
    answer = browser.get(address)
    assert answer.status_code == 200, address
    text = answer.content.decode()
    assert f'<html lang="{language}"' in text
    return Told(text)


@pytest.mark.parametrize("address", ADDRESSES)
def test_both_languages_tell_the_same(address):
    french, english = (told(address, language) for language in LANGUAGES)
    assert french.headings == english.headings
    assert french.anchors == english.anchors
    assert len(french.anchors) == len(set(french.anchors)), "an anchor is there twice"
    assert [link for link in french.links if "#" in link] == [
        link for link in english.links if "#" in link
    ]


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("address", ADDRESSES)
def test_no_link_leads_nowhere(address, language):
    for link in told(address, language).links:
        where = urlsplit(link)
        path = where.path or address
        try:
            resolve(path)
        except Resolver404:
            pytest.fail(f"{address} links to {link}")
        if where.fragment:
            assert path in ADDRESSES, link
            assert where.fragment in told(path, language).anchors, f"{address} links to {link}"


def test_every_template_is_a_page_and_every_page_has_its_templates():
    for language in LANGUAGES:
        there = {path.stem for path in (TEMPLATES / language).glob("*.html")}
        assert there == set(PAGES)


def test_a_language_without_pages_reads_french():
    assert PAGES["glossary"].template("de") == "help/fr/glossary.html"
    assert PAGES["glossary"].template("en-gb") == "help/en/glossary.html"


def test_from_the_end_of_the_lesson_one_plays_at_once(client):
    page = client.get("/help/first-hand/").content.decode()
    end = page[page.index('id="end"') :]
    assert 'href="/rooms/new/"' in end
    level = re.search(r'name="level" value="(\w+)"', end)[1]
    answer = client.post("/computer/", {"level": level})
    assert answer.headers["Location"].startswith("/tables/")


def test_there_is_no_other_page(client):
    for address in ("/help/none/", "/help/first-hand/none/", "/help/..%2Frules/"):
        assert client.get(address).status_code == 404


def test_french_keeps_its_marks_on_the_line():
    """A mark of two strokes is never torn from its word: the space before it does not break."""
    for path in (TEMPLATES / "fr").glob("*.html"):
        found = re.search(r".{20}(?: [;:!?»]|« ).{5}", path.read_text(encoding="utf-8"))
        assert found is None, f"{path.name}: {found}"
