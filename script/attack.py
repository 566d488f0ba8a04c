"""Attack a site of its own in every way a stranger has, while honest people play on.

    script/attack [--way embedded|scaled] [--webs 2] [--seconds 4] [--only NAME,...]
                  [--tables 10] [--sockets 10000] [--seed N] [--keep FOLDER]
    script/attack --short      for continuous integration: hardly a second of each, nothing timed

Each attack has its count, its verdict, and what the honest players felt of it: from a click to both
views, next to the quiet time of the same run. What takes as long as it takes (thousands of sockets
opened) says how far it is. The attackers give way to the site on the processor,
as those of another machine would. Afterwards, from the facts: no process ended, nothing unexpected
in a log, no answer that says we broke, no secret in an answer or a log, nothing changed that
attackers had no right to, no memory kept. Exit 1 if anything is wrong.
"""

from __future__ import annotations

import argparse
import asyncio
import contextlib
import json
import os
import resource
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Awaitable, Callable
from functools import partial
from pathlib import Path
from random import Random

from tqdm import tqdm

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT))
from script import (  # noqa: E402 - the path comes first
    attack_doors,
    attack_floods,
    attack_left,
    attack_messages,
    attack_nonsense,
    attack_replays,
)
from script.attack_ground import Ground, Tally  # noqa: E402
from script.attack_report import report  # noqa: E402
from script.attack_site import Site, prepare, site, within  # noqa: E402
from script.children import exit_with  # noqa: E402

Attack = Callable[[Ground], Awaitable[None]]
A_PERSON = 25  # sockets; one may hold a few more in each process
WARM_UP = 1.5  # seconds of play that are not counted
FILES_BESIDES = 500
WELL_WITHIN = 20.0  # seconds


def attacks(folder: Path) -> dict[str, Attack]:
    return {
        "bent messages": attack_messages.nonsense,
        "odd frames": attack_messages.frames,
        "bent forms": attack_doors.forms,
        "numbers of others": attack_doors.others,
        "forged headers": attack_doors.forged,
        "a session that is over": attack_doors.signed_out,
        "messages again": partial(attack_replays.replays, sent=folder / "sent.jsonl"),
        "flood of messages": attack_floods.messages,
        "flood of talk": attack_floods.talk,
        "flood of sign-ins": attack_floods.sign_ins,
        "flood of pages": attack_floods.pages,
        "flood of strangers": attack_floods.anonymous,
        "slow clients": attack_floods.slow,
        "sockets left": attack_left.waves,
        "thousands of sockets": attack_left.thousands,
    }  # fmt: skip


async def attack(ground: Ground, running: Site, name: str, thrown: Attack) -> Tally:
    """One attack, and whether the site still stands after it."""
    tally = ground.tally = Tally(name, began=time.time())
    ground.until = tally.began + ground.seconds
    form = "{desc:24}|{bar:30}| {postfix} [{elapsed}]"
    with tqdm(total=100, desc=name, bar_format=form, leave=False, disable=None) as bar:
        under_way = asyncio.ensure_future(thrown(ground))
        while not under_way.done():
            await asyncio.wait([under_way], timeout=0.2)
            bar.set_postfix_str(f"{tally.thrown:,} thrown", refresh=False)
            share = tally.share or (time.time() - tally.began) / ground.seconds
            bar.update(min(100, 100 * share) - bar.n)
        await under_way
    tally.ended = time.time()
    for process in running.dead():
        tally.wrong[f"{process} ended"] += 1
    until, answers = time.time() + WELL_WITHIN, [0]
    while answers != [200] * len(answers) and time.time() < until:
        asked = [ground.ask("GET", "/healthz/") for _ in range(2 * len(ground.ports))]
        answers = [answer.status for answer in await asyncio.gather(*asked)]
    if answers != [200] * len(answers):
        tally.wrong[f"the site was not well afterwards: {answers}"] += 1
    return tally


async def all_of_it(ground: Ground, running: Site, given: argparse.Namespace) -> list[Tally]:
    """The quiet, each attack, and the quiet again."""
    await asyncio.sleep(WARM_UP)
    quiet = Tally("quiet", began=time.time())
    await asyncio.sleep(max(2.5, ground.seconds))
    quiet.ended = time.time()
    tallies = [quiet]
    for name, thrown in attacks(running.folder).items():
        if given.only and not any(word in name for word in given.only.split(",")):
            continue
        tallies.append(await attack(ground, running, name, thrown))
        said = "WRONG" if tallies[-1].wrong else "stood"
        print(f"{name:24}{tallies[-1].thrown:>8,} thrown  {said}", flush=True)
    after = Tally("quiet again", began=time.time())
    await asyncio.sleep(ground.seconds / 2)
    after.ended = time.time()
    return [*tallies, after]


def open_files() -> int:
    """As many as this process may have, itself and its children."""
    _soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (hard, hard))
    return hard if hard != resource.RLIM_INFINITY else 1 << 20


def run(given: argparse.Namespace, folder: Path) -> bool:
    random = Random(given.seed)
    scaled = given.way == "scaled"
    webs = given.webs if scaled else 1
    sockets = min(given.sockets, open_files() - FILES_BESIDES)
    crowd = max(6, -(-max(sockets, given.wave) // (A_PERSON * webs)))
    with site(given.way, folder) as running:
        people = prepare(running, f"lay_ground({given.tables}, {crowd}, {str(folder)!r})")
        running.begin(webs, scaled)
        ground = Ground(
            [web.port for web in running.webs], people, random, given.seconds, sockets,
            given.waves, given.wave, given.lines, running.private_kb, running.spent, running.living,
        )  # fmt: skip
        ground.bent = attack_nonsense.made(
            attack_nonsense.twisted(people["said"]), given.examples, given.seed
        )
        ground.pool = attack_nonsense.made(attack_nonsense.values, given.examples // 2, given.seed)
        for web in running.webs:
            web.wait()
        print(f"seed {given.seed}; {given.way}, {webs} web processes, {given.tables} tables of "
              f"honest players, {crowd + 4} attackers", flush=True)  # fmt: skip
        players = subprocess.Popen(
            [sys.executable, "script/attack_players.py", str(folder), str(given.think),
             str(min(3.0, given.seconds)), *[str(port) for port in ground.ports]],
            cwd=ROOT, text=True, stdout=subprocess.PIPE,
        )  # fmt: skip
        try:
            (players.stdout or sys.stdin).readline()
            os.nice(10)  # what we are to measure is the site, not who shares its processor
            tallies = asyncio.run(all_of_it(ground, running, given))
        finally:
            ended = time.time()
            players.send_signal(signal.SIGTERM)
            players.wait(120)
        heard = {**vars(ground.heard), "words": list(ground.heard.words),
                 "numbers": list(ground.heard.numbers), "never": list(ground.heard.never)}
        (folder / "heard.json").write_text(json.dumps(heard))
        judged = within(running, f"judge({str(folder)!r})")
    return report(tallies, judged, folder, ended, timed=not given.short)


def main(argv: list[str]) -> int:
    parser = argparse.ArgumentParser(prog="script/attack", description=__doc__)
    parser.add_argument("--way", choices=("embedded", "scaled"), default="scaled")
    parser.add_argument("--webs", type=int, default=2, help="web processes of a scaled site")
    parser.add_argument("--seconds", type=float, default=None, help="each attack lasts")
    parser.add_argument("--tables", type=int, default=None, help="where honest people play")
    parser.add_argument("--think", type=float, default=0.8, help="seconds they take for a move")
    parser.add_argument("--sockets", type=int, default=None, help="open at once")
    parser.add_argument("--waves", type=int, default=None, help="of sockets opened and left")
    parser.add_argument("--wave", type=int, default=None, help="sockets in each of them")
    parser.add_argument("--lines", type=int, default=None, help="pages asked for at once")
    parser.add_argument("--only", default="", help="attacks whose names hold one of these words")
    parser.add_argument("--short", action="store_true", help="hardly a second of each")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--keep", type=Path, default=None, help="a folder to leave the logs in")
    given = parser.parse_args(argv)
    given.seconds = given.seconds or (0.7 if given.short else 4.0)
    given.tables = given.tables or (5 if given.short else 10)
    given.sockets = given.sockets or (200 if given.short else 10_000)
    given.waves = given.waves or (4 if given.short else 8)
    given.wave = given.wave or (200 if given.short else 600)
    given.lines = given.lines or (20 if given.short else 50)
    given.examples = 300 if given.short else 2000
    with contextlib.ExitStack() as stack:
        folder = given.keep or Path(
            stack.enter_context(tempfile.TemporaryDirectory(prefix="ginrami-attack-"))
        )
        good = run(given, folder)
    print("Everything held." if good else "NOT everything held.")
    return 0 if good else 1


if __name__ == "__main__":
    exit_with(main)
