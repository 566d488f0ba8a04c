"""Who is a friend of whom, who wants nothing of whom, and who is invited to a room."""

from __future__ import annotations

from django.conf import settings
from django.db import models
from django.db.models import F, Q
from django.db.models.functions import Greatest, Least
from django.utils.translation import gettext_lazy as _

from games.models.places import Room


class Friendship(models.Model):
    """Two people who are friends, or one who asked the other. Either may end it."""

    asker = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="friendships_asked"
    )
    asked = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="friendships_received"
    )
    asked_at = models.DateTimeField(_("asked"), auto_now_add=True)
    accepted_at = models.DateTimeField(_("accepted"), null=True)

    class Meta:
        default_permissions = ()
        constraints = [
            models.UniqueConstraint(
                Least("asker", "asked"), Greatest("asker", "asked"), name="friends_once_a_pair"
            ),
            models.CheckConstraint(
                condition=~Q(asker=F("asked")), name="nobody_befriends_themself"
            ),
        ]

    def __str__(self) -> str:
        return f"user {self.asker_id} asked {self.asked_id}"


class Block(models.Model):
    """Somebody who wants nothing of somebody: no invitation, no talk, no common public table."""

    user = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="blocks"
    )
    blocked = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="blocked_by"
    )

    class Meta:
        default_permissions = ()
        constraints = [
            models.UniqueConstraint(fields=["user", "blocked"], name="blocked_once"),
            models.CheckConstraint(condition=~Q(user=F("blocked")), name="nobody_blocks_themself"),
        ]

    def __str__(self) -> str:
        return f"user {self.user_id} blocks {self.blocked_id}"


class RoomInvitation(models.Model):
    """A friend asked into a room. Coming in or declining ends it."""

    room = models.ForeignKey(Room, on_delete=models.CASCADE, related_name="invitations")
    user = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="room_invitations"
    )
    by = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="+")
    at = models.DateTimeField(_("invited"), auto_now_add=True)
    # Since when it is settled whether a letter tells of it.
    told_at = models.DateTimeField(_("told"), null=True)

    class Meta:
        default_permissions = ()
        constraints = [
            models.UniqueConstraint(fields=["room", "user"], name="invited_once_a_room")
        ]

    def __str__(self) -> str:
        return f"user {self.user_id} invited to room {self.room_id}"


class FriendLink(models.Model):
    """The link by which somebody lets others become their friends, until it is taken back."""

    user = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="+", db_index=False
    )
    token = models.CharField(max_length=22)

    class Meta:
        default_permissions = ()
        constraints = [
            models.UniqueConstraint(fields=["user"], name="one_friend_link_a_person"),
            models.UniqueConstraint(fields=["token"], name="one_person_a_friend_link"),
            models.CheckConstraint(condition=~Q(token=""), name="a_friend_link_has_its_token"),
        ]

    def __str__(self) -> str:
        return f"friend link of user {self.user_id}"
