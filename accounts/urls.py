"""Addresses of people: our own pages."""

from django.urls import path

from accounts import address_doors, device_doors, guest_doors, letter_doors, views

app_name = "accounts"
urlpatterns = [
    path("account/", views.account, name="account"),
    path("account/keep/", guest_doors.claim, name="claim"),
    path("account/table/", views.table_settings, name="table_settings"),
    path("account/zone/", views.time_zone, name="time_zone"),
    path("account/address/", address_doors.ask_again, name="ask_address"),
    path("account/address/<str:token>/", address_doors.confirm, name="confirm_address"),
    path("account/devices/", device_doors.signed_in, name="devices"),
    path("account/letters/", letter_doors.wish, name="letters"),
    path("account/letters/stop/<str:token>/", letter_doors.stop, name="stop_letters"),
    path("first-admin/<str:token>/", views.first_admin, name="first_admin"),
]
