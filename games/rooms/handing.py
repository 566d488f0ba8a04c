"""Memberships that become another person's, when a guest turns out to have an account."""

from __future__ import annotations

from django.db.models import Q

from games.models import Member, Room


def hand_over(user_id: int, to_id: int) -> None:
    """Let another be a member, and the host, wherever somebody was."""
    known = Member.objects.filter(user_id=to_id).values_list("room_id", flat=True)
    mine = Member.objects.filter(user_id=user_id)
    concerned = Room.objects.filter(Q(pk__in=mine.values("room")) | Q(owner_id=user_id))
    list(concerned.order_by("pk").select_for_update(no_key=True))  # a room before its members
    mine.filter(room_id__in=list(known)).delete()
    mine.update(user_id=to_id)
    if Room.objects.filter(owner_id=to_id, practice=True).exists():  # one is enough
        Room.objects.filter(owner_id=user_id).update(practice=False)
    Room.objects.filter(owner_id=user_id).update(owner_id=to_id)
