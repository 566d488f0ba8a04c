"""Attacks by much of it, or by none at all: floods, and slow clients."""

from __future__ import annotations

import asyncio
import contextlib
import time
from typing import Any
from urllib.parse import urlencode

from websockets.exceptions import ConnectionClosed

from script.attack_ground import FLOOD, HOST, Ground, Person
from script.attack_messages import shaken

BUSY = 429
THOROUGH = 2.0  # seconds for each attack: where there is so much, guess until the site has enough
MANY, A_SECOND = 600, 40  # messages of one socket: more than it may say, and still sooner
SIGN_INS_AT_MOST = 30  # of one address in a minute, as ACCOUNT_RATE_LIMITS says


async def messages(ground: Ground) -> None:
    """Each socket says as much as it can until it is shown out."""

    async def attacker() -> None:
        who = ground.random.choice((ground.mallory, ground.trudy))
        move = '{"move": "pass", "at": [1, 0]}'
        said = ground.random.choice(('{"verb": "look"}', '{"verb": "ping"}', "{", move))
        patient = ground.random.random() < 0.5  # who hears each answer is not hung up on
        async with ground.socket(f"tables/{ground.people['den_table']}", who) as line:
            try:
                async with asyncio.timeout(MANY / A_SECOND):  # on a slower machine it is no flood
                    await ground.hear(line, who)
                    for _ in range(MANY):
                        await line.send(said)
                        ground.tally.thrown += 1
                        if patient:
                            await ground.hear(line, who)
                    if patient:
                        ground.tally.wrong[f"{MANY} messages in a row were answered"] += 1
                    while True:
                        await ground.hear(line, who)
            except ConnectionClosed as closed:
                code = closed.rcvd.code if closed.rcvd else None
                ground.judge_close(code, "a flood")
                if code not in ((FLOOD,) if patient else (FLOOD, None, 1006)):
                    ground.tally.wrong[f"a flood was answered with {code}"] += 1

    await ground.many(4, attacker)


async def talk(ground: Ground) -> None:
    """One person says as much as they can, over many sockets and the form at once."""
    den = ground.people["den"]

    async def attacker() -> None:
        who = ground.random.choice((ground.mallory, ground.trudy))
        if ground.random.random() < 0.3:
            body = urlencode({"text": "encore " * 20}).encode()
            ground.judge(await ground.ask("POST", f"/rooms/{den}/say/", who, body), "the talk form")
            return
        place = ground.random.choice((f"rooms/{den}", f"tables/{ground.people['den_table']}"))
        async with ground.socket(place, who) as line:
            with contextlib.suppress(ConnectionClosed):
                for _ in range(30):
                    await line.send('{"verb": "chat", "text": "encore et encore"}')
                    ground.tally.thrown += 1
                await line.send('{"verb": "nothing"}')
                while (heard := await ground.hear(line, who)).get("code") != "malformed":
                    ground.tally.answers[heard.get("code", heard["type"])] += 1

    await ground.many(4, attacker)


async def sign_ins(ground: Ground) -> None:
    """Passwords guessed, from addresses made up: nobody may guess more often by that."""
    tried: list[float] = []
    ground.at_least_once = ground.seconds < THOROUGH

    async def attacker() -> None:
        guess = {"login": ground.random.choice(("a 0", "mallory", "nobody", "é" * 200)),
                 "password": f"guess {ground.random.random()}"}  # fmt: skip
        path = ground.random.choice(("/account/login/", "/account/login/", "/account/signup/"))
        if "signup" in path:
            guess = {"username": f"z{ground.random.random()}", "password1": "123"}
        forged = ".".join(str(ground.random.randrange(256)) for _ in range(4))
        answer = await ground.ask("POST", path, None, urlencode(guess).encode(),
                                  X_Forwarded_For=forged)  # fmt: skip
        ground.judge(answer, path)
        if answer.status == 302:
            ground.tally.wrong["a guess was let in"] += 1
        if "login" in path and answer.status != BUSY:
            tried.append(time.time())
        if answer.status == BUSY or len(tried) > SIGN_INS_AT_MOST + 1:
            ground.at_least_once = True

    await ground.many(6, attacker)
    ground.at_least_once = True
    ground.tally.notes.append(f"{len(tried)} guesses were looked at")
    if len(tried) > SIGN_INS_AT_MOST + 1 and tried[-1] - tried[0] < 55:
        ground.tally.wrong[f"{len(tried)} guesses in a minute from one address"] += 1


async def pages(ground: Ground) -> None:
    """Pages as fast as they come, by many at once."""
    paths = ("/", "/rooms/", "/lobby/", "/history/", "/friends/", "/chips/", "/help/rules/",
             f"/rooms/{ground.people['den']}/", f"/tables/{ground.people['den_table']}/",
             f"/tables/{ground.people['open_table']}/", "/jsi18n/", "/nothing/")  # fmt: skip

    async def attacker() -> None:
        who = ground.random.choice((None, ground.mallory, ground.trudy, *ground.crowd))
        path = ground.random.choice(paths)
        ground.judge(await ground.ask("GET", path, who, seconds=60), f"GET {path}")

    await ground.many(ground.lines, attacker)


async def slow(ground: Ground) -> None:
    """Clients that begin and do not go on, and one that never reads while its table plays."""
    port = ground.port()
    host = f" HTTP/1.1\r\nHost: localhost:{port}\r\n".encode()
    halves = [
        b"", b"G", b"GET /" + host + b"X-a: b\r\n",
        b"POST /account/login/" + host + b"Content-Length: 900\r\n\r\nlogin=a",
        b"GET /ws/lobby/" + host + b"Upgrade: websocket\r\n",
    ]  # fmt: skip
    lines: list[Any] = []
    began = time.time()
    deaf = [await shaken(ground, f"tables/{ground.people['den_table']}", ground.mallory)
            for _ in range(5)]  # fmt: skip
    try:
        for number in range(ground.lines * 6):
            if not ground.going():
                break
            _reader, writer = lines_of = await asyncio.open_connection(HOST, ground.port())
            writer.write(halves[number % len(halves)])
            lines.append(lines_of)
            ground.tally.thrown += 1
        ground.tally.answers["held open"] = len(lines)
        while ground.going():
            for _reader, writer in lines[1::7]:
                with contextlib.suppress(ConnectionError):
                    writer.write(b"x")  # one letter, now and then
            for _reader, writer in deaf:
                with contextlib.suppress(ConnectionError):
                    writer.write(b"\x81\x90\0\0\0\0" + b'{"verb": "look"}')
            asked = time.time()
            ground.judge(await ground.ask("GET", "/healthz/live/"), "a page meanwhile")
            ground.tally.notes[:] = [f"a page meanwhile took {time.time() - asked:.2f} s"]
            await asyncio.sleep(0.3)
        ended = sum(reader.at_eof() or reader.exception() is not None for reader, _ in lines)
        ground.tally.answers[f"hung up on within {time.time() - began:.0f} s"] = ended
    finally:
        for _reader, writer in (*lines, *deaf):
            writer.transport.abort()


async def anonymous(ground: Ground) -> None:
    """Sockets of nobody, opened as fast as they are shut."""

    async def attacker() -> None:
        _reader, writer = await shaken(ground, "lobby", Person())
        ground.tally.count("opened")
        await asyncio.sleep(0)
        writer.transport.abort()

    await ground.many(20, attacker)

