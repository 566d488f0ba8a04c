"""What the coach says on the page of a replayed hand: in words, to its player alone."""

from __future__ import annotations

import json
import re

import pytest
from django.conf import settings
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext

from games import coach, table, thinking
from games.coach.verdicts import judged
from games.coach.words import better as better_than
from games.engine.bots import Weighed
from games.history import persons
from games.models import Analysis, Game, Member, Weighing
from scoring import shares
from tests.browser import laid

pytestmark = pytest.mark.django_db

FOUND = {
    1: [["pass", 3.0, 0.5], ["draw discard", 1.0, 0.5]],
    4: [
        ["discard 4c", 9.5, 0.5], ["discard 2d", 2.0, 0.5], ["knock Kd", 0.4, 0.6],
        ["discard As", -0.04, 0.5], ["discard Kd", -1.84, 0.64],
    ],
}  # fmt: skip


@pytest.fixture(autouse=True)
def quick(monkeypatch):
    """What a move is worth is the engine's to say."""
    monkeypatch.setattr(
        "games.coach.decisions.weigh",
        lambda views, *told, also: [Weighed(move, 1.0, 0.5) for move in views[-1]["legal"]],
    )


@pytest.fixture
def hand():
    """Léo passes, draws the king of diamonds, and knocks with 7."""
    return laid.SCENES["after a knock"]()


def where(hand, coach=False):
    sheet_id = Game.objects.get(table=hand.table).sheet_id
    return f"/sheets/{sheet_id}/hands/1/" + ("coach/" if coach else "")


def door(person=None, language="en"):
    client = Client()
    client.cookies["django_language"] = language
    if person is not None:
        client.force_login(person)
    return client


def read(person, address, language="en"):
    answer = door(person, language).get(address)
    assert answer.status_code == 200
    return answer.content.decode()


def words(html):
    return re.sub(r"\s+", " ", re.sub(r"<[^>]+>", "", html)).strip()


def said_in(page):
    return words(page.split('<section class="panel coach"')[1].split("</section>")[0])


def moments_in(page):
    return re.findall(r'<li><a href="\?ply=(\d)"><b>', page)


def found(hand, moves=FOUND):
    """The coach is done, and found this."""
    person = hand.people[0]
    analysis_id = coach.ask(person.pk, Game.objects.get(table=hand.table).sheet_id, 1)
    coach.build(analysis_id)
    for ply, one in moves.items():
        Weighing.objects.filter(analysis_id=analysis_id, ply=ply).update(moves=one)
    return person


# --- asking, with and without script


def test_the_coach_is_asked_by_a_button(hand, monkeypatch, django_capture_on_commit_callbacks):
    put = []
    monkeypatch.setattr(thinking, "run", lambda function, *args: put.append(args))
    monkeypatch.setattr("games.tasks.weigh_on.delay", lambda *args: put.append(args))
    leo = hand.people[0]
    page = read(leo, where(hand) + "?ply=3")
    assert "Ask the coach" in page
    assert "knows only what you knew at that moment" in page
    with django_capture_on_commit_callbacks(execute=True):
        answer = door(leo).post(where(hand, coach=True), {"ply": "3"})
    assert answer.headers["Location"] == where(hand) + "?ply=3#coach"
    analysis = Analysis.objects.get()
    assert put == [(analysis.pk,)]
    for address in (where(hand), where(hand, coach=True)):
        page = read(leo, address)
        assert "0 choices of 2 are weighed." in words(page)
        assert address != where(hand) or 'data-coach="m4"' in page  # where its sign will be
        assert "data-building" in page
    coach.build(analysis.pk)
    page = read(leo, where(hand, coach=True))
    assert "data-building" not in page
    assert "Every choice" in read(leo, where(hand))


@pytest.mark.django_db(transaction=True)
def test_whoever_asks_holds_no_transaction_open_while_the_hand_is_gone_through(hand, monkeypatch):
    held, views_of = [], coach.asking.decisions.views_of

    def watched(*told):
        held.append(connection.in_atomic_block)
        return views_of(*told)

    monkeypatch.setattr(coach.asking.decisions, "views_of", watched)
    monkeypatch.setattr("games.tasks.set_the_coach_to_work", lambda analysis_id: None)
    door(hand.people[0]).post(where(hand, coach=True))
    assert held == [False]
    assert Analysis.objects.exists()


def test_there_is_no_progress_where_nobody_asked(hand):
    page = read(hand.people[0], where(hand, coach=True))
    assert "data-building" not in page
    assert words(page) == ""


def test_a_refusal_is_said_on_the_page_one_came_from(hand, monkeypatch):
    monkeypatch.setattr("games.coach.asking.PER_HOUR", 0)
    client = door(hand.people[0])
    answer = client.post(where(hand, coach=True), follow=True)
    assert answer.redirect_chain == [(where(hand) + "#coach", 302)]
    assert "0 hands of yours this past hour" in answer.content.decode()
    assert not Analysis.objects.exists()


@pytest.mark.parametrize("ply", ["x", "9" * 40, "-1"])
def test_a_move_that_is_none_leads_to_the_hand(hand, ply):
    answer = door(hand.people[0]).post(where(hand, coach=True), {"ply": ply})
    assert answer.headers["Location"] == where(hand) + "#coach"


def test_nobody_else_sees_anything_of_the_coach(hand, charlie):
    """Not the other player, a member of the room, whoever holds the link, nor the player by it."""
    leo = found(hand)
    camille = hand.people[1]
    Member.objects.create(room=hand.table.room, user=charlie)
    token = shares.share(Game.objects.get(table=hand.table).sheet_id, leo.pk)
    shared = f"/s/{token}/hands/1/"
    for person, address in (
        (charlie, where(hand)), (None, shared), (charlie, shared), (leo, shared),
    ):  # fmt: skip
        page = read(person, address)
        assert "coach" not in page.replace("replay.css", "").lower()
    page = read(camille, where(hand))
    assert "Ask the coach" in page
    assert "Every choice" not in page
    assert door(charlie).get(where(hand, coach=True)).status_code == 404
    assert door(charlie).post(where(hand, coach=True)).status_code == 404


# --- what it says


def test_a_costly_move_is_shown_beside_the_better_one(hand):
    leo = found(hand)
    said = said_in(read(leo, where(hand)))
    for sentence in (
        "The moments that mattered",
        "Move 4 Knocked with 7, throwing K♦ (+0.4 ± 0.6) — better: discard 4♣ (+9.5 ± 0.5) costly",
        "Move 1 Passed (+3.0 ± 0.5) right",
        "1 right, 1 costly",
        "discard 2♦ +2.0 ± 0.5",
        f"Each choice was played out {settings.COACH_PLAYOUTS} times.",
    ):
        assert sentence in said
    assert "discard A♠" not in said  # beyond the best three, and not played


def test_the_moments_are_marked_along_the_slider_and_in_the_list(hand):
    page = read(found(hand), where(hand))
    marks = re.findall(r'<circle class="co-(\w+)" cx="([\d.]+%)"', page)
    assert marks == [("right", "25.00%"), ("costly", "100.00%")]
    row = page[page.index('href="?ply=4"', page.index("<tbody>")) :].split("</th>")[0]
    assert ">costly<" in row
    assert re.findall(r'data-coach="m(\d)"', page) == ["4"]
    assert moments_in(page) == ["1", "4"]


def test_the_choice_of_the_move_shown_lies_open(hand):
    leo = found(hand)
    for ply in (1, 3, 4):
        page = read(leo, where(hand) + f"?ply={ply}")
        opened = re.findall(r'<details data-ply="(\d)" open', page)
        assert opened == (["4"] if ply == 4 else [])  # of two moves the better was made: no list


def test_moves_that_are_as_good_are_called_so(hand):
    moves = {4: [["discard 4c", 1.4, 0.6], ["knock Kd", 0.4, 0.6]], 1: FOUND[1]}
    page = read(found(hand, moves), where(hand))
    assert "Knocked with 7, throwing K♦ (+0.4 ± 0.6) as good" in said_in(page)
    assert "better" not in said_in(page)
    assert moments_in(page) == ["1"]


def test_the_move_made_is_listed_however_low_it_stands(hand):
    moves = {4: [*[["discard 4c", 9.5, 0.5]] * 3, ["discard 2d", 0, 1], ["knock Kd", -9, 1]]}
    said = said_in(read(found(hand, moves), where(hand)))
    assert "knock with 7, throwing K♦ played −9.0 ± 1.0" in said
    assert "discard 2♦" not in said


def test_it_speaks_french(hand):
    said = said_in(read(found(hand), where(hand), "fr"))
    assert "Frappé à 7 en jetant K♦ (+0,4 ± 0,6) — mieux : jeter 4♣ (+9,5 ± 0,5) coûteux" in (
        said.replace("\xa0", " ")
    )
    assert "1 juste, 1 coûteux" in said


def test_two_discards_are_told_apart_by_the_card_alone():
    one = judged(4, "discard 2d", [Weighed("discard 4c", 9.5, 0.5), Weighed("discard 2d", 1, 0.5)])
    better = better_than({}, 0, one)
    assert (better.before, better.card.index, better.after) == ("", "4♣", "")


def test_where_a_hand_is_one_point_hundredths_count():
    scene = laid.SCENES["first knock"]()
    leo = found(scene, {4: [["discard 4c", 0.62, 0.03], ["knock Kd", 0.2, 0.03]]})
    said = said_in(read(leo, where(scene)))
    assert "(+0.20 ± 0.03) — better: discard 4♣ (+0.62 ± 0.03) costly" in said


def test_a_hand_without_a_choice_says_so(table_id, alice):
    table.resign(table_id, alice.pk)
    sheet_id = Game.objects.get().sheet_id
    coach.ask(alice.pk, sheet_id, 1)
    said = said_in(read(alice, f"/sheets/{sheet_id}/hands/1/"))
    assert "There was nothing to choose in this hand." in said
    assert "The hand was cut short" in said


def test_the_page_takes_as_many_statements_however_much_was_found(hand):
    leo = hand.people[0]
    client = door(leo)
    client.get(where(hand))

    def asked():
        with CaptureQueriesContext(connection) as queries:
            client.get(where(hand))
        return len(queries)

    before = asked()
    found(hand, {})
    assert asked() == before + 1  # the decisions


def test_a_long_hand_with_the_coach_is_a_light_page():
    scene = laid.SCENES["fifty turns"]()
    leo = scene.people[0]
    coach.build(coach.ask(leo.pk, Game.objects.get(table=scene.table).sheet_id, 1))
    assert Analysis.objects.get().total > 40
    answer = door(leo).get(where(scene), headers={"Accept-Encoding": "gzip"})
    assert len(answer.content) < 9_000
    for ply in (1, 50, 100):
        page = read(leo, where(scene) + f"?ply={ply}")
        assert "Those near the move shown" in page
        listed = [int(one) for one in re.findall(r'data-ply="(\d+)"', page)]
        assert len(listed) == 30
        assert min(abs(one - ply) for one in listed) <= 3


def test_what_the_coach_found_goes_along_with_its_player_alone(hand):
    person = found(hand)
    (told,) = json.loads(persons.written(person.pk)["coach.json"])
    sheet = Game.objects.get(table=hand.table).sheet_id
    assert (told["sheet"], told["hand"]) == (sheet, 1)
    first, second = told["decisions"]
    assert (first["ply"], first["made"], second["made"]) == (1, "pass", "knock Kd")
    assert first["weighed"][1] == {
        "move": "draw discard", "points": 1.0, "margin": 0.5,
    }  # fmt: skip
    assert json.loads(persons.written(hand.people[1].pk)["coach.json"]) == []
