"""`manage.py check_vectors`: the facts hold, a false one is found, a broken file is refused."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from django.core.management import call_command

VECTORS = Path(__file__).parents[1] / "vectors"
FILES = ["deadwood", "hands", "showdowns", "sheets"]


@pytest.fixture
def check(capsys):
    """Check some files; the exit code, what was printed, and what was said on standard error."""

    def run(*names: object) -> tuple[object, list[str], str]:
        code: object = 0
        try:
            call_command("check_vectors", *map(str, names))
        except SystemExit as exit_:
            code = exit_.code
        out, err = capsys.readouterr()
        return code, out.splitlines(), err

    return run


def rows(name: str, wanted: int = 3) -> list[dict]:
    with open(VECTORS / f"{name}.jsonl", encoding="utf-8") as file:
        return [json.loads(next(file)) for _ in range(wanted)]


def written(path: Path, given: list) -> Path:
    path.write_text("\n".join(json.dumps(row) for row in given))
    return path


def test_every_recorded_fact_holds(check):
    files = [VECTORS / f"{name}.jsonl" for name in FILES]
    count = sum(len(file.read_text().splitlines()) for file in files)
    assert check(*files) == (0, [f"{count} rows, 0 mismatches"], "")


def falsified() -> list[tuple[str, dict]]:
    deadwood = rows("deadwood")[0]
    with open(VECTORS / "deadwood.jsonl", encoding="utf-8") as file:
        eleven = next(row for row in map(json.loads, file) if row["n"] == 11)
    hand, showdown, sheet = rows("hands")[0], rows("showdowns")[0], rows("sheets", 9)[8]
    way = showdown["arrangements"][0]
    expect = sheet["expect"]
    return [
        ("deadwood", deadwood | {"deadwood": deadwood["deadwood"] + 1}),
        ("deadwood", deadwood | {"deadwood": str(deadwood["deadwood"])}),
        ("deadwood", eleven | {"deadwood": eleven["deadwood"] + 1}),
        ("best_discards", eleven | {"best_discards": eleven["best_discards"][1:]}),
        ("winner", hand | {"expect": hand["expect"] | {"winner": 1}}),
        ("points", hand | {"expect": hand["expect"] | {"points": 18}}),
        ("end", hand | {"expect": hand["expect"] | {"end": "gin"}}),
        ("end", hand | {"moves": hand["moves"][:-1]}),
        ("refused", hand | {"moves": ["discard Ks"]}),
        ("knocker_deadwood", showdown | {"knocker_deadwood": 7}),
        ("defender_alone", showdown | {"defender_alone": 3}),
        ("arrangements", showdown | {"arrangements": [way | {"defender": 25}]}),
        ("arrangements", showdown | {"arrangements": [way | {"fits": 3}]}),
        ("arrangements", showdown | {"arrangements": [way, way]}),
        ("totals", sheet | {"expect": expect | {"totals": [360, 0]}}),
        ("finished", sheet | {"expect": expect | {"finished": 1}}),
        ("lines", sheet | {"expect": expect | {"lines": expect["lines"][::-1]}}),
        ("refused", sheet | {"hands": sheet["hands"] * 2}),
        ("refused", sheet | {"rules": {"preset": "poker"}}),
    ]


@pytest.mark.parametrize(("key", "row"), falsified())
def test_a_false_fact_is_told_with_what_was_expected(check, tmp_path, key, row):
    path = written(tmp_path / "false.jsonl", [row, rows("deadwood")[1]])
    code, out, err = check(path)
    assert (code, out[-1], err) == (1, "2 rows, 1 mismatches", "")
    assert out[0].startswith(f"{path}:1: ")
    assert f" {key}: expected " in out[0]


@pytest.mark.parametrize("name", FILES)
def test_keys_nobody_knows_are_left_alone(check, tmp_path, name):
    given = [row | {"note": "from elsewhere", "id": "x"} for row in rows(name)]
    assert check(written(tmp_path / "more.jsonl", given))[0] == 0


LONG = {
    "knocker": ["5c", "6c", "7c", "8c", "9c", "Tc", "2d", "2h", "2s", "Ah"],
    "defender": ["4c", "3c", "Jc", "Qc", "2c", "9d", "9h", "9s", "Kd", "Kh"],
    "knocker_deadwood": 1,
    "defender_alone": 40,
}


def ways(*runs: str) -> list[dict]:
    return [{"melds": ["2d2h2s", *run.split()], "fits": 3, "defender": 20} for run in runs]


@pytest.mark.parametrize(
    ("runs", "code"),
    [
        (["5c6c7c8c9cTc"], 0),
        (["5c6c7c 8c9cTc", "5c6c7c8c9cTc"], 0),
        (["5c6c7c 8c9cTc"], 0),
        (["5c6c7c8c9cTc", "5c6c7c8c9cTc"], 1),
        (["5c6c7c 8c9cTc", "5c6c7c 8c9cTc"], 1),
        (["5c6c7c8c9c"], 1),
        (["5c6c7c", "8c9cTc"], 1),
    ],
)
def test_a_run_cut_in_two_may_be_listed_or_not(check, tmp_path, runs, code):
    row = LONG | {"arrangements": ways(*runs)}
    assert check(written(tmp_path / "long.jsonl", [row]))[0] == code


def test_blank_lines_are_no_rows(check, tmp_path):
    path = tmp_path / "blank.jsonl"
    path.write_text("\n" + json.dumps(rows("deadwood")[0]) + "\n\n  \n")
    assert check(path) == (0, ["1 rows, 0 mismatches"], "")


BROKEN = [
    "{",
    "nonsense",
    "[]",
    "3",
    "{}",
    '{"n": 10}',
    json.dumps(rows("deadwood")[0] | {"hand": ["4c"] * 10}),
    json.dumps(rows("deadwood")[0] | {"hand": ["4c", "5c"]}),
    json.dumps(rows("deadwood")[0] | {"hand": ["1x"] * 10}),
    json.dumps(rows("deadwood")[0] | {"n": 12}),
    json.dumps(rows("hands")[0] | {"deck": "As 2s"}),
    json.dumps(rows("hands")[0] | {"deck": 3}),
    json.dumps(rows("hands")[0] | {"dealer": 5}),
    json.dumps(rows("hands")[0] | {"expect": {}}),
    json.dumps(rows("showdowns")[0] | {"defender": rows("showdowns")[0]["knocker"]}),
    json.dumps(rows("showdowns")[0] | {"arrangements": [{}]}),
    json.dumps(rows("sheets")[0] | {"expect": {}}),
]


@pytest.mark.parametrize("line", BROKEN)
def test_a_row_that_cannot_be_read_is_refused_with_its_place(check, tmp_path, line):
    path = tmp_path / "broken.jsonl"
    path.write_text(json.dumps(rows("deadwood")[0]) + "\n" + line + "\n")
    code, out, err = check(path)
    assert (code, out) == (2, [])
    assert err.startswith(f"{path}:2 ")
    assert err.endswith(".\n")


def test_a_file_that_cannot_be_read_is_refused(check, tmp_path):
    binary = tmp_path / "binary.jsonl"
    binary.write_bytes(b"\xff\xfe\x00")
    for name in (tmp_path / "none.jsonl", tmp_path, binary):
        code, out, err = check(name)
        assert (code, out) == (2, [])
        assert f"{name} cannot be read" in err
