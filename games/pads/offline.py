"""The service worker of the pads: what it keeps so that a pad opens without a network.

It lies under /pad/, so the browser gives it no other page. It keeps the page of a pad for its
keeper alone, which says so by a header, and these files; other people's pages never. Its text names
every file by its hash, so a new version of the site is a new worker.
"""

from __future__ import annotations

import json
from hashlib import sha256

from django.templatetags.static import static
from django.urls import reverse

KEPT = "X-Kept-Offline"
FILES = (
    "css/tokens.css",
    "css/base.css",
    "css/pad.css",
    "css/sheet.css",
    "icons/favicon.svg",
    "icons/icons.svg",
    "icons/manifest.webmanifest",
    "js/dom.js",
    "js/i18n.js",
    "js/socket.js",
    "js/pad/confirm.js",
    "js/pad/main.js",
    "js/pad/paper.js",
    "js/pad/queue.js",
    "js/pad/sending.js",
    "js/pad/sums.js",
    "js/pad/taps.js",
    "js/pad/words.js",
)


def worker() -> str:
    """The worker's text: what to keep, then the code, by its own hashed name."""
    files = [static(name) for name in FILES]
    code = static("js/pad/worker.js")
    version = sha256("\n".join([code, *files]).encode()).hexdigest()[:12]
    told = {
        "version": version, "files": files, "kept": KEPT, "words": reverse("javascript-catalog"),
    }  # fmt: skip
    return f"self.PAD = {json.dumps(told)};\nimportScripts({json.dumps(code)});\n"
