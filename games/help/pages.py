"""The pages of help: how each is called, and what it holds. Their prose is in templates/help/."""

from __future__ import annotations

from dataclasses import dataclass

from django.urls import reverse
from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

LANGUAGES = ("fr", "en")


@dataclass(frozen=True, slots=True)
class Page:
    """One page, written once in each language. ``icon`` is one of icons.svg."""

    slug: str
    title: str | Promise
    about: str | Promise

    @property
    def address(self) -> str:
        """The rules keep the address under which people have always known them."""
        return reverse("rules") if self.slug == "rules" else reverse("help:page", args=[self.slug])

    def template(self, language: str) -> str:
        """Where its prose is, in this language; French where there is none in it."""
        spoken = language[:2] if language[:2] in LANGUAGES else LANGUAGES[0]
        return f"help/{spoken}/{self.slug}.html"


_WRITTEN = (
    Page(
        "quick-start",
        _("Start in a minute"),
        _("What to press, from the first visit to the first card."),
    ),
    Page(
        "first-hand",
        _("The first hand"),
        _("A hand explained as you play it, in five minutes. For whoever has never played."),
    ),
    Page(
        "rules",
        _("The rules of gin rummy"),
        _("All of them, with drawn cards, the ready-made rules and every option."),
    ),
    Page(
        "strategy",
        _("Playing well"),
        _("What to keep, what to throw, when to knock: advice with hands to look at."),
    ),
    Page(
        "glossary",
        _("The words of the game"),
        _("Knock, undercut, deadwood: what they mean, and what they are in the other language."),
    ),
    Page(
        "questions",
        _("Frequent questions"),
        _("Before, during and after a game."),
    ),
    Page(
        "chips",
        _("Chips and stakes"),
        _("What a room may play for, when chips move, and how they are shared out."),
    ),
    Page(
        "computer",
        _("The computer"),
        _("How it plays at each level, and what it does not see."),
    ),
    Page(
        "fairness",
        _("Security and fairness"),
        _("How the cards are shuffled, who sees what, and what is kept."),
    ),
    Page(
        "shuffle",
        _("Checking the shuffle"),
        _("How anybody can check that nobody chose the deck, and what that does not prove."),
    ),
)
PAGES = {page.slug: page for page in _WRITTEN}
