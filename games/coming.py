"""Those who come at the same time, as after a web process died: what they all ask, asked together.

Whose session it is, what lies on their tables, and what was said there: each is one call for many
of them. A call takes one database thread, so that whoever plays already keeps the others.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import NamedTuple

from accounts import hot, sessions
from accounts.refusal import Refusal
from accounts.sessions import Pass
from games import table, together
from games.gathering import Gathering
from games.looking import View
from games.table import Onlooker, Seen

SESSIONS_AT_ONCE = 100
LOOKS_AT_ONCE = 24  # about as long as a dozen moves take


class _Coming(NamedTuple):
    table_id: int
    onlooker: Onlooker


def _look(coming: Sequence[_Coming]) -> list[Seen | None]:
    asked: dict[int, list[Onlooker]] = {}
    for one in coming:
        asked.setdefault(one.table_id, []).append(one.onlooker)
    seen = {number: iter(views) for number, views in table.look_at_each(asked).items()}
    return [next(seen[one.table_id]) if one.table_id in seen else None for one in coming]


_SAID = """
SELECT DISTINCT a.number FROM {asked}
 WHERE EXISTS (SELECT 1 FROM games_message m WHERE m.table_id = a.place)
    OR EXISTS (SELECT 1 FROM games_mute u WHERE u.user_id = a.user_id)
"""


class _Ears(NamedTuple):
    table_id: int
    user_id: int


def _is_quiet(ears: Sequence[_Ears]) -> list[bool]:
    asked = [
        {"number": number, "place": one.table_id, "user_id": one.user_id}
        for number, one in enumerate(ears)
    ]
    statement = _SAID.format(asked=hot.given(number=int, place=int, user_id=int))
    (found,) = hot.rows((statement, [json.dumps(asked)]))
    loud = {number for (number,) in found}
    return [number not in loud for number in range(len(ears))]


_sessions: Gathering[str | None, Pass | None] = Gathering(sessions.passes_by, SESSIONS_AT_ONCE)
_looks: Gathering[_Coming, Seen | None] = Gathering(_look, LOOKS_AT_ONCE)
_quiet: Gathering[_Ears, bool] = Gathering(_is_quiet, SESSIONS_AT_ONCE)


async def pass_by(session_key: str | None) -> Pass | None:
    """The pass of whoever this session speaks for, or None: nobody."""
    return await _sessions.ask(session_key)


async def look(table_id: int, held: Pass, language: str) -> View:
    """What somebody sees of a table as they come; raises as ``together.look``."""
    seen = await _looks.ask(_Coming(table_id, Onlooker(held, language)))
    if seen is None:
        return await together.look(table_id, held, language)
    if isinstance(seen, Refusal):
        raise seen
    return seen


async def is_quiet(table_id: int, user_id: int) -> bool:
    """Whether there is nothing to tell of what was said: nobody ever spoke, and nobody is muted."""
    return await _quiet.ask(_Ears(table_id, user_id))
