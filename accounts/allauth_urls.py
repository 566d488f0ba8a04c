"""The addresses of allauth this site has pages for, under allauth's names; the rest is closed."""

from allauth.account import views as allauth_views
from allauth.mfa.base import views as step_views
from allauth.mfa.recovery_codes import views as code_views
from allauth.mfa.totp import views as app_views
from allauth.mfa.webauthn import views as key_views
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
    path("password/reset/done/", views.ResetAsked.as_view(),
         name="account_reset_password_done"),
    re_path(r"^password/reset/key/(?P<uidb36>[0-9A-Za-z]{1,13})-(?P<key>[-\w]{1,100})/$",
            allauth_views.password_reset_from_key, name="account_reset_password_from_key"),
    path("password/reset/key/done/", allauth_views.password_reset_from_key_done,
         name="account_reset_password_from_key_done"),
    path("confirm/", allauth_views.reauthenticate, name="account_reauthenticate"),
    path("two-steps/", step_views.index, name="mfa_index"),
    path("two-steps/sign-in/", step_views.authenticate, name="mfa_authenticate"),
    path("two-steps/confirm/", step_views.reauthenticate, name="mfa_reauthenticate"),
    path("two-steps/app/", app_views.activate_totp, name="mfa_activate_totp"),
    path("two-steps/app/remove/", app_views.deactivate_totp, name="mfa_deactivate_totp"),
    path("two-steps/codes/", code_views.view_recovery_codes, name="mfa_view_recovery_codes"),
    path("two-steps/codes/new/", code_views.generate_recovery_codes,
         name="mfa_generate_recovery_codes"),
    path("two-steps/codes/download/", code_views.download_recovery_codes,
         name="mfa_download_recovery_codes"),
    path("two-steps/keys/", key_views.list_webauthn, name="mfa_list_webauthn"),
    path("two-steps/keys/add/", key_views.add_webauthn, name="mfa_add_webauthn"),
    path("two-steps/keys/confirm/", key_views.reauthenticate_webauthn,
         name="mfa_reauthenticate_webauthn"),
    path("two-steps/keys/sign-in/", key_views.login_webauthn, name="mfa_login_webauthn"),
    path("two-steps/keys/<int:pk>/remove/", key_views.remove_webauthn, name="mfa_remove_webauthn"),
]  # fmt: skip
