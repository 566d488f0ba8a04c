"""Addresses of the pages of help; the rules keep theirs, outside."""

from django.urls import path

from games.help import doors

app_name = "help"

urlpatterns = [
    path("", doors.index, name="index"),
    path("<slug:slug>/", doors.page, name="page"),
]
