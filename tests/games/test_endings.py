"""The move that ends a hand, seen as it is stored: the same as whoever looks would see.

At once, by one way to the database and back, or the long way: nobody can tell which it was.
"""

from __future__ import annotations

import pytest
from django.contrib.sessions.models import Session
from django.db import OperationalError, connection

from accounts import hot
from accounts.sessions import SignedOut
from games import clicks, table
from games.models import Game, Hand, Move, Room
from games.table import Click, Onlooker, endings, looks
from games.table.rights import Refused, stale
from tests.games.players import Seat, deal_alike

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture(params=["at once", "the long way"])
def way(request):
    return request.param


@pytest.fixture
def seats(monkeypatch, waiting, alice, bob, way):
    """Two players at a table where every hand is alike, so that somebody soon wins."""
    deal_alike(monkeypatch)
    table.sit_down(waiting, bob.pk)
    if way == "at once":
        monkeypatch.setattr(endings, "_the_long_way", refuse)
    else:
        monkeypatch.setattr(endings, "foresee", lambda _click: None)
    return [Seat(person, waiting) for person in (alice, bob)]


def refuse(click):
    """What cannot be done at once is refused here, so that no test passes by the other way."""
    if click.text.startswith(clicks.ENDS_A_HAND):
        raise stale()
    return way_of_all(click)


way_of_all = endings._the_long_way


@pytest.fixture
def rung(monkeypatch):
    """Whose bells are rung."""
    groups = []
    monkeypatch.setattr("accounts.live.ring", lambda group, *kind, **but: groups.append(group))
    return groups


def click_of(mover, seats):
    at, text = mover.stands()
    onlookers = [Onlooker(one.held, "fr") for one in seats]
    return Click(mover.table_id, mover.held, text, at, None, onlookers)


def mover_of(seats):
    return next(one for one in seats if one.acts())


def to_the_last_move(seats):
    """Play on until one more move ends the hand; gives whoever makes it."""
    while True:
        mover = mover_of(seats)
        if mover.stands()[1].startswith(("knock", "gin", "big gin")):
            return mover
        table.make_and_show(click_of(mover, seats))


def test_both_seats_see_each_showdown_as_if_they_had_looked(seats, rung, way):
    while True:
        made = table.make_and_show(click_of(to_the_last_move(seats), seats))
        looked = [table.look(one.table_id, one.user_id) for one in seats]
        if made.seen is not None:  # else the bell tells of the end of a game
            shown = [{**view, "now": 0} for view in made.seen]
            assert shown == [{**view, "now": 0} for view in looked]
            assert shown[0]["hand"]["result"] is not None
            assert f"table.{seats[0].table_id}" not in rung
        if looked[0]["state"] == "finished":
            break
        assert made.over is None
        for one in seats:
            table.ready(one.table_id, one.user_id)
        rung.clear()
    sheet = Game.objects.get().sheet
    told = {"at once": (sheet.pk, False), "the long way": (None, True)}
    assert (made.over, made.seen is None) == told[way]
    assert rung.count(f"table.{seats[0].table_id}") == (way == "the long way")
    assert Hand.objects.count() == sheet.hands.count() > 1
    assert Hand.objects.filter(ended_at=None).count() == 0
    if made.over is not None:
        assert not looked[0]["end"]["bonuses_written"]
        table.send_for_bonuses(made.over)
    assert table.look(seats[0].table_id, seats[0].user_id)["end"]["bonuses_written"]


def test_the_end_of_a_hand_asks_so_many_statements_and_no_more(seats, way):
    click, rows = click_of(to_the_last_move(seats), seats), []

    def hear(execute, text, *rest):
        if not text.startswith(("BEGIN", "COMMIT", "SELECT id FROM")):  # of one database alone
            rows.append(text)
        return execute(text, *rest)

    # The long way: the session, and where they stand, behind a lock; the move, the hand closed, the
    # sheet behind a lock, its lines and hands; the line and the hand written. At once: the move,
    # two conditions, and the three that are written. Then sessions, the table, three of its sheet.
    with connection.execute_wrapper(hear):
        table.make_and_show(click)
    most = {"at once": 11, "the long way": 14}[way]
    assert len(rows) <= most, "\n".join(rows)


@pytest.mark.skipif(connection.vendor != "postgresql", reason="a call, and no way")
def test_at_once_is_one_way_to_the_database_and_back(seats, way, monkeypatch):
    click, ways = click_of(to_the_last_move(seats), seats), []
    together = hot._together
    monkeypatch.setattr(hot, "_together", lambda asked: ways.append(asked) or together(asked))
    table.make_and_show(click)
    assert len(ways) == (1 if way == "at once" else 4)


SPOILT = {
    "the hand is over": "UPDATE games_hand SET ended_at = dealt_at",
    "another change": "UPDATE games_table SET changes = changes + 1",
    "the sheet is over": "UPDATE scoring_scoresheet SET how = 'voided', ended_at = started_at",
    "a hand is on the sheet": "INSERT INTO scoring_sheethand (sheet_id, number, kind, idle,"
    " knocker_deadwood, defender_deadwood, spade, written_at)"
    " SELECT id, 7, 'void', FALSE, 0, 0, FALSE, started_at FROM scoring_scoresheet",
    "a line is on the sheet": "INSERT INTO scoring_scoreline (sheet_id, seat, kind, hand, base,"
    " bonus, multiplier, reason, author, written_at)"
    " SELECT id, 0, 'correction', NULL, 1, 0, 1, 'why', 'who', started_at FROM scoring_scoresheet",
}


AT_ONCE = pytest.mark.parametrize("way", ["at once"], indirect=True)


@AT_ONCE
@pytest.mark.parametrize("why", SPOILT)
def test_where_something_is_not_as_it_was_seen_nothing_is_stored_at_once(seats, way, why):
    click, made = click_of(to_the_last_move(seats), seats), Move.objects.count()
    table.look(seats[0].table_id, seats[0].user_id)
    with connection.cursor() as spoiling:
        spoiling.execute(SPOILT[why])
    before = stored()
    with pytest.raises(Refused):
        table.make_and_show(click)
    assert Move.objects.count() == made
    assert stored() == before


def stored():
    """Everything the end of a hand writes."""
    game = Game.objects.get()
    sheet = game.sheet
    ended = [hand.ended_at for hand in game.hands.all()]
    return game.ended_at, sheet.how, sheet.hands.count(), sheet.lines.count(), ended


@AT_ONCE
def test_two_who_end_a_hand_at_the_same_time_end_it_once(seats, way, monkeypatch):
    """Both saw it open: what the first has written is found by the second behind its locks."""
    click = click_of(to_the_last_move(seats), seats)
    seen = endings.foresee(click)
    monkeypatch.setattr(endings, "foresee", lambda _click: seen)
    assert table.make_and_show(click).seen[0]["state"] == "between"
    before = stored()
    with pytest.raises(Refused):
        table.make_and_show(click)
    assert stored() == before


def test_a_session_that_is_over_ends_no_hand(seats):
    mover = to_the_last_move(seats)
    click, made = click_of(mover, seats), Move.objects.count()
    Session.objects.filter(pk=mover.held.session_key).delete()
    with pytest.raises((SignedOut, Refused)):
        table.make_and_show(click)
    assert Move.objects.count() == made
    assert Hand.objects.filter(ended_at=None).exists()


def test_who_is_signed_out_is_shown_no_showdown(seats):
    mover = to_the_last_move(seats)
    click, other = click_of(mover, seats), next(one for one in seats if one is not mover)
    Session.objects.filter(pk=other.held.session_key).delete()
    seen = dict(zip(seats, table.make_and_show(click).seen, strict=True))
    assert isinstance(seen[other], SignedOut)
    assert seen[mover]["state"] == "between"


def test_a_click_made_twice_ends_a_hand_once(seats):
    click = click_of(to_the_last_move(seats), seats)
    assert table.make_and_show(click).seen[0]["state"] == "between"
    with pytest.raises(Refused):
        table.make_and_show(click)
    assert Game.objects.get().sheet.hands.count() == 1


WHY = [(ValueError, "ERROR"), (OperationalError, "WARNING")]  # a database that is gone is no fault


@pytest.mark.parametrize(("error", "level"), WHY)
def test_a_hand_whose_showdown_cannot_be_drawn_is_over_all_the_same(
    seats, monkeypatch, caplog, error, level
):
    click = click_of(to_the_last_move(seats), seats)

    def broken(*_asked):
        raise error

    monkeypatch.setattr(looks, "look_together", broken)
    assert table.make_and_show(click).seen == []  # upon which everybody's bell is rung
    assert not Hand.objects.filter(ended_at=None).exists()
    assert [record.levelname for record in caplog.records] == [level]


@pytest.mark.parametrize("elsewhere", ["the computer", "letters"])
def test_the_bell_waits_for_no_broker_that_is_asked_for_who_is_next(
    waiting, alice, bob, rung, settings, monkeypatch, elsewhere
):
    settings.EMBEDDED, settings.WRITES_LETTERS, settings.THINKS = False, True, True
    monkeypatch.setattr("games.dealing.first_dealer", lambda seats=2: 1)
    monkeypatch.setattr("celery.current_app.send_task", lambda *_task, **_how: rung.append("task"))
    if elsewhere == "letters":
        Room.objects.update(pace="day")
        table.sit_down(waiting, bob.pk)
    else:
        table.seat_bot(waiting, alice.pk, "beginner")
    rung.clear()
    her = Seat(alice, waiting)
    at, _text = her.stands()
    click = Click(waiting, her.held, "pass", at, None, [Onlooker(her.held, "fr")])
    assert table.make_and_show(click).seen is None  # the bell has told her to look
    assert rung == [f"table.{waiting}", "task"]
