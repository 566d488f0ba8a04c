"""The scripts: what they set up holds through interruptions and moves; nothing outlives them."""

from __future__ import annotations

import contextlib
import importlib
import os
import re
import shutil
import signal
import subprocess
import sys
import time
from pathlib import Path
from shlex import quote

import pytest

from script import children, prepare, start, suites

ROOT = Path(__file__).resolve().parent.parent

# A child that takes a moment to put its house in order, under a parent that uses script.children.
CHILD = """
import signal, sys, time
def tidy(number, frame):
    time.sleep(0.6)
    open(sys.argv[1] + "/tidied", "a").write(f"{number} ")
    sys.exit(3)
signal.signal(signal.SIGINT, tidy)
signal.signal(signal.SIGTERM, tidy)
open(sys.argv[1] + "/up", "w").close()
time.sleep(60)
"""
PARENT = f"""
import sys
from script.children import exit_with, run
exit_with(lambda folder: run([sys.executable, "-c", {CHILD!r}, *folder]))
"""


@pytest.fixture
def family(tmp_path: Path):
    """A parent and its child, both running, in a process group of their own."""
    with subprocess.Popen(
        [sys.executable, "-c", PARENT, str(tmp_path)], cwd=ROOT, start_new_session=True,
        stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True,
    ) as parent:
        appears(tmp_path / "up")
        yield parent
        with contextlib.suppress(ProcessLookupError):
            os.killpg(parent.pid, signal.SIGKILL)


def appears(path: Path, seconds: float = 20) -> None:
    until = time.monotonic() + seconds
    while not path.exists():
        assert time.monotonic() < until, path
        time.sleep(0.02)


def test_ctrl_c_waits_for_the_child_s_own_end_and_says_nothing(family, tmp_path):
    os.killpg(family.pid, signal.SIGINT)
    said, _ = family.communicate(timeout=20)
    assert family.returncode == 130
    assert said == ""
    assert (tmp_path / "tidied").read_text() == f"{signal.SIGINT:d} "


def test_a_parent_asked_to_stop_hands_it_on_and_waits(family, tmp_path):
    family.terminate()
    family.communicate(timeout=20)
    assert family.returncode == 143
    assert (tmp_path / "tidied").read_text() == f"{signal.SIGTERM:d} "


@pytest.mark.skipif(sys.platform != "linux", reason="the system tells children on Linux only")
def test_a_killed_parent_takes_its_child_along(family, tmp_path):
    family.kill()
    appears(tmp_path / "tidied")


# --- script/setup


@pytest.fixture
def house(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A checkout with an environment that is there, and packages that are not installed yet."""
    root = tmp_path / "house"
    (root / ".venv" / "bin").mkdir(parents=True)
    for name in ("requirements.txt", "requirements-dev.txt"):
        (root / name).write_text(f"{name} of today")
    place(root, monkeypatch)
    return root


def place(root: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    venv = root / ".venv"
    for name, value in {"ROOT": root, "VENV": venv, "PYTHON": venv / "bin" / "python",
                        "PLACE": venv / "made-in"}.items():
        monkeypatch.setattr(prepare, name, value)


@pytest.fixture
def pip(monkeypatch: pytest.MonkeyPatch):
    """What pip was asked to install; `ends` is how it ends."""

    class Pip:
        asked: list[str] = []
        ends: int | type[BaseException] = 0

        def __call__(self, command, **_options) -> int:
            self.asked = [*self.asked, str(command[-1])]
            if isinstance(self.ends, int):
                return self.ends
            raise self.ends

    pip = Pip()
    monkeypatch.setattr(prepare, "run", pip)
    return pip


BOTH = ("requirements.txt", "requirements-dev.txt")


def test_packages_are_installed_once_and_again_when_the_file_changed(house, pip):
    for _ in range(2):
        prepare.install("requirements.txt")
    assert pip.asked == ["requirements.txt"]
    (house / "requirements.txt").write_text("another pin")
    prepare.install("requirements.txt")
    assert pip.asked == ["requirements.txt"] * 2


def test_serving_and_testing_in_turn_installs_nothing_anew(house, pip):
    for names in (BOTH[:1], BOTH, BOTH[:1], BOTH):
        prepare.install(*names)
    assert pip.asked == ["requirements.txt", "requirements-dev.txt"]


def test_what_tests_need_is_installed_anew_after_the_site_s_packages_changed(house, pip):
    prepare.install(*BOTH)
    (house / "requirements.txt").write_text("another pin")
    prepare.install("requirements.txt")
    (house / "requirements.txt").write_text("requirements.txt of today")
    prepare.install(*BOTH)
    assert pip.asked == ["requirements-dev.txt", "requirements.txt", "requirements-dev.txt"]


@pytest.mark.parametrize("end", [1, KeyboardInterrupt])
def test_an_unfinished_installation_is_taken_up_again(house, pip, end):
    prepare.install("requirements.txt")
    (house / "requirements.txt").write_text("another pin")
    pip.ends = end
    with pytest.raises((SystemExit, KeyboardInterrupt)):
        prepare.install("requirements.txt")
    pip.ends = 0
    (house / "requirements.txt").write_text("requirements.txt of today")  # back to what was there
    prepare.install("requirements.txt")
    assert len(pip.asked) == 3


def test_an_environment_is_made_anew_when_half_made_or_its_python_went_away(house):
    python = house / ".venv" / "bin" / "python"
    python.symlink_to(sys.executable)
    assert not prepare.usable()  # as an interrupted `python -m venv` leaves it
    prepare.PLACE.write_text("here")
    assert prepare.usable()
    python.unlink()
    python.symlink_to("/nowhere/python3")
    assert not prepare.usable()
    python.unlink()
    python.write_text("#!/bin/sh\nexit 1\n")  # another Python, without the packages
    python.chmod(0o755)
    assert not prepare.usable()


@pytest.mark.parametrize("name", ["new place", "new-place"])
@pytest.mark.parametrize("before", ["old-place", "old place"])
def test_a_moved_folder_takes_its_commands_along(tmp_path, monkeypatch, before, name):
    old = tmp_path / before
    commands = old / ".venv" / "bin"
    commands.mkdir(parents=True)
    (commands / "python").symlink_to(sys.executable)
    header = f"#!{commands}/python\n"
    if " " in before:
        header = f"#!/bin/sh\n'''exec' \"{commands}/python\" \"$0\" \"$@\"\n' '''\n"
    tool = "# -*- coding: utf-8 -*-\nimport sys\nprint(sys.argv)\n"
    (commands / "tool").write_text(header + tool)
    (commands / "tool").chmod(0o755)
    (commands / "activate").write_text(f'VIRTUAL_ENV="{old}/.venv"\n')
    place(old, monkeypatch)
    prepare.follow_a_move()
    new = tmp_path / name
    shutil.move(old, new)
    place(new, monkeypatch)
    prepare.follow_a_move()
    there = new / ".venv" / "bin"
    done = subprocess.run([there / "tool", "a b"], capture_output=True, text=True)
    assert done.stdout == f"{[str(there / 'tool'), 'a b']}\n", done.stderr
    assert (there / "activate").read_text() == f'VIRTUAL_ENV="{new}/.venv"\n'


@pytest.fixture
def bare(tmp_path: Path):
    """Run script/setup of a fresh copy on a machine that has only these programs."""

    def setup(**programs: str) -> subprocess.CompletedProcess[str]:
        path = tmp_path / "bin"
        path.mkdir()
        for tool in ("sh", "dirname", "basename", "ls"):
            (path / tool).symlink_to(shutil.which(tool) or "")
        for program, text in programs.items():
            (path / program).write_text(f"#!/bin/sh\n{text}\n")
            (path / program).chmod(0o755)
        shutil.copytree(ROOT / "script", tmp_path / "script")
        return subprocess.run(
            [tmp_path / "script" / "setup"], cwd="/", env={"PATH": str(path)}, text=True,
            capture_output=True, timeout=60,
        )

    return setup


def test_a_machine_without_python_is_told_what_to_install(bare):
    done = bare()
    assert done.returncode == 1
    assert done.stderr.startswith("Gin Rami needs Python 3.11 or later")
    assert done.stderr.count("\n") == 1


def test_a_machine_without_venv_is_told_which_package_to_install(bare):
    python = quote(sys.executable)
    done = bare(python3=f'case "$2" in *ensurepip*) exit 1 ;; esac; exec {python} "$@"')
    assert done.returncode == 1
    assert "apt install python3-venv" in done.stderr
    assert done.stderr.count("\n") == 1


def test_an_environment_whose_python_was_replaced_is_not_asked(bare, tmp_path):
    """It is still executable and new enough, but the packages went away with the old version."""
    (tmp_path / ".venv" / "bin").mkdir(parents=True)
    (tmp_path / ".venv" / "installed-requirements.txt").touch()
    python = tmp_path / ".venv" / "bin" / "python"
    python.write_text('#!/bin/sh\ncase "$2" in *pip*) exit 1 ;; esac\necho asked\n')
    python.chmod(0o755)
    done = bare(python3='case "$1" in -c) exit 0 ;; esac; echo made anew')
    assert done.stdout == "made anew\n", done.stderr


# --- script/test


@pytest.mark.parametrize(
    ("arguments", "suites_run"),
    [
        ([], ["unit", "postgres", "services", "browser", "load"]),
        (["-k", "knock"], ["unit", "postgres", "services", "browser", "load"]),
        (["tests/games/test_table.py"], ["unit"]),
        (["tests/services/test_faults.py::test_a_killed_web_process"], ["services"]),
        (["-x", "tests/browser", "tests/games"], ["unit", "browser"]),
    ],
)
def test_a_named_file_is_run_by_the_suite_it_belongs_to(arguments, suites_run):
    assert suites.suites_of(arguments) == suites_run


@pytest.mark.parametrize("arguments", [["nonsense"], ["unit", "nonsense"], ["tests/nonsense.py"]])
def test_a_suite_that_is_not_there_runs_nothing(arguments, capsys, monkeypatch):
    for start_one in ("run", "begin"):
        monkeypatch.setattr(suites, start_one, lambda *_, **__: pytest.fail("something ran"))
    assert suites.main(arguments) == 2
    assert "neither a suite nor a test" in capsys.readouterr().err


def test_suites_side_by_side_say_whose_each_line_is(tmp_path, monkeypatch, capfd):
    """And a suite that dies without a report is one failure, whatever the others say."""
    report = '<testsuites><testsuite tests="3" skipped="0" failures="0" errors="0"/></testsuites>'
    dying = "import sys; print('no report'); sys.exit(3)"
    passing = "import sys; open(sys.argv[1], 'w').write(sys.argv[2]); print('three passed')"

    def start_one(command, **how):
        path = next(str(word) for word in command if "--junitxml" in str(word)).split("=")[1]
        name = Path(path).stem
        code = dying if name == "services" else passing
        return children.begin([sys.executable, "-c", code, path, report], **how)

    monkeypatch.setattr(suites, "begin", start_one)
    monkeypatch.setattr(suites, "chromium_is_there", lambda: True)
    counts = suites.run_suites(["unit", "services", "browser"], [], tmp_path)
    assert [(count.name, count.passed, count.failed) for count in counts] == [
        ("unit", 3, 0), ("services", 0, 1), ("browser", 3, 0)
    ]
    said = capfd.readouterr().out
    assert "unit     three passed" in said
    assert "services no report" in said


# --- script/server, script/check, script/bench


def test_every_bench_that_is_offered_can_be_run():
    command = [sys.executable, ROOT / "script" / "bench.py"]
    done = subprocess.run(command, capture_output=True, text=True)
    assert done.returncode == 2
    offered = re.search(r"there is: ([\w, ]+)", done.stderr)
    assert offered, done.stderr
    for name in offered[1].split(", "):
        assert callable(importlib.import_module(f"script.bench_{name}").run)


@pytest.mark.parametrize(
    ("host", "address"),
    [
        ("127.0.0.1", "http://127.0.0.1:80"),
        ("::1", "http://[::1]:80"),
        ("0.0.0.0", "http://localhost:80"),  # noqa: S104 - what is given, not served
    ],
)
def test_the_printed_address_can_be_opened(host, address, settings):
    settings.SITE_URL = ""
    assert start.addresses(host, 80)[0] == address


def test_ctrl_c_in_a_check_shows_no_trace(tmp_path):
    slow = (f"import time; open({str(tmp_path / 'up')!r}, 'w').close()\n"
            "try: time.sleep(120)\nfinally: print('a long trace')")
    code = (
        "import sys\nfrom script import check\n"
        f"check.CHECKS = {{name: ([sys.executable, '-c', {slow!r}], {{}}) for name in 'abcd'}}\n"
        "check.exit_with(lambda _: check.main([]))"
    )
    with subprocess.Popen(
        [sys.executable, "-c", code], cwd=ROOT, start_new_session=True, text=True,
        stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
    ) as checks:
        appears(tmp_path / "up")  # of the first; the others are starting, or wait for it
        os.killpg(checks.pid, signal.SIGINT)
        said, _ = checks.communicate(timeout=20)
    assert checks.returncode == 130
    assert said == ""
