"""The site plus the yardstick of `script/bench live`: what a move would cost without a game in it.

`/ws/yardstick/TABLE/SEAT/` answers each message as the table does, with the rules left out: one
transaction through the ORM (lock a row, insert a row, update the row), then an echo to the group of
both seats, as long as a view. It asks for no session, reads no place, and nobody looks again, all
of which a move does beside it; a fuller one would be slower. It keeps the channel layer of Channels
as it comes, so that whatever is done to the site's own shows.
Sockets here may say as much as they like: in a closed loop a table does.
"""

from __future__ import annotations

import json
from typing import Any

from channels.generic.websocket import AsyncWebsocketConsumer
from channels.layers import InMemoryChannelLayer, channel_layers
from channels.routing import URLRouter
from channels_redis.pubsub import RedisPubSubChannelLayer
from django.conf import settings
from django.db import connection, models, transaction
from django.urls import re_path

from ginrami.asgi import application as site

from games import live, messages  # isort: skip - the apps are ready only after the site

messages.A_SECOND = messages.AT_ONCE = 1e6
channel_layers.set(
    "yardstick",
    RedisPubSubChannelLayer(hosts=[settings.REDIS_URL], prefix="yardstick")
    if settings.REDIS_URL
    else InMemoryChannelLayer(),
)

FILLING = "x" * 1650  # with what is around it as long as a view is on average


class Place(models.Model):  # noqa: DJ008 - never shown
    """A table of the yardstick: a counter."""

    count = models.IntegerField(default=0)

    class Meta:
        app_label = "games"
        db_table = "bench_place"
        managed = False


class Step(models.Model):  # noqa: DJ008 - never shown
    """A move of the yardstick."""

    place = models.ForeignKey(Place, on_delete=models.CASCADE)
    ply = models.IntegerField()
    seat = models.IntegerField()
    text = models.CharField(max_length=64)

    class Meta:
        app_label = "games"
        db_table = "bench_step"
        managed = False


def lay(places: int) -> None:
    """Make the yardstick's two tables and their rows."""
    with connection.schema_editor() as editor:
        for model in (Place, Step):
            editor.create_model(model)
    Place.objects.bulk_create(Place(pk=number + 1) for number in range(places))


def step(number: int, seat: int, text: str) -> int:
    with transaction.atomic():
        place = Place.objects.select_for_update().get(pk=number)
        place.count += 1
        Step.objects.create(place=place, ply=place.count, seat=seat, text=text)
        place.save(update_fields=["count"])
    return place.count


class Yardstick(AsyncWebsocketConsumer):
    channel_layer_alias = "yardstick"

    async def connect(self) -> None:
        where = self.scope["url_route"]["kwargs"]
        self.number, self.seat = int(where["number"]), int(where["seat"])
        self.group = f"yardstick.{self.number}"
        await self.accept()
        await self.channel_layer.group_add(self.group, self.channel_name)
        await self.send(_view(0))

    async def receive(self, text_data: str | None = None, bytes_data: bytes | None = None) -> None:
        message = json.loads(text_data or "")
        count = await live.on_database_thread(step, self.number, self.seat, message["move"])
        await self.channel_layer.group_send(self.group, {"type": "shown", "text": _view(count)})

    async def shown(self, event: dict[str, Any]) -> None:
        await self.send(event["text"])


def _view(count: int) -> str:
    return json.dumps({"type": "table", "at": [1, count], "version": count, "filling": FILLING})


_yardstick = URLRouter(
    [re_path(r"^ws/yardstick/(?P<number>\d+)/(?P<seat>[01])/$", Yardstick.as_asgi())]
)


async def application(scope: Any, receive: Any, send: Any) -> None:
    """The site, with the yardstick beside it."""
    if scope["type"] == "websocket" and scope["path"].startswith("/ws/yardstick/"):
        await _yardstick(scope, receive, send)
    else:
        await site(scope, receive, send)
