"""Whole games drawn by Hypothesis: any preset, any end, hands the rules can produce."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from hypothesis import strategies as st

from games.presets import PRESETS, RuleSet, rule_set
from scoring.rules import (
    Ended,
    HandResult,
    Line,
    ScoringRules,
    bonus_lines,
    hand_line,
    reached,
)


@dataclass(frozen=True)
class Drawn:
    """A game: its rules, hands, end, and the lines of its sheet."""

    rules: RuleSet
    hands: Sequence[HandResult]
    ended: Ended | None
    lines: Sequence[Line]

    @property
    def scoring(self) -> ScoringRules:
        return self.rules.scoring


@st.composite
def results(draw: Any, rules: RuleSet) -> HandResult:
    """One hand under these rules."""
    if draw(st.integers(0, 7)) == 0:
        return HandResult(None, "void", idle=draw(st.booleans()))
    most = rules.highest_knock
    kinds = ["gin"] + (["big_gin"] if rules.scoring.big_gin is not None else [])
    kinds += ["knock", "knock", "undercut"] if most else []
    if rules.scoring.format == "first_knock":
        kinds = ["first_knock"]
    kind = draw(st.sampled_from(kinds))
    winner, spade = draw(st.integers(0, 1)), draw(st.booleans())
    if kind in ("gin", "big_gin"):
        return HandResult(winner, kind, 0, draw(st.integers(0, 98)), spade)
    knocker = draw(st.integers(0 if kind == "first_knock" else 1, most))
    low, high = {"knock": (knocker + 1, 98), "undercut": (0, knocker)}.get(kind, (0, 98))
    return HandResult(winner, kind, knocker, draw(st.integers(low, high)), spade)


@st.composite
def games(draw: Any, slugs: st.SearchStrategy[str] | None = None, over: bool = True) -> Drawn:
    """A game to its end: by the target, or left or undone; ``over`` False: perhaps unfinished."""
    rules = rule_set({"preset": draw(st.sampled_from(sorted(PRESETS)) if slugs is None else slugs)})
    hands: list[HandResult] = []
    lines: list[Line] = []
    for number in range(1, draw(st.integers(1, 25)) + 1):
        hands.append(draw(results(rules)))
        line = hand_line(rules.scoring, number, hands[-1])
        lines += [] if line is None else [line]
        if reached(rules.scoring, lines) is not None:
            break
    goal = reached(rules.scoring, lines)
    if goal is not None:
        ended = draw(st.sampled_from([Ended("target", goal)] * 4 + [Ended("voided")]))
    else:
        left = [Ended(how, by) for how in ("resigned", "time", "claimed") for by in (0, 1)]
        ended = draw(st.sampled_from([*left, Ended("called_off"), *([] if over else [None])]))
    if ended is not None:
        lines += bonus_lines(rules.scoring, lines, ended)
    return Drawn(rules, hands, ended, lines)
