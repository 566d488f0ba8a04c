"""The proof of a hand: the only place that shows a secret, and of no hand that is still open."""

from __future__ import annotations

from accounts.refusal import N_, Refusal
from games.fair import chain
from games.fair.proof import Given, Proof
from games.fair.published import hash_of
from games.models import Game, Hand, Seed, Shuffle
from scoring import shares


class NotProven(Refusal):
    """There is no proof: the hand is still open, or was dealt before there were any."""


def proof_of_sheet(sheet_id: int, number: int) -> Proof | None:
    """The proof of a hand of the game this sheet is of; None where there is no such hand.

    Raises NotProven: not_over, not_provable.
    """
    first = shares.first_edition(sheet_id)
    game = Game.objects.filter(sheet_id=first).first() if first else None
    return None if game is None else proof_of(game.pk, number)


def proof_of(game_id: int, number: int) -> Proof | None:
    """The same by the game. A link gives away those before it, never one that is to come."""
    hand = Hand.objects.filter(game_id=game_id, number=number).first()
    if hand is None:
        return None
    if hand.ended_at is None:
        raise NotProven("not_over", N_("This hand is still being played."))
    shuffle = Shuffle.objects.filter(
        game_id=game_id,
        settled_at__isnull=False,
        first_hand__lte=number,
        first_hand__gt=number - chain.LINKS,
    ).first()
    if shuffle is None:
        raise NotProven("not_provable", N_("This hand was dealt before shuffles could be checked."))
    return _proof(hand, shuffle, list(shuffle.seeds.order_by("seat")))


def _proof(hand: Hand, shuffle: Shuffle, seeds: list[Seed]) -> Proof:
    place = chain.place_of(hand.number, shuffle.first_hand)
    return Proof(
        game=hand.game_id,
        hand=hand.number,
        first=shuffle.first_hand,
        dealer=hand.dealer,
        commitment=shuffle.commitment,
        secret=chain.link(bytes.fromhex(shuffle.secret), place).hex(),
        seats=[_given(seed) for seed in seeds],
        deck=hand.deck,
    )


def _given(seed: Seed) -> Given:
    substitute = hash_of(seed.substitute)
    if seed.replaced:
        return Given(seed.substitute, substitute, substitute, replaced=True)
    return Given(seed.given, seed.hash, substitute, replaced=False)
