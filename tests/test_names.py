"""Tests replace names of the site: one that is gone shows here in seconds, in its test in minutes.
"""

from __future__ import annotations

import ast
import importlib
from collections.abc import Iterator
from pathlib import Path
from types import ModuleType

import pytest

ROOT = Path(__file__).resolve().parent.parent
OURS = ("accounts", "games", "ginrami", "scoring", "script", "tests")
REPLACING = {"setattr", "delattr", "object"}  # of monkeypatch, and of mock.patch


def module(name: str) -> ModuleType | None:
    if name.split(".")[0] not in OURS:
        return None
    try:
        return importlib.import_module(name)
    except ModuleNotFoundError:
        return None


def replaced_in(source: str) -> Iterator[tuple[int, ModuleType, str]]:
    """Where a name of one of our modules is replaced: the line, the module, the name."""
    tree, known = ast.parse(source), dict[str, ModuleType]()
    for node in ast.walk(tree):
        if isinstance(node, ast.ImportFrom) and node.module:
            for one in node.names:
                found = module(f"{node.module}.{one.name}")
                if found is not None:
                    known[one.asname or one.name] = found
    for node in ast.walk(tree):
        if not (isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.args):
            continue
        if node.func.attr not in REPLACING:
            continue
        first, *rest = node.args
        if isinstance(first, ast.Name) and first.id in known and rest:
            if isinstance(rest[0], ast.Constant):
                yield node.lineno, known[first.id], str(rest[0].value)
        elif isinstance(first, ast.Constant) and isinstance(first.value, str):
            holder, _, name = first.value.rpartition(".")
            held = module(holder)
            if held is not None:
                yield node.lineno, held, name


def test_a_name_that_is_replaced_is_found_however_it_is_written():
    source = """
from unittest import mock
from games import dealing as cards, live
def test_it(monkeypatch):
    monkeypatch.setattr(live, "gone", 1)
    monkeypatch.setattr("games.live.missing", 1)
    mock.patch.object(cards, "lost", 1)
    monkeypatch.setattr(object(), "other", 1)
"""
    assert [(line, held.__name__, name) for line, held, name in replaced_in(source)] == [
        (5, "games.live", "gone"), (6, "games.live", "missing"), (7, "games.dealing", "lost")
    ]  # fmt: skip


PLACES = sorted(path.name for path in (ROOT / "tests").iterdir() if path.name[0] not in "_.")


@pytest.mark.parametrize("folder", PLACES)
def test_tests_replace_nothing_that_is_gone(folder):
    place = ROOT / "tests" / folder
    files = [place] if place.suffix == ".py" else sorted(place.rglob("*.py"))
    gone = [
        f"{file.relative_to(ROOT)}:{line}: {held.__name__} has no {name}"
        for file in files
        for line, held, name in replaced_in(file.read_text(encoding="utf-8"))
        if not hasattr(held, name)
    ]
    assert gone == []
