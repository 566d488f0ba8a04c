"""Open sockets of people, without a server: what they hear, word by word."""

from __future__ import annotations

import asyncio
import contextlib
import json

from asgiref.sync import sync_to_async
from channels.testing import WebsocketCommunicator
from django.test import Client

from ginrami.asgi import application

in_thread = sync_to_async(thread_sensitive=True)


def cookie_of(person):
    client = Client()
    client.force_login(person)
    return f"sessionid={client.cookies['sessionid'].value}".encode()


class Wire:
    """A socket of somebody, or of whoever holds a cookie, at ``tables/7`` or ``rooms/3``."""

    def __init__(self, address, person):
        self.address, self.person = address, person

    async def open(self):
        headers = [(b"host", b"localhost"), (b"origin", b"http://localhost")]
        if isinstance(self.person, bytes):
            headers.append((b"cookie", self.person))
        elif self.person is not None:
            headers.append((b"cookie", await in_thread(cookie_of)(self.person)))
        self.wire = WebsocketCommunicator(application, f"/ws/{self.address}/", headers=headers)
        await self.wire.connect(timeout=5)
        return self

    async def hear(self, *kinds):
        """The next message of these kinds, others passed over; of any, where none is named."""
        while True:
            message = json.loads(await self.wire.receive_from(timeout=5))
            if not kinds or message["type"] in kinds:
                return message

    async def say(self, **message):
        await self.wire.send_to(text_data=json.dumps(message))

    async def ask(self, **message):
        """Say something; the code of the refusal, or what else came in answer to it."""
        await self.say(**message)
        answer = await self.hear("refused", "pong", "reported", "chat")
        return answer.get("code", answer["type"])

    async def settled(self):
        """Pass over what is on its way; all of it."""
        heard = []
        await self.say(verb="ping")
        while not heard or heard[-1]["type"] != "pong":
            heard.append(await self.hear())
        await self.say(verb="nothing")
        while heard[-1].get("code") != "malformed":
            heard.append(await self.hear())
        return heard

    async def until_closed(self):
        """What was heard before the server closed, and the code it closed with."""
        heard = []
        while True:
            event = await self.wire.receive_output(timeout=5)
            if event["type"] == "websocket.close":
                return heard, event.get("code")
            heard.append(json.loads(event["text"]))

    async def leave(self):
        # One cut off by a test that failed is gone already; its end must not spoil the next test.
        with contextlib.suppress(asyncio.CancelledError):
            await self.wire.disconnect(timeout=5)
