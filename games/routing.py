"""Addresses of the sockets."""

from django.urls import re_path

from games.consumers import NoDoor, TableConsumer

websocket_urlpatterns = [
    re_path(r"^ws/tables/(?P<table_id>[0-9]+)/$", TableConsumer.as_asgi()),
    re_path(r"", NoDoor.as_asgi()),
]
