"""Giving one's part to the shuffle: first the hash of 32 bytes, then the bytes themselves.

Nobody can choose theirs by what another gave, since all are bound by their hashes before the first
bytes are sent; and whoever stays silent keeps nobody waiting for longer than ``FAIR_PATIENCE``.
"""

from __future__ import annotations

import logging

from django.db import transaction
from django.utils import timezone

from accounts.refusal import N_
from games import live
from games.fair import chain
from games.models import Game, Seed, Shuffle
from games.table import shuffling
from games.table.hands import deal_next
from games.table.rights import Refused, count_change, lock_latest, own_seat

logger = logging.getLogger(__name__)


def seed(
    table_id: int, user_id: int, hash: str = "", bytes: str = "", game_id: int | None = None
) -> None:
    """Give the hash of one's bytes, or the bytes, for the shuffle that waits. Twice is once.

    Raises Refused: seed_late (nothing waits), seed_given (another was sent before), seed_early
    (bytes before all hashes are there), seed_wrong (they have another hash).
    """
    with transaction.atomic():
        game = lock_latest(table_id, user_id, game_id)
        own = own_seat(game, user_id).seat
        shuffle = None if game.ended_at else shuffling.waiting_in(game.pk)
        if shuffle is None:
            raise Refused("seed_late", N_("The cards are shuffled already."))
        row = shuffle.seeds.get(seat=own)
        if row.replaced:
            raise Refused("seed_late", N_("That came too late: a value made before replaces it."))
        news = _keep_hash(row, hash) if hash else _keep_bytes(shuffle, row, bytes)
        if news:
            live.ring_after_commit(table_id)  # first: a deal may ask a broker, who may not answer
            _go_on(game, shuffle)


def end_shuffle(table_id: int) -> bool:
    """Go on without whoever was silent for too long, whoever looks first; whether it was time."""
    with transaction.atomic():
        game = Game.objects.select_for_update().filter(table_id=table_id, ended_at=None).first()
        shuffle = shuffling.waiting_in(game.pk) if game else None
        if game is None or shuffle is None or not _is_over(shuffle):
            return False
        count_change(table_id)
        shuffling.replace_silent(shuffle)
        live.ring_after_commit(table_id)
        if shuffle.settled_at is not None:
            deal_next(game.table_id)
    return True


def end_shuffles() -> None:
    """The same at every table nobody looks at: one that fails does not keep the others."""
    over = Shuffle.objects.filter(deadline__lte=timezone.now(), game__ended_at=None)
    for table_id in list(over.values_list("game__table_id", flat=True)):
        try:
            end_shuffle(table_id)
        except Exception as error:
            # Without its words: they may quote a row, and with it a secret.
            logger.error("The shuffle at table %s failed: %s", table_id, type(error).__name__)


def _keep_hash(row: Seed, sent: str) -> bool:
    if row.hash:
        if row.hash != sent:
            raise _given()
        return False
    row.hash = sent
    row.save(update_fields=["hash"])
    return True


def _keep_bytes(shuffle: Shuffle, row: Seed, sent: str) -> bool:
    if row.given:
        if row.given != sent:
            raise _given()
        return False
    if not row.hash or not shuffling.all_hashed(shuffle):
        raise Refused("seed_early", N_("Not yet: first everybody says what they are bound to."))
    if chain.hashed(bytes.fromhex(sent)).hex() != row.hash:
        raise Refused("seed_wrong", N_("These are not the bytes that were announced."))
    row.given = sent
    row.save(update_fields=["given"])
    return True


def _go_on(game: Game, shuffle: Shuffle) -> None:
    """After a hash or bytes: on to the next step, and to the deal after the last."""
    if shuffling.carry_on(shuffle):
        deal_next(game.table_id)


def _given() -> Refused:
    return Refused("seed_given", N_("You have given your part to the shuffle already."))


def _is_over(shuffle: Shuffle) -> bool:
    return shuffle.deadline is not None and timezone.now() >= shuffle.deadline
