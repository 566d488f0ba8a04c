"""Doors of the pad: its keeper writes by page, form and script; a stranger finds nothing there."""

from __future__ import annotations

import json
import re
from uuid import uuid4

import pytest
from django.test import Client

from games import pads
from games.presets import rule_set
from scoring import ledger, pad
from scoring.models import PadInvitation, ScoreSheet
from scoring.rules import HandResult

pytestmark = pytest.mark.django_db(transaction=True)

POINTS = rule_set({"preset": "points_only"}).as_dict()
FORM = {
    "who_0": "me", "who_1": "name", "name_1": "Camille", "first_dealer": "1",
    "preset": "oklahoma_spades", "target": "200",
}  # fmt: skip


def door(user=None):
    client = Client()
    client.cookies["django_language"] = "en"
    if user is not None:
        client.force_login(user)
    return client


def read(response, status=200):
    assert response.status_code == status
    return response.content.decode()


def one(number, **changed):
    hand = {"entry": str(uuid4()), "number": number, "kind": "knock", "winner": 0, "knocker": 3,
            "defender": 24, "spade": False, "upcard": None}  # fmt: skip
    return hand | changed


def send(client, pad_id, *hands, sheet=None):
    body = {"sheet": sheet or pad_id, "entries": hands}
    return client.post(f"/pad/{pad_id}/state/", json.dumps(body), "application/json")


@pytest.fixture
def opened(alice):
    return pad.open_pad(alice.pk, POINTS, ["", "Camille"], me_seat=0)


@pytest.fixture
def written(opened, alice):
    for number, points in enumerate((21, 30), 1):
        result = HandResult(number - 1, "knock", 3, 3 + points)
        pad.enter(opened, alice.pk, number, result, uuid4())
    return opened


# --- beginning one


def test_a_pad_is_begun_by_its_form(alice):
    answer = door(alice).post("/pad/", FORM)
    sheet = ledger.read_sheet(ScoreSheet.objects.get().pk)
    assert answer.headers["Location"] == f"/pad/{sheet.id}/"
    assert (sheet.names, sheet.first_dealer) == (("alice", "Camille"), 1)
    assert (sheet.rules["preset"], sheet.rules["target"]) == ("oklahoma_spades", 200)
    assert "alice against Camille" in read(door(alice).get("/pad/"))


def test_an_account_is_found_by_its_name_however_typed_and_asked(alice, bob):
    door(alice).post("/pad/", {**FORM, "who_1": "account", "name_1": " BOB "})
    asked = PadInvitation.objects.get()
    assert (asked.user, asked.seat, asked.state) == (bob, 1, "asked")
    assert "alice</b> keeps the score" in read(door(bob).get("/pad/"))


@pytest.mark.parametrize(
    ("changed", "sentence"),
    [
        ({"name_1": ""}, "Give this player a name."),
        ({"name_1": "Alice"}, "two different names"),
        ({"who_1": "me"}, "only one of the two"),
        ({"who_1": "account", "name_1": "nobody"}, "Nobody here has this name."),
        ({"who_1": "account", "name_1": "a\0b"}, "Null characters"),
        ({"target": "3"}, "The target must be"),
        ({"first_dealer": "7"}, "7"),
        ({"preset": "none"}, "none"),
    ],
)
def test_what_cannot_be_is_said_beside_the_form(alice, changed, sentence):
    page = read(door(alice).post("/pad/", {**FORM, **changed}), 422)
    assert sentence in page
    assert not ScoreSheet.objects.exists()


# --- strangers


def doors_of(sheet_id):
    return [
        ("get", f"/pad/{sheet_id}/", {}),
        ("get", f"/pad/{sheet_id}/state/", {}),
        ("get", f"/pad/{sheet_id}/hand/", {}),
        ("get", f"/pad/{sheet_id}/hands/1/", {}),
        ("post", f"/pad/{sheet_id}/hands/1/", {"ending": "void", "sure": "1"}),
        ("post", f"/pad/{sheet_id}/hand/", {"ending": "void", "sure": "1"}),
        ("post", f"/pad/{sheet_id}/invite/", {"seat": "1", "name": "charlie"}),
        *(
            ("post", f"/pad/{sheet_id}/change/", {"do": do, "sheet": str(sheet_id)})
            for do in ("undo", "remove", "end", "reopen", "rematch", "nothing")
        ),
    ]


def test_a_stranger_finds_no_pad_at_any_door(written, charlie):
    client = door(charlie)
    for method, path, data in doors_of(written):
        assert getattr(client, method)(path, data).status_code == 404, (method, path, data)
    assert send(client, written, one(3)).status_code == 404
    assert ScoreSheet.objects.count() == 1


def test_who_is_signed_out_is_led_to_sign_in_and_loses_no_hand(written):
    for method, path, data in doors_of(written):
        if not path.endswith("/state/"):
            answer = getattr(door(), method)(path, data)
            assert answer.headers["Location"].startswith("/account/login/"), path
    told = send(door(), written, one(3))
    assert told.status_code == 401
    assert told.json()["code"] == "signed_out"


def test_an_accepted_player_reads_and_writes_nothing(written, alice, bob):
    pad.invite(written, alice.pk, 1, bob.pk)
    assert door(bob).get(f"/pad/{written}/").status_code == 404
    pad.accept(PadInvitation.objects.get().pk, bob.pk)
    page = read(door(bob).get(f"/pad/{written}/"))
    assert 'id="taps"' not in page
    assert "/change/" not in page
    for method, path, data in doors_of(written)[2:]:
        assert getattr(door(bob), method)(path, data).status_code == 404, path
    assert send(door(bob), written, one(3)).status_code == 404
    assert door(bob).get(f"/pad/{written}/state/").json()["state"]["keeper"] is False


def test_only_a_keeper_s_page_is_kept_by_the_worker(written, alice, bob):
    pad.invite(written, alice.pk, 1, bob.pk)
    pad.accept(PadInvitation.objects.get().pk, bob.pk)
    assert "X-Kept-Offline" in door(alice).get(f"/pad/{written}/").headers
    assert "X-Kept-Offline" not in door(bob).get(f"/pad/{written}/").headers
    assert "X-Kept-Offline" not in door(alice).get("/pad/").headers


def test_a_sheet_of_a_table_is_no_pad(alice):
    seats = [ledger.SeatEntry("alice", alice.pk), ledger.SeatEntry("bob")]
    sheet_id = ledger.open_sheet(POINTS, seats)
    assert door(alice).get(f"/pad/{sheet_id}/").status_code == 404


# --- writing by script


def test_hands_are_written_and_the_answer_is_the_state(opened, alice):
    hands = [one(1), one(2, kind="gin", winner=1, knocker=0, defender=13)]
    told = send(door(alice), opened, *hands).json()
    assert told["written"] == [hand["entry"] for hand in hands]
    assert "refused" not in told
    state = told["state"]
    assert (state["points"], state["won"], state["dealer"]) == ([21, 38], [1, 1], 0)
    assert [(hand["points"], hand["run"]) for hand in state["hands"]] == [(21, 21), (38, 38)]


def test_hands_sent_twice_are_written_once_and_said_to_be(opened, alice):
    hands = [one(1), one(2)]
    send(door(alice), opened, hands[0])
    told = send(door(alice), opened, *hands).json()
    assert told["written"] == [hand["entry"] for hand in hands]
    assert told["state"]["points"] == [42, 0]


def test_the_first_hand_that_cannot_be_stops_the_rest(opened, alice):
    hands = [one(1), one(2, defender=2), one(3)]
    told = send(door(alice), opened, *hands).json()
    assert told["written"] == [hands[0]["entry"]]
    assert told["refused"]["entry"] == hands[1]["entry"]
    assert told["refused"]["sentence"] == (
        "A knock with 3 against 2 is an undercut, not a knock."
    )


def test_hands_for_a_sheet_corrected_elsewhere_are_refused_with_the_sheet_as_it_is(
    written, alice
):
    new = pad.undo(written, alice.pk)
    told = send(door(alice), written, one(3)).json()
    assert told["refused"]["code"] == "edition_of_an_old_sheet"
    assert (told["state"]["sheet"], told["state"]["pad"]) == (new, written)
    assert send(door(alice), written, one(2), sheet=new).json()["written"]


def test_a_hand_for_a_game_that_is_over_is_refused(written, alice):
    pad.end(written, alice.pk)
    told = send(door(alice), written, one(3)).json()
    assert told["refused"]["code"] == "sheet_ended"
    assert told["state"]["over"]["how"] == "called_off"


def test_one_pad_s_door_writes_on_no_other(written, alice):
    other = pad.open_pad(alice.pk, POINTS, ["Léo", "Camille"])
    assert send(door(alice), written, one(1), sheet=other).status_code == 400
    data = {"sheet": other, "number": 1, "entry": uuid4(), "ending": "void", "sure": "1"}
    assert door(alice).post(f"/pad/{written}/hand/", data).status_code == 404
    data = {"do": "end", "sheet": str(other)}
    assert door(alice).post(f"/pad/{written}/change/", data).status_code == 404
    assert ledger.read_sheet(other).hands == ()


def test_nonsense_is_answered_with_a_sentence(opened, alice):
    for body in (b"", b"[]", b"\xff", b'{"sheet": "x", "entries": []}', b"[" * 5000):
        answer = door(alice).post(f"/pad/{opened}/state/", body, "application/json")
        assert answer.status_code == 400
        assert answer.json()["sentence"] == "The site did not understand this hand."


def test_a_foreign_page_writes_nothing(opened, alice):
    client = Client(enforce_csrf_checks=True)
    client.force_login(alice)
    assert send(client, opened, one(1)).status_code == 403


# --- by forms, without script


def hidden(page):
    return dict(re.findall(r'name="(sheet|number|entry)" value="([^"]+)"', page))


def test_a_hand_is_worked_out_before_it_is_written(opened, alice):
    client = door(alice)
    data = hidden(read(client.get(f"/pad/{opened}/hand/")))
    data |= {"ending": "0-knock", "knocker": "4", "defender": "21"}
    page = read(client.post(f"/pad/{opened}/hand/", data))
    assert "Camille 21 − alice 4 = 17 for alice" in page
    assert ledger.read_sheet(opened).hands == ()
    for _twice in range(2):
        answer = client.post(f"/pad/{opened}/hand/", {**data, **hidden(page), "sure": "1"})
        assert answer.headers["Location"] == f"/pad/{opened}/"
    assert ledger.read_sheet(opened).standing.hand_points == (17, 0)


@pytest.mark.parametrize(
    ("said", "sentence"),
    [
        ({"ending": "0-knock", "defender": "21"}, "how much deadwood"),
        ({"ending": "0-knock", "knocker": "0", "defender": "21"}, "A knock without deadwood"),
        ({"ending": "1-gin"}, "how much deadwood"),
        ({"ending": "2-gin", "defender": "3"}, "2-gin"),
        ({}, "required"),
    ],
)
def test_a_hand_that_cannot_be_is_refused_by_the_form(opened, alice, said, sentence):
    data = {"sheet": opened, "number": 1, "entry": uuid4(), **said, "sure": "1"}
    assert sentence in read(door(alice).post(f"/pad/{opened}/hand/", data), 422)
    assert ledger.read_sheet(opened).hands == ()


def test_the_form_asks_for_an_upcard_only_where_it_decides(alice, opened):
    oklahoma = pad.open_pad(alice.pk, rule_set({"preset": "oklahoma_spades"}).as_dict(), "ab")
    page = read(door(alice).get(f"/pad/{oklahoma}/hand/"))
    assert 'name="upcard"' in page
    assert 'name="spade"' in page
    assert 'name="upcard"' not in read(door(alice).get(f"/pad/{opened}/hand/"))
    data = {"sheet": oklahoma, "number": 1, "entry": uuid4(), "ending": "0-knock", "sure": "1",
            "knocker": "5", "defender": "9", "upcard": "4", "spade": "on"}  # fmt: skip
    assert "the limit is 4" in read(door(alice).post(f"/pad/{oklahoma}/hand/", data), 422)
    door(alice).post(f"/pad/{oklahoma}/hand/", {**data, "knocker": "4", "defender": "20"})
    assert ledger.read_sheet(oklahoma).standing.hand_points == (32, 0)


def test_a_correction_starts_from_the_hand_and_leaves_a_trace(written, alice):
    client = door(alice)
    page = read(client.get(f"/pad/{written}/hands/1/"))
    assert re.search(r'value="0-knock"[^>]*checked', page)
    assert re.search(r'name="defender" value="24"', page)
    data = {**hidden(page), "ending": "0-knock", "knocker": "3", "defender": "13", "sure": "1"}
    client.post(f"/pad/{written}/hands/1/", data)
    page = read(client.get(f"/pad/{written}/"))
    assert "corrected, before: alice, knock 3 against 24" in page
    assert f'href="/sheets/{written}/"' in page
    assert read(client.get(f"/sheets/{written}/"))


def test_a_hand_taken_out_stands_struck_out(written, alice):
    client = door(alice)
    data = {"do": "remove", "sheet": str(written), "number": "1"}
    assert client.post(f"/pad/{written}/change/", data).headers["Location"] == f"/pad/{written}/"
    page = read(client.get(f"/pad/{written}/"))
    assert "<del>alice, knock 3 against 24</del>" in page
    assert pads.state_of(pads.pad_of(written, alice.pk), alice.pk)["points"] == [0, 30]


def test_undo_pressed_twice_takes_one_hand_back(written, alice):
    for _ in range(2):
        door(alice).post(f"/pad/{written}/change/", {"do": "undo", "sheet": str(written)})
    assert len(pads.pad_of(written, alice.pk).hands) == 1


def test_a_game_is_stopped_resumed_and_played_again(written, alice):
    client = door(alice)

    def change(do):
        sheet = pads.pad_of(written, alice.pk).id
        return client.post(f"/pad/{written}/change/", {"do": do, "sheet": str(sheet)})

    change("end")
    assert "Called off by agreement" in read(client.get(f"/pad/{written}/"))
    change("reopen")
    assert pads.pad_of(written, alice.pk).ended is None
    change("end")
    again = change("rematch").headers["Location"]
    assert change("rematch").headers["Location"] == again != f"/pad/{written}/"


# --- one address through all editions


def test_every_edition_leads_to_the_pad_s_one_address(written, alice):
    new = pad.undo(written, alice.pk)
    assert door(alice).get(f"/pad/{new}/").headers["Location"] == f"/pad/{written}/"
    assert door(alice).get(f"/pad/{written}/").status_code == 200
    assert door(alice).get(f"/pad/{new}/hand/").status_code == 404


def test_of_two_states_the_later_has_the_greater_mark(opened, alice):
    marks = []

    def mark():
        marks.append(pads.state_of(pads.pad_of(opened, alice.pk), alice.pk)["at"])

    mark()
    for number in (1, 2):
        pad.enter(opened, alice.pk, number, HandResult(0, "knock", 1, 5), uuid4())
        mark()
    pad.undo(opened, alice.pk)
    mark()
    pad.end(ledger.current_of(opened), alice.pk)
    mark()
    pad.reopen(ledger.current_of(opened), alice.pk)
    mark()
    assert marks == sorted(marks)
    assert len({tuple(one) for one in marks}) == len(marks)


# --- invitations


def test_an_invitation_is_answered_by_its_own_person(written, alice, bob, charlie):
    client = door(alice)
    data = {"seat": "1", "name": "bob"}
    client.post(f"/pad/{written}/invite/", data)
    asked = PadInvitation.objects.get()
    for person in (alice, charlie):
        answer = door(person).post(f"/pad/invitations/{asked.pk}/", {"do": "accept"})
        assert answer.status_code == 404
    assert "has not answered" in read(client.get(f"/pad/{written}/"))
    answer = door(bob).post(f"/pad/invitations/{asked.pk}/", {"do": "accept"})
    assert answer.headers["Location"] == f"/pad/{written}/"
    assert "bob has accepted" in read(client.get(f"/pad/{written}/"))
    assert "Is it you?" not in read(door(bob).get("/pad/"))


def test_an_invitation_is_declined(written, alice, bob):
    pad.invite(written, alice.pk, 1, bob.pk)
    asked = PadInvitation.objects.get()
    door(bob).post(f"/pad/invitations/{asked.pk}/", {"do": "decline"})
    assert "bob has declined" in read(door(alice).get(f"/pad/{written}/"))
    assert door(bob).get(f"/pad/{written}/").status_code == 404


def test_names_are_text_wherever_they_stand(alice):
    name = "<b>&\"'</b>"
    sheet_id = pad.open_pad(alice.pk, POINTS, [name, "</script>"])
    page = read(door(alice).get(f"/pad/{sheet_id}/"))
    assert name not in page
    assert page.count("</script>") == page.count("<script")
    assert name not in read(door(alice).get("/pad/"))


@pytest.mark.parametrize("page", ["/", "/history/"])
def test_an_invitation_stands_before_the_invited_alone(written, alice, bob, charlie, page):
    pad.invite(written, alice.pk, 1, bob.pk)
    path = f"/pad/invitations/{PadInvitation.objects.get().pk}/"
    assert path in read(door(bob).get(page))
    assert path not in read(door(alice).get(page))
    assert path not in read(door(charlie).get(page))


def test_the_home_page_leads_back_to_a_pad_in_progress_and_no_longer_once_it_ended(
    opened, alice, charlie
):
    way = f'href="/pad/{opened}/"'
    assert way in read(door(alice).get("/"))
    assert way not in read(door(charlie).get("/"))
    pad.end(opened, alice.pk)
    assert way not in read(door(alice).get("/"))


def test_a_sheet_leads_its_keeper_alone_back_to_the_pad(written, alice, bob):
    pad.invite(written, alice.pk, 1, bob.pk)
    pad.accept(PadInvitation.objects.get().pk, bob.pk)
    new = pad.undo(written, alice.pk)
    for edition in (written, new):
        assert f'href="/pad/{written}/"' in read(door(alice).get(f"/sheets/{edition}/"))
        assert "/pad/" not in read(door(bob).get(f"/sheets/{edition}/"))
