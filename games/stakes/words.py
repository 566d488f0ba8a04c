"""Stakes and amounts of chips in words. Amounts stay exact until they are shown here."""

from __future__ import annotations

from collections.abc import Mapping
from decimal import Decimal
from typing import Any

from django.utils.formats import number_format
from django.utils.translation import gettext, ngettext, pgettext
from django.utils.translation import gettext_lazy as _

from accounts.refusal import Refusal
from games.presets import preset_name, rule_set
from games.stakes.offers import Offer
from scoring.chips import Rate
from scoring.rules import ScoringRules
from scoring.rules.stakes import Stakes, buy_in, rate, shown

# What amounts may be called: a label alone, no money moves. Written as in Stakes.unit.
UNITS = {"chips": _("chips"), "EUR": "€", "GBP": "£", "USD": "$", "CHF": "CHF"}
CHIPS = "chips"


def figure(amount: Decimal, whole: bool = False) -> str:
    """An amount without its unit, to two places, half up; ``whole``: "150" and not "150.00"."""
    rounded = shown(amount)
    places = 0 if whole and rounded == rounded.to_integral_value() else 2
    return number_format(abs(rounded), places, use_l10n=True, force_grouping=True)


def exact(amount: Decimal) -> str:
    """An amount to its last place, four at most."""
    places = max(2, -int(amount.normalize().as_tuple().exponent))
    return number_format(abs(amount), places, use_l10n=True, force_grouping=True)


def readable(params: Mapping[str, object]) -> dict[str, object]:
    """What fills a refusal, its amounts and offers as the reader writes them."""
    return {name: _readable(value) for name, value in params.items()}


def _readable(value: object) -> object:
    if isinstance(value, Offer):
        return offered(value)
    return figure(value) if isinstance(value, Decimal) else value


def offered(offer: Offer) -> str:
    """What a table offers to play by and for, in a few words."""
    scoring = offer.rules.scoring
    told = {"rules": _rules_of(offer), "stakes": in_brief(offer.stakes, scoring)}
    if scoring.format == "first_knock":
        return gettext("%(rules)s, %(stakes)s") % told
    return gettext("%(rules)s, target %(target)s, %(stakes)s") % {**told, "target": scoring.target}


def _rules_of(offer: Offer) -> str:
    """Their name; and that some of them are otherwise, where they are."""
    name = str(preset_name(offer.rules.preset))
    usual = rule_set({"preset": offer.rules.preset}).as_dict()
    if {**offer.rules.as_dict(), "target": usual["target"]} == usual:
        return name
    return gettext("%(rules)s with other options") % {"rules": name}


def money(amount: Decimal, unit: str = CHIPS, whole: bool = False) -> str:
    """An amount with its unit: "80.25 chips", "80,25 €". A loss has its minus sign."""
    told = figure(amount, whole)
    sign = "−" if shown(amount) < 0 else ""
    if unit != CHIPS:
        return f"{sign}{told}\N{NO-BREAK SPACE}{UNITS.get(unit, unit)}"
    return sign + ngettext("%(amount)s chip", "%(amount)s chips", _count(amount)) % {"amount": told}


def signed_figure(amount: Decimal, plus: bool = True) -> str:
    """An amount with its sign and without its unit, for a column of them."""
    sign = "−" if shown(amount) < 0 else "+" if plus and shown(amount) > 0 else ""
    return sign + figure(amount)


def signed(amount: Decimal, unit: str = CHIPS) -> str:
    """The same with its sign, a gain too."""
    return ("+" if shown(amount) > 0 else "") + money(amount, unit)


def _count(amount: Decimal) -> int:
    """What a plural is chosen by: in English 0.50 chips are many, in French they are one."""
    size = abs(shown(amount))
    return 1 if size == 1 else 0 if size < 2 else 2


def percent(share: Decimal) -> str:
    """ "7.5%", as the reader writes it."""
    hundred = share * 100
    places = 0 if hundred == hundred.to_integral_value() else 1
    return gettext("%(rate)s%%") % {"rate": number_format(hundred, places)}


def in_brief(stakes: Stakes, rules: ScoringRules) -> str:
    """Stake, buy-in and commission in a few words, for tables and lists."""
    if not stakes.played_for:
        return gettext("no stake")
    told = {
        "amount": money(stakes.amount, stakes.unit, whole=True),
        "buy_in": money(buy_in(stakes), stakes.unit, whole=True),
    }
    sentence = {
        "match": gettext("stake %(amount)s"),
        "money": gettext("%(amount)s a point, buy-in %(buy_in)s"),
        "purse": gettext("purse %(amount)s"),
    }[stakes.mode]
    return f"{sentence % told}, {commission_in_brief(stakes, rules)}"


def commission_in_brief(stakes: Stakes, rules: ScoringRules) -> str:
    share = rate(stakes, rules.format == "first_knock")
    if not share:
        return gettext("no commission")
    return gettext("commission %(rate)s") % {"rate": percent(share)}


def in_words(stakes: Stakes, rules: ScoringRules) -> list[str]:
    """What a room plays for, in sentences; the first one alone where it is for nothing."""
    if not stakes.played_for:
        return [gettext("Games here are played without a stake.")]
    return [_won_in_words(stakes), _share_in_words(stakes, rules), *_from_in_words(stakes)]


def agreed(stakes: Mapping[str, Any], rules: Mapping[str, Any]) -> str:
    """Stored stakes as sentences; what cannot be read is left unsaid."""
    try:
        return " ".join(in_words(Stakes.from_dict(stakes), rule_set(rules).scoring))
    except Refusal:
        return "…"


def _won_in_words(stakes: Stakes) -> str:
    told = {
        "amount": money(stakes.amount, stakes.unit, whole=True),
        "buy_in": money(buy_in(stakes), stakes.unit, whole=True),
    }
    return {
        "match": gettext("Each puts up %(amount)s; the winner takes the pot."),
        "money": gettext(
            "Each point of the difference is worth %(amount)s. Each puts up %(buy_in)s, the most "
            "that can be won or lost."
        ),
        "purse": (
            gettext("The winner takes a purse of %(amount)s, put up by the host.")
            if stakes.purse_from == "owner"
            else gettext("The winner takes a purse of %(amount)s, put up by the house.")
        ),
    }[stakes.mode] % told


def _share_in_words(stakes: Stakes, rules: ScoringRules) -> str:
    share = rate(stakes, rules.format == "first_knock")
    if not share:
        return gettext("The house takes no commission.")
    told = {"rate": percent(share)}
    if stakes.mode == "money":
        return gettext("The house takes %(rate)s of what is won.") % told
    return gettext("The house takes %(rate)s of the pot.") % told


def _from_in_words(stakes: Stakes) -> list[str]:
    if stakes.mode == "purse":
        return []
    if stakes.source == "wallet":
        return [gettext("Stakes come out of each player’s chips.")]
    limit = money(stakes.tab_limit, stakes.unit, whole=True)
    return [
        gettext("Stakes are written on a tab, down to %(limit)s owed by each member.")
        % {"limit": limit}
    ]


def also(amount: Decimal, rate: Rate | None) -> str:
    """An amount of chips in the reader's own unit as well; nothing where they asked for none."""
    return "" if rate is None else f"≈ {money(rate.of(amount), rate.unit)}"


def unit_name(unit: str) -> str:
    """What amounts are called where no amount stands beside it."""
    return pgettext("unit", "chips") if unit == CHIPS else str(UNITS.get(unit, unit))
