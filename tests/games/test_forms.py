"""The form that opens a room asks the rules for exactly what was chosen."""

from __future__ import annotations

import pytest

from games.forms import GROUPS, OPTIONS, RoomForm
from games.presets import OPTIONS as KNOWN
from games.presets import rule_set

BASE = {"name": "Salle des cousins", "preset": "complete", "public": "no"}
ONE_VALUE_ONLY = {"shutout_points"}


def test_an_untouched_form_asks_for_the_preset_alone():
    form = RoomForm(BASE)
    assert form.is_valid(), form.errors
    assert form.cleaned_data["options"] == {"preset": "complete"}
    assert form.cleaned_data["public"] is False


def test_every_option_of_the_rules_can_be_chosen():
    assert {"target", *OPTIONS} == set(KNOWN) - ONE_VALUE_ONLY
    assert {name for _title, names in GROUPS for name in names} == {"target", *OPTIONS}


@pytest.mark.parametrize("name", OPTIONS)
def test_every_offered_value_is_one_the_rules_know(name):
    _label, choices = OPTIONS[name]
    for text, _words in choices:
        preset = "first_to_knock" if text == "first_knock" else "points_only"
        company = {"spades_double": {"knock_limit": "upcard"}}.get(name, {})
        form = RoomForm({**BASE, "preset": preset, name: text, **company})
        assert form.is_valid(), form.errors
        assert (
            rule_set(form.cleaned_data["options"]).as_dict()[name]
            == form.cleaned_data["options"][name]
        )


def test_texts_become_the_values_of_the_rules():
    form = RoomForm(
        {
            **BASE,
            "knock_limit": "upcard",
            "big_gin": "null",
            "layoffs": "false",
            "undercut": "20",
            "target": "150",
        }
    )
    assert form.is_valid(), form.errors
    assert form.cleaned_data["options"] == {
        "preset": "complete",
        "knock_limit": "upcard",
        "big_gin": None,
        "layoffs": False,
        "undercut": 20,
        "target": 150,
    }


def test_an_impossible_set_of_rules_is_refused_at_its_option():
    form = RoomForm({**BASE, "spades_double": "true"})
    assert not form.is_valid()
    assert list(form.errors) == ["spades_double"]
    assert form.customised()


def test_a_target_out_of_bounds_is_refused_at_its_field():
    form = RoomForm({**BASE, "target": "5"})
    assert not form.is_valid()
    assert "target" in form.errors


@pytest.mark.parametrize(
    "wrong", [{"name": "  "}, {"preset": "poker"}, {"gin": "24"}, {"public": "maybe"}]
)
def test_what_no_page_offers_is_refused(wrong):
    form = RoomForm({**BASE, **wrong})
    assert not form.is_valid()
    assert list(form.errors) == list(wrong)
