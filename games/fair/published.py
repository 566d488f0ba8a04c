"""What everybody at a table sees of a shuffle while it waits: hashes, never what is behind them."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from typing import Any

from games.fair import chain
from games.models import Shuffle


@dataclass(frozen=True, slots=True)
class Published:
    """Built up from nothing, like every view: a fact is secret until it is named here."""

    first: int  # the hand the chain begins with
    commitment: str
    substitutes: tuple[str, ...]  # their hashes, by seat
    hashes: tuple[str, ...]  # of what each seat is to give; "" until it is there
    given: tuple[bool, ...]  # whether the bytes are there, or replaced
    replaced: tuple[bool, ...]

    def as_dict(self) -> dict[str, Any]:
        return {name: list(value) if isinstance(value, tuple) else value
                for name, value in asdict(self).items()}  # fmt: skip


def published(game_id: int) -> Published | None:
    """The shuffle of this game that waits for somebody, if one does."""
    shuffle = Shuffle.objects.filter(game_id=game_id, settled_at=None).first()
    if shuffle is None:
        return None
    seeds = list(shuffle.seeds.order_by("seat"))
    return Published(
        first=shuffle.first_hand,
        commitment=shuffle.commitment,
        substitutes=tuple(hash_of(seed.substitute) for seed in seeds),
        hashes=tuple(seed.hash for seed in seeds),
        given=tuple(bool(seed.given) or seed.replaced for seed in seeds),
        replaced=tuple(seed.replaced for seed in seeds),
    )


def hash_of(value: str) -> str:
    """The hash of 32 bytes, both as hexadecimal."""
    return chain.hashed(bytes.fromhex(value)).hex()
