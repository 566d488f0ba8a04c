"""The admin's own ways in and out, led through ours: one sign-in with its limits, one bell.

They stand before ``admin.site.urls`` and keep its addresses, so ``admin:logout`` and the others
find them.
"""

from allauth.account import views as allauth_views
from allauth.account.decorators import secure_admin_login
from django.contrib import admin
from django.urls import path
from django.views.generic import RedirectView

urlpatterns = [
    path("login/", secure_admin_login(admin.site.login)),
    path("logout/", allauth_views.logout),
    path("password_change/", RedirectView.as_view(pattern_name="account_change_password")),
]
