"""Celery's doors to the ledger. A failure is logged with its sheet and swept up later."""

from __future__ import annotations

import logging

from celery import shared_task

from scoring import ledger

logger = logging.getLogger(__name__)


@shared_task
def write_bonuses(sheet_id: int) -> None:
    """Write the end-of-game lines of one sheet; running it again does nothing."""
    try:
        ledger.write_bonuses(sheet_id)
    except Exception:
        # Not raised again: the sweep is the retry, and it must come to the other sheets too.
        logger.exception("The bonuses of sheet %s were not written; the sweep will.", sheet_id)


@shared_task
def sweep_bonuses() -> None:
    """Pick up every ended sheet whose own task was lost or failed."""
    for sheet_id in ledger.sheets_without_bonuses():
        write_bonuses(sheet_id)
