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

from games.engine.shuffle import Stream
from games.fair import chain
from games.models import Game, Seed, Shuffle
from games.table.rights import count_change
from games.table.summons import bots_of


def stream_for(game: Game, hand: int, seats: int) -> Stream | None:
    """What to draw hand ``hand`` from, or None while its shuffle waits for somebody.

    Where no chain reaches so far, one is published, and everybody is asked to give anew.
    """
    shuffle = covering(game.pk, hand)
    if shuffle is None:
        shuffle = _begin(game, hand, seats)
    if shuffle.settled_at is None:
        return None
    secret = chain.link(bytes.fromhex(shuffle.secret), chain.place_of(hand, shuffle.first_hand))
    return Stream(secret, game.pk, hand, [value_of(seed) for seed in seeds_of(shuffle)])


def covering(game_id: int, hand: int) -> Shuffle | None:
    """The shuffle this hand of a game is dealt from, if there is one."""
    return Shuffle.objects.filter(
        game_id=game_id, first_hand__lte=hand, first_hand__gt=hand - chain.LINKS
    ).first()


def waiting_in(game_id: int) -> Shuffle | None:
    """The shuffle of a game that still waits for somebody."""
    return Shuffle.objects.filter(game_id=game_id, settled_at=None).first()


def seeds_of(shuffle: Shuffle) -> list[Seed]:
    return list(shuffle.seeds.order_by("seat"))


def value_of(seed: Seed) -> bytes:
    """The 32 bytes that count for a seat."""
    return bytes.fromhex(seed.substitute if seed.replaced else seed.given)


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


def _begin(game: Game, hand: int, seats: int) -> Shuffle:
    """Publish a chain and the hash of a substitute a seat; the computer's counts at once."""
    last = secrets.token_bytes(chain.BYTES)
    shuffle = Shuffle.objects.create(
        game=game,
        first_hand=hand,
        secret=last.hex(),
        commitment=chain.link(last, 0).hex(),
        opened_at=timezone.now(),
        deadline=_deadline(),
    )
    bots = bots_of(game.pk)
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
    count_change(game.table_id)
    return shuffle


def _deadline() -> datetime:
    return timezone.now() + timedelta(seconds=settings.FAIR_PATIENCE)
