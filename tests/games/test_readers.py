"""Who may read a sheet and its replays, whatever the address they try (case A4)."""

from __future__ import annotations

import pytest
from django.test import Client

from games import readers, rooms
from games.models import Game, Member, Room
from scoring import ledger, shares
from scoring.ledger import SeatEntry
from scoring.rules import HandResult

pytestmark = pytest.mark.django_db


def door(person=None):
    client = Client()
    if person is not None:
        client.force_login(person)
    return client


@pytest.fixture
def sheet_id(between):
    return Game.objects.get(table_id=between).sheet_id


NO_LINK = "never-made"


def addresses(sheet_id, token=NO_LINK):
    """Every address of a sheet."""
    own, shared = f"/sheets/{sheet_id}/", f"/s/{token}/"
    return own, f"{own}hands/1/", f"{own}hands/1/?ply=3", shared, f"{shared}hands/1/"


def answers(person, sheet_id, token=NO_LINK):
    return [door(person).get(where).status_code for where in addresses(sheet_id, token)]


def test_the_players_read(sheet_id, alice, bob):
    assert answers(alice, sheet_id) == answers(bob, sheet_id) == [200, 200, 200, 404, 404]


def test_a_player_who_left_the_room_still_reads(sheet_id, bob):
    Member.objects.filter(user=bob).delete()
    assert readers.may_read_sheet(bob.pk, sheet_id)


def test_members_of_the_room_read_and_others_do_not(sheet_id, charlie):
    assert answers(charlie, sheet_id) == [404] * 5
    rooms.join_room(Room.objects.get().invitation, charlie.pk)
    assert answers(charlie, sheet_id) == [200, 200, 200, 404, 404]


def test_nobody_signed_out_reads_the_sheet_of_a_closed_room(sheet_id):
    assert answers(None, sheet_id) == [404] * 5


def test_anyone_reads_the_sheet_of_a_public_room(sheet_id, charlie):
    Room.objects.update(is_public=True)
    assert answers(charlie, sheet_id) == answers(None, sheet_id) == [200, 200, 200, 404, 404]


def test_a_link_opens_to_whoever_holds_it_and_its_own_addresses_alone(sheet_id, alice, charlie):
    token = shares.share(sheet_id, alice.pk)
    for person in (charlie, None):
        assert answers(person, sheet_id, token) == [404, 404, 404, 200, 200]
    answer = door().get(f"/s/{token}/hands/1/")
    assert answer.headers["X-Robots-Tag"] == "noindex, nofollow"


def test_a_revoked_link_opens_nothing(sheet_id, alice, charlie):
    token = shares.share(sheet_id, alice.pk)
    shares.revoke(sheet_id, alice.pk)
    assert answers(charlie, sheet_id, token) == answers(None, sheet_id, token) == [404] * 5


def test_the_link_of_one_sheet_opens_no_other(sheet_id, alice, bob, charlie):
    seats = [SeatEntry("alice", alice.pk), SeatEntry("bob", bob.pk)]
    other = ledger.open_sheet(ledger.read_sheet(sheet_id).rules, seats)
    token = shares.share(other, alice.pk)
    assert not readers.may_read_sheet(charlie.pk, sheet_id, token)
    assert readers.may_read_sheet(charlie.pk, other, token)


def test_another_room_s_member_gains_nothing_by_the_number(sheet_id, charlie):
    """Case A4: changing the number in one's own address does not open the sheet of others."""
    rooms.open_room(charlie.pk, "Salle de Charlie", {"preset": "complete"})
    assert answers(charlie, sheet_id) == [404] * 5


@pytest.fixture
def pad(alice, bob):
    """Alice keeps the score; bob plays against a name."""
    seats = [SeatEntry("bob", bob.pk), SeatEntry("Odile", kind="name")]
    rules = {"preset": "complete"}
    sheet_id = ledger.open_sheet(rules, seats, source="paper", keeper_id=alice.pk, first_dealer=0)
    ledger.record_hand(sheet_id, 1, HandResult(0, "knock", 4, 21))
    return sheet_id


def test_a_pad_is_read_by_its_keeper_and_its_players(pad, alice, bob, charlie):
    assert readers.may_read_sheet(alice.pk, pad)
    assert readers.may_read_sheet(bob.pk, pad)
    assert not readers.may_read_sheet(charlie.pk, pad)
    assert not readers.may_read_sheet(None, pad)


def test_who_reads_one_edition_reads_them_all(pad, alice, bob, charlie):
    edition = ledger.edition(pad, [HandResult(0, "knock", 4, 20)])
    latest = ledger.edition(edition, [HandResult(0, "knock", 4, 19)])
    token = shares.share(edition, alice.pk)
    for each in (pad, edition, latest):
        assert readers.may_read_sheet(alice.pk, each)
        assert readers.may_read_sheet(bob.pk, each)
        assert readers.may_read_sheet(None, each, token)
        assert not readers.may_read_sheet(charlie.pk, each)


def test_the_members_read_the_editions_of_a_game_too(sheet_id, charlie):
    ledger.end_sheet(sheet_id, "resigned", 0)
    edition = ledger.edition(sheet_id, [HandResult(0, "knock", 4, 20)])
    assert not readers.may_read_sheet(charlie.pk, edition)
    rooms.join_room(Room.objects.get().invitation, charlie.pk)
    assert readers.may_read_sheet(charlie.pk, edition)


def test_a_sheet_that_is_none_is_read_by_nobody(alice):
    assert not readers.may_read_sheet(alice.pk, 9999)


def test_asking_takes_as_many_statements_whoever_asks(
    sheet_id, alice, charlie, django_assert_max_num_queries
):
    for person in (alice.pk, charlie.pk, None):
        with django_assert_max_num_queries(4):
            readers.may_read_sheet(person, sheet_id)


# --- making and revoking the link, by the page


def test_a_player_makes_a_link_sees_it_and_revokes_it(sheet_id, alice):
    client = door(alice)
    page = client.post(f"/sheets/{sheet_id}/share/", follow=True).content.decode()
    token = shares.token_of(sheet_id)
    assert f'value="http://testserver/s/{token}/"' in page
    replay = client.get(f"/sheets/{sheet_id}/hands/1/?ply=2").content.decode()
    assert f"http://testserver/s/{token}/" in replay
    assert f"http://testserver/s/{token}/hands/1/?ply=2" in replay
    answer = client.post(f"/sheets/{sheet_id}/share/", {"do": "revoke", "hand": "1"})
    assert answer.headers["Location"] == f"/sheets/{sheet_id}/hands/1/"
    assert shares.token_of(sheet_id) is None


def test_nobody_else_sees_or_makes_a_link(sheet_id, alice, charlie):
    rooms.join_room(Room.objects.get().invitation, charlie.pk)
    token = shares.share(sheet_id, alice.pk)
    client = door(charlie)
    for where in addresses(sheet_id)[:3]:
        assert token not in client.get(where).content.decode()
    assert client.post(f"/sheets/{sheet_id}/share/").status_code == 404
    assert client.post(f"/sheets/{sheet_id}/share/", {"do": "revoke"}).status_code == 404
    assert shares.token_of(sheet_id) == token
    assert "/account/login/" in door().post(f"/sheets/{sheet_id}/share/").headers["Location"]
    assert client.get(f"/sheets/{sheet_id}/share/").status_code == 405


@pytest.mark.parametrize("hand", ["x", "²", "9" * 30, "-1"])
def test_a_wrong_place_to_return_to_leads_to_the_sheet(sheet_id, alice, hand):
    answer = door(alice).post(f"/sheets/{sheet_id}/share/", {"hand": hand})
    assert answer.headers["Location"] == f"/sheets/{sheet_id}/"
