"""The addresses of allauth this site has pages for, under allauth's names; the rest is closed."""

from allauth.account import views as allauth_views
from django.urls import path, re_path

from accounts import views

urlpatterns = [
    path("signup/", views.SignUp.as_view(), name="account_signup"),
    path("login/", allauth_views.login, name="account_login"),
    path("logout/", allauth_views.logout, name="account_logout"),
    path("inactive/", allauth_views.account_inactive, name="account_inactive"),
    path("password/change/", allauth_views.password_change, name="account_change_password"),
    path("password/set/", allauth_views.password_set, name="account_set_password"),
    path("password/reset/", views.ResetPassword.as_view(), name="account_reset_password"),
    path("password/reset/done/", allauth_views.password_reset_done,
         name="account_reset_password_done"),
    re_path(r"^password/reset/key/(?P<uidb36>[0-9A-Za-z]{1,13})-(?P<key>[-\w]{1,100})/$",
            allauth_views.password_reset_from_key, name="account_reset_password_from_key"),
    path("password/reset/key/done/", allauth_views.password_reset_from_key_done,
         name="account_reset_password_from_key_done"),
]  # fmt: skip
