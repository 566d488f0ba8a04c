"""What script/soak measures beside its verdict: costs, how long faults were felt, and growth."""

from __future__ import annotations

import contextlib
import json
import threading
import time
from collections import Counter, defaultdict
from pathlib import Path
from statistics import linear_regression, median
from typing import Any

from script.soak_site import TICKS, Fault, Site

LEAST_SAMPLES = 5  # before growth is spoken of
WARM_UP = 0.5  # of a process's samples: what is loaded once, and caches that fill
# Counts of what was looked at; every other must be 0.
FINE = {
    "moves", "acknowledged", "seen", "hands_over", "games_over", "sheets", "players", "chips_moved",
    "time_outs", "resumed", "against_the_computer",
}  # fmt: skip


def told(folder: Path) -> list[dict[str, Any]]:
    """All that players wrote down, in the order of time."""
    lines = [json.loads(one) for file in folder.glob("told*.jsonl")
             for one in file.read_text().splitlines()]  # fmt: skip
    return sorted(lines, key=lambda one: float(one["at"]))


def moves(folder: Path) -> list[dict[str, Any]]:
    return [one for one in told(folder) if one.get("kind", "acknowledged") == "acknowledged"]


def cost(site: Site, empty: dict[str, int], sockets: int, seconds: float) -> None:
    """What a socket and a move cost, in some seconds without a fault."""
    webs = [web.name for web in site.webs]
    grown = sum(resident(site)[name] - empty[name] for name in webs)
    print(f"{grown:,} KB for {sockets} sockets: {grown / sockets:.0f} KB each; "
          f"an empty web process {empty[webs[0]]:,} KB")  # fmt: skip
    before, count = spent(site), len(moves(site.folder))
    time.sleep(seconds)
    made, after = len(moves(site.folder)) - count, spent(site)
    costs = {name: 1000 * (after[name] - before[name]) for name in before}
    parts = {"web": sum(costs.pop(name) for name in webs), **costs}
    each = ", ".join(f"{name} {one / max(1, made):.1f} ms" for name, one in parts.items())
    busy = ", ".join(f"{name} {one / seconds / 10:.0f} %" for name, one in parts.items())
    print(f"{made / seconds:.1f} moves a second; processor for each, pings and sweeps included: "
          f"{each}; of a core: {busy}", flush=True)  # fmt: skip


def spent(site: Site) -> dict[str, float]:
    """Seconds of processor each part has had."""
    return {name: sum(map(_ticks, pids)) / TICKS for name, pids in site.pids().items()}


def _ticks(pid: int) -> int:
    with contextlib.suppress(OSError):
        fields = Path(f"/proc/{pid}/stat").read_text().rsplit(")", 1)[1].split()
        return int(fields[11]) + int(fields[12])
    return 0


def resident(site: Site) -> dict[str, int]:
    """Kilobytes of each part's processes in memory."""
    return {name: sum(_memory(pid)[0] for pid in pids) for name, pids in site.pids().items()}


def _memory(pid: int) -> tuple[int, int]:
    """RSS and PSS in kilobytes."""
    with contextlib.suppress(OSError, ValueError):
        rows = Path(f"/proc/{pid}/smaps_rollup").read_text().splitlines()[1:]
        sizes = {row.split(":")[0]: int(row.split()[1]) for row in rows}
        return sizes["Rss"], sizes["Pss"]
    return 0, 0


class Growth(threading.Thread):
    """Weighs every part now and then, as long as each of its processes lives."""

    def __init__(self, site: Site, every: float) -> None:
        super().__init__(daemon=True)
        self.site, self.every, self.over = site, every, threading.Event()
        self.samples: dict[tuple[str, int], list[tuple[float, int, int]]] = defaultdict(list)

    def run(self) -> None:
        while not self.over.wait(self.every):
            for name, pids in self.site.pids().items():
                sizes = [_memory(pid) for pid in pids]
                rss, pss = (sum(one) for one in zip(*sizes, strict=True)) if sizes else (0, 0)
                if rss:
                    self.samples[name, pids[0]].append((time.time(), rss, pss))

    def told(self) -> None:
        """What each weighed at first, half way and last; its growth in the second half."""
        self.over.set()
        long = {who: all for who, all in self.samples.items() if len(all) >= LEAST_SAMPLES}
        if long:
            print(f"{'':14}{'minutes':>8}{'RSS at last':>14}{'PSS at first':>14}{'half way':>12}"
                  f"{'at last':>12}   KB of PSS an hour, second half")  # fmt: skip
        for (name, _pid), weighed in sorted(long.items()):
            times = [at / 3600 for at, *_ in weighed]
            warm = int(len(weighed) * WARM_UP)
            slope = linear_regression(times[warm:], [pss for *_, pss in weighed][warm:]).slope
            first, half, last = (weighed[at][2] for at in (0, warm, -1))
            print(f"{name:14}{(times[-1] - times[0]) * 60:>8.1f}{weighed[-1][1]:>14,}{first:>14,}"
                  f"{half:>12,}{last:>12,}   {slope:>+10,.0f}")  # fmt: skip


def felt(site: Site) -> None:
    """From each fault: until who was cut off saw their table again, until the next moves."""
    lines = told(site.folder)
    made: dict[int, list[float]] = defaultdict(list)
    for one in lines:
        if one["kind"] == "acknowledged":
            made[one["table"]].append(one["at"])
    print(f"{'':18}{'lasted':>8} | {'next move':>9}{'95 %':>8}{'longest':>8} | "
          f"{'cut off':>7}{'back':>7}{'95 %':>8}{'longest':>8}{'over 3 s':>9} | told")
    quiet = [] if not site.faults else [site.faults[0].began - 3]
    for fault in [*(Fault("nothing", at, at) for at in quiet), *site.faults]:
        following = [one.began for one in site.faults if one.began > fault.began]
        until = min(following, default=lines[-1]["at"])
        waits = [next((at for at in all if at > fault.began), 0.0) - fault.began
                 for all in made.values() if all[0] < fault.began]  # fmt: skip
        back = [one["at"] - fault.began for one in lines
                if one["kind"] == "back" and fault.began <= one["lost"] < until]  # fmt: skip
        refused = (one for one in lines if one["kind"] in ("refused", "told"))
        said = Counter(one["code"] for one in refused if fault.began <= one["at"] < until)
        print(f"{fault.what:18}{fault.ended - fault.began:>6.1f} s | {_spread(waits, 9)} | "
              f"{len(back):>7}{_spread(back, 7)}{sum(one > 3 for one in back) or '':>9} | "
              + ", ".join(f"{code} {count}" for code, count in said.most_common(4)))  # fmt: skip
    home = [one["at"] - one["lost"] for one in lines if one["kind"] == "home"]
    print(f"sent home {len(home)} times to a web process that was there again:{_spread(home, 7)}")


def _spread(seconds: list[float], width: int) -> str:
    some = sorted(one for one in seconds if one > 0)
    if not some:
        return " " * (width + 16)
    return (f"{median(some):>{width - 2}.1f} s{some[int(len(some) * 0.95)]:>6.1f} s"
            f"{some[-1]:>6.1f} s")
