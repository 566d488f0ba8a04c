"""What makes a deal fair: the chain behind a game's decks, and what each seat gave to the shuffle.

The last link of a chain, and a substitute until it is used, are secrets like a deck: nothing but
``games/table/shuffling.py`` and, once a hand is over, ``games/fair/finding.py`` reads them.
"""

from __future__ import annotations

from django.db import models
from django.db.models import Q
from django.utils.translation import gettext_lazy as _

from games.models.play import Game

WRITTEN = 64  # 32 bytes as hexadecimal


class Shuffle(models.Model):
    """One chain: published before anybody gave anything, good for 256 hands from its first on.

    ``deadline``: when a silent seat gets its substitute; None once all is given (``settled_at``).
    One that is never settled belongs to a start that was broken off.
    """

    game = models.ForeignKey(Game, on_delete=models.PROTECT, related_name="shuffles")
    first_hand = models.PositiveIntegerField(_("first hand"))
    secret = models.CharField(max_length=WRITTEN)
    commitment = models.CharField(_("published before"), max_length=WRITTEN)
    opened_at = models.DateTimeField(_("opened"))
    deadline = models.DateTimeField(_("deadline"), null=True)
    settled_at = models.DateTimeField(_("settled"), null=True)

    class Meta:
        verbose_name = _("shuffle")
        verbose_name_plural = _("shuffles")
        constraints = [
            models.UniqueConstraint(fields=["game", "first_hand"], name="one_chain_a_stretch"),
            models.UniqueConstraint(
                fields=["game"], condition=Q(settled_at=None), name="one_open_shuffle_a_game"
            ),
            models.CheckConstraint(
                condition=Q(deadline=None, settled_at__isnull=False)
                | Q(deadline__isnull=False, settled_at=None),
                name="a_shuffle_waits_or_is_settled",
            ),
        ]

    def __str__(self) -> str:
        return f"shuffle of game {self.game_id}"

    def __repr__(self) -> str:
        return f"<Shuffle: game {self.game_id}>"


class Seed(models.Model):
    """What one seat gives to a shuffle: first the hash of its bytes, then the bytes.

    ``replaced``: the seat was silent, or is the computer's, and its substitute counts, whose hash
    was published beside the chain's.
    """

    shuffle = models.ForeignKey(Shuffle, on_delete=models.PROTECT, related_name="seeds")
    seat = models.PositiveSmallIntegerField(_("seat"))
    substitute = models.CharField(max_length=WRITTEN)
    hash = models.CharField(_("hash"), max_length=WRITTEN, default="", blank=True)
    given = models.CharField(max_length=WRITTEN, default="", blank=True)
    replaced = models.BooleanField(_("replaced"), default=False)

    class Meta:
        verbose_name = _("seed")
        verbose_name_plural = _("seeds")
        constraints = [
            models.UniqueConstraint(fields=["shuffle", "seat"], name="one_seed_a_seat"),
            models.CheckConstraint(
                condition=Q(given="") | ~Q(hash=""), name="bytes_come_after_their_hash"
            ),
            models.CheckConstraint(
                condition=Q(replaced=False) | Q(given=""), name="what_was_given_is_not_replaced"
            ),
        ]

    def __str__(self) -> str:
        return f"seed of seat {self.seat}"

    def __repr__(self) -> str:
        return f"<Seed: seat {self.seat}>"
