"""Addresses of the sockets."""

from django.urls import re_path

from games.consumers import TableConsumer
from games.followers import LobbyConsumer, PadConsumer, RoomConsumer
from games.sockets import NoDoor

websocket_urlpatterns = [
    re_path(r"^ws/tables/(?P<number>[0-9]+)/$", TableConsumer.as_asgi()),
    re_path(r"^ws/rooms/(?P<number>[0-9]+)/$", RoomConsumer.as_asgi()),
    re_path(r"^ws/pads/(?P<number>[0-9]+)/$", PadConsumer.as_asgi()),
    re_path(r"^ws/lobby/$", LobbyConsumer.as_asgi()),
    re_path(r"", NoDoor.as_asgi()),
]
