"""Rule sets in words: what a room's page says of them."""

from __future__ import annotations

from typing import Any

from django.utils.translation import gettext

from accounts.refusal import Refusal
from games.presets.named import DEFAULT, RuleSet, rule_set
from scoring.rules import ScoringRules


def difference(rules: RuleSet) -> list[str]:
    """How a rule set differs from the default, each in a few words; empty for the default."""
    usual = rule_set({"preset": DEFAULT})
    if rules.scoring.format == "first_knock":
        return [gettext("the first to knock wins the game"), *_play_changes(rules)]
    return [*_play_changes(rules), *_hand_changes(rules, usual), *_end_changes(rules, usual)]


def agreed(options: dict[str, Any]) -> str:
    """Stored rules as sentences; what cannot be read as rules is left unsaid."""
    try:
        return " ".join(in_words(rule_set(options)))
    except Refusal:
        return "…"


def _play_changes(rules: RuleSet) -> list[str]:
    play, changes = rules.play, []
    if play.knock_limit == 0:
        changes.append(gettext("only gin ends a hand"))
    if play.knock_limit == "upcard":
        changes.append(gettext("the upcard sets the knock limit"))
        if play.oklahoma_ace == 1:
            changes.append(gettext("an ace turned up allows a knock with 1"))
    if not play.layoffs and play.format == "points":
        changes.append(gettext("no laying off"))
    if rules.next_dealer != "alternate":
        changes.append(
            gettext("the winner of a hand deals the next")
            if rules.next_dealer == "winner"
            else gettext("the loser of a hand deals the next")
        )
    if play.keep_drawn_card == "any":
        changes.append(gettext("the card just drawn is never discarded"))
    if play.discard_history == "open":
        changes.append(gettext("the discard pile may be browsed"))
    return changes


def _hand_changes(rules: RuleSet, usual: RuleSet) -> list[str]:
    now, old, changes = rules.scoring, usual.scoring, []
    if now.gin != old.gin:
        changes.append(gettext("gin %(new)s instead of %(old)s") % {"new": now.gin, "old": old.gin})
    if now.big_gin is None:
        changes.append(gettext("no big gin"))
    elif now.big_gin != old.big_gin:
        amounts = {"new": now.big_gin, "old": old.big_gin}
        changes.append(gettext("big gin %(new)s instead of %(old)s") % amounts)
    if now.undercut != old.undercut:
        amounts = {"new": now.undercut, "old": old.undercut}
        changes.append(gettext("undercut %(new)s instead of %(old)s") % amounts)
    if now.spades_double:
        changes.append(gettext("a spade turned up doubles the hand"))
    if now.target != old.target:
        amounts = {"new": now.target, "old": old.target}
        changes.append(gettext("target %(new)s instead of %(old)s") % amounts)
    return changes


def _end_changes(rules: RuleSet, usual: RuleSet) -> list[str]:
    now, old, changes = rules.scoring, usual.scoring, []
    if not now.line_bonus:
        changes.append(gettext("no bonus for hands won"))
    elif now.line_bonus != old.line_bonus:
        amounts = {"new": now.line_bonus, "old": old.line_bonus}
        changes.append(gettext("%(new)s a hand won instead of %(old)s") % amounts)
    if now.line_bonus and now.line_bonus_to == "winner":
        changes.append(gettext("the bonus for hands won goes to the winner alone"))
    if not now.game_bonus:
        changes.append(gettext("no game bonus"))
    changes += {
        "none": [gettext("no shutout")],
        "fixed": [gettext("a shutout is worth %(points)s") % {"points": now.shutout_points}],
        "double_hands": [gettext("a shutout doubles the points of the hands alone")],
        "double_hands_and_game": [],
    }[now.shutout]
    if now.shutout != "none" and now.shutout_when == "zero_points":
        changes.append(gettext("a shutout is due against a player without a point"))
    if now.winner_by == "target":
        changes.append(gettext("whoever reaches the target wins"))
    return changes


def in_words(rules: RuleSet) -> list[str]:
    """The rules of a room in a few sentences."""
    if rules.scoring.format == "first_knock":
        return [
            *_knock_in_words(rules),
            gettext("The first to knock, or to go gin, wins the game."),
            *_habits_in_words(rules),
        ]
    return [
        *_knock_in_words(rules),
        _hand_in_words(rules.scoring),
        *_layoffs_in_words(rules),
        *_end_in_words(rules.scoring),
        *_habits_in_words(rules),
    ]


def _knock_in_words(rules: RuleSet) -> list[str]:
    if rules.play.knock_limit == 10:
        return [gettext("One knocks with 10 deadwood or less.")]
    if rules.play.knock_limit == 0:
        return [gettext("One does not knock: only gin ends a hand.")]
    sentences = [gettext("The upcard sets the knock limit of each hand.")]
    if rules.play.oklahoma_ace == "gin":
        sentences.append(gettext("If it is an ace, only gin ends the hand."))
    else:
        sentences.append(gettext("If it is an ace, one knocks with 1."))
    if rules.scoring.spades_double:
        sentences.append(gettext("If it is a spade, every point of the hand counts double."))
    return sentences


def _hand_in_words(now: ScoringRules) -> str:
    amounts = {"gin": now.gin, "big_gin": now.big_gin, "undercut": now.undercut}
    if now.big_gin is None and not now.undercut:
        return gettext("Gin %(gin)s, no big gin, no bonus for an undercut.") % amounts
    if now.big_gin is None:
        return gettext("Gin %(gin)s, undercut %(undercut)s, no big gin.") % amounts
    if not now.undercut:
        return gettext("Gin %(gin)s, big gin %(big_gin)s, no bonus for an undercut.") % amounts
    return gettext("Gin %(gin)s, big gin %(big_gin)s, undercut %(undercut)s.") % amounts


def _layoffs_in_words(rules: RuleSet) -> list[str]:
    if rules.play.knock_limit == 0:
        return []  # nobody ever lays off on gin
    if not rules.play.layoffs:
        return [gettext("Nobody lays off cards on the knocker’s melds.")]
    return [gettext("The opponent lays off cards on your melds, except after gin.")]


def _end_in_words(now: ScoringRules) -> list[str]:
    amounts = {
        "target": now.target,
        "line": now.line_bonus,
        "game": now.game_bonus,
        "shutout": now.shutout_points,
    }
    sentences = [gettext("The game ends at %(target)s.") % amounts]
    if now.line_bonus and now.line_bonus_to == "each":
        sentences.append(gettext("Bonus of %(line)s for each hand won, to each player.") % amounts)
    elif now.line_bonus:
        sentences.append(gettext("Bonus of %(line)s for each hand won, to the winner.") % amounts)
    if now.game_bonus:
        sentences.append(gettext("%(game)s to whoever reaches the target.") % amounts)
    if now.shutout != "none":
        sentences.append(_shutout_in_words(now) % amounts)
    if now.winner_by == "total":
        sentences.append(gettext("The higher total wins."))
    else:
        sentences.append(gettext("Whoever reaches the target wins."))
    return sentences


def _shutout_in_words(now: ScoringRules) -> str:
    pointless = now.shutout_when == "zero_points"
    if now.shutout == "fixed":
        if pointless:
            return gettext("Shutout: %(shutout)s more if the other has no point.")
        return gettext("Shutout: %(shutout)s more if the other won no hand.")
    if now.shutout == "double_hands" or not now.game_bonus:
        if pointless:
            return gettext("Shutout: if the other has no point, your points count double.")
        return gettext("Shutout: if the other won no hand, your points count double.")
    if pointless:
        return gettext(
            "Shutout: if the other has no point, your points and the game bonus count double."
        )
    return gettext(
        "Shutout: if the other won no hand, your points and the game bonus count double."
    )


def _habits_in_words(rules: RuleSet) -> list[str]:
    sentences = []
    if rules.next_dealer == "winner":
        sentences.append(gettext("The winner of a hand deals the next."))
    if rules.next_dealer == "loser":
        sentences.append(gettext("The loser of a hand deals the next."))
    if rules.play.keep_drawn_card == "any":
        sentences.append(gettext("The card just drawn may not be discarded in the same turn."))
    if rules.play.discard_history == "open":
        sentences.append(gettext("Both players may browse the discard pile."))
    return sentences
