"""Run the benches named on the command line, one after the other: script/bench_NAME.py.

Options stand behind the names, and go to each of them.
"""

from __future__ import annotations

import importlib
import sys
from pathlib import Path

HERE = Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent))
from script.children import exit_with  # noqa: E402 - the path comes first


def main(names: list[str]) -> int:
    known = sorted(
        path.stem.removeprefix("bench_") for path in HERE.glob("bench_*.py")
        if "\ndef run(" in path.read_text(encoding="utf-8")
    )
    split = next((at for at, word in enumerate(names) if word.startswith("-")), len(names))
    names, options = names[:split], names[split:]
    if not names or set(names) - set(known):
        print(f"Usage: script/bench NAME... [OPTIONS]   (there is: {', '.join(known)})",
              file=sys.stderr)  # fmt: skip
        return 2
    for name in names:
        print(f"=== {name}", flush=True)
        importlib.import_module(f"script.bench_{name}").run(options)
    return 0


if __name__ == "__main__":
    exit_with(main)
