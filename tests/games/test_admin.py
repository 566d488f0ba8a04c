"""The administration of rooms, games and reports: found, declared void, muted, suspended."""

from __future__ import annotations

import re
from datetime import timedelta

import pytest
from django.contrib.admin.models import LogEntry
from django.contrib.auth.models import Permission
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.urls import reverse
from django.utils import timezone

from accounts import suspensions
from accounts.models import User
from games import rooms, silences, table, talk
from games.dashboard import dashboard
from games.farewell import say_farewell
from games.models import Clock, Game, Report, Silence
from scoring import ledger
from scoring.models import ScoreSheet, Tally
from tests.games.players import play_game

pytestmark = pytest.mark.django_db


@pytest.fixture
def host(db):
    return User.objects.create_superuser("hote", password="x")


def staff(name, *rights):
    user = User.objects.create_user(name, password="x", is_staff=True)
    user.user_permissions.set(Permission.objects.filter(codename__in=rights))
    return user


def signed_in(user):
    client = Client()
    client.force_login(user)
    return client


def page(name, *args):
    return reverse(f"admin:{name}", args=args)


def void(actor, game, **data):
    return signed_in(actor).post(page("games_game_void", game.pk), {"reason": "Bogue"} | data)


@pytest.fixture
def game(table_id):
    return Game.objects.get(table_id=table_id)


@pytest.fixture
def report(room_id, alice, bob):
    said = talk.say(room_id, None, bob.pk, "Espèce de tricheur")
    talk.report(said, alice.pk, "Il m'insulte")
    return Report.objects.get()


def act(actor, report, do, **data):
    sent = {"do": do, "days": "7", "reason": "Insultes"} | data
    return signed_in(actor).post(page("games_report_act", report.pk), sent)


# --- declaring a game void


def test_a_running_game_is_declared_void_with_a_reason(host, game, table_id, alice, bob):
    assert void(host, game).status_code == 302
    game.refresh_from_db()
    sheet = ScoreSheet.objects.get(pk=game.sheet_id)
    assert (game.ended_at is not None, sheet.how) == (True, "voided")
    assert not game.hands.filter(ended_at=None).exists()
    assert table.look(table_id, alice.pk)["state"] == "finished"
    assert "Bogue" in LogEntry.objects.get(user=host).change_message
    table.rematch(table_id, alice.pk)  # the table lives on
    table.rematch(table_id, bob.pk)
    assert table.look(table_id, alice.pk)["state"] == "playing"


def test_of_a_game_that_is_over_nobody_has_won_any_more(host, game, table_id, alice, bob):
    play_game(table_id, [alice.pk, bob.pk])
    game.refresh_from_db()
    ledger.write_bonuses(game.sheet_id)
    before = ledger.read_sheet(game.sheet_id)
    assert Tally.objects.filter(sheet_id=game.sheet_id, result="won").count() == 1
    assert void(host, game).status_code == 302
    now = ledger.read_latest([game.sheet_id])[game.sheet_id]
    assert now.replaces_id == game.sheet_id
    assert (now.ended.how, now.standing.winner) == ("voided", None)
    assert now.results == before.results
    assert set(Tally.objects.values_list("sheet_id", "result")) == {(now.id, "none")}
    assert ledger.read_sheet(game.sheet_id).lines == before.lines
    assert [each.differences for each in ledger.audited([now.id, game.sheet_id])] == [[], []]


def test_a_void_game_stays_void_when_a_hand_is_corrected(host, game, table_id, alice, bob):
    play_game(table_id, [alice.pk, bob.pk])
    void(host, game)
    game.refresh_from_db()
    latest = ledger.current_of(game.sheet_id)
    again = ledger.edition(latest, ledger.read_sheet(latest).results)
    assert ledger.read_sheet(again).ended.how == "voided"


def test_a_game_is_declared_void_once(host, game):
    void(host, game)
    answer = void(host, game)
    assert answer.status_code == 200
    assert "errornote" in answer.content.decode()
    assert LogEntry.objects.count() == 1


def test_no_game_is_declared_void_without_a_reason_or_before_it_began(host, waiting):
    game = Game.objects.get(table_id=waiting)
    assert void(host, game, reason="").status_code == 200
    assert void(host, game).status_code == 200
    assert not LogEntry.objects.exists()


@pytest.mark.parametrize("rights", [(), ("view_game",), ("view_game", "change_user")])
def test_staff_without_the_right_declare_nothing_void(game, rights):
    helper = staff("aide", *rights)
    assert void(helper, game).status_code == 403
    game.refresh_from_db()
    assert game.ended_at is None
    html = signed_in(helper).get(page("games_game_change", game.pk)).content.decode()
    assert page("games_game_void", game.pk) not in html


# --- finding


def test_games_are_found_by_player_room_date_and_state(host, game, room_id, alice, charlie):
    other = rooms.open_room(charlie.pk, "Le grenier", {"preset": "complete"})
    waiting = Game.objects.get(table__room_id=other)
    client, now = signed_in(host), timezone.now()

    def found(**asked):
        answer = client.get(page("games_game_changelist"), asked)
        assert answer.status_code == 200
        return list(answer.context["cl"].queryset)

    assert found(q="ALICE") == [game]
    assert found(q="ａlice cousins") == [game]
    assert found(q="grenier") == [waiting]
    assert found(q="charlie cousins") == []
    assert found(player=alice.pk) == [game]
    assert found(player="9" * 30) == [waiting, game]  # nobody: no filter to be shown
    assert found(room=room_id) == [game]
    assert found(state="playing") == [game]
    assert found(state="waiting") == [waiting]
    assert found(state="adjourned") == found(state="void") == found(state="overdue") == []
    assert found(opened_at__year=now.year) == [waiting, game]
    assert found(opened_at__year=now.year - 1) == []
    void(host, game)
    assert found(state="void") == found(state="over") == [game]


def test_a_room_is_found_by_its_name_or_a_member_and_leads_to_its_games(host, room_id, bob):
    client = signed_in(host)
    for asked in ({"q": "cousins"}, {"q": "BOB"}, {"player": bob.pk}):
        rows = client.get(page("games_room_changelist"), asked).context["cl"].queryset
        assert [room.pk for room in rows] == [room_id]
    html = client.get(page("games_room_change", room_id)).content.decode()
    assert f"{page('games_game_changelist')}?room={room_id}" in html
    assert rooms.room_page(room_id, bob.pk)["invite"] not in html


# --- reports


def test_whoever_is_muted_says_nothing_until_it_is_over(host, report, room_id, alice, bob):
    assert act(host, report, "mute").status_code == 302
    with pytest.raises(silences.Silenced):
        talk.say(room_id, None, bob.pk, "Et pourtant")
    talk.say(room_id, None, alice.pk, "Ouf")
    report.refresh_from_db()
    assert report.settled_at is not None
    assert {str(entry.content_type.model) for entry in LogEntry.objects.all()} == {"report", "user"}
    assert all("Insultes" in entry.change_message for entry in LogEntry.objects.all())
    past = timezone.now() - timedelta(days=9)
    Silence.objects.update(since=past, until=past + timedelta(days=7))
    talk.say(room_id, None, bob.pk, "Pardon")


def test_the_muted_are_let_speak_again_by_an_action(host, report, room_id, bob):
    act(host, report, "mute")
    chosen = {"action": "lift", "_selected_action": Silence.objects.get().pk}
    signed_in(host).post(page("games_silence_changelist"), chosen)
    talk.say(room_id, None, bob.pk, "Merci")


def test_whoever_was_reported_is_suspended_in_one_click(host, report, bob):
    act(host, report, "suspend")
    told = suspensions.of(bob.pk)
    assert (told.reason, told.by) == ("Insultes", host)
    assert abs(told.until - timezone.now() - timedelta(days=7)) < timedelta(minutes=1)
    report.refresh_from_db()
    assert report.settled_at is not None


def test_a_report_is_dismissed_and_nothing_happens_to_anybody(host, report, bob):
    act(host, report, "dismiss", reason="")
    report.refresh_from_db()
    assert report.settled_at is not None
    assert suspensions.of(bob.pk) is None
    assert not Silence.objects.exists()


@pytest.mark.parametrize("do", ["mute", "suspend"])
def test_nothing_is_done_without_a_reason(host, report, do, bob):
    act(host, report, do, reason=" ")
    report.refresh_from_db()
    assert report.settled_at is None
    assert suspensions.of(bob.pk) is None
    assert not LogEntry.objects.exists()


@pytest.mark.parametrize(("who", "do", "status"), [
    (("view_report",), "dismiss", 403),
    (("view_report", "change_report"), "dismiss", 302),
    (("view_report", "change_report"), "mute", 302),
    (("view_report", "change_report"), "suspend", 403),
    (("view_report", "change_report", "change_user"), "suspend", 302),
    (("view_report", "change_report"), "delete", 404),
])  # fmt: skip
def test_each_deed_asks_for_its_own_right(report, who, do, status):
    assert act(staff("aide", *who), report, do).status_code == status


@pytest.mark.parametrize("do", ["mute", "suspend"])
def test_staff_do_nothing_to_staff(report, bob, do):
    User.objects.filter(pk=bob.pk).update(is_staff=True)
    helper = staff("aide", "view_report", "change_report", "change_user")
    assert act(helper, report, do).status_code == 403
    assert User.objects.get(pk=bob.pk).is_active
    assert not Silence.objects.exists()
    html = signed_in(helper).get(page("games_report_change", report.pk)).content.decode()
    assert 'value="dismiss"' in html
    assert f'value="{do}"' not in html


def test_a_deed_is_a_button_and_no_link(host, report):
    assert signed_in(host).get(page("games_report_act", report.pk)).status_code == 405


# --- the dashboard


def test_the_dashboard_counts_what_is_there(host, game, report, charlie, bob):
    now = dashboard()
    assert (now.begun_today, now.ended_today, now.live, now.playing) == (1, 0, 0, 2)
    assert [(row.game_id, row.players) for row in now.tables] == [
        (game.pk, ", ".join(seat.user.username for seat in game.seats.order_by("seat")))
    ]
    assert (now.accounts, now.open_reports, now.late_bonuses, now.overdue_clocks) == (4, 1, 0, 0)
    act(host, report, "suspend")
    assert dashboard().suspended == 1
    void(host, game)
    ScoreSheet.objects.update(bonuses_at=None, ended_at=timezone.now() - timedelta(minutes=5))
    now = dashboard()
    assert (now.ended_today, now.playing, now.open_reports, now.late_bonuses) == (1, 0, 0, 1)


def test_an_overdue_clock_is_told(host, room_id, table_id, game):
    Clock.objects.update_or_create(
        game=game,
        defaults={"pace": "60", "seat": 0, "turn_from": timezone.now(),
                  "deadline": timezone.now() - timedelta(minutes=2)},
    )  # fmt: skip
    assert dashboard().overdue_clocks == 1
    asked = signed_in(host).get(page("games_game_changelist"), {"state": "overdue"})
    assert list(asked.context["cl"].queryset) == [game]


def test_the_first_page_names_no_card_and_no_way_into_a_room(host, game, room_id, bob):
    html = signed_in(host).get("/admin/").content.decode()
    assert "Salle des cousins" in html
    assert game.hands.get().deck not in html
    assert rooms.room_page(room_id, bob.pk)["invite"] not in html
    modest = signed_in(staff("aide")).get("/admin/").content.decode()
    assert "Salle des cousins" not in modest


# --- how often the database is asked

LISTS = ("accounts_user", "games_room", "games_game", "games_report", "games_silence",
         "scoring_scoresheet", "admin_logentry")  # fmt: skip


def fill(host, count):
    """So many more of everything a list of the administration shows."""
    for number in range(count):
        one, other = (User.objects.create_user(f"{name}{User.objects.count()}") for name in "xy")
        room = rooms.open_room(one.pk, f"Salle {number}", {"preset": "complete"})
        rooms.join_room(rooms.room_page(room, one.pk)["invite"], other.pk)
        laid = Game.objects.get(table__room_id=room).table_id
        table.sit_down(laid, other.pk)
        said = talk.say(room, None, one.pk, "Bonjour")
        talk.report(said, other.pk)
        act(host, Report.objects.latest("pk"), "mute")


def asked(client, path):
    client.get(path)
    with CaptureQueriesContext(connection) as found:
        assert client.get(path).status_code == 200, path
    return len(found)


def test_no_list_asks_more_for_more_rows(host):
    client = signed_in(host)
    fill(host, 1)
    lists = [page(f"{name}_changelist") for name in LISTS]
    paths = ["/admin/", *lists]
    paths += [f"{path}?q=x" for path in lists]
    one = Game.objects.first()
    paths += [page("games_game_change", one.pk), page("games_room_change", one.table.room_id)]
    before = {path: asked(client, path) for path in paths}
    fill(host, 4)
    assert {path: asked(client, path) for path in paths} == before


def test_every_page_of_games_opens_and_holds_no_inline_script_or_style(host, game, report):
    client = signed_in(host)
    paths = [
        "/admin/",
        page("games_game_void", game.pk),
        page("games_game_change", game.pk),
        page("games_report_change", report.pk),
        page("games_silence_changelist"),
    ]
    for path in paths:
        html = client.get(path).content.decode()
        assert not re.search(r"\sstyle=|<style|\son[a-z]+=\"|javascript:", html), path
        assert game.hands.get().deck not in html


# --- who is gone is left alone


def test_nothing_more_is_done_to_a_deleted_account(host, alice, report, bob):
    for person in (alice, bob):
        say_farewell(person.pk)
    browser, gone = signed_in(host), User.objects.values().get(pk=bob.pk)
    sent = {
        "reason": "Pour voir", "amount": "5", "name": "alice", "username": "revenant",
        "email": "r@example.org", "password1": "cinq-valets", "password2": "cinq-valets",
    }  # fmt: skip
    for name in (
        "accounts_user_suspend", "accounts_user_reinstate", "accounts_user_merge",
        "accounts_user_forget", "accounts_user_reset_link", "accounts_user_lost_step",
        "auth_user_password_change", "accounts_user_change", "scoring_chips_grant",
    ):  # fmt: skip
        assert browser.post(page(name, bob.pk), sent).status_code in (403, 404), name
    sent |= {"action": "suspend", "_selected_action": [bob.pk]}
    browser.post(page("accounts_user_changelist"), sent)
    for do in ("mute", "suspend"):
        assert act(host, report, do).status_code in (302, 403)
    assert User.objects.values().get(pk=bob.pk) == gone
    assert not Silence.objects.exists()
    assert [one.get_change_message() for one in LogEntry.objects.all()] == []
    shown = browser.get(page("accounts_user_change", bob.pk))
    assert (shown.status_code, shown.context["has_change_permission"]) == (200, False)
