"""Addresses of the whole site."""

from django.contrib import admin
from django.urls import include, path
from django.views.decorators.gzip import gzip_page
from django.views.i18n import JavaScriptCatalog

from games.help import doors as help_doors
from ginrami import views
from ginrami.metrics import metrics

handler500 = views.server_error

urlpatterns = [
    path("", views.home, name="home"),
    path("lobby/", views.lobby, name="lobby"),
    path("rules/", help_doors.page, {"slug": "rules"}, name="rules"),
    path("help/", include("games.help.urls")),
    path("healthz/", views.healthz, name="healthz"),
    path("healthz/live/", views.alive, name="alive"),
    path("healthz/ready/", views.ready, name="ready"),
    path("metrics", metrics, name="metrics"),
    path("favicon.ico", views.favicon, name="favicon"),
    path("", include("games.urls")),
    path("", include("games.history.urls")),
    path("", include("accounts.urls")),
    path("account/", include("accounts.allauth_urls")),
    path("admin/", include("accounts.admin_urls")),
    path("admin/", admin.site.urls),
    path("i18n/", include("django.conf.urls.i18n")),
    # Compressed: the largest thing a page loads, and there is no secret in it to be guessed at.
    path("jsi18n/", gzip_page(JavaScriptCatalog.as_view()), name="javascript-catalog"),
]
