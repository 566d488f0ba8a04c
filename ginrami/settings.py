"""Every setting of the site. What differs by machine comes from the environment (README lists it).

Without any environment the site runs *embedded*: SQLite, in-memory channel layer and cache, tasks
run in the calling process. With DATABASE_URL and REDIS_URL it runs *scaled*. A wrong value stops
the start with one sentence.
"""

from __future__ import annotations

import contextlib
import logging
import os
import secrets
import socket
import tempfile
import zoneinfo
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import environ
from csp.constants import NONE, SELF
from django.core.exceptions import ImproperlyConfigured
from django.utils.translation import gettext_lazy as _

BASE_DIR = Path(__file__).resolve().parent.parent
env = environ.Env()


def _refuse(sentence: str) -> ImproperlyConfigured:
    return ImproperlyConfigured(sentence)


def _flag(name: str, default: bool) -> bool:
    text = env.str(name, default="1" if default else "0").lower()
    if text not in ("0", "1", "true", "false", "yes", "no"):
        raise _refuse(f"{name} must be 1 or 0, not {text!r}.")
    return text in ("1", "true", "yes")


def _number(name: str, default: int, least: int, most: int) -> int:
    text = env.str(name, default=str(default))
    if not text.isdecimal() or not least <= int(text) <= most:
        raise _refuse(f"{name} must be a whole number from {least} to {most}, not {text!r}.")
    return int(text)


def _seconds(name: str, default: float, most: float) -> float:
    text = env.str(name, default=str(default))
    try:
        seconds = float(text)
    except ValueError:
        seconds = -1.0
    if not 0 <= seconds <= most:
        raise _refuse(f"{name} must be a number of seconds from 0 to {most:g}, not {text!r}.")
    return seconds


def _secret_key(var: Path) -> str:
    """The key from SECRET_KEY, or one made on the first start and kept in the data folder."""
    key = env.str("SECRET_KEY", default="")
    if key:
        if len(key) < 32:
            raise _refuse("SECRET_KEY must have at least 32 characters.")
        return key
    kept = var / "secret_key"
    if not kept.exists():
        # Written whole under another name (mode 600), then linked: of two first starts at once
        # one wins, and nobody ever reads half a key.
        handle, half = tempfile.mkstemp(dir=var)
        with os.fdopen(handle, "w", encoding="ascii") as file:
            file.write(secrets.token_urlsafe(64))
        with contextlib.suppress(FileExistsError):
            os.link(half, kept)
        os.unlink(half)
    return kept.read_text(encoding="ascii")


# --- where things are kept and which way the site runs

# Of a relative one every process must think the same, wherever it was started.
VAR_DIR = BASE_DIR / env.str("DATA_DIR", default="var")
try:
    VAR_DIR.mkdir(mode=0o700, parents=True, exist_ok=True)
except OSError as error:
    raise _refuse(f"DATA_DIR {str(VAR_DIR)!r} cannot be made: {error.strerror}.") from error

DATABASE_URL = env.str("DATABASE_URL", default="")
REDIS_URL = env.str("REDIS_URL", default="")
if bool(DATABASE_URL) != bool(REDIS_URL):
    raise _refuse(
        "DATABASE_URL and REDIS_URL go together: set both to run scaled, neither to run embedded."
    )
EMBEDDED = not DATABASE_URL
if DATABASE_URL and urlsplit(DATABASE_URL).scheme not in ("postgres", "postgresql"):
    raise _refuse("DATABASE_URL must be a postgresql:// address.")
if REDIS_URL and urlsplit(REDIS_URL).scheme not in ("redis", "rediss", "unix"):
    raise _refuse("REDIS_URL must be a redis://, rediss:// or unix:// address.")
if not EMBEDDED and not env.str("SECRET_KEY", default=""):
    raise _refuse("SECRET_KEY must be set when the site runs scaled: all processes share it.")

SECRET_KEY = _secret_key(VAR_DIR)
DEBUG = _flag("DEBUG", False)

# --- the address friends use

SITE_URL = env.str("SITE_URL", default="").rstrip("/")
_site = urlsplit(SITE_URL)
if SITE_URL and (_site.scheme not in ("http", "https") or not _site.hostname or _site.path):
    raise _refuse("SITE_URL must be an address like https://rami.example, without a path.")


def _network_address() -> str:
    """This machine's address as others on its network reach it, or nothing."""
    try:
        with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
            probe.connect(("192.0.2.1", 9))  # sends nothing: asks which address would be used
            return str(probe.getsockname()[0])
    except OSError:
        return ""  # no network


def _own_names() -> list[str]:
    """This machine's names and addresses, for friends on the same network."""
    names = {"localhost", "127.0.0.1", "[::1]", socket.gethostname(), NETWORK_ADDRESS}
    try:
        for *_unused, address in socket.getaddrinfo(socket.gethostname(), None):
            host = str(address[0]).split("%")[0]
            names.add(f"[{host}]" if ":" in host else host)
    except OSError:
        pass  # a machine that cannot name itself still answers on localhost
    return sorted(names - {""})


# A site that serves this machine only has no address to give to friends.
SERVES_OTHERS = env.str("HOST", default="") not in ("127.0.0.1", "::1", "localhost")
NETWORK_ADDRESS = _network_address() if EMBEDDED and SERVES_OTHERS else ""
ALLOWED_HOSTS = env.list("ALLOWED_HOSTS", default=[])
if _site.hostname:
    ALLOWED_HOSTS.append(_site.hostname)
if EMBEDDED:
    ALLOWED_HOSTS += _own_names()
if not ALLOWED_HOSTS:
    raise _refuse("SITE_URL must be set when the site runs scaled, for example https://rami.example.")

SECURE = _site.scheme == "https"
SESSION_COOKIE_SECURE = CSRF_COOKIE_SECURE = LANGUAGE_COOKIE_SECURE = SECURE
SECURE_SSL_REDIRECT = SECURE and _flag("SSL_REDIRECT", True)
SECURE_REDIRECT_EXEMPT = [r"^healthz/", r"^metrics$"]
SECURE_HSTS_SECONDS = 365 * 24 * 3600 if SECURE else 0
SECURE_HSTS_INCLUDE_SUBDOMAINS = SECURE
SECURE_HSTS_PRELOAD = SECURE
TRUSTED_PROXIES = _number("TRUSTED_PROXIES", 0, 0, 5)
if TRUSTED_PROXIES:
    SECURE_PROXY_SSL_HEADER = ("HTTP_X_FORWARDED_PROTO", "https")
CSRF_TRUSTED_ORIGINS = [SITE_URL] if SITE_URL else []
SESSION_COOKIE_HTTPONLY = True
SESSION_ENGINE = "accounts.sessions"
SESSION_COOKIE_SAMESITE = CSRF_COOKIE_SAMESITE = LANGUAGE_COOKIE_SAMESITE = "Lax"
SESSION_COOKIE_AGE = 90 * 24 * 3600
SECURE_REFERRER_POLICY = "same-origin"
X_FRAME_OPTIONS = "DENY"

CONTENT_SECURITY_POLICY = {
    "DIRECTIVES": {
        "default-src": [NONE],
        "script-src": [SELF],
        "style-src": [SELF],
        "img-src": [SELF, "data:"],
        "font-src": [SELF],
        "connect-src": [SELF],
        "manifest-src": [SELF],
        "form-action": [SELF],
        "frame-ancestors": [NONE],
        "base-uri": [NONE],
    }
}

# --- parts

INSTALLED_APPS = [
    "daphne",
    "accounts",
    "scoring",
    "games",
    "django.contrib.admin",
    "django.contrib.auth",
    "django.contrib.contenttypes",
    "django.contrib.sessions",
    "django.contrib.messages",
    "django.contrib.humanize",
    "whitenoise.runserver_nostatic",
    "django.contrib.staticfiles",
    "csp",
    "channels",
    "allauth",
    "allauth.account",
    "allauth.mfa",
    "allauth.usersessions",
]

MIDDLEWARE = [
    "ginrami.traffic.Traffic",
    "django.middleware.security.SecurityMiddleware",
    "whitenoise.middleware.WhiteNoiseMiddleware",
    "csp.middleware.CSPMiddleware",
    "ginrami.doors.NoNulls",
    "ginrami.doors.WholeForms",
    "ginrami.doors.OwnPages",
    "django.contrib.sessions.middleware.SessionMiddleware",
    "ginrami.languages.ChosenLanguage",
    "django.middleware.common.CommonMiddleware",
    "django.middleware.csrf.CsrfViewMiddleware",
    "django.contrib.auth.middleware.AuthenticationMiddleware",
    "ginrami.zones.ReadersZone",
    "django.contrib.messages.middleware.MessageMiddleware",
    "django.middleware.clickjacking.XFrameOptionsMiddleware",
    "ginrami.guests.GuestsAtTheDoor",
    "allauth.account.middleware.AccountMiddleware",
    "ginrami.doors.TwoStepsForStaff",
]

ROOT_URLCONF = "ginrami.urls"
ASGI_APPLICATION = "ginrami.asgi.application"

TEMPLATES = [
    {
        "BACKEND": "django.template.backends.django.DjangoTemplates",
        "DIRS": [BASE_DIR / "templates"],
        "APP_DIRS": True,
        "OPTIONS": {
            "context_processors": [
                "django.template.context_processors.request",
                "django.contrib.auth.context_processors.auth",
                "django.contrib.messages.context_processors.messages",
                "django.template.context_processors.i18n",
            ]
        },
    }
]

# --- the database

if EMBEDDED:
    DATABASES: dict[str, dict[str, Any]] = {
        "default": {
            "ENGINE": "django.db.backends.sqlite3",
            "NAME": VAR_DIR / "ginrami.sqlite3",
            "OPTIONS": {
                # DEFERRED with two writers ends in "database is locked".
                "transaction_mode": "IMMEDIATE",
                "timeout": 5,
                "init_command": (
                    "PRAGMA journal_mode=WAL; PRAGMA synchronous=NORMAL; PRAGMA foreign_keys=ON;"
                ),
            },
            "TEST": {"NAME": VAR_DIR / "test.sqlite3"},
        }
    }
else:
    DATABASES = {"default": env.db_url_config(DATABASE_URL)}
    DATABASES["default"]["CONN_HEALTH_CHECKS"] = True
    _given = DATABASES["default"].get("OPTIONS", {})
    # Nothing the site asks takes long: what does is stuck, and must not hold a thread for good.
    _limit = "-c statement_timeout=" + str(1000 * _number("STATEMENT_SECONDS", 30, 0, 3600))
    # What is asked lies in memory or on a disk without a head to move: following an index costs
    # little more than reading on. For a head, as PostgreSQL has it, it would read whole tables.
    _limit += " -c random_page_cost=1.1"
    DATABASES["default"]["OPTIONS"] = {
        "connect_timeout": 5,
        # The statements that every click runs are planned once a connection (accounts/hot.py). Of
        # the others none is: Django puts their values into the text.
        "prepare_threshold": 5,
        **_given,
        "options": f"{_limit} {_given.get('options', '')}".strip(),
        # Connections that threads keep, plus a few for pages.
        # Of itself it waits twice as long after each try: a database that was gone for 5 seconds
        # was missed for 15. Tried every second, it is found when it is there.
        "pool": {
            "min_size": 1, "max_size": _number("DATABASE_POOL", 12, 1, 200), "timeout": 5,
            "reconnect_timeout": 1, "reconnect_failed": lambda pool: pool.check(),
        },
    }

# Where the processes of a scaled site count together (accounts/meters.py); by itself one process
# needs no place. The library takes it from the environment, and only there.
METRICS_TOKEN = env.str("METRICS_TOKEN", default="")
if METRICS_TOKEN and len(METRICS_TOKEN) < 16:
    raise _refuse("METRICS_TOKEN must have at least 16 characters.")
METRICS_DIR = env.str("METRICS_DIR", default="" if EMBEDDED else str(VAR_DIR / "metrics"))
if METRICS_DIR:
    os.environ["PROMETHEUS_MULTIPROC_DIR"] = METRICS_DIR = str(BASE_DIR / METRICS_DIR)
    Path(METRICS_DIR).mkdir(mode=0o700, parents=True, exist_ok=True)

DEFAULT_AUTO_FIELD = "django.db.models.BigAutoField"
# Database threads of the sockets: SQLite has one writer, PostgreSQL takes several.
SOCKET_DATABASE_THREADS = 1 if EMBEDDED else _number("SOCKET_DATABASE_THREADS", 4, 1, 64)
# Clicks have two more for themselves, where the pool holds these and has some left for pages. Else
# they share: a thread that never got a connection would take the database for gone.
CLICK_DATABASE_THREADS = 0
if SOCKET_DATABASE_THREADS > 1:
    _pool = DATABASES["default"]["OPTIONS"]["pool"]["max_size"]
    CLICK_DATABASE_THREADS = 2 if _pool >= SOCKET_DATABASE_THREADS + 4 else 0

# --- channel layer, cache, tasks

if EMBEDDED:
    CHANNEL_LAYERS: dict[str, dict[str, Any]] = {
        "default": {"BACKEND": "ginrami.layers.NearLayer"}
    }
    CACHES = {
        "default": {
            "BACKEND": "django.core.cache.backends.locmem.LocMemCache",
            # More than the usual 300: a flood of keys must not push rate limits out.
            "OPTIONS": {"MAX_ENTRIES": 50_000},
        }
    }
else:
    CHANNEL_LAYERS = {
        "default": {
            "BACKEND": "ginrami.layers.PatientRedisLayer",
            "CONFIG": {
                "hosts": [{"address": REDIS_URL, "socket_connect_timeout": 1}],
                "prefix": "ginrami",
            },
        }
    }
    CACHES = {
        "default": {
            "BACKEND": "ginrami.caches.SharedRedisCache",
            "LOCATION": REDIS_URL,
            "KEY_PREFIX": "ginrami",
            # Who is here is asked at every look: a silent Redis must not hold the tables up.
            "OPTIONS": {"socket_connect_timeout": 0.5, "socket_timeout": 0.5},
        }
    }

SWEEP_SECONDS = 5
GUEST_DAYS = _number("GUEST_DAYS", 30, 1, 3650)
COACH_PLAYOUTS = _number("COACH_PLAYOUTS", 800, 10, 10_000)  # a decision
TICKER = _flag("TICKER", EMBEDDED)
# The computer takes its time as a person would, about so long a move; if it does not come, the site
# moves for it.
BOT_PACE_SECONDS = _seconds("BOT_PACE_SECONDS", 1.2, 30)
BOT_LATE_SECONDS = _seconds("BOT_LATE_SECONDS", 12, 600)
# How long each step of the shuffle waits for a silent browser; 0: nobody is asked.
FAIR_PATIENCE = _seconds("FAIR_PATIENCE", 10, 600)
THINKS = True  # in threads of this process (games/thinking.py), where something is put there
CELERY_IMPORTS = ["ginrami.signs"]
CELERY_BROKER_URL = REDIS_URL or "memory://localhost"
CELERY_TASK_ALWAYS_EAGER = EMBEDDED
CELERY_TASK_EAGER_PROPAGATES = False
CELERY_TASK_IGNORE_RESULT = True
# What nobody waits for at a table has workers of its own: a move never stands behind it.
CELERY_TASK_ROUTES = {
    "games.tasks.weigh_on": {"queue": "beside"},
    "games.tasks.build_export": {"queue": "beside"},
    "games.tasks.tell_turn": {"queue": "beside"},  # a mail server may hang
    "games.tasks.tell_invitation": {"queue": "beside"},
    "games.tasks.sweep_notices": {"queue": "beside"},
}
CELERY_TASK_ACKS_LATE = True
CELERY_TASK_REJECT_ON_WORKER_LOST = True
# A task process takes about 120 MB, and with all it may remember 200. One that has come to more
# makes way for another after its task, so that nothing it leaves behind adds up.
CELERY_WORKER_MAX_MEMORY_PER_CHILD = 400_000  # kilobytes
CELERY_WORKER_HIJACK_ROOT_LOGGER = False
CELERY_BROKER_CONNECTION_RETRY_ON_STARTUP = True
CELERY_TASK_SERIALIZER = "json"
CELERY_ACCEPT_CONTENT = ["json"]
# With the defaults .delay() hangs over a minute on a broker that accepts and never answers.
CELERY_TASK_PUBLISH_RETRY_POLICY = {
    "max_retries": 1, "interval_start": 0, "interval_step": 0.1, "interval_max": 0.1,
}
CELERY_BROKER_TRANSPORT_OPTIONS = {"socket_connect_timeout": 0.5, "socket_timeout": 0.5}
CELERY_BEAT_SCHEDULE = {
    "bonuses of won sheets": {
        "task": "scoring.tasks.sweep_bonuses",
        "schedule": SWEEP_SECONDS,
        "options": {"expires": SWEEP_SECONDS},  # no heap of sweeps for a worker that was away
    },
    "clocks of games": {
        "task": "games.tasks.keep_time",
        "schedule": SWEEP_SECONDS,
        "options": {"expires": SWEEP_SECONDS},
    },
    "moves of the computer": {
        "task": "games.tasks.sweep_bots",
        "schedule": SWEEP_SECONDS,
        "options": {"expires": SWEEP_SECONDS},
    },
    "guests who are gone": {
        "task": "games.tasks.forget_guests",
        "schedule": 3600,
        "options": {"expires": 3600},
    },
    "sessions that are over": {
        "task": "accounts.tasks.forget_sessions",
        "schedule": 3600,
        "options": {"expires": 3600},
    },
    "archives of sheets": {
        "task": "games.tasks.sweep_exports",
        "schedule": SWEEP_SECONDS,
        "options": {"expires": SWEEP_SECONDS},
    },
    "hands the coach looks at": {
        "task": "games.tasks.sweep_analyses",
        "schedule": SWEEP_SECONDS,
        "options": {"expires": SWEEP_SECONDS},
    },
    "seats of who is shut out": {
        "task": "games.tasks.sweep_seats",
        "schedule": SWEEP_SECONDS,
        "options": {"expires": SWEEP_SECONDS},
    },
    "suspensions that are over": {
        "task": "accounts.tasks.lift_suspensions",
        "schedule": SWEEP_SECONDS,
        "options": {"expires": SWEEP_SECONDS},
    },
}

# --- people

AUTH_USER_MODEL = "accounts.User"
AUTHENTICATION_BACKENDS = ["accounts.backends.NameBackend"]
AUTH_PASSWORD_VALIDATORS = [
    {"NAME": "django.contrib.auth.password_validation.UserAttributeSimilarityValidator"},
    {"NAME": "django.contrib.auth.password_validation.MinimumLengthValidator"},
    {"NAME": "django.contrib.auth.password_validation.CommonPasswordValidator"},
    {"NAME": "django.contrib.auth.password_validation.NumericPasswordValidator"},
]
LOGIN_URL = "account_login"
LOGIN_REDIRECT_URL = "home"
LOGOUT_REDIRECT_URL = "home"

EMAIL_URL = env.str("EMAIL_URL", default="")
SENDS_MAIL = bool(EMAIL_URL)
if EMAIL_URL:
    try:
        vars().update(env.email_url_config(EMAIL_URL))
    except ImproperlyConfigured as error:
        raise _refuse("EMAIL_URL must be an address like smtp+tls://user@host:587.") from error
else:
    # Nothing is sent and nothing printed: a log must not hold a link that opens an account.
    EMAIL_BACKEND = "django.core.mail.backends.dummy.EmailBackend"
EMAIL_TIMEOUT = 10
CARRIES_LETTERS = True  # by a thread (accounts/mailbag.py), so that no page waits for the server
# Letters about turns lead back to the site, and are written where no page was asked for.
WRITES_LETTERS = SENDS_MAIL and bool(SITE_URL)
if WRITES_LETTERS:
    CELERY_BEAT_SCHEDULE["letters about turns"] = {
        "task": "games.tasks.sweep_notices",
        "schedule": SWEEP_SECONDS,
        "options": {"expires": SWEEP_SECONDS},
    }
DEFAULT_FROM_EMAIL = env.str(
    "EMAIL_FROM", default=f"Gin Rami <noreply@{_site.hostname or 'localhost'}>"
)

PASSWORD_RESET_TIMEOUT = 24 * 3600
ACCOUNT_ADAPTER = "accounts.adapter.Adapter"
ACCOUNT_LOGIN_METHODS = {"username"}
ACCOUNT_SIGNUP_FIELDS = ["username*", "password1*", "email"]
# An address is for resets, and for letters one asks for: it is not verified, two people may share
# one, and so neither sign-up nor reset tells a stranger whether it is known here.
ACCOUNT_EMAIL_VERIFICATION = "none"
ACCOUNT_UNIQUE_EMAIL = False
ACCOUNT_EMAIL_SUBJECT_PREFIX = "Gin Rami · "
ACCOUNT_SESSION_REMEMBER = True
ACCOUNT_PASSWORD_RESET_TOKEN_GENERATOR = (
    "django.contrib.auth.tokens.PasswordResetTokenGenerator"  # noqa: S105 - a class, no password
)
ACCOUNT_FORMS = {
    "signup": "accounts.forms.SignUpForm",
    "login": "accounts.forms.SignInForm",
    "change_password": "accounts.forms.ChangePasswordForm",
    "set_password": "accounts.forms.SetPasswordForm",
    "reset_password": "accounts.forms.ResetPasswordForm",
    "reset_password_from_key": "accounts.forms.ResetPasswordKeyForm",
    "reauthenticate": "accounts.factor_forms.PasswordAgainForm",
}
MFA_ADAPTER = "accounts.second_factor.FactorAdapter"
MFA_SUPPORTED_TYPES = ["totp", "recovery_codes", "webauthn"]
MFA_PASSKEY_LOGIN_ENABLED = True
MFA_TOTP_TOLERANCE = 1  # clocks differ, and one may press Enter as the code changes
MFA_FORMS = {
    "activate_totp": "accounts.factor_forms.ActivateForm",
    "authenticate": "accounts.factor_forms.StepForm",
    "reauthenticate": "accounts.factor_forms.StepAgainForm",
    "add_webauthn": "accounts.factor_forms.AddKeyForm",
    "authenticate_webauthn": "accounts.factor_forms.StepByKeyForm",
    "login_webauthn": "accounts.factor_forms.SignInByKeyForm",
    "reauthenticate_webauthn": "accounts.factor_forms.KeyAgainForm",
}
ACCOUNT_RATE_LIMITS = {
    # A household, a class behind one address: not a machine that makes people all day.
    "signup": "10/m/ip,60/d/ip",
    "guest": "20/10m/ip,100/d/ip",
    "bring": "60/h/user",  # games as files
    "login": "30/m/ip",
    "login_failed": "15/m/ip,8/5m/key",  # of one name from one network
    "login_failed_anywhere": "60/h/key",  # of one name, beside those from where they come
    "change_password": "5/m/user",
    "reset_password": "5/m/ip,30/d/ip,3/h/key",
    "reset_password_from_key": "20/m/ip",
}
# Whose address counts for the limits: the last X-Forwarded-For entries only as far as trusted.
ALLAUTH_TRUSTED_PROXY_COUNT = TRUSTED_PROXIES

# --- language and time

LANGUAGE_CODE = "fr"
LANGUAGES = [("fr", _("French")), ("en", _("English"))]
LOCALE_PATHS = [BASE_DIR / "locale"]
USE_I18N = True
USE_TZ = True
TIME_ZONE = env.str("TIME_ZONE", default="Europe/Paris")
if TIME_ZONE not in zoneinfo.available_timezones():
    raise _refuse(f"TIME_ZONE must be a zone like Europe/Paris, not {TIME_ZONE!r}.")

# --- static files, served by the app itself

STATIC_URL = "/static/"
STATIC_ROOT = VAR_DIR / "static"
WHITENOISE_ALLOW_ALL_ORIGINS = False  # our pages alone use these files
STATICFILES_DIRS = [BASE_DIR / "static"]
STORAGES = {
    "default": {"BACKEND": "django.core.files.storage.FileSystemStorage"},
    "staticfiles": {"BACKEND": "ginrami.static.HashedStaticFiles"},
}

# --- logs: events and ids, never a deck, a hand, a password or a link that lets anybody in

LOG_LEVEL = env.str("LOG_LEVEL", default="INFO")
if LOG_LEVEL not in ("DEBUG", "INFO", "WARNING", "ERROR"):
    raise _refuse(f"LOG_LEVEL must be DEBUG, INFO, WARNING or ERROR, not {LOG_LEVEL!r}.")
LOG_FORMAT = env.str("LOG_FORMAT", default="text")
if LOG_FORMAT not in ("text", "json"):
    raise _refuse(f"LOG_FORMAT must be text or json, not {LOG_FORMAT!r}.")


_ROUTINE = [
    str(entry["task"])
    for entry in CELERY_BEAT_SCHEDULE.values()
    if entry["schedule"] == SWEEP_SECONDS
]


def is_no_routine(record: logging.LogRecord) -> bool:
    """Leave out what the sweep says every few seconds, unless all is wanted or one failed."""
    said = record.getMessage()
    routine = any(task in said for task in _ROUTINE)
    rare = record.levelno > logging.INFO or not routine
    return rare or LOG_LEVEL == "DEBUG"


LOGGING = {
    "version": 1,
    "disable_existing_loggers": False,
    "formatters": {
        "line": {
            "()": "ginrami.logs.Discreet",
            "format": "{asctime} {levelname} {name}: {message}",
            "style": "{",
        },
        "json": {"()": "ginrami.logs.DiscreetJson"},
    },
    "filters": {
        "no routine": {"()": "django.utils.log.CallbackFilter", "callback": is_no_routine},
        "plain": {"()": "ginrami.logs.Plain"},
    },
    "handlers": {
        "console": {
            "class": "logging.StreamHandler",
            "formatter": "line" if LOG_FORMAT == "text" else "json",
            "filters": ["no routine", "plain"],
        }
    },
    "root": {"handlers": ["console"], "level": LOG_LEVEL},
    "loggers": {
        "django.channels.server": {"level": "WARNING"},
        "daphne": {"level": "WARNING"},
        # A line a request is for machines, which can leave out what they do not want.
        "ginrami.traffic": {"level": LOG_LEVEL if LOG_FORMAT == "json" else "WARNING"},
        # Embedded, the sweep runs every few seconds and would fill the log with its successes.
        "celery.app.trace": {"level": "WARNING" if EMBEDDED else "INFO"},
    },
}
