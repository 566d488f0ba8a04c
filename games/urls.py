"""Addresses of rooms, tables and score sheets."""

from django.urls import path

from games import views

app_name = "games"

urlpatterns = [
    path("rooms/", views.rooms_page, name="rooms"),
    path("rooms/new/", views.new_room, name="new_room"),
    path("rooms/<int:room_id>/", views.room, name="room"),
    path("rooms/<int:room_id>/tables/", views.open_table, name="open_table"),
    path("rooms/<int:room_id>/invitation/", views.new_invitation, name="new_invitation"),
    path("join/", views.join_code, name="join_code"),
    path("j/<str:token>/", views.join, name="join"),
    path("tables/<int:table_id>/", views.table_page, name="table"),
    path("tables/<int:table_id>/sit/", views.sit, name="sit"),
    path("sheets/<int:sheet_id>/", views.sheet, name="sheet"),
]
