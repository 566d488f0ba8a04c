"""What lies in deploy/: it names only commands, files, addresses and variables that exist.

That it works was tried by hand with a real nginx (deploy/README.md); this keeps it from drifting.
"""

from __future__ import annotations

import os
import re
import subprocess
from importlib.util import find_spec
from pathlib import Path

import pytest
from django.conf import settings
from django.urls import resolve

from ginrami.bounds import BODY_BYTES

ROOT = Path(__file__).resolve().parent.parent
DEPLOY = ROOT / "deploy"
UNITS = sorted((DEPLOY / "systemd").iterdir())
NGINX = (DEPLOY / "nginx" / "ginrami.conf").read_text(encoding="utf-8")
PROCFILE = dict(
    line.split(": ", 1) for line in (DEPLOY / "Procfile").read_text(encoding="utf-8").splitlines()
)
VARIABLES = set(
    re.findall(r"^#?([A-Z_]+)=", (DEPLOY / "env.example").read_text(encoding="utf-8"), re.MULTILINE)
)


def started_by(unit: Path) -> str:
    found = re.search(r"^ExecStart=(.+)$", unit.read_text(encoding="utf-8"), re.MULTILINE)
    return found[1] if found else ""


def _plainly(command: str) -> str:
    """As systemd writes it, which has no defaults for variables."""
    with_sockets = re.sub(r"\$\{SOCKETS:-(.+?)\}", r"\1", command)
    return re.sub(r"\$\{(\w+):-.+?\}", r"${\1}", with_sockets)


def test_the_procfile_and_the_units_start_the_same():
    units = {unit.name: started_by(unit) for unit in UNITS}
    said = {
        "web1": units["ginrami-web@.service"].replace("%i", "1"),
        "web2": units["ginrami-web@.service"].replace("%i", "2"),
        **{name: units[f"ginrami-{name}.service"] for name in ("worker", "beside", "beat")},
    }
    here = {name: _plainly(one) for name, one in PROCFILE.items()}
    assert here == {
        name: one.removeprefix("/opt/ginrami/").replace("%%", "%") for name, one in said.items()
    }


@pytest.mark.parametrize("command", PROCFILE.values(), ids=PROCFILE.keys())
def test_what_is_started_is_there(command):
    words = command.split()
    assert words[:2] == [".venv/bin/python", "-m"]
    assert find_spec(words[2]) is not None
    assert ("ginrami.asgi:application" in words) or (words[3:5] == ["-A", "ginrami"])


def test_every_variable_and_file_they_name_is_there():
    for file in [*UNITS, DEPLOY / "Procfile"]:
        text = file.read_text(encoding="utf-8")
        assert set(re.findall(r"\$\{?([A-Z_]+)", text)) <= VARIABLES, file.name
        for named in re.findall(r"/opt/ginrami/([\w./-]+)", text):
            assert named.startswith(".venv/") or os.access(ROOT / named, os.X_OK), named
    names = {unit.name for unit in UNITS}
    for unit in UNITS:
        for named in re.findall(r"ginrami[\w@-]*\.(?:target|service|timer)", unit.read_text()):
            assert named in names, (unit.name, named)


def test_nginx_leads_to_the_sockets_that_are_served():
    served = {_plainly(one).split()[6] for one in PROCFILE.values() if "daphne" in one}
    upstreams = re.findall(r"upstream (\w+) {(.*?)}", NGINX, flags=re.DOTALL)
    assert {name for name, _servers in upstreams} == set(re.findall(r"pass http://(\w+)", NGINX))
    for _name, servers in upstreams:
        assert set(re.findall(r"server unix:(\S+)", servers)) == served


def test_nginx_has_those_at_a_table_meet_in_one_process():
    sockets = NGINX.split("upstream ginrami_tables {")[1].split("}")[0]
    assert "hash $uri consistent;" in sockets
    place = NGINX.split("location /ws/tables/ {")[1].split("}")[0]
    assert "proxy_pass http://ginrami_tables;" in place


def test_nginx_names_addresses_of_the_site_and_bounds_of_the_site():
    for address in re.findall(r"location = (/\S+)", NGINX):
        assert resolve(address)
    assert f"location {settings.STATIC_URL}" in NGINX
    assert f"client_max_body_size {BODY_BYTES // 1024**2}m;" in NGINX
    assert set(re.findall(r"proxy_set_header (X-Forwarded-\S+) +(\S+);", NGINX)) == {
        ("X-Forwarded-For", "$remote_addr"), ("X-Forwarded-Proto", "$scheme"),
    }  # fmt: skip


def test_nginx_writes_no_address_in_a_log():
    servers = NGINX.split("\nserver {")[1:]
    assert all("access_log off;" in one for one in servers)
    assert set(re.findall(r"error_log \S+ (\w+);", NGINX)) == {"emerg"}


def test_nginx_hides_from_the_public_what_is_for_the_host():
    public, private = NGINX.split("\nserver {")[2:]
    assert "location = /metrics { return 404; }" in public
    assert "listen 127.0.0.1:" in private


@pytest.mark.parametrize("name", ["backup", "restart"])
def test_the_scripts_are_read_by_a_plain_shell(name):
    subprocess.run(["sh", "-n", DEPLOY / name], check=True)


def test_a_backup_that_breaks_off_looks_like_none(tmp_path):
    breaking = tmp_path / "pg_dump"
    breaking.write_text('#!/bin/sh\nfor said; do echo half > "${said#--file=}"; done; exit 1\n')
    breaking.chmod(0o700)
    env = {"PATH": os.defpath, "DATABASE_URL": str(tmp_path / "url"), "PG_DUMP": str(breaking)}
    done = subprocess.run([DEPLOY / "backup", tmp_path], env=env, cwd=tmp_path)
    assert done.returncode != 0
    assert list(tmp_path.glob("*.half"))
    assert list(tmp_path.glob("*.dump")) == []
