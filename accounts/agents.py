"""What a browser says of itself, in a few words: enough to know one's own telephone again. Pure."""

from __future__ import annotations

# In this order: most browsers also claim to be those further down.
BROWSERS = (
    ("Edg", "Edge"), ("OPR/", "Opera"), ("SamsungBrowser", "Samsung Internet"),
    ("Firefox", "Firefox"), ("FxiOS", "Firefox"), ("CriOS", "Chrome"), ("Chrome", "Chrome"),
    ("Safari", "Safari"),
)  # fmt: skip
SYSTEMS = (
    ("iPhone", "iPhone"), ("iPad", "iPad"), ("Android", "Android"), ("Windows", "Windows"),
    ("CrOS", "ChromeOS"), ("Mac OS X", "Mac"), ("Linux", "Linux"),
)  # fmt: skip


def in_words(agent: str) -> str:
    """``Firefox · Windows``; empty for what says nothing known."""
    found = (
        next((name for mark, name in marks if mark in agent), "") for marks in (BROWSERS, SYSTEMS)
    )
    return " · ".join(filter(None, found))
