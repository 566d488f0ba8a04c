"""What the first visit of each page costs on the wire, through the real server and Chromium.

    script/bench weight

Bytes as they come, compressed where the server compresses, with an empty cache. The ratio is
against what each page may cost: 150 KB for the table, 60 KB for any other.
"""

from __future__ import annotations

import json
import tempfile
from pathlib import Path
from typing import Any

from playwright.sync_api import Browser, sync_playwright
from tqdm import tqdm

from tests import processes
from tests.browser.chromium import ARGUMENTS, CHROMIUM

KILOBYTE = 1024
TABLE, OTHER = 150, 60
LAY = "from tests.browser import laid; laid.tell()"


def first_load(browser: Browser, url: str, cookie: str | None) -> int:
    """The bytes of everything a page loads until nothing more comes."""
    context = browser.new_context(locale="fr-FR")
    if cookie:
        context.add_cookies([{"name": "sessionid", "value": cookie, "url": url}])
    page = context.new_page()
    wire = context.new_cdp_session(page)
    wire.send("Network.enable")
    sizes: list[float] = []
    wire.on("Network.loadingFinished", lambda event: sizes.append(event["encodedDataLength"]))
    page.goto(url, wait_until="networkidle")
    context.close()
    return int(sum(sizes))


def pages(laid: dict[str, Any]) -> list[tuple[str, str, str | None]]:
    """What is weighed: a name, an address, and whose visit it is."""
    player = laid["thirty hands"]["cookies"][0]
    return [
        ("home, signed out", "/", None),
        ("home", "/", player),
        ("sign up", "/account/signup/", None),
        ("rules", "/rules/", None),
        ("first hand", "/help/first-hand/", None),
        ("create a room", "/rooms/new/", player),
        ("room", laid["crowd"]["room"], laid["crowd"]["cookies"][0]),
        ("sheet", laid["thirty hands"]["sheet"], player),
        ("replay", f"{laid['fifty turns']['sheet']}hands/1/", laid["fifty turns"]["cookies"][0]),
        ("table", laid["knock"]["table"], laid["knock"]["cookies"][0]),
    ]


def run(argv: list[str]) -> None:
    """Print each page's first load and its share of what it may cost."""
    with (
        tempfile.TemporaryDirectory(prefix="ginrami-bench-") as folder,
        processes.embedded_site(Path(folder)) as web,
        sync_playwright() as playwright,
    ):
        env = {"DATA_DIR": str(Path(folder) / "data")}
        told = processes.manage(env, "shell", "--verbosity", "0", "--command", LAY)
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=ARGUMENTS)
        rows = []
        for name, path, cookie in tqdm(pages(json.loads(told[told.index("{") :])), unit="page"):
            rows.append((name, first_load(browser, web.url + path, cookie)))
        browser.close()
    print(f"{'':20}{'KB':>8}{'may cost':>10}{'share':>8}")
    for name, size in rows:
        limit = TABLE if name == "table" else OTHER
        kilobytes = size / KILOBYTE
        print(f"{name:20}{kilobytes:>8.1f}{limit:>10}{kilobytes / limit:>8.2f}")
