"""A deal that is over can be checked, who cheats is caught, and no secret leaves early."""

from __future__ import annotations

import json
import re
import runpy
import subprocess
import sys
from dataclasses import replace
from io import StringIO

import pytest
from django.conf import settings as site
from django.core.management import CommandError, call_command
from django.test import Client

from games import dealing, reading, table
from games.engine.shuffle import Stream
from games.fair import chain
from games.fair.finding import NotProven, proof_of
from games.fair.proof import faults
from games.models import Game, Hand, Seed, Shuffle
from tests.games.players import play_hand

pytestmark = [pytest.mark.django_db, pytest.mark.shuffles]

HEX = re.compile(r"\b[0-9a-f]{64}\b")


@pytest.fixture
def proof(between):
    """The first hand is over, dealt from substitutes."""
    return proof_of(Game.objects.get().pk, 1)


SCRIPT = site.BASE_DIR / "templates" / "help" / "check_deal.txt"


def printed_script(name, told):
    (name / "proof.json").write_text(json.dumps(told))
    return subprocess.run(
        [sys.executable, "-I", SCRIPT, name / "proof.json"], capture_output=True, text=True
    )


def swapped(deck):
    return deck[2:4] + deck[:2] + deck[4:]


def test_what_was_dealt_follows_from_what_was_published(proof):
    assert faults(proof) == []
    assert [seat.replaced for seat in proof.seats] == [True, True]


def dealt_by(proof):
    """The same proof with the deck its values make: only what was published can give it away."""
    values = [bytes.fromhex(seat.value) for seat in proof.seats]
    stream = Stream(bytes.fromhex(proof.secret), proof.game, proof.hand, values)
    dealer = dealing.first_dealer(stream, len(values) or 1)
    return replace(proof, dealer=dealer, deck=dealing.fresh_deck(stream))


def beyond_the_chain(proof):
    """A secret whose hash is what was published only after more steps than a chain has."""
    secret, first = bytes(32), proof.hand - chain.LINKS
    published = chain.hashed_back(secret, chain.LINKS + 1).hex()
    return replace(proof, secret=secret.hex(), first=first, commitment=published)


def given(seat):
    return replace(seat, value="ab" * 32, replaced=False,
                   bound_by=chain.hashed(bytes.fromhex("ab" * 32)).hex())  # fmt: skip


def cheats(proof):
    first, second = proof.seats
    other = "ab" * 32
    earlier = chain.hashed(bytes.fromhex(proof.secret)).hex()
    return {
        "two cards swapped": (replace(proof, deck=swapped(proof.deck)), ["deck"]),
        "another secret": (replace(proof, secret=other), ["chain", "deck"]),
        "the secret of another hand": (replace(proof, secret=earlier), ["chain", "deck"]),
        "another contribution": (
            replace(proof, seats=[first, replace(second, value=other)]), ["seeds", "deck"],
        ),
        "another contribution, bound anew": (
            replace(proof, seats=[first, replace(
                second, value=other, bound_by=chain.hashed(bytes.fromhex(other)).hex()
            )]), ["seeds", "deck"],
        ),
        "another substitute": (
            replace(proof, seats=[replace(first, substitute=other), second]), ["seeds"],
        ),
        "another dealer": (replace(proof, dealer=1 - proof.dealer), ["dealer"]),
        "another game": (replace(proof, game=proof.game + 1), ["deck"]),
        "what was published for a secret": (
            dealt_by(replace(proof, secret=proof.commitment, first=proof.hand + 1)), ["chain"],
        ),
        "a link after the last": (
            dealt_by(beyond_the_chain(proof)), ["chain"],
        ),
        "a substitute as if it was given": (
            replace(proof, seats=[replace(first, replaced=False), second]), ["seeds"],
        ),
        "what was given as if it was a substitute": (
            dealt_by(replace(proof, seats=[given(first), replace(given(second), replaced=True)])),
            ["seeds"],
        ),
        "what nobody gave to": (dealt_by(replace(proof, seats=[])), ["seeds"]),
    }  # fmt: skip


def test_whoever_cheats_is_caught(proof):
    for how, (cheat, found) in cheats(proof).items():
        assert set(found) <= set(faults(cheat)), how


@pytest.mark.filterwarnings("ignore::ResourceWarning")  # it is short, and closes no file
def test_the_printed_script_agrees(proof, tmp_path, monkeypatch):
    assert "Nobody chose this deck" in printed_script(tmp_path, proof.as_dict()).stdout
    monkeypatch.setattr(sys, "argv", ["check", str(tmp_path / "proof.json")])
    for cheat, _found in cheats(proof).values():
        (tmp_path / "proof.json").write_text(json.dumps(cheat.as_dict()))
        with pytest.raises(AssertionError, match=r"another|published|nobody"):
            runpy.run_path(str(SCRIPT))


def test_a_secret_used_again_is_caught(proof, alice, bob, monkeypatch):
    """A server that deals the second hand by the first one's link."""
    monkeypatch.setattr(chain, "place_of", lambda hand, first: 1)
    for user in (alice, bob):
        table.ready(Game.objects.get().table_id, user.pk)
    monkeypatch.undo()
    play_hand(Game.objects.get().table_id, [alice.pk, bob.pk])
    assert "deck" in faults(proof_of(proof.game, 2))


def test_the_command_verifies_and_prints_the_proof(proof, tmp_path):
    out = StringIO()
    call_command("verify_deal", proof.game, 1, stdout=out)
    assert "Replaced" in out.getvalue()
    out = StringIO()
    call_command("verify_deal", proof.game, 1, "--proof", stdout=out)
    assert not printed_script(tmp_path, json.loads(out.getvalue())).returncode
    with pytest.raises(CommandError, match="no hand 9"):
        call_command("verify_deal", proof.game, 9)


def test_the_command_says_when_a_deck_was_chosen(table_id, monkeypatch, alice, bob):
    drawn = dealing.fresh_deck
    monkeypatch.setattr(dealing, "fresh_deck", lambda stream: swapped(drawn(stream)))
    table.resign(table_id, alice.pk)
    table.rematch(table_id, alice.pk)
    table.rematch(table_id, bob.pk)
    table.resign(table_id, alice.pk)
    game = Game.objects.latest("pk")
    with pytest.raises(CommandError, match="not the one these values make"):
        call_command("verify_deal", game.pk, 1)


def test_a_hand_dealt_before_there_were_proofs_cannot_be_checked(between, alice):
    Seed.objects.all().delete()
    Shuffle.objects.all().delete()
    with pytest.raises(NotProven, check=lambda refusal: refusal.code == "not_provable"):
        proof_of(Game.objects.get().pk, 1)
    browser = Client()
    browser.force_login(alice)
    page = browser.get(f"/sheets/{Game.objects.get().sheet_id}/hands/1/")
    assert "cette manche est antérieure" in page.content.decode()


def secrets_of(game):
    """Every link that is not public yet, and what is behind the hashes of substitutes."""
    shuffle = Shuffle.objects.get(game=game)
    over = Hand.objects.filter(game=game, ended_at__isnull=False).count()
    last = bytes.fromhex(shuffle.secret)
    links = {chain.link(last, at).hex() for at in range(over + 1, chain.LINKS + 1)}
    return links | (set() if over else {seed.substitute for seed in shuffle.seeds.all()})


def everything_sent(game, users):
    """All a browser can get of a game, from every page that shows something of it."""
    pages = [
        f"/tables/{game.table_id}/", f"/sheets/{game.sheet_id}/", f"/sheets/{game.sheet_id}.json",
        f"/rooms/{game.table.room_id}/", f"/sheets/{game.sheet_id}/hands/1/",
        f"/sheets/{game.sheet_id}/hands/1/proof.json?seen", f"/sheets/{game.sheet_id}/hands/2/",
        f"/sheets/{game.sheet_id}/hands/2/proof.json?seen",
        f"/sheets/{game.sheet_id}/hands/2/proof.json",
        f"/admin/games/game/{game.pk}/change/",
    ]  # fmt: skip
    for user in users:
        browser = Client()
        browser.force_login(user)
        yield from (browser.get(page).content.decode() for page in pages)
        yield json.dumps(table.look(game.table_id, user.pk)) if not user.is_staff else ""


def test_no_secret_leaves_before_its_hand_is_over(
    settings, waiting, alice, bob, admin_user, caplog, capsys
):
    settings.FAIR_PATIENCE = 10
    table.sit_down(waiting, bob.pk)
    game = Game.objects.get()
    values = {"alice": "ab" * 32, "bob": "cd" * 32}

    def nothing_leaks():
        reading.forget()
        sent = " ".join(everything_sent(game, [alice, admin_user]))
        rows = [*Shuffle.objects.all(), *Seed.objects.all(), *Hand.objects.all()]
        told = " ".join(map(repr, rows)) + " ".join(map(str, rows)) + caplog.text
        assert not secrets_of(game) & set(HEX.findall(sent + told))
        return sent

    nothing_leaks()
    for user in (alice, bob):
        bound = chain.hashed(bytes.fromhex(values[user.username])).hex()
        table.seed(waiting, user.pk, hash=bound)
    table.seed(waiting, alice.pk, bytes=values["alice"])
    assert values["alice"] not in nothing_leaks()  # not even what Alice gave, until all have
    table.seed(waiting, bob.pk, bytes=values["bob"])
    nothing_leaks()
    play_hand(waiting, [alice.pk, bob.pk])
    shown = nothing_leaks()
    assert proof_of(game.pk, 1).secret in shown
    for user in (alice, bob):
        table.ready(waiting, user.pk)
    with pytest.raises(NotProven, check=lambda refusal: refusal.code == "not_over"):
        proof_of(game.pk, 2)
    table.resign(waiting, bob.pk)
    nothing_leaks()
    assert faults(proof_of(game.pk, 2)) == []  # after a resignation too
