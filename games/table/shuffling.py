"""Before the first hand: the chain is published, each seat gives its part, and the cards are
shuffled from all of them (``live-play``, fair deal).

Here is what is written of it in games that are locked, and the only place that reads a secret for
a deal; the verbs that let people give are in seeds.py.
"""

from __future__ import annotations

import secrets
from datetime import datetime, timedelta

from django.conf import settings
from django.utils import timezone

from accounts import hot
from games.engine.shuffle import Stream
from games.fair import chain
from games.models import Seed, Shuffle
from games.table.rights import count_change
from games.table.summons import bots_of

# The shuffle of the stretch a hand belongs to, and the 32 bytes that count for each seat.
_CHAIN = """
SELECT f.first_hand, f.secret, f.settled_at,
       CASE WHEN s.replaced THEN s.substitute ELSE s.given END
  FROM games_shuffle f JOIN games_seed s ON s.shuffle_id = f.id
 WHERE f.game_id = %s AND f.first_hand <= %s AND f.first_hand > %s ORDER BY s.seat
"""


def stream_for(game_id: int, table_id: int, hand: int, seats: int) -> Stream | None:
    """What to draw hand ``hand`` from, or None while its shuffle waits for somebody.

    Where no chain reaches so far, one is published, and everybody is asked to give anew.
    """
    asked = _CHAIN, [game_id, hand, hand - chain.LINKS]
    (found,) = hot.rows(asked)
    if not found:
        _begin(game_id, table_id, hand, seats)
        (found,) = hot.rows(asked)
    first_hand, secret, settled, _value = found[0]
    if settled is None:
        return None
    link = chain.link(bytes.fromhex(secret), chain.place_of(hand, first_hand))
    return Stream(link, game_id, hand, [bytes.fromhex(value) for *_shuffle, value in found])


def waiting_in(game_id: int) -> Shuffle | None:
    """The shuffle of a game that still waits for somebody."""
    return Shuffle.objects.filter(game_id=game_id, settled_at=None).first()


def replace_silent(shuffle: Shuffle) -> None:
    """The time is over: whoever was silent gets their substitute, and the next step begins."""
    waiting = shuffle.seeds.filter(replaced=False)
    step = waiting.filter(given="") if all_hashed(shuffle) else waiting.filter(hash="")
    step.update(replaced=True)
    carry_on(shuffle)


def all_hashed(shuffle: Shuffle) -> bool:
    """Whether every seat that is to give has sent its hash, so that bytes may be sent."""
    return not shuffle.seeds.filter(replaced=False, hash="").exists()


def carry_on(shuffle: Shuffle) -> bool:
    """Go on to the next step if this one is done; whether all is given and hands can be dealt."""
    if not all_hashed(shuffle):
        return False
    if shuffle.seeds.filter(replaced=False, given="").exists():
        if not shuffle.seeds.exclude(given="").exists():  # from here on they are waited for
            shuffle.deadline = _deadline()
            shuffle.save(update_fields=["deadline"])
        return False
    shuffle.deadline, shuffle.settled_at = None, timezone.now()
    shuffle.save(update_fields=["deadline", "settled_at"])
    return True


def write_past(sealed: chain.Sealed, at: datetime) -> None:
    """The shuffle of a game written at once: every seat's substitute counts."""
    shuffle = Shuffle.objects.create(
        game_id=sealed.game,
        first_hand=1,
        secret=sealed.last.hex(),
        commitment=chain.link(sealed.last, 0).hex(),
        opened_at=at,
        settled_at=at,
    )
    Seed.objects.bulk_create(
        Seed(shuffle=shuffle, seat=seat, substitute=value.hex(), replaced=True)
        for seat, value in enumerate(sealed.substitutes)
    )


def _begin(game_id: int, table_id: int, hand: int, seats: int) -> None:
    """Publish a chain and the hash of a substitute a seat; the computer's counts at once."""
    last = secrets.token_bytes(chain.BYTES)
    shuffle = Shuffle.objects.create(
        game_id=game_id,
        first_hand=hand,
        secret=last.hex(),
        commitment=chain.link(last, 0).hex(),
        opened_at=timezone.now(),
        deadline=_deadline(),
    )
    bots = bots_of(game_id)
    Seed.objects.bulk_create(
        Seed(
            shuffle=shuffle,
            seat=seat,
            substitute=secrets.token_hex(chain.BYTES),
            replaced=bool(bots >> seat & 1) or not settings.FAIR_PATIENCE,
        )
        for seat in range(seats)
    )
    carry_on(shuffle)
    count_change(table_id)


def _deadline() -> datetime:
    return timezone.now() + timedelta(seconds=settings.FAIR_PATIENCE)
