"""The service worker of the pads: it keeps all the page loads, and reaches nothing else."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest
from django.conf import settings
from django.test import Client

from games.pads import offline

STATIC = Path(settings.BASE_DIR) / "static"
IMPORTED = re.compile(r'^(?:import|export)\b[^;]*?from\s+"([^"]+)"', re.MULTILINE)


def loaded_by(path: Path) -> set[Path]:
    """A module and all it imports."""
    found, waiting = set(), {path.resolve()}
    while waiting:
        one = waiting.pop()
        found.add(one)
        text = one.read_text(encoding="utf-8")
        waiting |= {(one.parent / name).resolve() for name in IMPORTED.findall(text)} - found
    return found


def test_every_module_of_the_page_is_kept():
    kept = {STATIC / name for name in offline.FILES if name.startswith("js/")}
    assert kept == loaded_by(STATIC / "js" / "pad" / "main.js")


def test_every_file_the_page_names_is_kept():
    named = set()
    for name in ("base.html", "games/pad.html"):
        text = (Path(settings.BASE_DIR) / "templates" / name).read_text(encoding="utf-8")
        named |= set(re.findall(r"{% static '([^']+)' %}", text))
    assert named - {"js/forget.js"} <= set(offline.FILES)


def test_all_that_is_kept_exists():
    assert all((STATIC / name).is_file() for name in offline.FILES)


@pytest.mark.django_db
def test_the_worker_stands_in_the_folder_of_the_pads_and_asks_for_nobody():
    answer = Client().get("/pad/sw.js")
    assert answer.status_code == 200
    assert answer.headers["Content-Type"].startswith("text/javascript")
    assert answer.headers["Cache-Control"] == "no-cache"
    assert "Service-Worker-Allowed" not in answer.headers
    told = json.loads(re.search(r"self\.PAD = (.*);\n", answer.content.decode())[1])
    assert len(told["files"]) == len(offline.FILES)


def test_a_new_version_of_any_file_is_a_new_worker(monkeypatch):
    before = offline.worker()
    monkeypatch.setattr(offline, "static", lambda name: f"/static/new/{name}")
    after = offline.worker()
    assert json.loads(before[11 : before.index(";\n")])["version"] not in after
