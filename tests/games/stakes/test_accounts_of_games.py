"""How a game's chips were shared out, on its last page and in the talk of its table."""

from __future__ import annotations

import csv
import io
import json

import pytest
from django.db import IntegrityError, transaction
from django.utils import translation

from accounts.models import User
from games import files, rooms, table, talk
from games.history import exports, persons
from games.models import Game, Message, Room, Table
from games.presets import rule_set
from games.stakes import account_of
from scoring import chips, ledger
from scoring.ledger import SeatEntry
from scoring.rules import HandResult
from scoring.rules.stakes import Stakes
from tests.games.stakes.test_stakes_words import plain

pytestmark = pytest.mark.django_db

MONEY = {"mode": "money", "amount": "0.75", "commission": "house"}
MATCH = {"mode": "match", "amount": "2.50", "commission": "house"}


@pytest.fixture
def told(alice, bob):
    """The account of a game of alice's and bob's, for whoever reads."""

    def tell(stakes, hands=(), left=None, preset="money_play", reader=None, write=True, correct=0):
        players = [SeatEntry("alice", alice.pk), SeatEntry("bob", bob.pk)]
        with transaction.atomic():
            sheet = ledger.open_sheet(rule_set({"preset": preset}).as_dict(), players)
            chips.put_up(sheet, Stakes.from_dict(stakes), [alice.pk, bob.pk], 7)
        for number, hand in enumerate(hands, 1):
            ledger.record_hand(sheet, number, hand)
        if left:
            ledger.end_sheet(sheet, *left)
        if write:
            ledger.write_bonuses(sheet)
        if correct:
            ledger.write_correction(sheet, 0, correct, "Décompte", "chief")
        with translation.override("fr"):
            account = account_of(ledger.read_sheet(sheet), chips.outcome(sheet), reader)
        assert account is not None
        return account

    return tell


def sums(account):
    return [(plain(line.label), plain(line.amount)) for line in account.sums]


def test_money_play_shows_points_price_commission_and_what_is_left(told):
    account = told(MONEY, [HandResult(0, "knock", 4, 44), HandResult(0, "gin", 0, 40)], reader=0)
    # 105 + 2 x 25 + 100 + the shutout of 100, far beyond 200 points.
    assert sums(account) == [
        ("Cave, 200 × 0,75", "150,00"),
        ("355 points (355 − 0) × 0,75", "266,25"),
        ("Jamais plus que la cave", "150,00"),
        ("Commission, 10 % de 150,00", "−15,00"),
        ("Gain net", "135,00 jetons"),
    ]
    assert account.verdict == "Vous gagnez 135,00 jetons."


def test_what_two_places_do_not_show_is_written_to_the_last(told):
    hands = [
        HandResult(1, "knock", 4, 50), HandResult(0, "knock", 2, 52), HandResult(0, "gin", 0, 27),
    ]  # fmt: skip
    account = told(MONEY, hands)
    # 102 + 50 + 100 against 46 + 25: 181 points are 135.75, and a tenth of that 13.575.
    assert sums(account)[1:] == [
        ("181 points (252 − 71) × 0,75", "135,75"),
        ("Commission, 10 % de 135,75 = 13,575", "−13,58"),
        ("alice, gain net = 122,175", "122,18 jetons"),
    ]


def test_the_least_commission_is_told_too(told):
    stakes = {**MATCH, "amount": "0.01"}
    account = told(stakes, [HandResult(0, "gin", 0, 90)], preset="match_play")
    assert sums(account)[1:] == [
        ("Commission, 7,5 % de 0,02 = 0,0015", "−0,00"),
        ("Versé au gagnant = 0,0185", "0,02 jeton"),
    ]


def test_a_correction_changes_totals_and_no_chips(told):
    hands = [HandResult(0, "knock", 4, 64), HandResult(0, "knock", 4, 44)]
    plainly, corrected = (told(MONEY, hands, correct=by) for by in (0, -40))
    assert sums(corrected) == sums(plainly)
    assert "(350 − 0)" in sums(corrected)[1][0]


def test_whoever_leaves_money_play_pays_as_if_the_target_had_been_reached(told):
    account = told(MONEY, [HandResult(1, "knock", 4, 24)], left=("resigned", 0), reader=0)
    assert sums(account)[1][0] == "245 points (comme si l’objectif était atteint) × 0,75"
    assert account.verdict == "Vous perdez 150,00 jetons."


def test_the_winner_of_a_match_takes_the_pot(told):
    account = told(MATCH, [HandResult(0, "gin", 0, 90)], preset="match_play")
    assert sums(account) == [
        ("Pot, 2 × 2,50", "5,00"),
        ("Commission, 7,5 % de 5,00 = 0,375", "−0,38"),
        ("Versé au gagnant = 4,625", "4,63 jetons"),
    ]
    assert plain(account.sentence) == (
        "alice gagne 2,13 jetons. Pot, 2 × 2,50 : 5,00 · Commission, 7,5 % de 5,00 = 0,375 : −0,38 "
        "· Versé au gagnant = 4,625 : 4,63 jetons"
    )


def test_a_game_without_a_winner_gives_everything_back(told):
    account = told(MATCH, left=("called_off", None), preset="match_play")
    assert sums(account) == [("Rendu à chacun", "2,50 jetons")]


def test_until_the_bonuses_are_written_the_figures_are_marked(told):
    account = told(MONEY, [HandResult(0, "gin", 0, 90)], write=False)
    assert account.pending
    assert ("Jamais plus que la cave", "150,00") in sums(account)


def resigned(alice, bob):
    """Bob has resigned a match for chips; nothing is settled yet."""
    room = rooms.open_room(alice.pk, "Salle", {"preset": "match_play"}, stakes=MATCH)
    rooms.join_room(Room.objects.get(pk=room).invitation, bob.pk)
    at = Table.objects.get(room_id=room).pk
    table.sit_down(at, bob.pk)
    table.resign(at, bob.pk)
    return at


@pytest.fixture
def over(alice, bob):
    """The same, settled."""
    at = resigned(alice, bob)
    ledger.write_bonuses(Game.objects.get().sheet_id)
    return at


def test_the_table_says_once_what_its_game_came_to(over, alice, bob, charlie):
    for user in (alice, bob, alice):
        view = table.look(over, user.pk)
    assert view["end"]["chips"]["verdict"] == "Vous gagnez 2,13 jetons."
    (line,) = talk.recent(None, over, bob.pk)
    assert line["user"] is None
    assert line["text"].startswith("alice gagne 2,13 jetons.")
    with pytest.raises(talk.Unsaid):
        talk.report(line["id"], bob.pk)
    with pytest.raises(talk.Unsaid):
        talk.recent(None, over, charlie.pk)


def test_what_was_settled_after_the_rematch_began_is_said_all_the_same(alice, bob):
    at = resigned(alice, bob)
    first = Game.objects.get().sheet_id
    for user in (alice, bob):
        table.rematch(at, user.pk)
    table.look(at, alice.pk)
    assert not Message.objects.exists()
    ledger.write_bonuses(first)
    for _twice in range(2):
        table.look(at, alice.pk)
    assert Message.objects.get().sheet_id == first


def test_the_database_itself_lets_nobody_speak_for_the_table(over, alice):
    table.look(over, alice.pk)
    for change in ({"text": "J’ai tout gagné"}, {"user": User.objects.get(pk=alice.pk)}):
        refused = pytest.raises(IntegrityError, match="what_a_table_says_is_nobodys")
        with refused, transaction.atomic():
            Message.objects.update(**change)


def test_a_file_tells_the_stakes_and_moves_no_chips_when_it_is_brought_back(over, bob, client):
    client.force_login(bob)
    sheet = Game.objects.get().sheet_id
    game = client.get(f"/sheets/{sheet}.json").json()
    assert game["stakes"]["settled"]["paid"] == ["4.6250", "0.0000"]
    text = client.get(f"/sheets/{sheet}.csv").content.decode("utf-8-sig")
    rows = [one for one in csv.DictReader(io.StringIO(text)) if one["chips"]]
    assert [(one["kind"], one["name"], one["chips"]) for one in rows] == [
        ("put up", "alice", "-2.5000"),
        ("put up", "bob", "-2.5000"),
        ("paid", "alice", "4.6250"),
        ("paid", "bob", "0.0000"),
        ("commission", "", "0.3750"),
    ]
    packed = exports.written(ledger.read_sheet(sheet)).files.values()
    assert all("4.6250" in one for one in packed)
    before = chips.wallet(bob.pk)
    game["hands"] = [
        {"winner": 0, "kind": "gin", "knocker_deadwood": 0, "defender_deadwood": 7}
    ]
    new = files.bring(bob.pk, files.told_in(json.dumps(game)), 0)
    assert chips.outcome(new) is None
    assert chips.wallet(bob.pk) == before
    told = json.loads(persons.written(bob.pk)["chips.json"])
    assert [one["amount"] for one in told["wallet"]] == ["1000.0000", "-2.5000"]
