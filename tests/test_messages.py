"""The message catalogues: French is complete, and what finds the messages finds them all."""

from __future__ import annotations

import gettext
from pathlib import Path

import pytest
from babel.messages.catalog import Message

from script import messages


@pytest.mark.parametrize("domain", messages.DOMAINS)
def test_french_is_complete(domain: str):
    assert list(messages.problems_of(domain)) == []


@pytest.mark.parametrize("domain", messages.DOMAINS)
def test_nought_is_singular_in_french(domain: str):
    messages.run_compile([])
    with messages.file_of("fr", domain).with_suffix(".mo").open("rb") as file:
        assert gettext.GNUTranslations(file).info()["plural-forms"] == messages.PLURALS["fr"]


def test_loose_translations_find_their_place(tmp_path):
    wanted = Message(("%(n)s hand of %(name)s", "%(n)s hands of %(name)s"))
    given = Message(wanted.id, ("une manche de {{ name }}", "%(n)s manches de %(name)s"))
    messages.fill(wanted, given)
    assert wanted.string == ["une manche de %(name)s", "%(n)s manches de %(name)s"]
    assert messages.loosened("Hello  {{ name }}\n’s") == messages.loosened("Hello %(name)s 's")


def found_in(tmp_path: Path, name: str, text: str) -> list:
    path = tmp_path / name
    path.write_text(text, encoding="utf-8")
    return [ids for ids, _context in messages.messages_in(path)]


def test_python_messages_are_found(tmp_path):
    text = '_("One")\nN_("Two")\nngettext("a hand", "%(n)s hands", n)\nprint("not this")\n'
    assert found_in(tmp_path, "a.py", text) == ["One", "Two", ("a hand", "%(n)s hands")]


def test_template_messages_are_found_whatever_the_layout(tmp_path):
    text = """
    <p title='it''s'>{% translate "One" %}
        {% blocktranslate trimmed with name=user.name %}
            Hello
            {{ name }}
        {% endblocktranslate %}
      {% blocktranslate count n=n %}a hand{% plural %}{{ n }} hands{% endblocktranslate %}
    </p>"""
    assert found_in(tmp_path, "a.html", text) == [
        "One", "Hello %(name)s", ("a hand", "%(n)s hands"),
    ]


def test_javascript_messages_are_found(tmp_path):
    text = "const t = gettext('One'); say(`x ${gettext(\"Two\")}`); other('not this');"
    assert found_in(tmp_path, "a.js", text) == ["One", "Two"]


@pytest.mark.parametrize(
    ("string", "flags", "fault"),
    [
        ("", (), "not translated"),
        ("Bonjour %(name)s", ("fuzzy",), "fuzzy"),
        ("Bonjour %(nom)s", (), "places"),
        ("Bonjour", (), "places"),
        ("Bonjour %(name)s !", (), "plain space"),
    ],
)
def test_a_faulty_entry_is_caught(string, flags, fault):
    message = Message("Hello %(name)s", string, flags=flags)
    assert any(fault in said for said in messages.faults(message, plural=False))


def test_a_good_entry_passes():
    message = Message("Hello %(name)s!", "Bonjour %(name)s\u202f!")
    assert list(messages.faults(message, plural=False)) == []


def test_the_singular_of_a_plural_need_not_show_its_number():
    message = Message(("%(n)s hand", "%(n)s hands"), ("une manche", "%(n)s manches"))
    assert list(messages.faults(message, plural=True)) == []
