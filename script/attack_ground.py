"""What all attacks of script/attack share: where the site is, who attacks, what they were told.

Nothing that comes back is believed harmless: all of it is searched, as it comes, for cards in a
row and for words long enough to be secret, which script/attack_checks.py compares with the truth.
"""

from __future__ import annotations

import asyncio
import contextlib
import json
import re
import time
from collections import Counter
from collections.abc import AsyncIterator, Awaitable, Callable
from dataclasses import dataclass, field
from random import Random
from typing import Any, NamedTuple

from websockets.asyncio.client import ClientConnection, connect
from websockets.exceptions import WebSocketException

from script.attack_site import KEY
from script.soak import UNEXPECTED

CARDS = re.compile(r"(?:(?<![0-9A-Za-z])|(?<=[cdhs]))(?:[A2-9TJQK][cdhs][^0-9A-Za-z]{0,8}){8,}")
CARD = re.compile(r"[A2-9TJQK][cdhs]")
NUMBERS = re.compile(r"(?:\b[0-5]?\d\b[,\s()\[\]]{1,4}){9,}")  # cards as the engine counts them
WORDS = re.compile(r"[\w-]{8,}", re.ASCII)
NEVER = (*UNEXPECTED, "pbkdf2_sha256", KEY, "violette-et-bois-mort", "alice@secret.example")
HOST = "127.0.0.1"  # where localhost is: its name would be asked for at each line
CSRF = "c" * 32
SIGNED_OUT, NOT_HERE, FLOOD = 4401, 4404, 4408  # how a socket is closed, as the page knows it
HONEST = -1  # who is told what is theirs: an honest player whose messages are said again
WAITED = 20.0  # seconds for an answer


@dataclass
class Heard:
    """Whatever attackers were answered, as far as it could be a secret."""

    cards: dict[str, tuple[float, int]] = field(default_factory=dict)  # first: when, to whom
    words: set[str] = field(default_factory=set)
    numbers: set[str] = field(default_factory=set)
    never: set[str] = field(default_factory=set)

    def take(self, text: str, who: int) -> None:
        self.never.update(word for word in NEVER if word in text)
        if who == HONEST:
            return
        for run in CARDS.findall(text):
            self.cards.setdefault(f"{who} " + "".join(CARD.findall(run)), (time.time(), who))
        self.words.update(WORDS.findall(text))
        self.numbers.update(NUMBERS.findall(text))


@dataclass
class Person:
    """Somebody who attacks: their number and the cookie of their session."""

    number: int = 0
    cookie: str = ""


class Row(NamedTuple):
    """An address, what its form sends, and what Charlie gets, as tests/permissions.py says."""

    method: str
    address: str
    sent: dict[str, str]
    word: str


@dataclass
class Answer:
    """What came back for a request; status 0: the line was cut without a word."""

    status: int
    head: str
    body: str


@dataclass
class Tally:
    """What came of one attack."""

    name: str
    thrown: int = 0
    answers: Counter[str] = field(default_factory=Counter)
    wrong: Counter[str] = field(default_factory=Counter)
    notes: list[str] = field(default_factory=list)
    began: float = 0.0
    ended: float = 0.0
    share: float | None = None  # of it that is done, where time does not say

    def count(self, answer: str, thrown: int = 1) -> None:
        self.thrown += thrown
        self.answers[answer] += 1


@dataclass
class Ground:
    """One running site and everybody who attacks it."""

    ports: list[int]
    people: dict[str, Any]
    random: Random
    seconds: float
    sockets: int  # to be held open at once
    waves: int  # of sockets opened and left
    wave: int  # sockets in each
    lines: int  # open at once, of pages and slow clients
    memory: Callable[[], int]  # private KB of the web processes
    spent: Callable[[], float]  # seconds of processor they have had
    living: Callable[[], Counter[str]]  # objects that live in them
    bent: list[Any] = field(default_factory=list)  # messages
    pool: list[Any] = field(default_factory=list)  # values for fields
    at_least_once: bool = True  # whether all there is to throw was thrown, where that is known
    heard: Heard = field(default_factory=Heard)
    tally: Tally = field(default_factory=lambda: Tally(""))

    def __post_init__(self) -> None:
        given = self.people
        self.charlie, self.mallory, self.trudy = (
            Person(*given[name]) for name in ("charlie", "mallory", "trudy")
        )
        self.crowd = [Person(*one) for one in given["crowd"]]
        self.rows = [Row(*one) for one in given["rows"]]
        self.until = 0.0

    def going(self) -> bool:
        """Whether there is time left, or something that no run may leave out."""
        late = time.time() - self.until
        return late < 0 or (not self.at_least_once and late < WAITED)

    def port(self) -> int:
        return self.random.choice(self.ports)

    async def many(self, number: int, attacker: Callable[[], Awaitable[None]]) -> None:
        """So many attackers at once, each again and again until the time is over."""

        async def again() -> None:
            while self.going():
                try:
                    await attacker()
                except (OSError, WebSocketException, TimeoutError, EOFError) as error:
                    self.tally.answers[f"cut off ({type(error).__name__})"] += 1
                    await asyncio.sleep(0.05)

        await asyncio.gather(*[again() for _ in range(number)])

    @contextlib.asynccontextmanager
    async def socket(
        self, place: str, who: Person, **headers: str
    ) -> AsyncIterator[ClientConnection]:
        """An open socket at ``tables/7``, as a browser opens it."""
        port = self.port()
        line = await connect(
            f"ws://localhost:{port}/ws/{place}/", host=HOST, proxy=None, compression=None,
            ping_interval=None,
            origin=headers.pop("origin", f"http://localhost:{port}"), max_size=None,  # type: ignore[arg-type]
            additional_headers={"Cookie": who.cookie, **headers}, close_timeout=1,
            open_timeout=WAITED,
        )  # fmt: skip
        try:
            yield line
        finally:
            await line.close()

    async def hear(self, line: ClientConnection, who: Person, seconds: float = WAITED) -> Any:
        """The next message of a socket."""
        text = await asyncio.wait_for(line.recv(), seconds)
        self.heard.take(str(text), who.number)
        return json.loads(text)

    def judge_close(self, code: int | None, why: str) -> None:
        """A socket may be closed for what it said; not because something broke."""
        self.tally.answers[f"closed {code}"] += 1
        if code in (1011, 1012, 4500):
            self.tally.wrong[f"a socket was closed with {code} for {why}"] += 1

    async def ask(
        self, method: str, path: str, who: Person | None = None, body: bytes = b"",
        seconds: float = WAITED, **headers: str,
    ) -> Answer:  # fmt: skip
        """One request on a line of its own, whatever is in it, and all that came back."""
        port = self.port()
        lines = {
            "Host": f"localhost:{port}", "Connection": "close", "Accept-Language": "en",
            "Cookie": f"csrftoken={CSRF}; {who.cookie if who else ''}", "X-CSRFToken": CSRF,
            "Content-Type": "application/x-www-form-urlencoded", "Content-Length": str(len(body)),
            **{name.replace("_", "-"): value for name, value in headers.items()},
        }  # fmt: skip
        head = "".join(f"{name}: {value}\r\n" for name, value in lines.items() if value != "none")
        sent = f"{method} {path} HTTP/1.1\r\n{head}\r\n".encode("utf-8", "surrogatepass") + body
        return self.read(await exchange(port, sent, seconds), who)

    def read(self, raw: bytes, who: Person | None) -> Answer:
        text = raw.decode(errors="replace")
        self.heard.take(text, who.number if who else 0)
        head, _, body = text.partition("\r\n\r\n")
        words = head.split(" ", 2)
        status = int(words[1]) if len(words) > 1 and words[1].isdecimal() else 0
        return Answer(status, head, body)

    def judge(self, answer: Answer, what: str) -> None:
        """Count an answer; an error of ours is wrong whatever was asked."""
        self.tally.count(str(answer.status or "cut off"))
        if answer.status >= 500:
            self.tally.wrong[f"{answer.status} for {what}"] += 1


async def exchange(port: int, sent: bytes, seconds: float = WAITED) -> bytes:
    """Send bytes on a new line, and give whatever came back until it was closed, or in time."""
    reader, writer = await asyncio.open_connection(HOST, port)
    came = bytearray()
    try:
        with contextlib.suppress(TimeoutError, ConnectionError):
            async with asyncio.timeout(seconds):
                writer.write(sent)
                with contextlib.suppress(ConnectionError):  # it may hang up on us, having answered
                    await writer.drain()
                while chunk := await reader.read(65536):
                    came += chunk
    finally:
        writer.transport.abort()
    return bytes(came)
