"""Alice and Bob play; Charlie must get nothing."""

from __future__ import annotations

import pytest

from tests.games.players import play_hand


@pytest.fixture
def between(table_id, alice, bob):
    """The first hand is over."""
    play_hand(table_id, [alice.pk, bob.pk])
    return table_id
