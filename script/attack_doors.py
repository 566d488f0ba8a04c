"""Attacks on the doors: bent forms, numbers of others, forged headers, a session that is over."""

from __future__ import annotations

import json
import re
from collections.abc import Awaitable, Callable
from functools import partial
from typing import Any
from urllib.parse import urlencode

from websockets.exceptions import ConnectionClosed, InvalidStatus

from script.attack_ground import CSRF, NOT_HERE, SIGNED_OUT, Ground, Person, Row
from script.attack_messages import say_all, shaken
from script.attack_nonsense import NUMBERS, form

# What would only end the session that attacks.
NOT_THESE = {"/account/logout/", "/account/devices/", "/account/delete/"}
STRANGE = [*map(str, NUMBERS), "1e3", "%00", "%D9%A1", "..%2f", "'", "a%0d%0aSet-Cookie:%20a=b"]
# What each word of tests/permissions.py looks like from outside.
LOOKS = {"--": {404}, "no": {403}, "in": {302}, "keep": {302}, "why": {302, 422}, "405": {405},
         "400": {400}, "401": {401}}  # fmt: skip


def _filled(ground: Ground, address: str) -> str:
    """An address with numbers of others, of one's own, and of nothing."""
    honest, den = ground.people["honest"], ground.people
    own = {"room": den["den"], "table": den["den_table"]}

    def number(found: re.Match[str]) -> str:
        name = found[1]
        some = [honest.get(name, 1), own.get(name, 2), ground.random.choice(STRANGE[:5])]
        return str(ground.random.choice(some))

    return re.sub(r"\{(\w+)\}", number, address)


async def forms(ground: Ground) -> None:
    """Every address that takes a form, with something wrong in it, signed in and not."""
    rows = [row for row in ground.rows if row.method == "POST" and row.address not in NOT_THESE]
    rows += [Row("POST", one, {}, "") for one in ("/account/login/", "/account/signup/")]
    waiting: list[Row] = []

    async def attacker() -> None:
        if not waiting:
            waiting.extend(ground.random.sample(rows, len(rows)))
        row = waiting.pop()
        who = ground.random.choice((None, ground.charlie, *ground.crowd))
        path = _filled(ground, row.address)
        sent = {name: _filled(ground, value) for name, value in row.sent.items()}
        body, kind = form(ground.random, sent, ground.pool)
        length = str(len(body) + ground.random.choice((0,) * 30 + (-3, 7)))
        headers = {"Content_Type": kind, "Content_Length": length}
        answer = await ground.ask("POST", path, who, body, 2 if len(body) != int(length) else 20,
                                  **headers)  # fmt: skip
        ground.judge(answer, f"POST {row.address} ({kind[:30]}) {body[:90]!r}")
        if "<script>alert" in answer.body:
            ground.tally.wrong[f"a script came back from {row.address}"] += 1

    await ground.many(6, attacker)


async def others(ground: Ground) -> None:
    """Each address and word of a socket with the numbers of others, as Charlie; and of nothing."""
    known = {"room", "table", "line", "sheet", "game", "alice", "bob"}
    rows = [row for row in ground.rows if row.word in LOOKS and
            (named := set(re.findall(r"\{(\w+)\}", row.address))) and named <= known]
    honest = ground.people["honest"]
    waiting: list[tuple[Row, str | None]] = [(row, None) for row in rows]
    ground.random.shuffle(waiting)
    doors = [(f"{kind}/{honest[number]}", who) for who in (ground.charlie, ground.trudy, Person())
             for kind, number in (("tables", "table"), ("rooms", "room"), ("pads", "sheet"))]

    async def attacker() -> None:
        if doors:
            place, who = doors.pop()
            await shut(ground, place, who, {NOT_HERE if who.number else SIGNED_OUT})
            return
        if not waiting:
            ground.at_least_once = True
            waiting.extend((row, ground.random.choice(STRANGE)) for row in rows)
            ground.random.shuffle(waiting)
        if ground.random.random() < 0.2:
            await _other_sockets(ground)
            return
        row, strange = waiting.pop()
        numbers = honest if strange is None else dict.fromkeys(honest, strange)
        sent = urlencode({name: str(value).format(**honest) for name, value in row.sent.items()})
        path = row.address.format(**numbers)
        answer = await ground.ask(row.method, path, ground.charlie, sent.encode())
        ground.judge(answer, f"{row.method} {row.address} with {strange}")
        may = LOOKS[row.word] | {404} if strange is None else {302, 400, 403, 404, 405}
        if answer.status not in may and answer.status < 500:
            told = f"{row.method} {row.address} with {strange} gave {answer.status}"
            ground.tally.wrong[told] += 1

    ground.at_least_once = False
    await ground.many(6, attacker)


async def _other_sockets(ground: Ground) -> None:
    """A socket of others shuts; a word that names their game, line or person does nothing."""
    honest = ground.people["honest"]
    if ground.random.random() < 0.4:
        said: list[Any] = [dict(one) for one in ground.random.sample(ground.people["said"], 20)]
        for one in said:
            one |= {name: honest.get("game" if name == "game" else "alice") for name in one
                    if name in ("game", "user")}  # fmt: skip
        place = f"tables/{ground.people['den_table']}"
        await say_all(ground, place, ground.trudy, [json.dumps(one) for one in said])
        return
    number: Any = ground.random.choice((honest["table"], honest["room"], *STRANGE))
    place = f"{ground.random.choice(('tables', 'rooms', 'pads'))}/{number}"
    who = ground.random.choice((ground.charlie, Person()))
    if str(number) == str(ground.people["open_table"]):
        return
    await shut(ground, place, who, {NOT_HERE if who.number else SIGNED_OUT})


async def shut(
    ground: Ground, place: str, who: Person, codes: set[int], **headers: str
) -> None:
    """A socket that must not be let in, or be closed with one of these before it is told more."""
    ground.tally.thrown += 1
    try:
        async with ground.socket(place, who, **headers) as line:
            try:
                await line.send('{"verb": "ping"}')  # the pages of lists say nothing by themselves
                answer = await ground.hear(line, who)
                ground.tally.wrong[f"{place} told a stranger {answer['type']}"] += 1
            except TimeoutError:
                ground.tally.wrong[f"{place} was left open to a stranger"] += 1
            except ConnectionClosed as closed:
                code = closed.rcvd.code if closed.rcvd else None
                ground.tally.answers[f"closed {code}"] += 1
                if code not in codes:
                    ground.tally.wrong[f"{place} was closed with {code}"] += 1
    except InvalidStatus as refused:
        ground.tally.answers[str(refused.response.status_code)] += 1


async def forged(ground: Ground) -> None:
    """Origins, hosts, cookies, tokens and proxies that are not what they say: each there is."""
    waiting: list[Callable[[], Awaitable[None]]] = []

    def lie() -> list[Callable[[], Awaitable[None]]]:
        lies = [partial(_forged_socket, ground, origin) for origin in _origins(ground.port())]
        lies += [partial(_forged_page, ground, headers) for headers in _headers(ground)]
        lies += [partial(_forged_form, ground, headers) for headers in _tokens(ground)]
        return ground.random.sample(lies, len(lies))

    async def attacker() -> None:
        if not waiting:
            ground.at_least_once = True
            waiting.extend(lie())
        await waiting.pop()()

    waiting.extend(lie())
    ground.at_least_once = False
    await ground.many(6, attacker)


def _origins(port: int) -> list[str]:
    return [
        "null", "", "http://evil.example", f"http://localhost:{port}.evil.example", "file://",
        f"http://localhost:{port + 1}", f"http://evil@localhost:{port + 2}", "http://[::1",
    ]  # fmt: skip


async def _forged_socket(ground: Ground, origin: str) -> None:
    place = f"tables/{ground.people['den_table']}"
    ground.tally.thrown += 1
    try:
        _reader, writer = await shaken(ground, place, ground.mallory, Origin=origin)
        writer.transport.abort()
        ground.tally.wrong[f"a socket was opened to a page of {origin!r}"] += 1
    except ConnectionError:
        ground.tally.answers["not let in"] += 1


def _cookies(ground: Ground) -> list[str]:
    """Sessions of nobody: bent, cut, guessed, signed by others."""
    key = ground.mallory.cookie.partition("=")[2]
    some = [key[:-1], key[::-1], key.upper(), key + "a", "a" * 32, "'" * 32, "\\000", "x" * 6000,
            f'"{key}', f"{key}\x00", "é" * 32, f"{key} a", "../" + key]  # fmt: skip
    return [f"sessionid={one}" for one in some] + [f"sessionid={key[:-1]}; sessionid=;;=;", "=;==;"]


def _headers(ground: Ground) -> list[dict[str, str]]:
    return [
        {"Host": "evil.example"}, {"Host": "localhost@evil.example"}, {"Host": "a b"}, {"Host": ""},
        *({"Cookie": one} for one in _cookies(ground)), {"X_Forwarded_Host": "evil.example"},
        {"X_Forwarded_For": "127.0.0.1, ::1"}, {"X_Forwarded_Proto": "https"},
        {"Daphne_Root_Path": "//evil.example"}, {"X_Request_ID": "<script>" * 40},
        {"Accept_Language": "zz-" * 900}, {"Forwarded": "for=1;host=evil.example"},
        {"X_Rewrite_URL": "/admin/"}, {"X_Original_URL": "/metrics"}, {"Transfer_Encoding": "x"},
        {"Authorization": "Bearer none"}, {"Range": "bytes=0-1,0-1,0-1"}, {"Content_Length": "-1"},
    ]  # fmt: skip


async def _forged_page(ground: Ground, headers: dict[str, str]) -> None:
    path = ground.random.choice(("/account/password/reset/", "/rooms/", "/", "/metrics", "/admin/"))
    answer = await ground.ask("GET", path, None, **headers)
    ground.judge(answer, f"GET {path} with {headers}")
    if "evil.example" in answer.head + answer.body or (
        "Host" in headers and answer.status not in (0, 400)
    ):
        ground.tally.wrong[f"{path} believed {headers}"] += 1
    if path in ("/rooms/", "/metrics", "/admin/") and answer.status == 200:
        ground.tally.wrong[f"{path} was opened by {headers}"] += 1


def _tokens(ground: Ground) -> list[dict[str, str]]:
    return [
        {"X_CSRFToken": "d" * 32}, {"X_CSRFToken": "none"}, {"X_CSRFToken": "é" * 32},
        {"Cookie": ground.mallory.cookie}, {"Origin": "http://evil.example"}, {"Origin": "null"},
        {"Cookie": f"csrftoken={CSRF[:-1]}; {ground.mallory.cookie}"},
    ]  # fmt: skip


async def _forged_form(ground: Ground, headers: dict[str, str]) -> None:
    path = f"/rooms/{ground.people['den']}/invitation/"
    answer = await ground.ask("POST", path, ground.mallory, b"", **headers)
    ground.judge(answer, f"POST {path} with {headers}")
    if answer.status != 403:
        ground.tally.wrong[f"a form forged by {headers} was taken: {answer.status}"] += 1


async def signed_out(ground: Ground) -> None:
    """Sockets of a session that signs out, and of one made up: both end, and do nothing more."""
    leaver = Person(*ground.people["leaver"])
    place = f"rooms/{ground.people['den']}"
    async with ground.socket(place, leaver) as one, ground.socket("lobby", leaver) as two:
        for line in (one, two):
            await line.send('{"verb": "ping"}')
            while (await ground.hear(line, leaver))["type"] != "pong":
                pass
        answer = await ground.ask("POST", "/account/logout/", leaver)
        ground.judge(answer, "signing out")
        for line in (one, two):
            try:
                for said in ('{"verb": "chat", "text": "encore et toujours"}', '{"verb": "ping"}'):
                    await line.send(said)
                while (heard := await ground.hear(line, leaver))["type"] != "pong":
                    if "encore et toujours" in str(heard):
                        break
                ground.tally.wrong["a socket acted for a session that was over"] += 1
            except TimeoutError:
                ground.tally.wrong["a socket outlived its session"] += 1
            except ConnectionClosed as closed:
                ground.judge_close(closed.rcvd.code if closed.rcvd else None, "signing out")

    async def attacker() -> None:
        await shut(ground, ground.random.choice((place, "lobby")), leaver, {SIGNED_OUT})

    await ground.many(3, attacker)
