"""What script/attack does within the site: seat everybody, and judge at the end, from the facts."""

from __future__ import annotations

import contextlib
import io
import json
from pathlib import Path
from typing import Any

from django.contrib.admin.models import LogEntry
from django.contrib.auth import get_user_model
from django.core.management import CommandError, call_command
from django.forms.models import model_to_dict

from accounts.models import Suspension
from games import rooms, table, talk
from games.models import Block, Game, Member, Message, Move, Mute, Room, Table
from script import attack_secrets, soak_checks
from tests.permissions import PAGES, WORDS, message
from tests.sockets import cookie_of
from tests.world import WHO

PASSWORD = "violette-et-bois-mort-7"  # noqa: S105 - looked for in all that is answered
# Rows of one person a few seconds apart at most: what games/talk.py allows.
SAYS_AT_MOST, WITHIN = talk.SAYS_AT_MOST, talk.WITHIN


def lay_ground(tables: int, crowd: int, folder: str) -> None:
    """Honest people at their tables, the last of them open to all; and those who attack.

    Mallory and Trudy sit at a table of their own; Charlie sits nowhere, nor does the crowd.
    """
    soak_checks.lay(tables, folder)
    alice, bob = _person("a 0"), _person("b 0")
    alice.email = "alice@secret.example"
    alice.set_password(PASSWORD)
    alice.save()
    place = Table.objects.order_by("pk")[0]
    line = talk.say(place.room_id, None, bob.pk, "Bonsoir")
    told = json.loads((Path(folder) / "places.json").read_text())
    told[0][1] = cookie_of(alice)  # her new password ended the session she had
    (Path(folder) / "places.json").write_text(json.dumps(told))
    open_table = Table.objects.order_by("pk").last()
    Room.objects.filter(pk=open_table.room_id).update(is_public=True)
    game = Game.objects.get(table=place)
    honest = {
        "room": place.room_id, "table": place.pk, "line": line, "alice": alice.pk, "bob": bob.pk,
        "dora": bob.pk, "charlie": alice.pk, "sheet": game.sheet_id, "game": game.pk,
        "chief": alice.pk, "staff": bob.pk, "eve": bob.pk, "camille": bob.pk,
    }  # fmt: skip
    people = {name: _attacker(name) for name in ("charlie", "mallory", "trudy", "leaver")}
    room_id = rooms.open_room(people["mallory"][0], "Antre", {"preset": "complete"})
    invite = rooms.room_page(room_id, people["mallory"][0])["invite"]
    for name in ("trudy", "leaver"):
        rooms.join_room(invite, people[name][0])
    den = Table.objects.get(room_id=room_id)
    table.sit_down(den.pk, people["trudy"][0])
    (Path(folder) / "before.json").write_text(json.dumps(standing()))
    print(json.dumps({
        **people, "crowd": [_attacker(f"crowd {n}") for n in range(crowd)], "honest": honest,
        "open_table": open_table.pk, "den": room_id, "den_table": den.pk, "said": _said(honest),
        "rows": [(one.method, one.address, one.sent, one.answers[WHO.index("charlie")])
                 for one in PAGES],
    }))  # fmt: skip


def _said(honest: dict[str, Any]) -> list[dict[str, Any]]:
    """Every word a socket knows, as browsers say it, and every kind of move."""
    numbers = {**honest, "open_line": honest["line"]}
    rows = {row.text: row for some in WORDS.values() for row in some}
    said = [message(row, numbers) for row in rows.values()]
    moves = ("pass", "draw stock", "draw discard", "discard 7h", "big gin",
             "knock 7h 3d3h3s 7c8c9cTc")  # fmt: skip
    return said + [{"move": one, "at": [1, 3], "game": honest["game"]} for one in moves]


def _person(name: str) -> Any:
    return get_user_model().objects.get(username=name)


def _attacker(name: str) -> tuple[int, str]:
    person = get_user_model().objects.create(username=name, name_key=name.replace(" ", ""))
    return person.pk, cookie_of(person)


def honest_rooms() -> Any:
    """Those nobody but their two people may enter."""
    return Room.objects.filter(name="Salle", is_public=False, owner__username__startswith="a ")


def standing() -> dict[str, Any]:
    """Whatever no attack may change: who the honest are, and what is theirs."""
    people = get_user_model().objects.filter(username__regex=r"^[ab] \d+$").order_by("pk")
    ids = [one.pk for one in people]
    theirs = honest_rooms()
    said = Message.objects.filter(room__in=theirs, user__isnull=False)
    them = {one.pk: {**model_to_dict(one), "last_login": None} for one in people}
    found = {
        "people": them, "rooms": [model_to_dict(one) for one in theirs.order_by("pk")],
        "members": list(Member.objects.filter(room__in=theirs).order_by("pk").values()),
        "tables": list(Table.objects.filter(room__in=theirs).order_by("pk").values("pk", "room")),
        "seats": sorted(set(Game.objects.filter(table__room__in=theirs)
                            .values_list("table_id", "seats__user_id"))),
        "said": list(said.order_by("pk").values("pk", "user_id", "text")),
        "muted": list(Mute.objects.filter(user__in=ids).values()),
        "blocked": list(Block.objects.filter(user__in=ids).values()),
        "suspended": Suspension.objects.count(), "journal": LogEntry.objects.count(),
        "with rights": list(get_user_model().objects.filter(is_staff=True).values("pk")),
    }  # fmt: skip
    done: dict[str, Any] = json.loads(json.dumps(found, default=str))
    return done


def judge(folder: str) -> None:
    """Print as JSON what was looked at, and each thing that is wrong."""
    place = Path(folder)
    with contextlib.redirect_stdout(io.StringIO()) as said:
        soak_checks.check(folder)
    findings = json.loads(said.getvalue().splitlines()[-1])
    wrong = [f"{count} {name.replace('_', ' ')}" for name, count in findings.items()
             if count and name in ("lost", "doubled", "without_bonuses", "bonuses_not_once",
                                   "out_of_step", "not_back")]  # fmt: skip
    if not findings["acknowledged"]:
        wrong.append("no honest move was acknowledged")
    wrong += [*_audited(), *_moves_nobody_sent(place), *_changed(place), *_floods_of_talk()]
    wrong += attack_secrets.leaks(place, set(honest_rooms().values_list("pk", flat=True)))
    print(json.dumps({"findings": findings, "wrong": wrong}))


def _audited() -> list[str]:
    wrong = []
    for command in ("audit_sheets", "audit_chips"):
        told = io.StringIO()
        try:
            call_command(command, stdout=told, stderr=told)
        except (CommandError, SystemExit) as error:
            wrong.append(f"{command}: {error} {told.getvalue()[-500:]}")
    return wrong


def _moves_nobody_sent(place: Path) -> list[str]:
    """At honest tables every move was sent by its own player, and by nobody else."""
    tables, sent = set(), set()
    for line in (place / "sent.jsonl").read_text().splitlines():
        one = json.loads(line)
        tables.add(one["table"])
        if "move" in (said := one["said"]):
            sent.add((said["game"], said["at"][0], said["at"][1] + 1, *said["move"].split()[:2]))
    stored = Move.objects.filter(hand__game__table__in=tables)
    rows = stored.values_list("hand__game_id", "hand__number", "ply", "text")
    strange = [row for row in rows if (*row[:3], *row[3].split()[:2]) not in sent]
    return [f"moves nobody sent: {len(strange)}, like {strange[0]}"] if strange else []


def _changed(place: Path) -> list[str]:
    before, now = json.loads((place / "before.json").read_text()), standing()
    return [f"changed by attackers: {name}" for name in before if before[name] != now[name]]


def _floods_of_talk() -> list[str]:
    """However many windows and doors: nobody said more than one may."""
    times: dict[int, list[Any]] = {}
    for user_id, at in Message.objects.exclude(user=None).order_by("said_at").values_list(
        "user_id", "said_at"
    ):
        times.setdefault(user_id, []).append(at)
    quick = sum(
        late - early < WITHIN / 2
        for some in times.values()
        for early, late in zip(some, some[SAYS_AT_MOST:], strict=False)
    )
    return [f"{quick} lines were said too fast"] if quick else []
