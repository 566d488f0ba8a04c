"""Where allauth's flows meet this site: names, the bell, links in mail, the client's language."""

from __future__ import annotations

from contextlib import suppress
from typing import Any

from allauth import app_settings as allauth_settings
from allauth.account.adapter import DefaultAccountAdapter
from allauth.core import context as asked
from allauth.core import ratelimit
from allauth.core.internal import ratelimit as counted
from allauth.core.internal.httpkit import clean_client_ip
from django.conf import settings
from django.core.exceptions import PermissionDenied
from django.http import HttpRequest, HttpResponse
from django.urls import reverse
from django.utils import translation
from django.utils.translation import gettext_lazy as _

from accounts import forgotten, mailbag, names, people, signins
from accounts.models import User, validate_name


class Adapter(DefaultAccountAdapter):
    """allauth's hooks, each handing over to ``people`` or to a setting of ours."""

    error_messages = {
        **DefaultAccountAdapter.error_messages,
        "username_taken": User._meta.get_field("username").error_messages["unique"],
        "username_password_mismatch": _("The name or the password is not right."),
        "enter_current_password": _("This is not your present password."),
        "incorrect_password": _("This is not your present password."),
        "too_many_login_attempts": _("Too many tries. Wait five minutes, then try again."),
    }

    _tried: Any = None  # a try of a name, wherever it came from, counted until it is right

    def clean_username(self, username: str, shallow: bool = False) -> str:
        name = names.tidy(username)
        validate_name(name)
        if not shallow and User.objects.named(name).exists():
            raise self.validation_error("username_taken")
        return name

    def save_user(self, request: HttpRequest, user: User, form: Any, commit: bool = True) -> User:
        super().save_user(request, user, form, commit=False)
        if commit:
            people.keep(user)
        return user

    def set_password(self, user: User, password: str) -> None:
        """Failures elsewhere keep nobody out who has chosen a new one, by a link or themselves."""
        people.set_password(user, password)
        if asked.request is not None:
            key = names.key(user.username)
            ratelimit.clear(asked.request, action="login_failed_anywhere", key=key)

    def logout(self, request: HttpRequest) -> None:
        """End the session first, then ring: whoever hears the bell must find it gone."""
        user_id = request.user.pk
        super().logout(request)
        if user_id is not None:
            people.ring(user_id)

    def post_login(self, request: HttpRequest, user: User, **kwargs: Any) -> HttpResponse:
        agent = request.headers.get("User-Agent", "")
        with suppress(PermissionDenied):  # no address: a socket of this machine
            signins.note(user.pk, self.get_client_ip(request), agent)
        forgotten.settle(user.pk)  # remembered after all
        response = super().post_login(request, user, **kwargs)
        speak(response, user.language)
        return response

    def get_password_change_redirect_url(self, request: HttpRequest) -> str:
        return reverse("accounts:account")

    def get_client_ip(self, request: HttpRequest) -> str:
        """Who came past fewer proxies than are trusted is whom the first of them saw.

        allauth takes that for a mistake in the settings, and answers with an error of ours.
        """
        seen = request.headers.get("x-forwarded-for", "").split(",")
        if seen != [""] and len(seen) < allauth_settings.TRUSTED_PROXY_COUNT:
            address = clean_client_ip(seen[0])
            if address is None:
                raise PermissionDenied
            return address
        return str(super().get_client_ip(request))

    def _get_login_attempts_cache_key(self, request: HttpRequest, **credentials: Any) -> str:
        """One count of failures a person and network: not one a spelling of the name, nor one a
        Host header; and no stranger elsewhere shuts somebody out of their own account."""
        return f"name:{names.key(credentials.get('username', ''))} {self._network(request)}"

    def pre_authenticate(self, request: HttpRequest, **credentials: Any) -> None:
        """From however many places: only where somebody has signed in before are they let try on.

        Counted before the password is looked at, so that guesses at one moment count one another.
        """
        super().pre_authenticate(request, **credentials)
        key = names.key(credentials.get("username", ""))
        self._tried = counted.consume(
            request, app="allauth.account", action="login_failed_anywhere", key=key
        )
        if not self._tried and not signins.has_come_from(key, self._network(request)):
            raise self.validation_error("too_many_login_attempts")

    def _rollback_login_failed_rl_usage(self) -> None:
        """The password was right after all."""
        super()._rollback_login_failed_rl_usage()
        if self._tried:
            self._tried.rollback()

    def _network(self, request: HttpRequest) -> str:
        with suppress(PermissionDenied):  # no address: a socket of this machine
            return signins.network_of(self.get_client_ip(request))
        return ""

    def get_reset_password_from_key_url(self, key: str) -> str:
        """The link in the mail leads to the site's own address, whatever Host was asked for."""
        if not settings.SITE_URL:
            return super().get_reset_password_from_key_url(key)
        uidb36, _dash, token = key.partition("-")
        path = reverse("account_reset_password_from_key", args=(uidb36, token))
        return f"{settings.SITE_URL}{path}"

    def send_mail(self, template_prefix: str, email: str, context: dict[str, Any]) -> None:
        """Mail in the reader's language, off to a thread: nothing tells who has an account."""
        user = context.get("user")
        language = getattr(user, "language", "") or translation.get_language()
        words = {"request": asked.request, "email": email, **context}
        with translation.override(language):
            letter = self.render_mail(template_prefix, email, words)
        mailbag.carry(letter, template_prefix)


def speak(response: HttpResponse, language: str) -> None:
    """Have the browser ask for this language from now on; no preference leaves it as it is."""
    if language in dict(settings.LANGUAGES):
        response.set_cookie(
            settings.LANGUAGE_COOKIE_NAME,
            language,
            max_age=settings.SESSION_COOKIE_AGE,
            secure=settings.LANGUAGE_COOKIE_SECURE,
            samesite="Lax",
        )
