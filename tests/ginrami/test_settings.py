"""The settings: what a machine may say, and that a wrong value stops the start with a sentence."""

from __future__ import annotations

import logging
import os
import re
import runpy
import socket
import stat
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from django.core.exceptions import ImproperlyConfigured

ROOT = Path(__file__).resolve().parents[2]
NAMES = (
    "DATABASE_URL", "REDIS_URL", "SECRET_KEY", "SITE_URL", "ALLOWED_HOSTS", "DEBUG", "DATA_DIR",
    "SSL_REDIRECT", "TRUSTED_PROXIES", "DATABASE_POOL", "EMAIL_URL", "TICKER", "TIME_ZONE",
    "LOG_LEVEL", "LOG_FORMAT", "METRICS_TOKEN", "METRICS_DIR", "STATEMENT_SECONDS",
    "SOCKET_DATABASE_THREADS", "HOST", "BOT_PACE_SECONDS", "BOT_LATE_SECONDS",
)
SCALED = {
    "DATABASE_URL": "postgresql://rami@db.example/rami",
    "REDIS_URL": "redis://cache.example:6379/0",
    "SECRET_KEY": "k" * 50,
    "SITE_URL": "https://rami.example",
}


@pytest.fixture
def read(monkeypatch: pytest.MonkeyPatch, tmp_path: Path):
    """Read the settings anew under an environment that has only these variables."""

    def under(**environment: str) -> dict[str, Any]:
        for name in NAMES:
            monkeypatch.delenv(name, raising=False)
        for name, value in {"DATA_DIR": str(tmp_path), **environment}.items():
            monkeypatch.setenv(name, value)
        return runpy.run_path(str(ROOT / "ginrami" / "settings.py"))

    return under


def test_without_any_environment_the_site_is_embedded(read):
    settings = read()
    assert settings["EMBEDDED"] is True
    assert settings["DATABASES"]["default"]["ENGINE"].endswith("sqlite3")
    assert settings["CELERY_TASK_ALWAYS_EAGER"] is True
    assert settings["DEBUG"] is False
    assert {"localhost", "127.0.0.1"} <= set(settings["ALLOWED_HOSTS"])
    assert settings["SESSION_COOKIE_SECURE"] is False
    assert settings["SECURE_HSTS_SECONDS"] == 0


def test_with_both_addresses_the_site_is_scaled(read):
    settings = read(**SCALED)
    assert settings["EMBEDDED"] is False
    assert settings["DATABASES"]["default"]["ENGINE"].endswith("postgresql")
    assert settings["CHANNEL_LAYERS"]["default"]["BACKEND"].endswith("PatientRedisLayer")
    assert settings["CELERY_TASK_ALWAYS_EAGER"] is False
    assert settings["ALLOWED_HOSTS"] == ["rami.example"]
    assert "statement_timeout=30000" in settings["DATABASES"]["default"]["OPTIONS"]["options"]


@pytest.mark.parametrize(("pool", "threads", "own"), [(12, 4, 2), (8, 4, 2), (6, 4, 0), (12, 1, 0)])
def test_clicks_take_no_connection_that_a_small_pool_has_not_got(read, pool, threads, own):
    said = {"DATABASE_POOL": str(pool), "SOCKET_DATABASE_THREADS": str(threads)}
    assert read(**SCALED, **said)["CLICK_DATABASE_THREADS"] == own


def test_https_in_the_address_makes_cookies_secure(read):
    settings = read(**SCALED)
    assert settings["SESSION_COOKIE_SECURE"] is settings["CSRF_COOKIE_SECURE"] is True
    assert settings["SECURE_HSTS_SECONDS"] > 0
    assert read(SITE_URL="http://192.168.1.5")["SESSION_COOKIE_SECURE"] is False


def test_no_page_may_run_inline_script_or_style(read):
    directives = read()["CONTENT_SECURITY_POLICY"]["DIRECTIVES"]
    assert "'unsafe-inline'" not in str(directives)
    assert "'unsafe-eval'" not in str(directives)
    assert directives["script-src"] == directives["style-src"] == ["'self'"]


WRONG = [
    ({"DATABASE_URL": "postgresql://rami@db/rami"}, "DATABASE_URL and REDIS_URL go together"),
    ({"REDIS_URL": "redis://cache"}, "DATABASE_URL and REDIS_URL go together"),
    ({**SCALED, "DATABASE_URL": "mysql://rami@db/rami"}, "DATABASE_URL must be"),
    ({**SCALED, "REDIS_URL": "http://cache"}, "REDIS_URL must be"),
    ({**SCALED, "SECRET_KEY": ""}, "SECRET_KEY must be set"),
    ({**SCALED, "SITE_URL": ""}, "SITE_URL must be set"),
    ({"SECRET_KEY": "short"}, "SECRET_KEY must have at least"),
    ({"SITE_URL": "rami.example"}, "SITE_URL must be an address"),
    ({"SITE_URL": "https://rami.example/path"}, "SITE_URL must be an address"),
    ({"DEBUG": "maybe"}, "DEBUG must be 1 or 0"),
    ({"TRUSTED_PROXIES": "-1"}, "TRUSTED_PROXIES must be a whole number"),
    ({"LOG_LEVEL": "loud"}, "LOG_LEVEL must be"),
    ({"LOG_FORMAT": "xml"}, "LOG_FORMAT must be"),
    ({"METRICS_TOKEN": "short"}, "METRICS_TOKEN must have at least"),
    ({"TIME_ZONE": "Mars/Base"}, "TIME_ZONE must be"),
    ({"EMAIL_URL": "nonsense"}, "EMAIL_URL must be"),
    ({"DATA_DIR": "/dev/null/data"}, "DATA_DIR '/dev/null/data' cannot be made"),
    ({**SCALED, "DATABASE_POOL": "many"}, "DATABASE_POOL must be a whole number"),
]


@pytest.mark.parametrize(("environment", "sentence"), WRONG)
def test_a_wrong_value_stops_the_start_with_a_sentence(read, environment, sentence):
    with pytest.raises(ImproperlyConfigured, match=sentence) as refused:
        read(**environment)
    assert str(refused.value).endswith(".")


STARTS = {
    "manage.py": ["manage.py", "check"],
    "daphne": ["-m", "daphne", "ginrami.asgi:application"],
    "worker": ["-m", "celery", "-A", "ginrami", "worker"],
}


@pytest.mark.parametrize("start", STARTS)
def test_every_start_says_the_sentence_and_shows_no_trace(start, tmp_path):
    env = {"DATA_DIR": str(tmp_path), "SECRET_KEY": "short"}
    done = subprocess.run(
        [sys.executable, *STARTS[start]], cwd=ROOT, env=env, capture_output=True, text=True
    )
    assert (done.returncode, done.stdout) == (1, "")
    sentence = "Nothing was done: SECRET_KEY must have at least 32 characters."
    assert done.stderr.splitlines() == [sentence]


def test_the_sentence_names_no_secret(read):
    with pytest.raises(ImproperlyConfigured) as refused:
        read(**{**SCALED, "DATABASE_URL": "mysql://rami:pass-word@db/rami"})
    assert "pass-word" not in str(refused.value)


def test_the_first_start_makes_a_key_only_its_owner_can_read(read, tmp_path):
    settings = read()
    kept = tmp_path / "secret_key"
    assert kept.read_text() == settings["SECRET_KEY"]
    assert len(settings["SECRET_KEY"]) >= 50
    assert stat.S_IMODE(kept.stat().st_mode) == 0o600
    assert read()["SECRET_KEY"] == settings["SECRET_KEY"]


def test_a_relative_data_folder_is_the_same_from_everywhere(read, tmp_path, monkeypatch):
    """The site is set up from where the host stands, and serves from its own folder."""
    relative = os.path.relpath(tmp_path / "data", ROOT)
    found = set()
    for place in (tmp_path, ROOT):
        monkeypatch.chdir(place)
        found.add(read(DATA_DIR=relative)["VAR_DIR"].resolve())
    assert found == {tmp_path / "data"}


def test_two_first_starts_at_once_agree_on_one_key(tmp_path):
    """Several rounds, since a race shows itself now and then."""
    code = "from ginrami.settings import SECRET_KEY; print(SECRET_KEY)"
    for round_number in range(3):
        kept = {name: value for name, value in os.environ.items() if name not in NAMES}
        env = {**kept, "DATA_DIR": str(tmp_path / str(round_number))}
        starts = [
            subprocess.Popen([sys.executable, "-c", code], cwd=ROOT, env=env, text=True,
                             stdout=subprocess.PIPE, stderr=subprocess.PIPE)
            for _ in range(3)
        ]
        said = [start.communicate(timeout=60) for start in starts]
        keys = {out.strip() for out, _error in said}
        assert [start.returncode for start in starts] == [0, 0, 0], said
        assert len(keys) == 1
        assert len(keys.pop()) >= 50


def test_a_wrong_value_ends_a_real_start(tmp_path):
    env = {**os.environ, "DATA_DIR": str(tmp_path), "DEBUG": "perhaps"}
    done = subprocess.run([sys.executable, "manage.py", "check"], cwd=ROOT, env=env,
                          capture_output=True, text=True, timeout=60)
    assert done.returncode != 0
    assert "DEBUG must be 1 or 0, not 'perhaps'." in done.stderr


# --- what is written for the host


def readme_table() -> set[str]:
    lines = (ROOT / "README.md").read_text(encoding="utf-8").splitlines()
    cells = [line.split("|")[1] for line in lines if line.startswith("| `")]
    return {name for cell in cells for name in re.findall(r"`([A-Z_]+)`", cell)}


def test_the_readme_lists_every_variable_and_no_other():
    read = [ROOT / "ginrami" / "settings.py", ROOT / "script" / "start.py"]
    sources = "".join(path.read_text(encoding="utf-8") for path in read)
    calls = r"(?:env\.(?:str|list)|_flag|_number|_seconds|environ\.get)\(\s*\"([A-Z_]+)\""
    assert readme_table() == set(re.findall(calls, sources))


def test_the_example_of_an_environment_starts_a_scaled_site_once_filled_in(tmp_path):
    """Read by a shell as README says, with every offered line switched on."""
    text = (ROOT / "deploy" / "env.example").read_text()
    of_the_processes = {"WORKERS", "SOCKETS"}
    named = set(re.findall(r"^#?([A-Z_]+)=", text, re.MULTILINE))
    assert named <= readme_table() | of_the_processes
    filled = re.sub(r"^#([A-Z_]+=)", r"\1", text, flags=re.MULTILINE)
    filled = filled.replace('SECRET_KEY=""', f'SECRET_KEY="{"k" * 50}"')
    filled = filled.replace("/var/lib/ginrami", str(tmp_path / "data"))
    filled = filled.replace("/run/ginrami", str(tmp_path / "run"))
    (tmp_path / "env").write_text(filled)
    code = "from ginrami import settings as s; print(s.EMBEDDED, s.SITE_URL, s.DEFAULT_FROM_EMAIL)"
    done = subprocess.run(
        ["sh", "-ec", f'set -a; . "$1"; "$2" -c "{code}"', "-", tmp_path / "env", sys.executable],
        cwd=ROOT, env={"PATH": os.defpath}, capture_output=True, text=True, timeout=60,
    )
    assert done.stdout == "False https://rami.example Gin Rami <rami@rami.example>\n", done.stderr


def test_a_log_is_not_filled_with_the_sweeps(read):
    keep = read()["is_no_routine"]
    record = logging.LogRecord("celery.beat", logging.INFO, "", 0, "Sending due task %s (%s)",
                               ("bonuses of won sheets", "scoring.tasks.sweep_bonuses"), None)
    assert not keep(record)
    assert read(LOG_LEVEL="DEBUG")["is_no_routine"](record)
    record.levelno = logging.WARNING
    assert keep(record)
    record.levelno, record.args = logging.INFO, ("bonuses", "scoring.tasks.write_bonuses")
    assert keep(record)


@pytest.mark.parametrize("host", ["127.0.0.1", "::1", "localhost"])
def test_a_site_for_this_machine_alone_gives_friends_no_address(read, host):
    assert read(HOST=host)["NETWORK_ADDRESS"] == ""


def test_a_site_for_the_network_gives_this_machine_s_address(read, monkeypatch):
    class Probe(socket.socket):
        def connect(self, _address):
            """A machine on a network: the route is there."""

        def getsockname(self):
            return ("192.168.1.20", 50_000)

    monkeypatch.setattr(socket, "socket", Probe)
    assert read(HOST="0.0.0.0")["NETWORK_ADDRESS"] == "192.168.1.20"  # noqa: S104
