"""Addresses of histories, players and exports."""

from django.urls import path

from games import history_doors

app_name = "history"

urlpatterns = [
    path("history/", history_doors.history, name="games"),
    path("history/export/", history_doors.export, name="export"),
    path("history/export/progress/", history_doors.export_progress, name="export_progress"),
    path("history/export/<id:export_id>/", history_doors.export_file, name="export_file"),
    path("players/<id:person_id>/", history_doors.player, name="player"),
    path("players/<id:person_id>/with-me/", history_doors.with_me, name="with_me"),
]
