"""Friends, blocks, and a friend asked into a room."""

from __future__ import annotations

import pytest
from django.db import IntegrityError, transaction

from accounts import people
from accounts.models import User
from accounts.refusal import Refusal
from games import friends, rooms, table, talk
from games.farewell import say_farewell
from games.models import Block, Friendship, Member, Room, RoomInvitation
from tests.games.pages import door, led_to, read

pytestmark = pytest.mark.django_db


def names(group):
    return [one.name for one in group]


@pytest.fixture
def befriended(alice, bob):
    friends.ask(alice.pk, "bob")
    friends.accept(bob.pk, alice.pk)


@pytest.fixture
def own_room(alice):
    return rooms.open_room(alice.pk, "Salle", {"preset": "complete"})


def test_friends_are_asked_and_accept(alice, bob, charlie):
    friends.ask(alice.pk, "BOB")
    assert names(friends.circle_of(alice.pk).asked) == ["bob"]
    assert names(friends.circle_of(bob.pk).asking) == ["alice"]
    assert not friends.accept(charlie.pk, alice.pk)
    assert not friends.accept(alice.pk, bob.pk)  # who asked does not answer
    assert friends.accept(bob.pk, alice.pk)
    assert names(friends.circle_of(alice.pk).friends) == ["bob"]
    assert names(friends.circle_of(bob.pk).friends) == ["alice"]
    assert names(friends.circle_of(charlie.pk).friends) == []


def test_two_who_ask_each_other_are_friends(alice, bob):
    friends.ask(alice.pk, "bob")
    friends.ask(bob.pk, "alice")
    friends.ask(bob.pk, "alice")
    assert Friendship.objects.get().accepted_at is not None


@pytest.mark.parametrize("name", ["nobody at all", "", "alice", "a\x00b"])
def test_who_is_not_there_or_oneself_cannot_be_asked(name, alice):
    with pytest.raises(Refusal):
        friends.ask(alice.pk, name)


def test_requests_that_wait_are_bounded(alice):
    for number in range(friends.UNANSWERED_AT_MOST):
        User.objects.create_user(f"ami {number}")
        friends.ask(alice.pk, f"ami {number}")
    User.objects.create_user("un de trop")
    with pytest.raises(Refusal, match="wait for an answer"):
        friends.ask(alice.pk, "un de trop")


def test_either_ends_it(befriended, alice, bob):
    friends.end(bob.pk, alice.pk)
    assert not Friendship.objects.exists()


def test_a_friend_comes_in_by_an_invitation(befriended, own_room, bob, alice):
    friends.invite(own_room, alice.pk, bob.pk)
    friends.invite(own_room, alice.pk, bob.pk)
    (one,) = friends.invited(bob.pk)
    page = read(door(bob).get("/"))
    assert "invites you into" in page
    answer = door(bob).post(f"/friends/invitations/{one.pk}/", {"come": "1"})
    assert led_to(answer) == f"/rooms/{own_room}/"
    assert Member.objects.filter(room_id=own_room, user=bob).exists()
    assert not friends.invited(bob.pk)


def test_an_invitation_is_declined_and_is_nobody_elses(befriended, own_room, alice, bob, charlie):
    friends.invite(own_room, alice.pk, bob.pk)
    (one,) = friends.invited(bob.pk)
    with pytest.raises(Refusal):
        friends.answer(one.pk, charlie.pk, come=True)
    friends.answer(one.pk, bob.pk, come=False)
    assert not Member.objects.filter(user=bob).exists()
    assert not RoomInvitation.objects.exists()


def test_only_friends_are_invited_and_only_into_ones_rooms(
    befriended, own_room, alice, bob, charlie
):
    with pytest.raises(Refusal):
        friends.invite(own_room, alice.pk, charlie.pk)
    with pytest.raises(Refusal):
        friends.invite(own_room, bob.pk, alice.pk)


def test_whoever_was_removed_opens_no_door(befriended, own_room, alice, bob, charlie):
    link = rooms.room_page(own_room, alice.pk)["invite"]
    rooms.join_room(link, charlie.pk)
    friends.ask(charlie.pk, "bob")
    friends.accept(bob.pk, charlie.pk)
    friends.invite(own_room, charlie.pk, bob.pk)
    rooms.remove_member(own_room, alice.pk, charlie.pk)
    (one,) = friends.invited(bob.pk)
    assert friends.answer(one.pk, bob.pk, come=True) is None
    assert not Member.objects.filter(user=bob).exists()


def test_an_invitation_changes_the_stamp_of_an_open_home_page(befriended, own_room, alice, bob):
    before = rooms.watch_home(0, bob.pk).stamp
    friends.invite(own_room, alice.pk, bob.pk)
    assert rooms.watch_home(0, bob.pk).stamp != before


@pytest.mark.django_db(transaction=True)
def test_an_invitation_rings_for_the_friend(befriended, own_room, alice, bob, monkeypatch):
    rung = []
    monkeypatch.setattr(people.live, "ring", rung.append)
    friends.invite(own_room, alice.pk, bob.pk)
    assert rung == [f"user.{bob.pk}"]


# --- blocks


def test_a_block_ends_what_there_was_and_tells_nobody(befriended, own_room, alice, bob):
    friends.invite(own_room, alice.pk, bob.pk)
    friends.block(bob.pk, alice.pk, on=True)
    assert not friends.invited(bob.pk)
    assert not Friendship.objects.exists()
    friends.ask(alice.pk, "bob")  # as if it had been done
    assert not Friendship.objects.exists()
    with pytest.raises(Refusal):
        friends.invite(own_room, alice.pk, bob.pk)
    friends.block(bob.pk, alice.pk, on=False)
    friends.ask(alice.pk, "bob")
    assert names(friends.circle_of(bob.pk).asking) == ["alice"]


def test_two_who_are_apart_do_not_read_each_other(room_id, alice, bob, charlie):
    rooms.join_room(rooms.room_page(room_id, alice.pk)["invite"], charlie.pk)
    for person in (alice, bob, charlie):
        talk.say(room_id, None, person.pk, f"de {person.username}")
    friends.block(bob.pk, alice.pk, on=True)
    read_by = {
        person.username: [line["name"] for line in talk.recent(room_id, None, person.pk)]
        for person in (alice, bob, charlie)
    }
    assert read_by == {
        "alice": ["alice", "charlie"], "bob": ["bob", "charlie"],
        "charlie": ["alice", "bob", "charlie"],
    }  # fmt: skip


@pytest.mark.parametrize("public", [True, False])
@pytest.mark.parametrize("blocker", ["alice", "bob"])
def test_two_who_are_apart_are_not_seated_together_in_public(public, blocker, waiting, alice, bob):
    Room.objects.update(
        is_public=public
    )
    one, other = (alice, bob) if blocker == "alice" else (bob, alice)
    friends.block(one.pk, other.pk, on=True)
    if public:
        with pytest.raises(Refusal, match="another table"):
            table.sit_down(waiting, bob.pk)
    else:
        assert table.sit_down(waiting, bob.pk) == 1


def test_nothing_is_left_of_whoever_deletes_their_account(
    befriended, own_room, alice, bob, charlie
):
    friends.invite(own_room, alice.pk, bob.pk)
    friends.block(alice.pk, charlie.pk, on=True)
    say_farewell(alice.pk)
    for left in (Friendship, Block, RoomInvitation):
        assert not left.objects.exists()


# --- the database, and the page


def test_the_database_knows_a_pair_once_whoever_asked(alice, bob):
    Friendship.objects.create(asker=alice, asked=bob)
    with pytest.raises(IntegrityError), transaction.atomic():
        Friendship.objects.create(asker=bob, asked=alice)


@pytest.mark.parametrize(
    ("model", "columns"), [(Friendship, ("asker", "asked")), (Block, ("user", "blocked"))]
)
def test_the_database_lets_nobody_be_their_own(model, columns, alice):
    with pytest.raises(IntegrityError), transaction.atomic():
        model.objects.create(**dict.fromkeys(columns, alice))


def test_the_page_does_it_all(alice, bob, own_room):
    mine, theirs = door(alice), door(bob)
    assert "No friends here yet." in read(mine.get("/friends/"))
    mine.post("/friends/", {"do": "ask", "name": "bob"})
    assert "asks to be your friend" in read(theirs.get("/"))
    said = read(theirs.post("/friends/", {"do": "accept", "who": alice.pk}, follow=True))
    assert "You are friends now." in said
    invited = {"do": "invite", "who": bob.pk, "room": own_room}
    assert "They are invited" in read(mine.post("/friends/", invited, follow=True))
    theirs.post("/friends/", {"do": "block", "who": alice.pk})
    assert "Nobody tells them." in read(theirs.get("/friends/"))
    theirs.post("/friends/", {"do": "unblock", "who": alice.pk})
    assert not Block.objects.exists()


@pytest.mark.parametrize(
    "sent",
    [{}, {"do": "x"}, {"do": "invite"}, {"do": "block", "who": "-1"}, {"do": "ask"},
     {"do": "accept", "who": "9" * 40}],
)  # fmt: skip
def test_a_bent_form_changes_nothing(sent, alice, bob):
    assert led_to(door(alice).post("/friends/", sent)) == "/friends/"
    assert not Friendship.objects.exists()
    assert not Block.objects.exists()
