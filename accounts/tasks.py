"""Celery's doors to what happens to people by itself."""

from __future__ import annotations

from celery import shared_task

from accounts import sessions, suspensions


@shared_task
def lift_suspensions() -> None:
    """Let in again whose suspension is over."""
    suspensions.lift_over()


@shared_task
def forget_sessions() -> None:
    """Take away the sessions that are over: nobody can use them, and they only pile up."""
    sessions.forget_over()
