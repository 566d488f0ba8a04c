"""Extract, merge, compile and check the message catalogues, without GNU gettext.

Message ids are the English sentences; `locale/fr` must be complete. Catalogues hold no dates, no
line numbers and no paths of a machine, so that they change only when the words do.
"""

from __future__ import annotations

import os
import re
import sys
from collections.abc import Iterator
from io import BytesIO
from pathlib import Path

from babel.messages.catalog import Catalog
from babel.messages.extract import extract
from babel.messages.mofile import write_mo
from babel.messages.pofile import read_po, write_po
from django.utils.translation.template import templatize

ROOT = Path(__file__).resolve().parent.parent
LANGUAGES = ("fr", "en")
DOMAINS = ("django", "djangojs")
PLURALS = {"fr": "nplurals=2; plural=(n > 1);", "en": "nplurals=2; plural=(n != 1);"}
KEYWORDS = {
    "_": None, "N_": None,
    "gettext": None, "gettext_lazy": None, "gettext_noop": None,
    "ngettext": (1, 2), "ngettext_lazy": (1, 2), "N_n": (1, 2),
    "pgettext": ((1, "c"), 2), "pgettext_lazy": ((1, "c"), 2),
    "npgettext": ((1, "c"), 2, 3), "npgettext_lazy": ((1, "c"), 2, 3),
}
JS_KEYWORDS = {
    prefix + name: places
    for prefix in ("", "window.", "globalThis.", "django.")
    for name, places in KEYWORDS.items()
}
PLACE = re.compile(r"%\(\w+\)[#0\- +]?[\d.]*[a-zA-Z]|%[sd]|\{\w*\}")
PLAIN_SPACE = re.compile(r" [;:!?»]|« ")

Key = tuple[str, str | None]


# --- the sources

def sources(domain: str) -> Iterator[Path]:
    if domain == "djangojs":
        yield from sorted(ROOT.glob("static/js/**/*.js"))
        return
    for app in ("accounts", "scoring", "games", "ginrami"):
        yield from sorted(p for p in ROOT.glob(f"{app}/**/*.py") if "migrations" not in p.parts)
    for kind in ("html", "txt"):
        yield from sorted(ROOT.glob(f"templates/**/*.{kind}"))


def messages_in(path: Path) -> Iterator[tuple[str | tuple[str, ...], str | None]]:
    """The (id or ids, context) of every message in one file."""
    text = path.read_text(encoding="utf-8")
    method, keywords = "python", KEYWORDS
    if path.suffix == ".js":
        method, keywords = "javascript", JS_KEYWORDS
    elif path.suffix != ".py":
        # What Django makes of a template is Python-like; indentation would stop the tokenizer.
        text = "\n".join(line.lstrip() for line in templatize(text).splitlines())
    options = {"encoding": "utf-8", "parse_template_string": True}
    file = BytesIO(text.encode())
    for _line, ids, _comments, context in extract(method, file, keywords, options=options):
        yield ids, context


def extracted(domain: str) -> Catalog:
    catalog = Catalog()
    for path in sources(domain):
        for ids, context in messages_in(path):
            place = [(path.relative_to(ROOT).as_posix(), 0)]
            catalog.add(ids, None, place, context=context)
    return catalog


# --- the catalogues

def file_of(language: str, domain: str) -> Path:
    return ROOT / "locale" / language / "LC_MESSAGES" / f"{domain}.po"


def read(path: Path) -> Catalog:
    """A catalogue without Babel's idea of the language: it would give French three plurals."""
    if not path.exists():
        return Catalog()
    with path.open("rb") as file:
        return read_po(file)


def entries(catalog: Catalog) -> dict[Key, object]:
    """Every message but the header, by its singular id and context."""
    return {key_of(message): message for message in catalog if message.id}


def key_of(message: object) -> Key:
    ids = message.id
    return (ids[0] if isinstance(ids, (tuple, list)) else ids), message.context


def write(language: str, domain: str, catalog: Catalog) -> None:
    """Write one catalogue, sorted and with a header that never changes by itself."""
    body = BytesIO()
    write_po(body, catalog, sort_output=True, omit_header=True, include_lineno=False, width=99)
    header = (
        'msgid ""\nmsgstr ""\n'
        f'"Language: {language}\\n"\n'
        '"MIME-Version: 1.0\\n"\n"Content-Type: text/plain; charset=UTF-8\\n"\n'
        '"Content-Transfer-Encoding: 8bit\\n"\n'
        f'"Plural-Forms: {PLURALS[language]}\\n"\n'
    )
    path = file_of(language, domain)
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(header + "\n" + body.getvalue().decode(), encoding="utf-8")


def update(domain: str) -> None:
    """Bring the French file in line with the sources: new ids empty, gone ids dropped."""
    old, fresh = entries(read(file_of("fr", domain))), extracted(domain)
    for message in fresh:
        kept = old.get(key_of(message)) if message.id else None
        if kept is not None and bool(kept.pluralizable) == bool(message.pluralizable):
            message.string = kept.string
            if kept.fuzzy:
                message.flags.add("fuzzy")
    write("fr", domain, fresh)
    write("en", domain, Catalog())  # the ids are English already


# --- commands

def run_extract(_files: list[str]) -> int:
    for domain in DOMAINS:
        update(domain)
    return 0


def loosened(text: str) -> str:
    """An id as somebody might have written it down: spaces, quotes and braces made alike."""
    text = re.sub(r"\{\{\s*(\w+)[^}]*\}\}", r"%(\1)s", text).replace("%%", "%")
    return re.sub(r"\s+", " ", text.replace("’", "'")).strip()


def run_merge(files: list[str]) -> int:
    """Fill both French files from loose ones; say which of their ids no source uses."""
    run_extract([])
    catalogs = {domain: read(file_of("fr", domain)) for domain in DOMAINS}
    wanted: dict[Key, list[object]] = {}
    for catalog in catalogs.values():
        for (text, context), message in entries(catalog).items():
            wanted.setdefault((loosened(text), context), []).append(message)
    unused = 0
    for name in files:
        for (text, context), given in entries(read(Path(name))).items():
            places = wanted.get((loosened(text), context)) or wanted.get((loosened(text), None))
            if not places:
                unused += 1
                print(f"{Path(name).name}: no source has {text!r}", file=sys.stderr)
            for message in places or ():
                fill(message, given)
    for domain, catalog in catalogs.items():
        write("fr", domain, catalog)
    print(f"{unused} ids found no place.")
    return 0


def fill(message: object, given: object) -> None:
    strings = [re.sub(r"\{\{\s*(\w+)[^}]*\}\}", r"%(\1)s", s) for s in strings_of(given)]
    if not all(strings):
        return
    message.string = (strings * 2)[:2] if message.pluralizable else strings[0]
    message.flags.discard("fuzzy")


def strings_of(message: object) -> list[str]:
    string = message.string
    return list(string) if isinstance(string, (tuple, list)) else [string or ""]


def run_compile(_files: list[str]) -> int:
    """Make each .mo, whole or not at all: two starts at once may both be here."""
    for language in LANGUAGES:
        for domain in DOMAINS:
            po = file_of(language, domain)
            if po.exists():
                half = po.with_suffix(f".mo.{os.getpid()}")
                with half.open("wb") as file:
                    write_mo(file, read(po))
                half.replace(po.with_suffix(".mo"))
    return 0


def run_check(_files: list[str]) -> int:
    problems = [problem for domain in DOMAINS for problem in problems_of(domain)]
    print("\n".join(problems) or "messages: complete")
    return 1 if problems else 0


def problems_of(domain: str) -> Iterator[str]:
    po, fresh = entries(read(file_of("fr", domain))), entries(extracted(domain))
    plural = {key for key, message in fresh.items() if message.pluralizable}
    for text, _context in sorted(fresh.keys() - po.keys(), key=str):
        yield f"{domain}: not in the catalogue (run script/messages extract): {text!r}"
    for text, _context in sorted(po.keys() - fresh.keys(), key=str):
        yield f"{domain}: no source has it any more (run script/messages extract): {text!r}"
    for key in sorted(po.keys() & fresh.keys(), key=str):
        for problem in faults(po[key], plural=key in plural):
            yield f"{domain}: {problem}: {key[0]!r}"


def faults(message: object, plural: bool) -> Iterator[str]:
    """What is wrong with one French entry."""
    strings = strings_of(message)
    if message.fuzzy:
        yield "fuzzy"
    if not all(strings) or len(strings) != (2 if plural else 1):
        yield "not translated"
        return
    ids = message.id if isinstance(message.id, (tuple, list)) else [message.id]
    known = {place for text in ids for place in PLACE.findall(text)}
    for string in strings:
        places = set(PLACE.findall(string))
        if places - known or (not plural and places != known):
            yield f"places {sorted(places)} instead of {sorted(known)}"
        if PLAIN_SPACE.search(string):
            yield "plain space before ; : ! ? or inside « »"


COMMANDS = {
    "extract": run_extract, "merge": run_merge, "compile": run_compile, "check": run_check,
}


def main(arguments: list[str]) -> int:
    command = COMMANDS.get(arguments[0]) if arguments else None
    if command is None:
        print(f"Usage: script/messages {' | '.join(COMMANDS)}", file=sys.stderr)
        return 2
    return command(arguments[1:])


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
