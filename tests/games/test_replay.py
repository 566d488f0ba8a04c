"""Hands that are over, told again: every move to the last, open to those who may read them, and
closed to everybody before the hand is over.
"""

from __future__ import annotations

import ast
import json
import re
from itertools import chain
from pathlib import Path
from random import Random

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.utils import translation

from games import dealing, positions, replay, table
from games.engine.cards import texts
from games.engine.position import replay as played_again
from games.models import Game, Hand, Move, Room
from games.replay import chart
from scoring import ledger
from scoring.rules import HandResult
from tests.browser import laid
from tests.games.players import deal_alike, play_hand

pytestmark = pytest.mark.django_db
ROOT = Path(__file__).resolve().parents[2]
EACH_TIME_NEW = re.compile(r'csrfmiddlewaretoken" value="\w+"')


@pytest.fixture(autouse=True)
def english():
    with translation.override("en"):
        yield


def door(person=None):
    client = Client()
    client.cookies["django_language"] = "en"
    if person is not None:
        client.force_login(person)
    return client


def game_at(table_id):
    return Game.objects.filter(table_id=table_id).latest("number")


def address(table_id, number=1, ply=None):
    asked = "" if ply is None else f"?ply={ply}"
    return f"/sheets/{game_at(table_id).sheet_id}/hands/{number}/{asked}"


def read(person, where):
    answer = door(person).get(where)
    assert answer.status_code == 200, where
    return answer.content.decode()


def told(page):
    """What the page brings for its script."""
    found = re.search(r'<script id="told" type="application/json">(.*?)</script>', page)
    return json.loads(found[1])


def words(html):
    return re.sub(r"\s+", " ", re.sub(r"<[^>]+>", " ", html)).strip()


def moves_listed(page):
    """The list of moves in words, and where each leads."""
    body = page[page.index("<tbody>") : page.index("</tbody>")]
    return [
        (int(ply), re.sub(r" (?=[.])", "", words(said)))
        for ply, said in re.findall(r'<a href="\?ply=(\d+)"[^>]*>(.*?)</a>', body)
    ]


def lay(name):
    """A scene laid with chosen cards: its page, its players."""
    scene = laid.SCENES[name]()
    return scene.table.pk, scene.people


def held_at(page):
    """The cards shown of each seat, in the order of the seats."""
    parts = re.split(r'<div class="side" data-seat="(\d)">', page)[1:]
    found = {}
    for seat, part in zip(parts[::2], parts[1::2], strict=True):
        part = part.split('<div class="mid">')[0].split("</section>")[0]
        found[int(seat)] = sorted(re.findall(r'data-card="(\w\w)"', part))
    return [found[seat] for seat in sorted(found)]


# --- every move


def test_every_move_is_an_address_from_the_deal_to_the_last(between, alice):
    """Case A11: a replay steps through all moves to the last."""
    hand = Hand.objects.get(game__table_id=between)
    course = positions.course_of(hand.game_id, hand.pk)
    assert len(course) == hand.moves.count() + 1
    for ply, position in enumerate(course):
        page = read(alice, address(between, ply=ply))
        shown = held_at(page)
        if position.outcome is not None:  # what was laid off lies with the other's melds
            assert sorted(chain(*shown)) == sorted(texts(chain(*position.held)))
        else:
            assert shown == [sorted(texts(held)) for held in position.held]
        assert f">{ply} / {len(course) - 1}<" in page
    assert "scores" in words(page) or "Void hand" in words(page)


def test_the_steps_lead_from_move_to_move(between, alice):
    last = Move.objects.count()
    page = read(alice, address(between, ply=3))
    for step, ply in (("first", 0), ("-1", 2), ("1", 4), ("last", last)):
        assert f'data-step="{step}" href="?ply={ply}"' in page
    first, end = read(alice, address(between)), read(alice, address(between, ply=last))
    assert 'data-step="-1" aria-disabled="true"' in first
    assert 'data-step="1" aria-disabled="true"' in end
    assert [ply for ply, _said in moves_listed(page)] == list(range(last + 1))
    assert page.count('aria-current="step"') == 1
    assert 'href="?ply=3" aria-current="step"' in page


@pytest.mark.parametrize("asked", ["x", "-1", "²", "", "9" * 40, "1.5", "３"])
def test_a_move_that_is_none_shows_the_deal(between, alice, asked):
    page = read(alice, address(between, ply=asked))
    assert f">{3 if asked == '３' else 0} / " in page


def test_a_move_beyond_the_last_shows_the_last(between, alice):
    last = Move.objects.count()
    assert f">{last} / {last}<" in read(alice, address(between, ply=99999))


def test_the_script_is_given_the_same_moments(between, alice):
    page = told(read(alice, address(between)))
    hand = Hand.objects.get(game__table_id=between)
    now = {}
    for position, frame in zip(
        positions.course_of(hand.game_id, hand.pk), page["frames"], strict=True
    ):
        now |= frame
        for seat, held in enumerate(position.held):
            melds, loose, *_more = now[f"h{seat}"]
            assert sorted(re.findall("..", melds.replace(" ", "") + loose)) == sorted(texts(held))
        assert now["stock"] == position.stock
        assert now["top"] == (texts(position.pile[-1:]) or [""])[0]


def test_the_moves_are_told_with_every_card():
    table_id, people = lay("after a knock")
    assert moves_listed(read(people[0], address(table_id))) == [
        (0, "Camille deals and turns up the Q♠."),
        (1, "Léo passes."),
        (2, "Camille passes."),
        (3, "Léo draws the K♦."),
        (4, "Léo knocks with 7 and throws the K♦."),
    ]


@pytest.mark.parametrize(
    ("scene", "said"),
    [
        ("after gin", "Léo goes gin and throws the K♦."),
        ("after big gin", "Léo declares big gin."),
        ("first knock", "Léo knocks with 7 and throws the K♦."),
    ],
)
def test_each_end_has_its_words(scene, said):
    table_id, people = lay(scene)
    assert moves_listed(read(people[0], address(table_id)))[-1][1] == said


# --- the end


def test_the_showdown_shows_what_was_laid_off_and_the_points():
    table_id, people = lay("after a knock")
    page = read(people[0], address(table_id, ply=4))
    assert 'class="slot lay"' in page
    assert "nine of hearts, laid off by Camille" in page
    text = words(page)
    for sentence in ("Léo scores 34 points", "lays off 1 card on Léo’s melds",
                     "Léo knocks with 7. Camille is left with 41.", "3 + 4 + 6 + 8 + 10 + 10 = 41"):
        assert sentence in text
    assert told(page)["hand_line"]["points"] == 34
    assert [seat["points"] for seat in told(page)["seats"]] == [34, 0]


@pytest.mark.parametrize(
    ("scene", "sentences"),
    [
        ("after gin", ["Léo goes gin."]),
        ("after big gin", ["big gin, eleven cards"]),
        ("after an undercut", ["Camille scores", "That is an undercut: the defender scores."]),
        ("after a tie", ["It is a tie: the defender scores."]),
        ("the stock out", ["Void hand", "The stock is used up: nobody scores."]),
        ("fifty turns", ["Void hand", "Fifty turns without drawing from the stock"]),
        ("first knock", ["Léo wins the hand", "Léo knocks first."]),
        ("resigned", ["Hand cut short", "Camille resigned"]),
    ],
)
def test_every_way_a_hand_ends_is_told(scene, sentences):
    table_id, people = lay(scene)
    text = words(read(people[0], address(table_id, ply=9999)))
    for sentence in sentences:
        assert sentence in text


def test_the_reader_s_own_hand_lies_below():
    table_id, people = lay("after a knock")
    for person, top, low in ((people[0], 1, 0), (people[1], 0, 1)):
        page = read(person, address(table_id))
        assert page.index(f'data-seat="{top}"') < page.index(f'data-seat="{low}"')
        assert told(page)["seats"][0]["seat"] == low


def test_deadwood_counts_the_best_discard_while_a_card_too_many_is_held():
    table_id, people = lay("after a knock")
    page = read(people[0], address(table_id, ply=3))
    assert "7 without the K♦" in re.sub(r"\s+", " ", words(page))
    row = page[page.index('href="?ply=3" aria-current') :]
    assert re.findall(r'class="r num">(\d+)<', row)[:2] == ["7", "50"]


def test_the_hands_of_a_game_lead_to_each_other(monkeypatch, waiting, alice, bob):
    deal_alike(monkeypatch)  # of cards at random one hand may win the game
    table.sit_down(waiting, bob.pk)
    table_id = waiting
    for _hand in range(3):
        play_hand(table_id, [alice.pk, bob.pk])
        if game_at(table_id).ended_at:
            break
        for person in (alice, bob):
            table.ready(table_id, person.pk)
    over = Hand.objects.filter(ended_at__isnull=False).count()
    assert over >= 2
    first, second = read(alice, address(table_id, 1)), read(alice, address(table_id, 2))
    assert 'rel="prev"' not in first
    assert 'href="../2/" rel="next"' in first
    assert 'href="../1/" rel="prev"' in second
    assert 'href="../../"' in first
    last = read(alice, address(table_id, over))
    assert 'rel="next"' not in last


# --- secrets


def test_an_open_hand_is_told_to_nobody(table_id, alice, bob):
    Room.objects.update(is_public=True)
    play_some(table_id, alice, bob)
    for person in (alice, bob, None):
        for ply in (None, 0, 1, 99):
            answer = door(person).get(address(table_id, ply=ply))
            assert answer.status_code == 404
            page = answer.content.decode()
            assert "This hand is still being played." in page
            assert "data-card" not in page


def play_some(table_id, *people):
    for _turn in range(3):
        seats = {table.look(table_id, one.pk)["seat"]: one.pk for one in people}
        view = table.look(table_id, people[0].pk)
        mover = seats[view["hand"]["to_act"]]
        seen = table.look(table_id, mover)
        table.make_move(table_id, mover, seen["hand"]["legal"][-1], tuple(seen["at"]))


def test_the_next_hand_stays_closed_while_the_last_is_replayed(between, alice, bob):
    for person in (alice, bob):
        table.ready(between, person.pk)
    page = read(alice, address(between, 1))
    assert 'rel="next"' not in page
    assert door(alice).get(address(between, 2)).status_code == 404


def test_an_adjourned_hand_is_open_still(table_id, alice):
    Room.objects.update(is_public=True)
    hand = Hand.objects.get()
    assert hand.ended_at is None
    with pytest.raises(replay.NotOver):
        replay.replayed(game_at(table_id).sheet_id, 1)


def test_a_hand_cut_short_is_over_and_told_to_its_last_move():
    table_id, people = lay("resigned")
    hand = Hand.objects.get(game__table_id=table_id)
    last = hand.moves.count()
    page = read(people[0], address(table_id, ply=last))
    course = positions.course_of(hand.game_id, hand.pk)
    assert held_at(page) == [sorted(texts(held)) for held in course[-1].held]


@pytest.mark.parametrize("scene", ["after a knock", "resigned"])
def test_the_cards_nobody_drew_stay_unknown_in_a_replay(scene, monkeypatch):
    table_id, people = lay(scene)
    hand = Hand.objects.get(game__table_id=table_id)
    last = positions.course_of(hand.game_id, hand.pk)[-1]

    def pages():
        every = [read(people[0], address(table_id, ply=ply)) for ply in range(last.ply + 1)]
        return [EACH_TIME_NEW.sub("", page) for page in every]

    before = pages()
    stock = list(last.deck[last.stock_from :])
    Random(5).shuffle(stock)
    other = (*last.deck[: last.stock_from], *stock)
    assert other != last.deck
    moves = [entry.move for entry in last.log]
    assert played_again(last.rules, other, last.dealer, moves).held == last.held
    monkeypatch.setattr(dealing, "cards_of", lambda text: other)
    positions.forget()
    assert pages() == before
    assert hand.deck not in "".join(before)


def test_one_place_alone_opens_hands():
    opening = []
    for path in ROOT.glob("games/**/*.py"):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Call) and any(k.arg == "open_hands" for k in node.keywords):
                opening.append(path.relative_to(ROOT).as_posix())
    assert opening == ["games/replay/finding.py"]


# --- which hands there are


@pytest.mark.parametrize("number", [0, 2, 10**17])
def test_a_hand_that_is_none_is_not_found(between, alice, number):
    assert door(alice).get(address(between, number)).status_code == 404


def test_a_sheet_of_real_cards_has_no_replay(alice):
    rules = {"preset": "complete"}
    seats = [ledger.SeatEntry("alice", alice.pk), ledger.SeatEntry("Odile", kind="name")]
    sheet_id = ledger.open_sheet(rules, seats, source="paper", keeper_id=alice.pk, first_dealer=0)
    ledger.record_hand(sheet_id, 1, HandResult(0, "knock", 4, 21))
    assert door(alice).get(f"/sheets/{sheet_id}/hands/1/").status_code == 404


def test_every_edition_leads_to_the_hands_as_they_were_played(between, alice):
    sheet_id = game_at(between).sheet_id
    assert "corrected since" not in read(alice, address(between, ply=9999))
    ledger.end_sheet(sheet_id, "resigned", 0)
    edition = ledger.edition(sheet_id, [HandResult(0, "knock", 4, 20)])
    page = read(alice, f"/sheets/{edition}/hands/1/?ply=9999")
    assert "corrected since" in page
    assert told(page) == told(read(alice, address(between, ply=9999)))


# --- size


def test_a_long_hand_comes_in_pieces_and_its_page_stays_light():
    table_id, people = lay("fifty turns")
    last = Move.objects.filter(hand__game__table_id=table_id).count()
    assert last == 100
    page = read(people[0], address(table_id))
    assert [ply for ply, _said in moves_listed(page)] == [*range(61), 60]
    assert (told(page)["first"], told(page)["last"]) == (0, last)
    assert len(told(page)["frames"]) == 61
    assert len(page.encode()) < 40_000
    page = read(people[0], address(table_id, ply=last))
    assert [ply for ply, _said in moves_listed(page)] == [40, *range(40, last + 1)]
    assert told(page)["first"] == 40


def test_a_replay_takes_as_many_statements_however_long_the_hand():
    counts = set()
    for scene in ("after a knock", "fifty turns"):
        table_id, people = lay(scene)
        client = door(people[0])
        where = address(table_id, ply=4)
        client.get(where)
        with CaptureQueriesContext(connection) as asked:
            client.get(where)
        counts.add(len(asked))
    assert len(counts) == 1


# --- the chart


def test_the_chart_goes_down_in_steps():
    drawn = chart.drawn([[50, 50, 40, 40], [30, 30, 30, 0]], 10, 2)
    assert drawn["paths"][0].split() == [
        "34.0,12.0", "211.3,12.0", "211.3,33.2", "300.0,33.2"
    ]  # fmt: skip
    assert drawn["now"] == "211.3"
    assert drawn["marks"] == ["33.2", "54.4"]


def test_a_hand_of_thousands_of_moves_is_drawn_with_few_points():
    course = [90 - at % 80 for at in range(2900)]
    drawn = chart.drawn([course, course], 10, 2899)
    assert len(drawn["paths"][0]) < 8_000
    assert drawn["paths"][0].split()[-1].startswith("300.0,")


def test_there_is_nothing_to_draw_before_the_second_move():
    assert chart.drawn([[50, 50], [30, 30]], 10, 0) == {}
