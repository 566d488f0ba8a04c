"""What script/attack prints at the end: each attack, what honest players felt, the verdict."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from script.attack_ground import Tally
from script.soak import UNEXPECTED

# How much longer than in quiet honest players may wait, or how long at all, for half of the clicks
# and for all but a twentieth of them; where a machine does nothing else.
TIMES, MILLISECONDS = (8.0, 15.0), (1500.0, 5000.0)
LAST_SECONDS = 2.0  # before the end; what was clicked then may not have been answered


def report(
    tallies: list[Tally], judged: Any, folder: Path, ended: float, timed: bool = True
) -> bool:
    """Print all of it; gives whether everything held."""
    clicks = [json.loads(line) for line in (folder / "clicks.jsonl").read_text().splitlines()]
    quiet = _shares(clicks, tallies[0])
    print(f"\n{'':24}{'thrown':>9}{'clicks':>8}{'p50 ms':>9}{'ratio':>7}{'p95 ms':>9}{'ratio':>7}")
    wrong: list[str] = list(judged["wrong"])
    for tally in tallies:
        spent = _shares(clicks, tally)
        ratios = [now / was if was else 0.0 for now, was in zip(spent, quiet, strict=True)]
        for share, now, ratio, times, most in zip(
            ("half", "95 %"), spent, ratios, TIMES, MILLISECONDS, strict=True
        ):
            if timed and ratio > times and now > most:
                wrong.append(f"{tally.name}: {share} of honest clicks took up to {now:.0f} ms")
        pairs = zip(spent, ratios, strict=True)
        cells = "".join(f"{now:>9.1f}{ratio:>7.1f}" for now, ratio in pairs)
        print(f"{tally.name:24}{tally.thrown:>9,}{_count(clicks, tally):>8}{cells}  "
              f"{'WRONG' if tally.wrong else ''}")  # fmt: skip
        told = ", ".join(f"{what} {count:,}" for what, count in tally.answers.most_common(7))
        for line in filter(None, [told, *tally.notes]):
            print(f"    {line}")
        wrong += [f"{tally.name}: {what} ({count} ×)" for what, count in tally.wrong.items()]
    late = [one for one in clicks if one.get("ms", 0) is None and one["at"] < ended - LAST_SECONDS]
    cut = sum("cut" in one for one in clicks)
    findings = judged["findings"]
    print(f"{findings['acknowledged']:,} honest moves acknowledged, {findings['moves']:,} stored, "
          f"{len(late)} clicks without an answer, {cut} honest sockets cut off")  # fmt: skip
    wrong += [f"{len(late)} honest clicks were never answered"] if late else []
    wrong += [f"honest players were cut off {cut} times"] if cut else []
    wrong += _unexpected(folder)
    for line in wrong:
        print(f"!!! {line}")
    return not wrong


def _within(clicks: list[Any], tally: Tally) -> list[float]:
    return sorted(
        one["ms"] for one in clicks
        if one.get("ms") is not None and tally.began <= one["at"] < tally.ended
    )  # fmt: skip


def _count(clicks: list[Any], tally: Tally) -> int:
    return len(_within(clicks, tally))


def _shares(clicks: list[Any], tally: Tally) -> tuple[float, float]:
    """What half of the clicks and all but a twentieth of them took at most."""
    spent = _within(clicks, tally) or [0.0]
    return spent[len(spent) // 2], spent[min(len(spent) - 1, int(len(spent) * 0.95))]


def _unexpected(folder: Path) -> list[str]:
    """Each kind of error no log may hold, with the line that says what it was."""
    found = []
    for file in sorted(folder.glob("*.log")):
        text = file.read_text(errors="replace")
        count = sum(text.count(words) for words in UNEXPECTED)
        if count:
            at = min(text.find(words) for words in UNEXPECTED if words in text)
            first = text[max(0, at - 300) : at + 2500]
            found.append(f"{file.name}: {count} unexpected errors, the first:\n{first}")
    return found
