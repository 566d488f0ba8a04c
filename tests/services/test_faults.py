"""What dies, dies for real: web processes, workers, the broker and the database."""

from __future__ import annotations

import json
import socket
import threading
import time
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import ExitStack

import pytest
from django.db import connection, transaction
from kombu import pools
from websockets.exceptions import ConnectionClosed
from websockets.sync.client import connect

from games import table
from games.models import Table
from games.sockets import TRY_AGAIN
from ginrami.celery import app
from ginrami.homecoming import GO_HOME
from scoring import ledger, tasks
from scoring.models import ScoreLine, ScoreSheet
from tests import processes
from tests.games.players import play_hand
from tests.processes import wait_until
from tests.sockets import Line, cookie_of, two_at_a_table

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture
def cookies(alice, bob) -> list[str]:
    return [cookie_of(alice), cookie_of(bob)]


def in_turn(*lines: Line) -> Line:
    """The line of whoever must act, once both have the same view."""
    newest = max(line.view["version"] for line in lines)
    for line in lines:
        line.wait_for(newest)
    return next(line for line in lines if line.my_turn)


def bonuses() -> Counter[tuple[str, int]]:
    return Counter(ScoreLine.objects.filter(hand=None).values_list("kind", "seat"))


def test_players_on_two_processes_see_each_other_move(web_process, table_id, cookies):
    first, second = web_process(), web_process()
    hers, his = Line(first, table_id, cookies[0]), Line(second, table_id, cookies[1])
    for _ in range(2):
        in_turn(hers, his).move("pass")
    assert in_turn(hers, his).view["at"] == [1, 2]


def test_a_web_process_killed_between_draw_and_discard_loses_nothing(
    web_process, table_id, cookies
):
    doomed, other = web_process(), web_process()
    hers, his = Line(doomed, table_id, cookies[0]), Line(doomed, table_id, cookies[1])
    for _ in range(2):
        in_turn(hers, his).move("pass")
    drawer = in_turn(hers, his)
    before = drawer.move("draw stock")
    doomed.kill()
    again = Line(other, table_id, cookies[before["seat"]])
    assert again.view["hand"] == before["hand"]
    assert len(again.view["hand"]["held"]) == 11
    again.say(move="draw stock", at=again.view["at"])
    assert again.hear("refused")["code"] != "stale"
    assert again.move(f"discard {again.view['hand']['best_discard']}")["at"] == [1, 4]


def test_who_came_while_a_process_was_away_is_let_go_when_it_is_back(
    web_process, table_id, cookies
):
    """What stands before the processes gives each table its own; who comes then stays."""
    left = web_process()
    away = [Line(left, table_id, cookie) for cookie in cookies]
    back = web_process()
    home = Line(back, table_id, cookies[0])
    for line in away:
        with pytest.raises(ConnectionClosed):
            line.hear("the end")
        assert line.socket.close_code == GO_HOME
    hers, his = home, Line(back, table_id, cookies[1])
    in_turn(hers, his).move("pass")
    assert in_turn(hers, his).view["at"] == [1, 1]


def test_a_restarted_database_is_said_plainly_and_play_goes_on(
    own_postgres, own_valkey, tmp_path, settings
):
    env = {
        "DATABASE_URL": own_postgres.url,
        "REDIS_URL": own_valkey.url,
        "SECRET_KEY": settings.SECRET_KEY,
        "SITE_URL": "http://localhost",
        "DATA_DIR": str(tmp_path / "data"),
    }
    processes.prepare(env)
    number, cookies = two_at_a_table(env)
    with ExitStack() as stack:
        web = processes.Web(env, tmp_path)
        stack.callback(web.kill)
        web.wait()
        hers, his = (Line(web, number, cookie) for cookie in cookies)
        in_turn(hers, his).move("pass")
        mover = in_turn(hers, his)
        own_postgres.stop()
        mover.say(move="pass", at=mover.view["at"])
        assert mover.hear("refused", 20)["code"] == "unavailable"
        for line in (hers, his):  # also who asks for nothing
            assert line.hear("reach", 20) == {"type": "reach", "bells": True, "database": False}
        with connect(
            f"ws://localhost:{web.port}/ws/tables/{number}/", proxy=None,
            origin=web.url, additional_headers={"Cookie": cookies[0]},
        ) as newcomer:  # fmt: skip
            assert json.loads(newcomer.recv(timeout=20))["code"] == "unavailable"
            with pytest.raises(ConnectionClosed):
                newcomer.recv(timeout=20)
            assert newcomer.close_code == TRY_AGAIN
        assert web.get("/help/")[0] == 503  # a page, which the log tells of in one line
        own_postgres.start()
        for line in (hers, his):
            assert line.hear("reach", 30)["database"] is True
        assert mover.move("pass")["at"] == [1, 2]
        assert "Traceback" not in web.log()


def test_a_dead_redis_stops_no_move_is_said_plainly_and_rings_again_when_it_is_back(
    own_valkey, web_process, table_id, cookies
):
    """Sockets stay open and new ones are let in; what nobody can ring, each process looks for."""
    here, there = (web_process(REDIS_URL=own_valkey.url) for _ in range(2))
    hers, his = Line(here, table_id, cookies[0]), Line(there, table_id, cookies[1])
    in_turn(hers, his).move("pass")
    mover = in_turn(hers, his)
    own_valkey.stop()
    for line in (hers, his):
        assert line.hear("reach", 20) == {"type": "reach", "bells": False, "database": True}
    after = mover.move("pass")
    for line in (hers, his):
        assert line.wait_for(after["version"])["at"] == [1, 2]  # though nobody asked
    newcomer = Line(here, table_id, cookies[0])
    assert newcomer.view["at"] == [1, 2]
    assert newcomer.hear("reach", 20)["bells"] is False
    status, report = here.get("/healthz/ready/")
    assert (status, json.loads(report)["status"]) == (200, "degraded")  # play goes on
    assert json.loads(report)["parts"]["cache"] == {"state": "down"}
    assert here.get("/healthz/ready/?all")[0] == 503
    own_valkey.start()
    for line in (hers, his, newcomer):
        assert line.hear("reach", 20)["bells"] is True
    after = in_turn(hers, his).move("draw stock")
    for line in (hers, his, newcomer):
        assert line.wait_for(after["version"])["at"] == [1, 3]
    assert "Traceback" not in here.log() + there.log()


def test_a_task_delivered_twice_writes_each_bonus_once(worker_process, table_id, alice):
    worker = worker_process()
    play_hand(table_id, list(table_players(table_id)))
    table.resign(table_id, alice.pk)
    sheet = ScoreSheet.objects.get()
    for _ in range(3):
        tasks.write_bonuses.delay(sheet.pk)
    wait_until(lambda: worker.log().count("succeeded") >= 4, 20, "all deliveries are done")
    assert set(bonuses().values()) == {1}
    sheet.refresh_from_db()
    assert sheet.bonuses_at is not None


def table_players(table_id: int) -> list[int]:
    seats = Table.objects.get(pk=table_id).games.get().seats.order_by("seat")
    return list(seats.values_list("user_id", flat=True))


def test_a_worker_killed_in_the_middle_of_the_bonuses_leaves_them_to_the_next(
    worker_process, beat_process, table_id, alice
):
    worker = worker_process()
    sheet = ScoreSheet.objects.get()
    with transaction.atomic():
        # The task waits for this lock: the worker is killed while it is in the middle.
        ScoreSheet.objects.select_for_update().get(pk=sheet.pk)
        ledger.end_sheet(sheet.pk, how="resigned", by=0)
        tasks.write_bonuses.delay(sheet.pk)
        worker.wait_for("scoring.tasks.write_bonuses")
        time.sleep(0.3)
        worker.kill()
    assert bonuses() == Counter()
    worker_process()
    beat_process()
    wait_until(lambda: bool(bonuses()), 30, "the sweep writes the bonuses")
    assert set(bonuses().values()) == {1}


@pytest.fixture
def silent_broker() -> Iterator[str]:
    """A broker that accepts connections and never answers."""
    with socket.create_server(("127.0.0.1", 0)) as server:
        held: list[socket.socket] = []

        def accept() -> None:
            try:
                while True:
                    held.append(server.accept()[0])
            except OSError:
                return

        threading.Thread(target=accept, daemon=True).start()
        yield f"redis://127.0.0.1:{server.getsockname()[1]}/0"
        for one in held:
            one.close()


@pytest.fixture
def broker(request: pytest.FixtureRequest) -> str:
    if request.param == "silent":
        return request.getfixturevalue("silent_broker")
    return f"redis://127.0.0.1:{processes.free_port()}/0"


@pytest.fixture
def with_broker() -> Iterator[Callable[[str], None]]:
    """Point this process's Celery at another broker."""
    usual = app.conf.broker_url

    def use(url: str) -> None:
        app.conf.broker_url = app.conf.broker_write_url = url
        pools.reset()  # closes them, and forgets that they were closed
        app._pool = None
        app.amqp._producer_pool = None

    yield use
    use(usual)


@pytest.mark.parametrize("broker", ["silent", "gone"], indirect=True)
def test_a_game_ends_at_once_though_the_broker_is_out_of_reach(
    broker, with_broker, table_id, alice
):
    with_broker(broker)
    ending = threading.Thread(target=lambda: (table.resign(table_id, alice.pk), connection.close()))
    ending.start()
    ending.join(30)  # with the broker's usual patience it takes longer than a minute
    assert not ending.is_alive()
    assert ScoreSheet.objects.get().how == "resigned"
    assert bonuses() == Counter()
    tasks.sweep_bonuses()
    assert bonuses()[("game", 1)] == 1


def test_a_lost_task_is_swept_up(worker_process, beat_process, table_id):
    sheet = ScoreSheet.objects.get()
    ledger.end_sheet(sheet.pk, how="resigned", by=1)  # and nobody sends the task
    worker_process()
    beat_process()
    wait_until(lambda: bool(bonuses()), 20, "the sweep finds the sheet")
    assert set(bonuses().values()) == {1}


def test_the_database_refuses_a_second_writing_by_hand(table_id):
    sheet = ScoreSheet.objects.get()
    ledger.end_sheet(sheet.pk, how="resigned", by=1)
    ledger.write_bonuses(sheet.pk)
    with connection.cursor() as cursor, pytest.raises(Exception, match="each_bonus_once"):
        cursor.execute(
            "INSERT INTO scoring_scoreline (sheet_id, seat, kind, base, bonus, multiplier, reason,"
            " author, written_at) SELECT sheet_id, seat, kind, base, bonus, multiplier, reason,"
            " author, written_at FROM scoring_scoreline WHERE kind = 'game'"
        )
