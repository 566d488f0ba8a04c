"""What script/server does once the packages are there: migrate, collect, say where to go, serve."""

from __future__ import annotations

import argparse
import contextlib
import errno
import fcntl
import hashlib
import ipaddress
import os
import socket
import sys
from collections.abc import Iterator
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT))
os.environ["DJANGO_SETTINGS_MODULE"] = "ginrami.settings"

import django  # noqa: E402 - the path comes first
from django.conf import settings  # noqa: E402
from django.contrib.auth import get_user_model  # noqa: E402
from django.contrib.staticfiles.finders import get_finders  # noqa: E402
from django.core.exceptions import ImproperlyConfigured  # noqa: E402
from django.core.management import call_command  # noqa: E402
from django.db import OperationalError  # noqa: E402


def say(sentence: str) -> None:
    print(sentence, flush=True)


def arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(
        prog="script/server", description="Run the site. README.md lists the settings."
    )
    parser.add_argument(
        "--host", default=os.environ.get("HOST") or "0.0.0.0",  # noqa: S104
        help="the address to serve on (now %(default)s; 127.0.0.1 serves this machine only)",
    )
    parser.add_argument(
        "--port", default=os.environ.get("PORT") or "8000", help="the port (now %(default)s)"
    )
    given = parser.parse_args()
    if not given.port.isdecimal() or not 1 <= int(given.port) <= 65535:
        sys.exit(f"PORT must be a whole number from 1 to 65535, not {given.port!r}.")
    given.port = int(given.port)
    os.environ["HOST"] = given.host  # the settings ask whether others can be served
    return given


def require_free(host: str, port: int) -> None:
    """Stop with one sentence if nobody could serve there."""
    try:
        family, kind, protocol, _name, address = socket.getaddrinfo(
            host, port, type=socket.SOCK_STREAM
        )[0]
        with socket.socket(family, kind, protocol) as probe:
            probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            probe.bind(address)
    except OSError as error:
        if error.errno == errno.EADDRINUSE:
            sys.exit(
                f"Port {port} is taken by another program. "
                f"Choose another one: script/server --port {port % 65535 + 1}"
            )
        if error.errno == errno.EACCES:
            sys.exit(f"Port {port} needs rights you do not have here. Choose one from 1024 up.")
        sys.exit(f"Nothing can be served on {host}: {error.strerror}.")


@contextlib.contextmanager
def alone(name: str) -> Iterator[None]:
    """Let one start at a time migrate and collect."""
    with (settings.VAR_DIR / name).open("w") as file:
        fcntl.flock(file, fcntl.LOCK_EX)
        yield


def be_the_only_server(port: int) -> None:
    """Embedded, one process holds the live tables: a second one on the same data is refused.

    The lock lives as long as this process, through exec.
    """
    handle = os.open(settings.VAR_DIR / "server.lock", os.O_RDWR | os.O_CREAT, 0o600)
    try:
        fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        other = os.pread(handle, 20, 0).decode().strip() or "another port"
        sys.exit(f"The site is already running here, on port {other}.")
    os.ftruncate(handle, 0)
    os.pwrite(handle, f"{port}\n".encode(), 0)
    os.set_inheritable(handle, True)


def collect_static_files() -> None:
    """Copy, hash and compress the static files, only when one of them changed."""
    digest = hashlib.sha256(django.__version__.encode())
    for finder in get_finders():
        for path, storage in finder.list([]):
            found = os.stat(storage.path(path))
            digest.update(f"{path} {found.st_size} {found.st_mtime_ns}\n".encode())
    stamp = settings.VAR_DIR / "static.stamp"
    if stamp.exists() and stamp.read_text() == digest.hexdigest() and settings.STATIC_ROOT.exists():
        return
    call_command("collectstatic", interactive=False, verbosity=0)
    stamp.write_text(digest.hexdigest())


def addresses(host: str, port: int) -> list[str]:
    """Where this machine's browser and the friends on the same network find the site."""
    if settings.SITE_URL:
        return [settings.SITE_URL]
    if host not in ("0.0.0.0", "::"):  # noqa: S104
        return [f"http://[{host}]:{port}" if ":" in host else f"http://{host}:{port}"]
    friends = []
    for name in settings.ALLOWED_HOSTS:
        with contextlib.suppress(ValueError):
            address = ipaddress.IPv4Address(name)
            if not address.is_loopback and not address.is_link_local:
                friends.append(f"http://{address}:{port}")
    return [f"http://localhost:{port}", *friends]


def main() -> None:
    given = arguments()
    try:
        django.setup()
    except ImproperlyConfigured as error:
        sys.exit(f"The site cannot start: {error}")
    if settings.EMBEDDED:
        be_the_only_server(given.port)
    require_free(given.host, given.port)
    with alone("start.lock"):
        try:
            call_command("migrate", interactive=False, verbosity=0)
        except OperationalError as error:
            # The pool only says that it waited in vain; what the server answered is in its log.
            sys.exit(f"The site cannot start: the database cannot be used: {error}.")
        collect_static_files()
    here, *friends = addresses(given.host, given.port)
    if not get_user_model().objects.filter(is_superuser=True).exists():
        say("Nobody looks after this site yet. Open this link once, within 30 minutes, to do so:")
        call_command("first_admin_link", base=here)
    say(f"Gin Rami is at {here}")
    if friends:
        say(f"Friends on the same network: {'  '.join(friends)}")
    say("Stop with Ctrl-C.")
    os.chdir(ROOT)
    # No access log: addresses of invitations are secrets.
    os.execv(sys.executable, [  # noqa: S606 - this very Python
        sys.executable, "-m", "daphne", "-v", "0", "-b", given.host, "-p", str(given.port),
        # A line that went dead without a word is closed within 15 s.
        "--ping-interval", "7", "--ping-timeout", "6", "ginrami.asgi:application",
    ])


if __name__ == "__main__":
    try:
        main()
    except KeyboardInterrupt:
        sys.exit(130)
    except OSError as error:
        sys.exit(f"The site cannot start: {error.filename}: {error.strerror}.")
