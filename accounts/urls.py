"""Addresses of people: our own pages."""

from django.urls import path

from accounts import views

app_name = "accounts"
urlpatterns = [
    path("account/", views.account, name="account"),
    path("account/table/", views.table_settings, name="table_settings"),
    path("first-admin/<str:token>/", views.first_admin, name="first_admin"),
]
