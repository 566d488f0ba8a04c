"""The bell of a score sheet."""

from __future__ import annotations

from django.db import transaction

from accounts import live


def group_of(sheet_id: int) -> str:
    """The channel group of whoever looks at this sheet."""
    return f"sheet.{sheet_id}"


def ring(sheet_id: int) -> None:
    """Ring once the present transaction is committed; never if it is rolled back.

    Robust: a bell that cannot be rung must not stop what else waits for the commit. (No partial:
    Django names the failed function in its log, and a partial has no name.)
    """
    transaction.on_commit(lambda: live.ring(group_of(sheet_id)), robust=True)


def pad_group(original_id: int) -> str:
    """The channel group of whoever follows a pad, whatever edition it has come to."""
    return f"pad.{original_id}"


def ring_pad(original_id: int) -> None:
    """Ring for who follows a pad, by its first edition, after commit."""
    transaction.on_commit(lambda: live.ring(pad_group(original_id)), robust=True)
