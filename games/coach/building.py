"""The coach at work: decision by decision, each kept as soon as it is weighed.

Whoever comes after a worker that died goes on behind its last decision, and one that comes twice
finds nothing to do. Chance is drawn from the decision's own place, so it comes out the same again.
"""

from __future__ import annotations

from collections.abc import Sequence
from datetime import timedelta
from random import Random
from time import monotonic

from django.db import IntegrityError, transaction
from django.utils import timezone

from games import dealing
from games.coach import decisions
from games.coach.decisions import Course
from games.engine.bots import Score, Weighed
from games.models import Analysis, Hand, Move, Weighing
from games.positions import rules_of
from scoring import ledger

SILENT = timedelta(seconds=30)  # then whoever worked on it is taken for dead
TRIES = 3


def build(analysis_id: int, seconds: float | None = None) -> bool:
    """Weigh on, for about so long at the most; whether something is left to do here."""
    until = None if seconds is None else monotonic() + seconds
    building = Analysis.objects.filter(pk=analysis_id, state=Analysis.State.BUILDING)
    analysis = building.select_related("hand__game").first()
    if analysis is None:
        return False
    course = course_of(analysis.hand)
    score = _score(analysis)
    views = decisions.views_of(course, analysis.seat)
    done = set(analysis.weighings.values_list("ply", flat=True))
    for ply in (ply for ply in views if ply not in done):
        chance = Random(f"{analysis.hand_id} {ply}").randrange  # noqa: S311 - the same every time
        made = course.moves[ply - 1][1]
        found = decisions.weighed(views[ply], made, course.rules, score, chance, analysis.playouts)
        if not _kept(analysis_id, ply, found):
            return False
        if until is not None and monotonic() >= until:
            break
    return not _finished(analysis_id, len(views))


def failed(analysis_id: int) -> None:
    """A worker could not go on: another tries, and after a few the analysis is given up."""
    with transaction.atomic():
        analysis = _locked(analysis_id)
        if analysis is None:
            return
        analysis.tries += 1
        if analysis.tries >= TRIES:
            analysis.state = Analysis.State.FAILED
        analysis.moved_at = timezone.now()
        analysis.save(update_fields=["tries", "state", "moved_at"])


def take_up() -> list[int]:
    """Analyses nobody has worked on for long, oldest first; each is given to one caller, and not
    again before as long a time has passed: where no worker is left, nothing piles up for it.
    """
    now = timezone.now()
    building = Analysis.objects.filter(state=Analysis.State.BUILDING)
    quiet = building.filter(moved_at__lte=now - SILENT).order_by("pk")
    return [
        analysis_id
        for analysis_id, moved_at in list(quiet.values_list("pk", "moved_at"))
        if building.filter(pk=analysis_id, moved_at=moved_at).update(moved_at=now)
    ]


def course_of(hand: Hand) -> Course:
    """A hand as it was played."""
    moves = Move.objects.filter(hand_id=hand.pk).order_by("ply").values_list("seat", "text")
    rules = rules_of(hand.game_id).play
    return Course(rules, dealing.cards_of(hand.deck), hand.dealer, list(moves))


def _score(analysis: Analysis) -> Score:
    game, number = analysis.hand.game, analysis.hand.number
    assert game.sheet_id is not None, "a game with a hand has a sheet"  # noqa: S101
    lines = ledger.read_sheet(game.sheet_id).lines
    return decisions.score_before(rules_of(game.pk).scoring, lines, analysis.seat, number)


def _kept(analysis_id: int, ply: int, found: Sequence[Weighed]) -> bool:
    """Keep a decision; False if somebody else has, or there is nothing to be done any more."""
    moves = [[one.move, round(one.points, 3), round(one.margin, 3)] for one in found]
    try:
        with transaction.atomic():
            analysis = _locked(analysis_id)
            if analysis is None:
                return False
            Weighing.objects.create(analysis=analysis, ply=ply, moves=moves)
            analysis.done += 1
            analysis.moved_at = timezone.now()
            analysis.save(update_fields=["done", "moved_at"])
    except IntegrityError:
        return False
    return True


def _finished(analysis_id: int, total: int) -> bool:
    """Close the analysis once every decision is weighed."""
    with transaction.atomic():
        analysis = _locked(analysis_id)
        if analysis is None or analysis.done < total:
            return analysis is None
        analysis.state = Analysis.State.READY
        analysis.save(update_fields=["state"])
    return True


def _locked(analysis_id: int) -> Analysis | None:
    """The analysis while it is under way."""
    building = Analysis.objects.filter(pk=analysis_id, state=Analysis.State.BUILDING)
    return building.select_for_update().first()
