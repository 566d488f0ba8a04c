"""Celery's doors to what happens to people by itself."""

from __future__ import annotations

from celery import shared_task

from accounts import suspensions


@shared_task
def lift_suspensions() -> None:
    """Let in again whose suspension is over."""
    suspensions.lift_over()
