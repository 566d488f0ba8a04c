"""Pages of histories, players and exports: what each shows, to whom, at what cost."""

from __future__ import annotations

import csv
import io
import json
import re
import zipfile
from datetime import UTC, datetime, timedelta
from html import unescape

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from accounts import people
from accounts.models import User
from games import beside, reading, table, talk, tasks
from games.files import from_json
from games.rooms import standings
from scoring import archive, history, ledger
from scoring.models import Export
from tests.games.players import play_game
from tests.scoring.finished import NOON, finished, gin, knock, opened

pytestmark = pytest.mark.django_db


def door(user=None, language="en"):
    client = Client()
    client.cookies["django_language"] = language
    if user is not None:
        client.force_login(user)
    return client


def read(client, address, status=200):
    answer = client.get(address)
    assert answer.status_code == status, (address, answer.status_code)
    return unescape(answer.content.decode())


def sheets_on(page):
    """The sheets a page leads to, in its order."""
    return [int(number) for number in re.findall(r'class="sheet" href="/sheets/(\d+)/"', page)]


def choose(user, **changes):
    User.objects.filter(pk=user.pk).update(**changes)


# --- the history


def test_a_history_is_ones_own(alice, bob, charlie):
    sheet = finished([alice, bob])
    assert sheets_on(read(door(alice), "/history/")) == [sheet]
    assert sheets_on(read(door(charlie), "/history/")) == []
    assert door().get("/history/").headers["Location"] == "/account/login/?next=/history/"


def test_a_game_played_at_a_table_comes_to_both_histories(table_id, alice, bob):
    assert "/sheets/" not in "".join(re.findall(r'class="sheet".*', read(door(alice), "/history/")))
    page = read(door(alice), "/history/")
    assert f'href="/tables/{table_id}/"' in page
    assert "Not finished" in page
    sheet = play_game(table_id, [alice.pk, bob.pk])["sheet_id"]
    ledger.write_bonuses(sheet)
    for player in (alice, bob):
        assert sheets_on(read(door(player), "/history/")) == [sheet]
        assert "Not finished" not in read(door(player), "/history/")


def test_what_is_not_finished_stands_above_until_a_filter_is_set(alice, bob):
    finished([alice, bob])
    opened([alice, "Zoé"], source="paper", keeper_id=alice.pk)
    pending = opened([alice, bob])
    ledger.record_hand(pending, 1, gin(0, 95))
    page = read(door(alice), "/history/")
    assert "Not finished" in page
    assert "Zoé" in page
    assert "Bonuses being written" in page
    assert "Not finished" not in read(door(alice), "/history/?result=won")


def test_pages_follow_one_another_without_a_gap(alice, bob, monkeypatch):
    monkeypatch.setattr(history, "PAGE", 2)
    made = [finished([alice, bob]) for _number in range(5)]
    client, address, seen = door(alice), "/history/?result=won", []
    while address:
        page = read(client, address)
        seen += sheets_on(page)
        older = re.search(r'href="(\?[^"]*)" rel="next"', page)
        address = older and f"/history/{older[1]}"
    assert seen == made[::-1]


def test_a_page_that_never_was_is_not_found(alice):
    read(door(alice), "/history/?after=1'--", 404)


def test_filters_of_the_address_are_the_filters_of_the_page(alice, bob, charlie):
    won = finished([alice, bob])
    lost = finished([charlie, alice], preset="points_only", ended_at=NOON + timedelta(days=40))
    client = door(alice)
    for query, expected in {
        "q=BO": [won],
        f"against={charlie.pk}": [lost],
        "rules=points_only": [lost],
        "result=won": [won],
        "source=paper": [],
        "source=table&since=2026-05-01&until=2026-05-01": [won],
        "since=2026-05-02": [lost],
        "until=2026-05-02": [won],
        "period=year&since=1999-01-01": [],  # a named period goes before dates
    }.items():
        now = datetime(2027, 2, 1, tzinfo=UTC)
        with pytest.MonkeyPatch.context() as clock:
            clock.setattr("django.utils.timezone.now", lambda now=now: now)
            assert sheets_on(read(client, f"/history/?{query}")) == expected, query


@pytest.mark.parametrize(
    ("query", "sentence"),
    [
        ("against=abc", "Select a valid choice"),
        ("against=0", "Select a valid choice"),
        ("rules=chess", "Select a valid choice"),
        ("since=yesterday", "Enter a valid date"),
        ("since=0001-01-01", "There is nothing that long ago"),
        ("until=9999-12-31", "nor that far ahead"),
        ("since=2026-05-02&until=2026-05-01", "The last day comes before the first."),
        ("q=" + "x" * 51, "at most 50 characters"),
    ],
)
def test_a_filter_that_cannot_be_read_is_said_and_filters_nothing(alice, bob, query, sentence):
    sheet = finished([alice, bob])
    page = read(door(alice), f"/history/?{query}")
    assert sentence in page
    if "until=2026-05-01" not in query:
        assert sheets_on(page) == [sheet]


def test_a_filter_is_a_chip_that_takes_itself_away(alice, bob):
    finished([alice, bob])
    page = read(door(alice), f"/history/?q=bob&result=won&against={bob.pk}")
    chips = re.findall(r'class="chip" href="([^"]*)">([^<]*)', page)
    assert [words.strip() for _without, words in chips] == ["“bob”", "bob", "Won"]
    assert chips[2][0] == f"?q=bob&against={bob.pk}"


def test_the_days_of_a_filter_are_the_readers(alice, bob):
    late = finished([alice, bob], ended_at=datetime(2026, 10, 24, 22, 30, tzinfo=UTC))
    client, day = door(alice), "/history/?since=2026-10-25&until=2026-10-25"
    people.choose_time_zone(alice.pk, "Europe/Paris")
    assert sheets_on(read(client, day)) == [late]
    assert "Oct. 25, 00:30" in read(client, day)
    people.choose_time_zone(alice.pk, "America/New_York")
    assert sheets_on(read(client, day)) == []
    assert "Oct. 24, 18:30" in read(client, "/history/")


def test_months_are_those_of_the_readers_clock(alice, bob):
    finished([alice, bob], ended_at=datetime(2026, 12, 31, 11, tzinfo=UTC))
    people.choose_time_zone(alice.pk, "Pacific/Auckland")
    assert '<h2 class="month">January 2027</h2>' in read(door(alice), "/history/")
    people.choose_time_zone(alice.pk, "Europe/Paris")
    assert '<h2 class="month">December 2026</h2>' in read(door(alice), "/history/")


def test_a_name_leads_to_a_page_only_where_it_may_be_seen(alice, bob):
    finished([alice, bob])
    finished([alice, "Léa"], source="paper", keeper_id=alice.pk)
    link = f'<a href="/players/{bob.pk}/">bob</a>'
    assert link in read(door(alice), "/history/")
    choose(bob, pages_for="nobody")
    assert link not in read(door(alice), "/history/")


def test_a_deleted_player_keeps_the_name_and_loses_the_link(alice, bob):
    finished([alice, bob])
    number = bob.pk
    bob.delete()
    page = read(door(alice), "/history/")
    assert "<span>bob</span>" in page
    assert f"/players/{number}/" not in page


def test_an_empty_history_says_what_to_do_next(alice, bob):
    page = read(door(alice), "/history/")
    assert "No finished game yet." in page
    assert 'href="/rooms/new/"' in page
    finished([alice, bob])
    page = read(door(alice), "/history/?result=lost")
    assert "No sheet is like that." in page
    assert 'href="/history/">All my sheets' in page


def test_names_are_shown_as_text(alice):
    finished([alice, "<b>Léa</b>"], source="paper", keeper_id=alice.pk)
    answer = door(alice).get("/history/?q=<i>")
    assert b"<i>" not in answer.content
    assert b"&lt;b&gt;L" in door(alice).get("/history/").content


# --- players


@pytest.mark.parametrize("path", ["/players/{}/", "/players/{}/with-me/"])
@pytest.mark.parametrize(
    ("pages_for", "friend", "stranger"),
    [("everyone", 200, 200), ("played", 200, 404), ("nobody", 404, 404)],
)
def test_a_page_is_for_those_it_is_shown_to(alice, bob, charlie, path, pages_for, friend, stranger):
    finished([alice, bob])
    choose(alice, pages_for=pages_for)
    address = path.format(alice.pk)
    assert door(bob).get(address).status_code == friend
    assert door(charlie).get(address).status_code == stranger
    assert door(alice).get(f"/players/{alice.pk}/").status_code == 200


def test_a_page_that_is_not_shown_looks_like_one_that_is_not_there(alice, admin_user):
    choose(alice, pages_for="nobody")
    hidden, none = (
        re.sub(r"\d+|csrf\w+\" value=\"\w+", "", read(door(admin_user), f"/players/{number}/", 404))
        for number in (alice.pk, 10**9)
    )
    assert hidden == none
    assert "alice" not in hidden


def test_a_visitor_sees_what_everyone_may_see(alice, bob):
    finished([alice, bob])
    assert door().get(f"/players/{alice.pk}/").status_code == 404
    choose(alice, pages_for="everyone")
    answer = door().get(f"/players/{alice.pk}/")
    assert answer.status_code == 200
    assert "noindex" in answer.headers["X-Robots-Tag"]
    assert door().get(f"/players/{alice.pk}/with-me/").status_code == 302


def test_the_figures_of_a_player(alice, bob):
    finished([alice, bob], [knock(0, 20, held=4), knock(1, 9), gin(0, 90)])
    page = read(door(bob), f"/players/{alice.pk}/")
    tiles = dict(re.findall(r"<dt>([^<]*)</dt><dd>([^<]*)", page))
    assert tiles == {
        "Games": "1", "Won": "100%", "Points per hand": "45.0", "Best hand": "115",
        "Gins": "33%", "Undercuts": "0%", "Deadwood when knocking": "4.0",
        "Deadwood when caught": "14.0",
    }  # fmt: skip
    assert "1 game won in a row." in page


def test_figures_by_the_rules_one_asks_for(alice, bob):
    finished([alice, bob])
    finished([bob, alice], preset="points_only")
    client = door(alice)
    assert "<dd>50%" in read(client, f"/players/{alice.pk}/")
    assert "<dd>100%" in read(client, f"/players/{alice.pk}/?rules=complete")
    assert "<dd>0%" in read(client, f"/players/{alice.pk}/?rules=points_only")
    assert "<dd>50%" in read(client, f"/players/{alice.pk}/?rules=chess")


def test_head_to_head_is_of_these_two_alone(alice, bob, charlie):
    for _number in range(2):
        finished([alice, bob])
    finished([bob, alice])
    finished([charlie, alice])
    for address in (f"/players/{bob.pk}/", f"/players/{bob.pk}/with-me/"):
        page = read(door(alice), address)
        assert re.findall(r"<b>(\d+)</b>", page[page.index('class="h2h') :])[:2] == ["2", "1"]
    assert door(alice).get(f"/players/{alice.pk}/with-me/").status_code == 302


def test_two_who_never_finished_a_game_are_told_what_to_do(alice, bob):
    choose(bob, pages_for="everyone")
    page = read(door(alice), f"/players/{bob.pk}/with-me/")
    assert "have not finished a game yet" in page
    assert "No finished game yet." in read(door(alice), f"/players/{bob.pk}/")


def test_a_chart_has_its_figures_beside_it(alice, bob):
    finished([alice, bob], ended_at=datetime(2026, 3, 10, tzinfo=UTC))
    finished([bob, alice], ended_at=datetime(2026, 5, 10, tzinfo=UTC))
    page = read(door(alice), f"/players/{alice.pk}/")
    chart = page[page.index("Games won, month by month") : page.index("Deadwood, month by month")]
    assert 'points="0.00,0.00 100.00,100.00"' in chart
    assert re.findall(r'scope="row">([^<]*)</th><td class="r num">([^<]*)', chart) == [
        ("March 2026", "100%"), ("May 2026", "0%"),
    ]  # fmt: skip


# --- how often pages ask the database


def statements_of(client, address):
    reading.forget()
    beside.forget()
    standings.forget()
    with CaptureQueriesContext(connection) as asked:
        assert client.get(address).status_code == 200
    return [query["sql"] for query in asked]


def test_pages_ask_no_more_for_more_games_and_people(alice, bob, room_id):
    client = door(alice)
    addresses = [
        "/history/", "/history/?q=b&result=won&since=2020-01-01", f"/players/{bob.pk}/",
        f"/players/{alice.pk}/", f"/players/{bob.pk}/with-me/", "/history/export/",
    ]  # fmt: skip

    def fill(count):
        for number in range(count):
            other = User.objects.create_user(username=f"person {User.objects.count()}")
            finished([alice, bob], ended_at=NOON - timedelta(days=45 * number))
            finished([alice, other], preset="points_only")
            opened([alice, f"Zoé {number}"], source="paper", keeper_id=alice.pk)
            ledger.record_hand(opened([alice, other]), 1, gin(0, 95))

    fill(1)
    for address in addresses:
        client.get(address)
    few = {address: statements_of(client, address) for address in addresses}
    fill(6)
    for address in addresses:
        many = statements_of(client, address)
        assert len(many) == len(few[address]), "\n".join([address, *many])
        assert len(many) <= 20, "\n".join([address, *many])


# --- everything to take along


@pytest.fixture
def exported(alice, bob, django_capture_on_commit_callbacks):
    finished([alice, bob], [knock(0, 60), gin(0, 40)])
    finished(["=SUM(A1)", alice], source="paper", keeper_id=alice.pk)
    with django_capture_on_commit_callbacks(execute=True):
        assert door(alice).post("/history/export/").headers["Location"] == "/history/export/"
    return archive.progress_of(alice.pk).id


def packed(user, export_id):
    answer = door(user).get(f"/history/export/{export_id}/")
    assert answer.status_code == 200
    assert answer.headers["Content-Type"] == "application/zip"
    assert re.fullmatch(
        r'attachment; filename="gin-rami-[\d-]+\.zip"', answer.headers["Content-Disposition"]
    )
    return zipfile.ZipFile(io.BytesIO(answer.content))


def test_everything_is_asked_for_built_and_fetched(alice, exported):
    page = read(door(alice), "/history/export/")
    assert f'href="/history/export/{exported}/"' in page
    assert "Your archive with 2 sheets is ready." in page
    files = packed(alice, exported)
    assert len([name for name in files.namelist() if name.startswith("json/")]) == 2
    assert len([name for name in files.namelist() if name.startswith("csv/")]) == 2
    for name in files.namelist():
        if name.startswith("json/"):
            from_json(json.loads(files.read(name)))
    index = list(csv.DictReader(io.StringIO(files.read("index.csv").decode("utf-8-sig"))))
    assert [row["winner"] for row in index] == ["alice", "'=SUM(A1)"]


def test_what_the_site_knows_of_somebody_goes_along(alice, bob, exported, room_id):
    talk.say(room_id, None, alice.pk, "à ce soir")
    talk.say(room_id, None, bob.pk, "à demain")
    people.choose_table_settings(alice.pk, {"deck4": True})
    export_id = archive.begin(alice.pk)
    tasks.build_export(export_id)
    files = packed(alice, export_id)
    account = json.loads(files.read("account.json"))
    assert (account["name"], account["table"]["deck4"]) == ("alice", True)
    assert "password" not in account
    assert [room["name"] for room in json.loads(files.read("rooms.json"))] == ["Salle des cousins"]
    said = json.loads(files.read("messages.json"))["said"]
    assert [line["text"] for line in said] == ["à ce soir"]


def test_an_archive_is_its_owners_alone(alice, bob, charlie, admin_user, exported):
    for other in (bob, charlie, admin_user):
        assert door(other).get(f"/history/export/{exported}/").status_code == 404
        assert f"/history/export/{exported}/" not in read(door(other), "/history/export/")
    assert door().get(f"/history/export/{exported}/").status_code == 302


def test_the_page_shows_how_far_it_is(alice, bob):
    finished([alice, bob])
    archive.begin(alice.pk)
    for address in ("/history/export/", "/history/export/progress/"):
        page = read(door(alice), address)
        assert "0 of 1 sheet is packed." in page
        assert "data-building" in page
        assert "Make" not in page


def test_a_task_that_is_lost_is_swept_up(alice, bob):
    finished([alice, bob])
    archive.begin(alice.pk)
    tasks.sweep_exports.apply()
    assert archive.progress_of(alice.pk).state == "ready"


def test_the_sweep_drops_what_is_a_day_old(alice, exported):
    Export.objects.update(made_at=timezone.now() - timedelta(days=1, seconds=1))
    tasks.sweep_exports.apply()
    assert not Export.objects.exists()
    assert "Make the archive" in read(door(alice), "/history/export/")


def test_a_build_that_fails_is_logged_by_its_number_and_said_at_last(
    alice, bob, monkeypatch, caplog
):
    finished([alice, bob])
    export_id = archive.begin(alice.pk)
    monkeypatch.setattr(archive, "_packed", lambda _sheets: 1 / 0)
    for _number in range(archive.TRIES):
        tasks.build_export.apply((export_id,))
    assert f"Export {export_id} " in caplog.text
    assert "The archive could not be made." in read(door(alice), "/history/export/")


def test_what_was_played_last_is_not_lost_where_the_process_serves_too(alice, bob, monkeypatch):
    """Embedded, a slice at a time: the sweep goes on until all is packed."""
    monkeypatch.setattr(archive, "A_PART", 1)
    monkeypatch.setattr(tasks, "EAGER_SECONDS", 0)
    for _number in range(3):
        finished([alice, bob])
    export_id = archive.begin(alice.pk)
    tasks.build_export.apply((export_id,))
    assert archive.progress_of(alice.pk).done == 1
    for _number in range(3):
        tasks.sweep_exports.apply()
    assert len(packed(alice, export_id).namelist()) == 7 + 5  # and the five of alice herself


def test_no_table_is_left_out_of_what_is_running(table_id, alice, bob):
    assert table.look(table_id, alice.pk)["state"] == "playing"
    assert "hand 1, Salle des cousins" in read(door(bob), "/history/")


# --- where names lead from elsewhere


def test_names_in_rooms_and_on_sheets_lead_to_pages_that_may_be_seen(
    between, room_id, alice, bob, charlie
):
    table.resign(between, bob.pk)
    sheet = table.look(between, alice.pk)["sheet_id"]
    link = f'href="/players/{bob.pk}/"'
    addresses = (f"/rooms/{room_id}/", f"/sheets/{sheet}/")
    for address in addresses:
        assert link in read(door(alice), address)
    choose(bob, pages_for="nobody")
    for address in addresses:
        assert link not in read(door(alice), address)
        assert link in read(door(bob), address)


def test_members_who_never_played_lead_nowhere(room_id, alice, bob):
    assert f'href="/players/{bob.pk}/"' not in read(door(alice), f"/rooms/{room_id}/")
