"""Addresses of rooms, tables and score sheets."""

from django.urls import path, register_converter
from django.urls.converters import IntConverter

from games import views


class Id(IntConverter):
    """The number of a row. Longer ones name none, and no database could be asked for them."""

    regex = "[0-9]{1,18}"


register_converter(Id, "id")

app_name = "games"

urlpatterns = [
    path("rooms/", views.rooms_page, name="rooms"),
    path("rooms/new/", views.new_room, name="new_room"),
    path("rooms/<id:room_id>/", views.room, name="room"),
    path("rooms/<id:room_id>/tables/", views.open_table, name="open_table"),
    path("rooms/<id:room_id>/say/", views.say, name="say"),
    path("rooms/<id:room_id>/invitation/", views.new_invitation, name="new_invitation"),
    path("join/", views.join_code, name="join_code"),
    path("j/<str:token>/", views.join, name="join"),
    path("tables/<id:table_id>/", views.table_page, name="table"),
    path("tables/<id:table_id>/sit/", views.sit, name="sit"),
    path("sheets/<id:sheet_id>/", views.sheet, name="sheet"),
]
