"""Alice and Bob play; Charlie must get nothing."""

from __future__ import annotations

import pytest

from games import reading, rooms, table
from games.models import Table
from tests.games.players import play_hand


@pytest.fixture(autouse=True)
def _nothing_kept_from_another_test():
    """Primary keys come again in another test; what was read under them must not."""
    reading.forget()


@pytest.fixture
def options():
    """What the room is opened with; a test may ask for other rules by its own fixture."""
    return {"preset": "complete"}


@pytest.fixture
def room_id(alice, bob, options):
    room_id = rooms.open_room(alice.pk, "Salle des cousins", options)
    rooms.join_room(rooms.room_page(room_id, alice.pk)["invite"], bob.pk)
    return room_id


@pytest.fixture
def waiting(room_id):
    """Alice waits at the room's first table."""
    return Table.objects.get(room_id=room_id).pk


@pytest.fixture
def table_id(waiting, bob):
    """Bob sat down too: the first hand is dealt."""
    table.sit_down(waiting, bob.pk)
    return waiting


@pytest.fixture
def between(table_id, alice, bob):
    """The first hand is over."""
    play_hand(table_id, [alice.pk, bob.pk])
    return table_id
