"""Stakes and amounts as people read them, and the form that asks for them."""

from __future__ import annotations

from decimal import Decimal

import pytest
from django.utils import translation

from games import stakes
from games.forms import RoomForm
from games.presets import rule_set
from games.stakes.offers import Offer
from games.stakes.words import offered, percent, signed
from scoring.rules.stakes import Stakes

BASE = {"name": "Salle", "preset": "money_play", "public": "no"}
RULES = rule_set({"preset": "money_play"}).scoring
MONEY = {"mode": "money", "amount": "0.75", "commission": "house"}


def asked(**fields):
    return RoomForm({**BASE, **{f"stakes_{name}": value for name, value in fields.items()}})


def plain(text):
    """With ordinary spaces."""
    return text.replace("\N{NO-BREAK SPACE}", " ").replace("\N{NARROW NO-BREAK SPACE}", " ")


@pytest.mark.parametrize(
    ("amount", "french", "english"),
    [
        ("0.5", "0,50 jeton", "0.50 chips"),
        ("1", "1,00 jeton", "1.00 chip"),
        ("1.5", "1,50 jeton", "1.50 chips"),
        ("8.025", "8,03 jetons", "8.03 chips"),
        ("-80.25", "−80,25 jetons", "−80.25 chips"),
    ],
)
def test_an_amount_is_rounded_for_the_eye_and_counted_in_each_language(amount, french, english):
    with translation.override("fr"):
        assert stakes.money(Decimal(amount)) == french
    with translation.override("en"):
        assert stakes.money(Decimal(amount)) == english


def test_a_unit_is_a_label_beside_the_figure():
    with translation.override("fr"):
        assert plain(stakes.money(Decimal("1234.5"), "EUR")) == "1 234,50 €"
        assert signed(Decimal("3")) == "+3,00 jetons"
        assert plain(percent(Decimal("0.075"))) == "7,5 %"


def test_a_table_says_stake_buy_in_and_commission():
    with translation.override("fr"):
        told = plain(stakes.in_brief(Stakes.from_dict(MONEY), RULES))
        assert told == "0,75 jeton le point, cave 150 jetons, commission 10 %"
        assert stakes.in_brief(Stakes(), RULES) == "sans mise"


def test_an_untouched_form_plays_for_nothing():
    form = RoomForm(BASE)
    assert form.is_valid(), form.errors
    assert form.wanted()["stakes"] == {}


def test_what_belongs_to_another_kind_of_stake_is_not_asked():
    form = asked(mode="match", amount="2,50", unit="EUR", tab_limit="7", purse_from="owner")
    assert form.is_valid(), form.errors
    assert Stakes.from_dict(form.wanted()["stakes"]) == Stakes(
        mode="match", amount=Decimal("2.50"), unit="EUR"
    )


@pytest.mark.parametrize(
    ("fields", "at"),
    [
        ({"mode": "match", "amount": ""}, "stakes_amount"),
        ({"mode": "match", "amount": "2.505"}, "stakes_amount"),
        ({"mode": "match", "amount": "NaN"}, "stakes_amount"),
        ({"mode": "money", "amount": "1", "source": "tab", "tab_limit": "199"}, "stakes_tab_limit"),
        ({"mode": "purse", "amount": "-5"}, "stakes_amount"),
    ],
)
def test_impossible_stakes_are_refused_beside_their_field(fields, at):
    form = asked(**fields)
    assert not form.is_valid()
    assert list(form.errors) == [at]


def test_the_point_has_no_price_where_there_are_no_points():
    form = RoomForm({**BASE, "preset": "first_to_knock", "stakes_mode": "money",
                     "stakes_amount": "1"})  # fmt: skip
    assert list(form.errors) == ["stakes_mode"]


def test_a_room_comes_back_in_its_form():
    form = asked(mode="match", amount="5", source="tab", tab_limit="20")
    assert form.is_valid()
    again = RoomForm.of_room({"name": "x", "stakes": form.wanted()["stakes"]}, None)
    assert again["stakes_mode"].value() == "match"
    assert again["stakes_tab_limit"].value() == "20"


@pytest.mark.parametrize(
    ("options", "told"),
    [
        ({"preset": "complete"}, "Complete gin, target 100, no stake"),
        ({"preset": "complete", "target": 150}, "Complete gin, target 150, no stake"),
        ({"preset": "complete", "undercut": 20},
         "Complete gin with other options, target 100, no stake"),
        ({"preset": "first_to_knock"}, "First to knock, no stake"),
    ],
)  # fmt: skip
def test_an_offer_says_where_its_rules_are_not_those_of_its_name(options, told):
    offer = Offer(rule_set(options), Stakes.from_dict({}))
    with translation.override("en"):
        assert offered(offer) == told
