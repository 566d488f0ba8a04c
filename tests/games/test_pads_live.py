"""The socket of a pad: who may read it hears of each change, nobody else is let in."""

from __future__ import annotations

from uuid import uuid4

import pytest

from games.presets import rule_set
from scoring import pad
from scoring.models import PadInvitation
from scoring.rules import HandResult
from tests.games.wires import Wire, in_thread

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.asyncio]

POINTS = rule_set({"preset": "points_only"}).as_dict()


@pytest.fixture
async def wire():
    """Opens a socket; those still open at the end are left."""
    every = []

    async def opened(address, person):
        every.append(await Wire(address, person).open())
        return every[-1]

    yield opened
    for each in every:
        await each.leave()


@pytest.fixture
def kept(alice, bob):
    """Alice keeps it, Bob has accepted."""
    sheet_id = pad.open_pad(alice.pk, POINTS, ["", "bob"], [None, bob.pk], me_seat=0)
    pad.accept(PadInvitation.objects.get().pk, bob.pk)
    return sheet_id


async def test_the_other_player_hears_of_a_hand_and_of_a_correction(kept, wire, alice, bob):
    his = await wire(f"pads/{kept}", bob)
    before = (await his.settled())[-2]["stamp"]
    await in_thread(pad.enter)(kept, alice.pk, 1, HandResult(0, "knock", 3, 20), uuid4())
    written = (await his.hear("changed"))["stamp"]
    await in_thread(pad.undo)(kept, alice.pk)
    heard = await his.settled()
    assert len({before, written, heard[-2]["stamp"]}) == 3


async def test_bonuses_written_by_a_worker_are_heard_on_every_edition(kept, wire, alice, bob):
    await in_thread(pad.enter)(kept, alice.pk, 1, HandResult(0, "knock", 3, 20), uuid4())
    new = await in_thread(pad.undo)(kept, alice.pk)
    his = await wire(f"pads/{kept}", bob)
    before = (await his.settled())[-2]["stamp"]
    await in_thread(pad.enter)(new, alice.pk, 1, HandResult(0, "gin", 0, 98), uuid4())
    heard = await his.settled()
    assert heard[-2]["stamp"] != before


async def test_a_stranger_and_whoever_is_signed_out_are_shown_out(kept, wire, charlie):
    theirs = await wire(f"pads/{kept}", charlie)
    assert await theirs.until_closed() == ([], 4404)
    nobodys = await wire(f"pads/{kept}", None)
    assert await nobodys.until_closed() == ([], 4401)


async def test_an_invited_account_that_has_not_answered_is_a_stranger(wire, alice, charlie):
    sheet_id = await in_thread(pad.open_pad)(
        alice.pk, POINTS, ["", "charlie"], [None, charlie.pk], me_seat=0
    )
    theirs = await wire(f"pads/{sheet_id}", charlie)
    assert (await theirs.until_closed())[1] == 4404
