"""Taking a sheet along and bringing one in, through the pages."""

from __future__ import annotations

import json

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client

from games import files
from games.models import Game
from scoring import ledger, shares
from scoring.models import ScoreSheet, SheetSeat, Tally
from scoring.rules import HandResult

pytestmark = pytest.mark.django_db
GIN = {"winner": 0, "kind": "gin", "knocker_deadwood": 0, "defender_deadwood": 90}
GAME = {"players": ["alice", "Mamie"], "rules": {"preset": "money_play"}, "hands": [GIN]}


def door(user=None, language="en") -> Client:
    client = Client()
    client.cookies["django_language"] = language
    if user is not None:
        client.force_login(user)
    return client


@pytest.fixture
def sheet_id(between) -> int:
    return Game.objects.get(table_id=between).sheet_id


def test_a_sheet_is_taken_along_as_json_and_read_again(sheet_id, alice):
    answer = door(alice).get(f"/sheets/{sheet_id}.json")
    assert answer["Content-Type"] == "application/json"
    assert answer["Content-Disposition"] == f'attachment; filename="gin-rami-{sheet_id}.json"'
    told = files.from_json(json.loads(answer.content))
    assert told.hands == ledger.read_sheet(sheet_id).results


def test_a_sheet_is_taken_along_for_a_spreadsheet(sheet_id, alice):
    answer = door(alice).get(f"/sheets/{sheet_id}.csv")
    assert answer.content.startswith(b"\xef\xbb\xbfdate,hand,kind,name")
    assert answer.content.decode().count("\r\n") == 2


def test_nobody_takes_along_what_they_may_not_read(sheet_id, charlie):
    for client in (door(charlie), door()):
        for ending in ("json", "csv"):
            assert client.get(f"/sheets/{sheet_id}.{ending}").status_code == 404
    for ending in ("json", "csv"):
        assert door(charlie).get(f"/sheets/999999.{ending}").status_code == 404
        assert door(charlie).get(f"/s/no-such-token.{ending}").status_code == 404


def test_a_share_link_opens_the_files_of_every_edition(sheet_id, alice):
    ledger.end_sheet(sheet_id, "resigned", 0)
    new = ledger.edition(sheet_id, [HandResult(0, "gin", 0, 7)])
    token, visitor = shares.share(sheet_id, alice.pk), door()
    latest = json.loads(visitor.get(f"/s/{token}.json").content)
    assert len(latest["hands"]) == 1
    assert latest["hands"][0]["defender_deadwood"] == 7
    first = visitor.get(f"/s/{token}.json?edition={sheet_id}")
    assert json.loads(first.content) == files.as_json(ledger.read_sheet(sheet_id))
    assert visitor.get(f"/s/{token}/?edition={sheet_id}").status_code == 200
    assert visitor.get(f"/s/{token}.csv?edition={new}").status_code == 200
    for other in (new + 1000, "x", "9" * 40, "-1"):
        assert visitor.get(f"/s/{token}.csv?edition={other}").status_code == 404


def test_another_sheet_is_no_edition_of_a_shared_one(sheet_id, alice, charlie):
    token = shares.share(sheet_id, alice.pk)
    foreign = files.bring(charlie.pk, files.told_in(json.dumps(GAME)), None)
    for way in ("/", ".json", ".csv"):
        assert door().get(f"/s/{token}{way}?edition={foreign}").status_code == 404


# --- bringing in


def test_a_pasted_game_is_looked_at_before_it_is_kept(alice):
    client = door(alice)
    seen = client.post("/history/import/", {"text": json.dumps(GAME), "do": "look"})
    page = seen.content.decode()
    assert seen.status_code == 200
    assert "Mamie" in page
    assert "alice wins the game by" in page
    assert not ScoreSheet.objects.exists()
    form = {"text": json.dumps(GAME), "do": "keep", "me": "0", "entry": str(seen.context["entry"])}
    kept = client.post("/history/import/", form)
    sheet = ScoreSheet.objects.get()
    assert kept["Location"] == f"/sheets/{sheet.pk}/"
    assert client.post("/history/import/", form)["Location"] == kept["Location"]
    assert ScoreSheet.objects.count() == 1
    assert ledger.read_sheet(sheet.pk).seat_of(alice.pk) == 0
    assert "imported" in client.get(kept["Location"]).content.decode()


def test_whoever_brings_a_game_in_again_is_told_before_it_counts_twice(alice, bob):
    dated = GAME | {"started": "2025-07-01T20:15:00+02:00"}
    others = [
        dated | {"started": "2025-07-01T20:15:01+02:00"},
        dated | {"players": ["alice", "Papi"]},
        dated | {"hands": [GIN | {"defender_deadwood": 91}]},
    ]
    told = "You have brought this game in before"

    def seen(user, game):
        return door(user).post("/history/import/", {"text": json.dumps(game)}).content.decode()

    assert told not in seen(alice, dated)
    form = {"text": json.dumps(dated), "do": "keep", "me": "0"}
    kept = door(alice).post("/history/import/", form)["Location"]
    again = seen(alice, dated)
    assert told in again
    assert f'href="{kept}"' in again
    for user, game in [(bob, dated), *((alice, other) for other in others)]:
        assert told not in seen(user, game)


def test_a_game_comes_as_a_file_too(alice):
    sent = SimpleUploadedFile("game.json", b"\xef\xbb\xbf" + json.dumps(GAME).encode())
    seen = door(alice).post("/history/import/", {"text": "", "file": sent, "do": "look"})
    assert "Mamie" in seen.content.decode()


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("oops", "This is not a game in JSON"),
        (json.dumps(GAME | {"hands": []}), "There is no hand on this sheet."),
        (json.dumps(GAME | {"hands": [GIN | {"winner": 3}]}), "Hand 1: There is no seat 3"),
        (json.dumps({"rules": {}}), "The game has no “hands”."),
    ],
)
def test_a_game_that_cannot_have_been_is_refused_with_a_sentence(alice, text, sentence):
    for do in ("look", "keep"):
        answer = door(alice).post("/history/import/", {"text": text, "do": do, "me": "0"})
        assert answer.status_code == 422
        assert sentence in answer.content.decode()
    assert not ScoreSheet.objects.exists()


def test_a_refusal_is_said_in_french_with_what_it_quotes(alice):
    hands = [GIN | {"knocker_deadwood": 3}]
    form = {"text": json.dumps(GAME | {"hands": hands})}
    answer = door(alice, "fr").post("/history/import/", form)
    assert "Manche 1 : " in answer.content.decode().replace("\xa0", " ").replace("\u202f", " ")
    assert "Gin leaves" not in answer.content.decode()


def test_bringing_in_asks_for_an_account():
    assert door().get("/history/import/")["Location"].startswith("/account/login/")
    assert door().post("/history/import/", {"text": json.dumps(GAME)}).status_code == 302


def test_only_the_keeper_and_the_player_read_a_game_brought_in(alice, bob, charlie):
    sheet = files.bring(alice.pk, files.told_in(json.dumps(GAME)), 0)
    assert door(alice).get(f"/sheets/{sheet}/").status_code == 200
    for stranger in (door(bob), door(charlie), door()):
        for address in (f"/sheets/{sheet}/", f"/sheets/{sheet}.json", f"/sheets/{sheet}.csv"):
            assert stranger.get(address).status_code == 404


def test_nobody_fills_the_site_with_games_by_a_program(alice, bob, settings):
    settings.ACCOUNT_RATE_LIMITS = {**settings.ACCOUNT_RATE_LIMITS, "bring": "2/h/user"}
    form = {"text": json.dumps(GAME), "do": "keep"}
    answers = [door(alice).post("/history/import/", form) for _ in range(3)]
    assert [answer.status_code for answer in answers] == [302, 302, 422]
    assert "Go on in an hour." in answers[2].content.decode()
    assert ScoreSheet.objects.count() == 2
    looked = door(alice).post("/history/import/", {"text": json.dumps(GAME)})
    assert looked.status_code == 200
    assert door(bob).post("/history/import/", form).status_code == 302


def test_a_game_brought_in_unfinished_is_ended_or_taken_out_by_who_brought_it(alice, bob):
    open_game = GAME | {"hands": [GIN | {"defender_deadwood": 7}], "rules": {"preset": "complete"}}
    sheet = files.bring(alice.pk, files.told_in(json.dumps(open_game)), 0)
    shared = shares.share(sheet, alice.pk)
    page = door(alice).get(f"/sheets/{sheet}/").content.decode()
    assert "End the game" in page
    assert "Remove this game" in page
    for do in ("end", "remove"):
        assert door(bob).post(f"/sheets/{sheet}/brought/", {"do": do}).status_code == 404
    ended = door(alice).post(f"/sheets/{sheet}/brought/", {"do": "end"}, follow=True)
    assert "End the game" not in ended.content.decode()
    assert ScoreSheet.objects.get().how == "called_off"
    assert Tally.objects.filter(user=alice).exists()
    again = ledger.edition(sheet, [HandResult(0, "gin", 0, 90)])
    gone = door(alice).post(f"/sheets/{again}/brought/", {"do": "remove"}, follow=True)
    assert gone.request["PATH_INFO"] == "/history/"
    for edition in (sheet, again):
        assert door(alice).get(f"/sheets/{edition}/").status_code == 404
    assert door().get(f"/s/{shared}/").status_code == 404
    assert not Tally.objects.filter(user=alice).exists()
    assert set(SheetSeat.objects.values_list("name", "user")) == {("joueur supprimé", None)}
    assert [audited.differences for audited in ledger.audited([sheet, again])] == [[], []]
