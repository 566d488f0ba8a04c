"""What a name may be, and which two names are one."""

from __future__ import annotations

import contextlib
import unicodedata

import pytest
from hypothesis import HealthCheck, assume, given, settings
from hypothesis import strategies as st

from accounts import names

GOOD = ["Léo", "alice", "Jean de La Salle", "O'Brien", "Anne-Marie", "r2_d2", "J.R.", "Nguyễn",
        "Дмитрий", "Ελένη", "محمد", "שָׁלוֹם", "山田", "さくらー", "สมชาย", "हिन्दी", "42"]  # fmt: skip


@pytest.mark.parametrize("name", GOOD)
def test_names_of_any_alphabet_are_welcome(name):
    names.check(names.tidy(name))


@pytest.mark.parametrize(
    ("name", "code"),
    [
        ("a", "name_length"),
        ("", "name_length"),
        ("x" * 25, "name_length"),
        (" bob", "name_spaces"),
        ("bob ", "name_spaces"),
        ("bob  by", "name_spaces"),
        ("bob\u00a0by", "name_spaces"),
        ("ｂｏｂ", "name_spaces"),
        ("bo\u200bb", "name_characters"),
        ("bo\u202eb", "name_characters"),
        ("bo\u2066b", "name_characters"),
        ("bo\x00b", "name_characters"),
        ("bo\nb", "name_characters"),
        ("bo\u3164b", "name_spaces"),
        ("bo\u1160b", "name_characters"),
        ("bo\ufe0fb", "name_characters"),
        ("bo\u00adb", "name_characters"),
        ("bo\ud800b", "name_characters"),
        ("bo\ue000b", "name_characters"),
        ("bo\u02c8b", "name_characters"),
        ("<b>bob</b>", "name_characters"),
        ("bob@x.fr", "name_characters"),
        ("bob♠", "name_characters"),
        ("bob🂡", "name_characters"),
        ("--", "name_letters"),
        ("b" + "\u0316\u0317\u0318\u0319" + "ob", "name_accents"),
        ("-\u0316bob", "name_accents"),
        ("аlice", "name_alphabets"),
        ("Αlice", "name_alphabets"),
        ("Vous", "name_reserved"),
        ("ORDINATEUR", "name_reserved"),
        ("Joueur Supprimé", "name_reserved"),
        ("joueur supprime 7", "name_reserved"),
        ("Habitue", "name_reserved"),
        ("Débutant.", "name_reserved"),
        ("Gin-Rami", "name_reserved"),
        ("ordinateur_", "name_reserved"),
    ],
)
def test_names_that_hide_or_imitate_are_refused(name, code):
    with pytest.raises(names.BadName) as refused:
        names.check(name)
    assert refused.value.code == code


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("Alice", "ALICE"),
        ("Élodie", "éLODIE"),
        ("Élodie", "E\u0301lodie"),
        ("alice", "ａｌｉｃｅ"),
        ("Strauß", "STRAUSS"),
        ("ΣΟΦΟΣ", "σοφος"),
        ("ﬁona", "Fiona"),
        ("copa", "сора"),
        ("TOM", "ТОМ"),
        ("O'Brien", "O’Brien"),
    ],
)
def test_names_that_look_alike_share_their_key(one, other):
    assert names.key(one) == names.key(other)


@pytest.mark.parametrize(("one", "other"), [("Léo", "Leo"), ("anne marie", "annemarie")])
def test_names_that_differ_to_the_eye_differ(one, other):
    assert names.key(one) != names.key(other)


ALPHABETS = [
    st.characters(min_codepoint=first, max_codepoint=last)
    for first, last in ((0x20, 0x24F), (0x370, 0x3FF), (0x400, 0x52F), (0x590, 0x6FF),
                        (0x900, 0x97F), (0xE00, 0xE7F), (0x1E00, 0x1EFF), (0x3040, 0x30FF))
]  # fmt: skip
TYPED = st.one_of(
    st.lists(st.one_of(letters, st.sampled_from("abcde' \u0301\u0308")), min_size=2, max_size=12)
    for letters in ALPHABETS
).map("".join)


@settings(max_examples=150, deadline=None, suppress_health_check=[HealthCheck.filter_too_much])
@given(TYPED)
def test_a_name_let_in_shows_every_character_and_keeps_its_key_in_any_case(name):
    name = names.tidy(name)
    try:
        names.check(name)
    except names.BadName:
        assume(False)
    assert all(unicodedata.category(char)[0] in "LMNPZ" for char in name)
    assert 0 < len(names.key(name)) <= 300
    assert len(name) <= 100
    for spelling in (name.upper(), name.lower(), name.title()):
        assert names.key(spelling) == names.key(name)


@settings(max_examples=150, deadline=None)
@given(st.text(max_size=40))
def test_any_text_gets_an_answer(name):
    """Whatever is typed is let in or refused with a sentence, never an error."""
    with contextlib.suppress(names.BadName):
        names.check(names.tidy(name))
