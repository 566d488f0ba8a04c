"""What is stored of rooms and tables: facts, once each. Positions are replayed, never stored.

Each "never" and "once" is a named constraint here; moves are insert-only by trigger
(``migrations/0002_moves_are_never_changed.py``). Only ``rooms.py`` and ``table.py`` write.
"""

from __future__ import annotations

from django.conf import settings
from django.db import models
from django.db.models import F, Q
from django.utils.translation import gettext_lazy as _

DECK_LENGTH = 104  # 52 cards of two letters


class Room(models.Model):
    """A place friends come back to: its rules, its members, its tables."""

    name = models.CharField(_("name"), max_length=60)
    owner = models.ForeignKey(
        settings.AUTH_USER_MODEL,
        verbose_name=_("owner"),
        on_delete=models.SET_NULL,
        null=True,
        related_name="rooms_owned",
    )
    rules = models.JSONField(_("rules"))
    code = models.CharField(_("code"), max_length=8)
    invitation = models.CharField(_("invitation"), max_length=43)
    is_public = models.BooleanField(_("public"), default=False)
    opened_at = models.DateTimeField(_("opened"), auto_now_add=True)

    class Meta:
        verbose_name = _("room")
        verbose_name_plural = _("rooms")
        constraints = [
            models.UniqueConstraint(fields=["code"], name="one_room_a_code"),
            models.UniqueConstraint(fields=["invitation"], name="one_room_an_invitation"),
            models.CheckConstraint(condition=~Q(name=""), name="a_room_has_a_name"),
        ]

    def __str__(self) -> str:
        return self.name


class Member(models.Model):
    """Someone who may enter a room."""

    room = models.ForeignKey(Room, on_delete=models.CASCADE, related_name="members")
    user = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="memberships"
    )
    joined_at = models.DateTimeField(_("joined"), auto_now_add=True)

    class Meta:
        verbose_name = _("member")
        verbose_name_plural = _("members")
        constraints = [
            models.UniqueConstraint(fields=["room", "user"], name="a_member_joins_once")
        ]

    def __str__(self) -> str:
        return f"member {self.user_id} of room {self.room_id}"


class Table(models.Model):
    """A table of a room. Its address outlives rematches."""

    room = models.ForeignKey(Room, on_delete=models.CASCADE, related_name="tables")
    number = models.PositiveIntegerField(_("number"))
    opened_at = models.DateTimeField(_("opened"), auto_now_add=True)

    class Meta:
        verbose_name = _("table")
        verbose_name_plural = _("tables")
        constraints = [
            models.UniqueConstraint(fields=["room", "number"], name="one_table_a_number")
        ]

    def __str__(self) -> str:
        return f"table {self.number} of room {self.room_id}"


class Game(models.Model):
    """One game at a table, from the first seat taken to its last hand.

    ``rules`` is the game's own frozen copy: changing the room never touches it.
    """

    table = models.ForeignKey(Table, on_delete=models.PROTECT, related_name="games")
    number = models.PositiveIntegerField(_("number"))
    rules = models.JSONField(_("rules"))
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
        return f"game {self.pk} at table {self.table_id}"


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
        return f"seat {self.seat} of game {self.game_id}"


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
        return f"hand {self.number} of game {self.game_id}"


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
