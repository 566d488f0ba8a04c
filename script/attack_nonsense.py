"""What no browser would send, made by hypothesis from what browsers do; the same by a seed."""

from __future__ import annotations

import json
from random import Random
from typing import Any
from urllib.parse import quote_plus

from hypothesis import HealthCheck, Phase, given, seed, settings
from hypothesis import strategies as st

HOSTILE = [
    "\x00", "a\x00b", "\u202egnikcah\u202c", "\u200b\u200d\ufeff", "\u0301" * 300,
    "🂡" * 40, "👩‍👩‍👧‍👦",
    "аlісе", "ＡＬＩＣＥ", "a 0\u200b", "' OR 1=1 --", "<script>alert(1)</script>", "{{ 7*7 }}",
    "{% debug %}",
    "%(name)s %s %n", "\r\nSet-Cookie: a=b", "../../etc/passwd", "-1", "1e999", "NaN", str(2**63),
    "9" * 400, "١٢", "x" * 100_000, "\ud800", "\U0010ffff", "𝒜𝓁𝒾𝒸𝑒", "ﷺ" * 60, "", " ", "\t\n",
]  # fmt: skip
NUMBERS = [0, -1, 1, 2**31, 2**53 + 1, 2**63 - 1, 2**63, 2**64, 10**400]
texts = st.one_of(
    st.sampled_from(HOSTILE), st.text(st.characters(exclude_categories=()), max_size=80)
)
values: st.SearchStrategy[Any] = st.recursive(
    st.none() | st.booleans() | st.sampled_from(NUMBERS) | st.integers() | st.floats() | texts,
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(texts, inner, max_size=4),
    max_leaves=8,
)


@st.composite
def twisted(draw: st.DrawFn, real: list[dict[str, Any]]) -> str | bytes:
    """A real message with one or two things wrong, or with nothing right."""
    said: Any = dict(draw(st.sampled_from(real)))
    for _ in range(draw(st.integers(1, 2))):
        name = draw(st.sampled_from(sorted(said)) | st.sampled_from(["verb", "game", "at", "text"]))
        how = draw(st.sampled_from(["another", "away", "more", "in a list", "as text"]))
        if how == "another":
            said[name] = draw(values)
        elif how == "away":
            said.pop(name, None)
        elif how == "more":
            said[draw(texts)] = draw(values)
        elif how == "in a list":
            said[name] = [said.get(name)]
        else:
            said[name] = str(said.get(name))
        if not said:
            break
    text = json.dumps(said, ensure_ascii=draw(st.booleans()))
    how = draw(st.sampled_from(["so", "so", "cut", "twice", "bent", "bytes", "nested", "other"]))
    if how == "cut":
        return text[: draw(st.integers(0, len(text)))]
    if how == "twice":  # each key once more, with another value
        return text[:-1] + "," + text[1:-1].replace(": ", ': {"a":', 1) + "}}"
    if how == "bent":
        at = draw(st.integers(0, len(text)))
        return text[:at] + draw(texts) + text[at + 1 :]
    if how == "bytes":
        return draw(st.binary(max_size=200))
    if how == "nested":
        deep = draw(st.integers(10, 1900))
        name = draw(st.sampled_from(["verb", "move", "at", "text", "nothing"]))
        return f'{{"{name}":' + "[" * deep + "]" * deep + "}"
    return json.dumps(draw(values)) if how == "other" else text


def made(strategy: st.SearchStrategy[Any], count: int, number: int) -> list[Any]:
    """So many examples, the same for the same number."""
    found: list[Any] = []

    @seed(number)
    @settings(
        max_examples=count, database=None, deadline=None, phases=[Phase.generate],
        suppress_health_check=list(HealthCheck),
    )  # fmt: skip
    @given(strategy)
    def gather(one: Any) -> None:
        found.append(one)

    gather()
    return found


def raw(text: str | bytes) -> bytes:
    """As it goes over the wire: half a character stays half a character."""
    return text if isinstance(text, bytes) else text.encode("utf-8", "surrogatepass")


FIELDS = (
    "name", "preset", "public", "target", "gin", "undercut", "format", "code", "username",
    "password", "password1", "login", "oldpassword", "email", "language", "next", "text", "do",
    "reason", "user", "who", "room", "seat", "sheet", "zone", "level", "number", "unit", "come",
    "mode", "amount", "commission", "pace", "rotation", "file", "hand", "entries", "file-0",
)  # fmt: skip
KINDS = ("fields",) * 3 + ("doubled", "many", "giant", "parts", "json", "kind", "upload")


def form(random: Random, sent: dict[str, str], pool: list[Any]) -> tuple[bytes, str]:
    """A form's body with something wrong in it, and the kind it claims to be."""
    plain, how = "application/x-www-form-urlencoded", random.choice(KINDS)
    names = [*sent, *random.sample(FIELDS, 4)]
    fields = [(name, sent.get(name, "x") if random.random() < 0.4 else _said(random, pool))
              for name in names if random.random() < 0.8]  # fmt: skip
    if how in ("doubled", "many"):
        fields = fields * (3 if how == "doubled" else 400)
    body = b"&".join(quote_plus(name).encode() + b"=" + quote_plus(raw(value)).encode()
                     for name, value in fields)  # fmt: skip
    if how == "giant":
        return body + b"&text=" + b"x" * random.choice((2_700_000, 3_200_000)), plain
    if how in ("parts", "upload"):
        return _parts(random, fields, how == "upload")
    if how == "json":
        return raw(str(random.choice(pool))), "application/json"
    if how == "kind":
        kinds = ["", "text/xml", "multipart/form-data", f"{plain}; charset=utf-7", "a" * 500]
        return body, random.choice([*kinds, "multipart/form-data; boundary=é", "multipart/mixed"])
    return body, plain


def _said(random: Random, pool: list[Any]) -> str | bytes:
    one = random.choice(HOSTILE) if random.random() < 0.6 else random.choice(pool)
    return one if isinstance(one, (str, bytes)) else str(one)


def _parts(random: Random, fields: list[Any], upload: bool) -> tuple[bytes, str]:
    """A form in parts, now and then cut off, with files that are none."""
    body = b""
    for name, value in fields:
        kind = random.choice(("", "\r\nContent-Transfer-Encoding: base64", "\r\nContent-Type: b"))
        file = '; filename="../\x00é.json"' if upload or random.random() < 0.3 else ""
        body += f'--b\r\nContent-Disposition: form-data; name="{name}"{file}{kind}\r\n\r\n'.encode()
        body += raw(value) + b"\r\n"
    if upload:
        files = (b"[" * 5000, b"\x89PNG\r\n\x1a\n", b"{}", b'{"hands": 1e999}', b"\xff\xfe")
        file = random.choice(files)
        body += b'--b\r\nContent-Disposition: form-data; name="file"; filename="g.json"\r\n\r\n'
        body += file + b"\r\n"
    end = b"--b--\r\n" if random.random() < 0.7 else b""
    return body[: len(body) if end else len(body) // 2] + end, "multipart/form-data; boundary=b"
