"""Talk: who may say what where, what of it is kept, whom one reads, and what is reported."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from datetime import timedelta

import pytest
from django.db import connection, transaction
from django.utils import timezone

from games import live, rooms, table, talk
from games.models import Member, Message, Mute, Report, Room

pytestmark = pytest.mark.django_db


def texts(lines):
    return [line["text"] for line in lines]


def later(monkeypatch, seconds):
    """Let time pass for talk."""
    now = timezone.now() + timedelta(seconds=seconds)
    monkeypatch.setattr(talk.timezone, "now", lambda: now)


def said(room_id, person, text, table_id=None):
    """A line that stands there without counting for anybody's patience."""
    line = Message.objects.create(
        room_id=room_id, table_id=table_id, user=person, name=person.username, text=text
    )
    Message.objects.filter(pk=line.pk).update(said_at=timezone.now() - timedelta(hours=1))
    return line.pk


def refused(code, verb, *arguments):
    with pytest.raises(talk.Unsaid) as refusal:
        verb(*arguments)
    assert refusal.value.code == code


# --- who, where


def test_what_is_said_in_the_room_is_read_there_by_its_members(room_id, alice, bob):
    talk.say(room_id, None, alice.pk, "Une petite partie ?")
    (line,) = talk.recent(room_id, None, bob.pk)
    assert (line["text"], line["name"], line["user"], line["you"]) == (
        "Une petite partie ?", "alice", alice.pk, False
    )  # fmt: skip
    assert talk.recent(room_id, None, alice.pk)[0]["you"] is True


def test_a_room_and_its_tables_each_have_their_own_talk(room_id, table_id, alice, bob):
    talk.say(room_id, None, alice.pk, "in the room")
    talk.say(None, table_id, alice.pk, "at the table")
    other = rooms.open_table(room_id, bob.pk)
    assert texts(talk.recent(room_id, None, bob.pk)) == ["in the room"]
    assert texts(talk.recent(None, table_id, bob.pk)) == ["at the table"]
    assert talk.recent(None, other, bob.pk) == []


def test_a_stranger_neither_reads_nor_says_nor_reports(room_id, table_id, alice, charlie):
    line = talk.say(None, table_id, alice.pk, "Bonsoir")
    for place in ((room_id, None), (None, table_id), (10**9, None), (None, 10**9)):
        refused("not_found", talk.say, *place, charlie.pk, "Bonsoir")
        refused("not_found", talk.recent, *place, charlie.pk)
    refused("no_such_message", talk.report, line, charlie.pk)
    assert Message.objects.count() == 1
    assert not Report.objects.exists()


def test_a_room_named_beside_a_table_of_another_opens_no_door(room_id, table_id, charlie):
    own = rooms.open_room(charlie.pk, "Ailleurs", {"preset": "complete"})
    refused("not_found", talk.say, own, table_id, charlie.pk, "Bonsoir")


def test_who_is_no_member_any_more_says_nothing_in_the_room(room_id, bob):
    Member.objects.filter(room_id=room_id, user=bob).delete()
    refused("not_found", talk.say, room_id, None, bob.pk, "Bonsoir")


def test_a_player_talks_to_the_end_of_the_game_though_no_member(room_id, table_id, alice, bob):
    Member.objects.filter(room_id=room_id, user=bob).delete()
    talk.say(None, table_id, bob.pk, "Je finis cette partie.")
    table.resign(table_id, alice.pk)
    refused("not_found", talk.say, None, table_id, bob.pk, "Encore une ?")


# --- what is kept of a text


@pytest.mark.parametrize(
    ("typed", "kept"),
    [
        ("  deux \n mots\t", "deux mots"),
        ("<script>alert(1)</script>", "<script>alert(1)</script>"),
        ("javascript:alert(1)", "javascript:alert(1)"),
        ("%(name)s {{ 7*7 }} &amp;", "%(name)s {{ 7*7 }} &amp;"),
        ("a\x00b\x1b[31mc\x7f", "ab[31mc"),
        ("\u202egnikcah\u202c ok\u2066\u2069\u200f\u061c", "gnikcah ok"),
        ("a\u200b\u200c\ufeff\u2060\u00ad\u180eb", "ab"),
        ("\u3164\u115f\u2800x", "x"),
        ("ligne\u2028suite\u2029fin", "ligne suite fin"),
        ("e\u0301te\u0301", "été"),
        ("z" + "\u0335" * 40 + "!", "z" + "\u0335" * 3 + "!"),
        ("👨‍👩‍👧 ❤️ 👍🏽 1️⃣ 🏴‍☠️", "👨‍👩‍👧 ❤️ 👍🏽 1️⃣ 🏴‍☠️"),
        ("a\u200d\u200d\u200db\ufe0f", "ab"),
        ("👍" + "\u200d" * 30 + "\ufe0f" * 30, "👍"),
        ("\U000e0041\U000e0042x", "x"),
        ("שלום وداعا 你好", "שלום وداعا 你好"),
    ],
)  # fmt: skip
def test_a_text_is_kept_as_text_and_hides_nothing(typed, kept, room_id, alice):
    talk.say(room_id, None, alice.pk, typed)
    assert texts(talk.recent(room_id, None, alice.pk)) == [kept]


@pytest.mark.parametrize("nothing", ["", "   ", "\u200b" * 300, "\u202e", "\u2800 \u3164", "\x00"])
def test_a_message_without_anything_to_read_is_refused(nothing, room_id, alice):
    refused("says_nothing", talk.say, room_id, None, alice.pk, nothing)


@pytest.mark.parametrize("length", [501, 5_000, 100_000])
def test_a_message_too_long_is_refused_and_never_cut(length, room_id, alice):
    refused("too_long", talk.say, room_id, None, alice.pk, "x" * length)
    assert not Message.objects.exists()


def test_a_message_may_have_five_hundred_characters(room_id, alice):
    talk.say(room_id, None, alice.pk, "🂡" * 500)
    assert texts(talk.recent(room_id, None, alice.pk)) == ["🂡" * 500]


# --- how much


def test_the_sixth_message_within_ten_seconds_is_refused(
    room_id, table_id, alice, bob, monkeypatch
):
    for number in range(talk.SAYS_AT_MOST):
        talk.say(*((room_id, None) if number % 2 else (None, table_id)), alice.pk, str(number))
    refused("too_fast", talk.say, room_id, None, alice.pk, "more")
    talk.say(room_id, None, bob.pk, "Du calme.")
    later(monkeypatch, 11)
    talk.say(room_id, None, alice.pk, "Pardon.")
    assert Message.objects.filter(user=alice).count() == talk.SAYS_AT_MOST + 1


def test_the_last_hundred_lines_are_read(room_id, alice, bob):
    for number in range(talk.SHOWN + 7):
        said(room_id, bob, str(number))
    lines = talk.recent(room_id, None, alice.pk)
    assert texts(lines) == [str(number) for number in range(7, talk.SHOWN + 7)]
    assert texts(talk.recent(room_id, None, alice.pk, lines[-3]["id"])) == ["105", "106"]


# --- whom one reads


@pytest.fixture
def three(room_id, alice, charlie):
    rooms.join_room(Room.objects.get(pk=room_id).invitation, charlie.pk)
    return room_id


def test_the_stamp_of_a_talk_tells_when_to_read_it_again(room_id, table_id, alice, bob):
    """Among more lines than are read, too, and where a line comes in after a later one."""
    stamps = [talk.stamp(None, table_id)]
    lines = [said(room_id, bob, f"{number}", table_id) for number in range(3)]
    stamps.append(talk.stamp(None, table_id))
    assert stamps[1] == talk.stamp(None, table_id)
    Message.objects.filter(pk=lines[0]).delete()
    stamps.append(talk.stamp(None, table_id))
    said(room_id, alice, "in the room")
    assert stamps[2] == talk.stamp(None, table_id)
    assert len(set(stamps)) == 3
    assert talk.stamp(room_id, None) == (3, sum(Message.objects.values_list("pk", flat=True)))


def test_muting_hides_earlier_and_later_lines_from_whoever_muted_alone(
    three, alice, bob, charlie
):
    talk.say(three, None, bob.pk, "before")
    talk.say(three, None, charlie.pk, "mine")
    talk.mute(alice.pk, bob.pk, True)
    talk.mute(alice.pk, bob.pk, True)
    talk.say(three, None, bob.pk, "after")
    assert texts(talk.recent(three, None, alice.pk)) == ["mine"]
    for other in (bob, charlie):
        assert texts(talk.recent(three, None, other.pk)) == ["before", "mine", "after"]
    assert talk.muted_by(alice.pk) == [{"user": bob.pk, "name": "bob"}]
    assert talk.muted_by(bob.pk) == []
    talk.mute(alice.pk, bob.pk, False)
    talk.mute(alice.pk, bob.pk, False)
    assert texts(talk.recent(three, None, alice.pk)) == ["before", "mine", "after"]


def test_the_lines_of_somebody_whose_account_is_gone_stay_readable(three, alice, bob, charlie):
    talk.mute(alice.pk, bob.pk, True)
    talk.say(three, None, charlie.pk, "Adieu")
    charlie.delete()
    (line,) = talk.recent(three, None, alice.pk)
    assert (line["user"], line["name"], line["you"]) == (None, "charlie", False)


def test_nobody_mutes_themself_nor_somebody_who_never_spoke(room_id, alice, bob):
    refused("yourself", talk.mute, alice.pk, alice.pk, True)
    for nobody in (bob.pk, 10**9):
        talk.mute(alice.pk, nobody, True)
    assert not Mute.objects.exists()


def test_nobody_learns_a_name_by_muting_somebody_they_cannot_read(
    room_id, table_id, alice, bob, charlie
):
    talk.say(None, table_id, bob.pk, "Bonsoir")
    talk.mute(charlie.pk, bob.pk, True)
    assert talk.muted_by(charlie.pk) == []
    Member.objects.filter(room_id=room_id, user=alice).delete()
    talk.mute(alice.pk, bob.pk, True)  # she plays there still
    assert talk.muted_by(alice.pk) == [{"user": bob.pk, "name": "bob"}]


def test_one_person_mutes_only_so_many(room_id, alice, bob, charlie, monkeypatch):
    monkeypatch.setattr(talk, "MUTES_AT_MOST", 1)
    for person in (bob, charlie):
        said(room_id, person, "x")
    talk.mute(alice.pk, bob.pk, True)
    refused("too_many_mutes", talk.mute, alice.pk, charlie.pk, True)


# --- what is reported


def test_a_report_holds_the_last_lines_as_they_were(room_id, alice, bob):
    for number in range(30):
        last = said(room_id, bob, str(number))
    said(room_id, alice, "afterwards")
    talk.report(last, alice.pk, " Il \u202einsulte. ")
    report = Report.objects.get()
    assert [line["text"] for line in report.lines] == [str(n) for n in range(10, 30)]
    assert report.lines[-1]["id"] == last
    assert (report.reporter, report.reported, report.room_id) == (alice, bob, room_id)
    assert (report.reason, report.settled_at) == ("Il insulte.", None)
    Message.objects.all().delete()
    report.refresh_from_db()
    assert (report.message, len(report.lines)) == (None, 20)


def test_a_report_of_a_table_holds_what_was_said_there(room_id, table_id, alice, bob):
    said(room_id, bob, "in the room")
    talk.report(said(room_id, bob, "at the table", table_id), alice.pk)
    assert [line["text"] for line in Report.objects.get().lines] == ["at the table"]


def test_a_person_reports_a_message_once_and_others_may_too(three, alice, bob, charlie):
    line = said(three, bob, "Tricheur !")
    talk.report(line, alice.pk)
    refused("reported", talk.report, line, alice.pk, "again")
    talk.report(line, charlie.pk)
    assert Report.objects.count() == 2


def test_nobody_reports_themself_nor_what_is_not_there(room_id, alice):
    refused("yourself", talk.report, said(room_id, alice, "x"), alice.pk)
    refused("no_such_message", talk.report, 10**9, alice.pk)
    assert not Report.objects.exists()


def test_one_person_reports_only_so_much_an_hour(room_id, alice, bob, monkeypatch):
    monkeypatch.setattr(talk, "REPORTS_AT_MOST", 2)
    lines = [said(room_id, bob, str(number)) for number in range(3)]
    for line in lines[:2]:
        talk.report(line, alice.pk)
    refused("too_many_reports", talk.report, lines[2], alice.pk)
    later(monkeypatch, 3700)
    talk.report(lines[2], alice.pk)


def test_a_report_opens_no_room(room_id, alice, bob):
    room = Room.objects.get(pk=room_id)
    text = f"https://rami.example/j/{room.invitation}/ ou {room.code.lower()}, /j/anotherone/"
    talk.report(said(room_id, bob, text), alice.pk)
    (line,) = Report.objects.get().lines
    assert line["text"] == "https://rami.example/j/…/ ou …, /j/…/"


def test_a_report_is_settled_once_and_may_be_opened_again(room_id, alice, bob):
    talk.report(said(room_id, bob, "x"), alice.pk)
    report = Report.objects.get()
    assert talk.settle([report.pk]) == [report]
    first = Report.objects.get().settled_at
    assert talk.settle([report.pk]) == []
    assert Report.objects.get().settled_at == first is not None
    assert talk.settle([report.pk], settled=False) == [report]
    assert Report.objects.get().settled_at is None


# --- the bell


@pytest.mark.django_db(transaction=True)
def test_the_bell_of_the_place_alone_is_rung_once_the_line_is_stored(
    room_id, table_id, alice, bob, monkeypatch
):
    rung = []
    monkeypatch.setattr(live.live, "ring", lambda *bell: rung.append(bell))
    with transaction.atomic():
        talk.say(None, table_id, alice.pk, "x")
        assert rung == []
    talk.say(room_id, None, alice.pk, "x")
    talk.mute(bob.pk, alice.pk, True)
    assert rung == [
        (f"talk.table.{table_id}", "talked"),
        (f"talk.room.{room_id}", "talked"),
        (f"user.{bob.pk}", "muted"),
    ]
    refused("says_nothing", talk.say, room_id, None, alice.pk, "")
    assert len(rung) == 3


@pytest.mark.django_db(transaction=True)
def test_what_one_person_says_at_once_in_many_windows_is_counted_together(room_id, alice):
    def one(number):
        try:
            talk.say(room_id, None, alice.pk, str(number))
        except talk.Unsaid as refusal:
            return refusal.code
        finally:
            connection.close()
        return "said"

    with ThreadPoolExecutor(8) as pool:
        answers = list(pool.map(one, range(16)))
    assert sorted(answers) == ["said"] * talk.SAYS_AT_MOST + ["too_fast"] * 11
