"""Games, their seats, hands and moves. A position is replayed from these, never stored."""

from __future__ import annotations

from django.conf import settings
from django.db import models
from django.db.models import F, Q
from django.utils.translation import gettext_lazy as _

from games.models.places import Table

DECK_LENGTH = 104  # 52 cards of two letters


class Game(models.Model):
    """One game at a table, from the first seat taken to its last hand.

    ``rules`` and ``stakes`` are the game's own frozen copies: changing the room never touches them.
    """

    table = models.ForeignKey(Table, on_delete=models.PROTECT, related_name="games")
    number = models.PositiveIntegerField(_("number"))
    rules = models.JSONField(_("rules"))
    stakes = models.JSONField(_("stakes"), default=dict, blank=True)
    sheet = models.OneToOneField(
        "scoring.ScoreSheet", on_delete=models.PROTECT, null=True, related_name="game"
    )
    opened_at = models.DateTimeField(_("opened"), auto_now_add=True)
    started_at = models.DateTimeField(_("started"), null=True)
    ended_at = models.DateTimeField(_("ended"), null=True)

    class Meta:
        verbose_name = _("game")
        verbose_name_plural = _("games")
        constraints = [
            models.UniqueConstraint(fields=["table", "number"], name="one_game_a_number"),
            models.UniqueConstraint(
                fields=["table"], condition=Q(ended_at=None), name="one_open_game_per_table"
            ),
            models.CheckConstraint(
                condition=Q(started_at=None, sheet=None)
                | Q(started_at__isnull=False, sheet__isnull=False),
                name="a_started_game_has_a_sheet",
            ),
            models.CheckConstraint(
                condition=Q(ended_at=None) | Q(started_at__isnull=False),
                name="a_game_starts_before_it_ends",
            ),
        ]

    def __str__(self) -> str:
        return f"{self._meta.verbose_name} {self.pk}"


class GameSeat(models.Model):
    """Who sits where in a game, and what they said between hands and after the game.

    ``ready_after`` is the number of the last hand whose showdown this player has left.
    """

    game = models.ForeignKey(Game, on_delete=models.CASCADE, related_name="seats")
    seat = models.PositiveSmallIntegerField(_("seat"))
    user = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.SET_NULL, null=True, related_name="seats"
    )
    ready_after = models.PositiveIntegerField(_("ready after hand"), default=0)
    wants_rematch = models.BooleanField(_("wants a rematch"), default=False)

    class Meta:
        verbose_name = _("seat")
        verbose_name_plural = _("seats")
        constraints = [
            models.UniqueConstraint(fields=["game", "seat"], name="one_player_a_seat"),
            models.UniqueConstraint(fields=["game", "user"], name="two_different_players"),
            models.CheckConstraint(condition=Q(seat__lte=3), name="at_most_four_seats"),
        ]

    def __str__(self) -> str:
        return f"{self._meta.verbose_name} {self.seat}"


class Hand(models.Model):
    """One deal. The deck is the secret of an open hand: nothing but the engine may read it."""

    game = models.ForeignKey(Game, on_delete=models.PROTECT, related_name="hands")
    number = models.PositiveIntegerField(_("number"))
    dealer = models.PositiveSmallIntegerField(_("dealer"))
    deck = models.CharField(max_length=DECK_LENGTH)
    rules_version = models.PositiveSmallIntegerField(_("rules version"), default=1)
    dealt_at = models.DateTimeField(_("dealt"))
    ended_at = models.DateTimeField(_("ended"), null=True)

    class Meta:
        verbose_name = _("hand")
        verbose_name_plural = _("hands")
        constraints = [
            models.UniqueConstraint(fields=["game", "number"], name="one_hand_a_number"),
            models.UniqueConstraint(
                fields=["game"], condition=Q(ended_at=None), name="one_open_hand_per_game"
            ),
            models.CheckConstraint(
                condition=Q(ended_at=None) | Q(ended_at__gte=F("dealt_at")),
                name="a_hand_is_dealt_before_it_ends",
            ),
        ]

    def __str__(self) -> str:
        return f"{self._meta.verbose_name} {self.number}"


class Move(models.Model):
    """One move, as text. Never holds a drawn card: "draw stock" names none."""

    hand = models.ForeignKey(Hand, on_delete=models.PROTECT, related_name="moves")
    ply = models.PositiveIntegerField(_("ply"))
    seat = models.PositiveSmallIntegerField(_("seat"))
    text = models.CharField(_("move"), max_length=64)
    made_at = models.DateTimeField(_("made"))

    class Meta:
        verbose_name = _("move")
        verbose_name_plural = _("moves")
        constraints = [
            models.UniqueConstraint(fields=["hand", "ply"], name="one_move_a_ply"),
            models.CheckConstraint(condition=Q(ply__gte=1), name="plies_count_from_one"),
        ]

    def __str__(self) -> str:
        return f"ply {self.ply} of hand {self.hand_id}"


class CallOff(models.Model):
    """A standing offer to call a game off. The other accepts it, or refuses and it is gone."""

    game = models.OneToOneField(Game, on_delete=models.CASCADE, related_name="call_off")
    seat = models.PositiveSmallIntegerField(_("offered by seat"))
    offered_at = models.DateTimeField(_("offered"), auto_now_add=True)

    class Meta:
        verbose_name = _("offer to call off")
        verbose_name_plural = _("offers to call off")

    def __str__(self) -> str:
        return f"offer to call off game {self.game_id}"


class OwnOrder(models.Model):
    """How one player holds their cards: a sort, or an order of their own. Theirs alone to see."""

    game = models.ForeignKey(Game, on_delete=models.CASCADE, related_name="orders")
    seat = models.PositiveSmallIntegerField(_("seat"))
    sort = models.CharField(_("sort"), max_length=5)
    cards = models.CharField(max_length=22, default="", blank=True)

    class Meta:
        verbose_name = _("order of a hand")
        verbose_name_plural = _("orders of hands")
        constraints = [
            models.UniqueConstraint(fields=["game", "seat"], name="one_order_a_seat"),
            models.CheckConstraint(
                condition=Q(sort__in=("melds", "suit", "rank", "own")), name="a_known_sort"
            ),
        ]

    def __str__(self) -> str:
        return f"order of seat {self.seat} of game {self.game_id}"
