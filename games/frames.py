"""What lies on a table, as values: the facts of one moment, and what follows from them alone."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime

from games import clocks
from games.engine import position as play
from games.presets import RuleSet
from scoring import ledger
from scoring.rules.stakes import Stakes


@dataclass(frozen=True, slots=True)
class Chair:
    """A taken seat."""

    seat: int
    user_id: int | None
    name: str
    guest: bool
    ready_after: int
    wants_rematch: bool
    bot: str = ""  # the level, where the computer sits


@dataclass(frozen=True, slots=True)
class Frame:
    """A table with its latest game and that game's latest hand. ``hand_id`` None: none dealt."""

    table_id: int
    table_number: int
    room_id: int
    room_name: str
    invitation: str
    code: str
    changes: int
    game_id: int
    game_number: int
    sheet_id: int | None
    started: bool
    ended: bool
    hand_id: int | None
    hand_number: int
    hand_ended_at: datetime | None
    ply: int
    bonuses_written: bool
    seats: tuple[Chair, ...]
    rules: RuleSet
    stakes: Stakes
    position: play.Position | None
    sheet: ledger.SheetReading | None
    moved_at: datetime | None  # the last move, or the deal
    time: clocks.Time | None
    shuffle_until: datetime | None  # the cards are being shuffled, at the longest until then

    @property
    def pace(self) -> str:
        """How long a turn may take (clocks.py)."""
        return self.time.pace if self.time else "none"

    @property
    def deadline(self) -> datetime | None:
        """When the clock plays for whoever must act."""
        return self.time.deadline if self.time else None

    @property
    def resumed_at(self) -> datetime | None:
        """When the game was last taken up again, if it was ever put aside."""
        return self.time.resumed_at if self.time else None

    @property
    def adjourned(self) -> bool:
        """Put aside by its players, or by the clock when nobody was there."""
        return self.time is not None and self.time.adjourned

    @property
    def next_deal_at(self) -> datetime | None:
        """When the next hand is dealt at the latest, while the table is between two.

        Whoever plays against the computer keeps nobody waiting.
        """
        if any(chair.bot for chair in self.seats):
            return None
        if self.state != "between" or self.hand_ended_at is None or self.adjourned:
            return None
        if self.shuffle_until is not None:
            return None
        return self.hand_ended_at + clocks.next_deal_after(self.pace)

    @property
    def state(self) -> str:
        """waiting, playing, between or finished."""
        if self.ended:
            return "finished"
        if not self.started:
            return "waiting"
        return "between" if self.hand_ended_at else "playing"

    @property
    def points(self) -> tuple[int, ...]:
        """Hand points by seat; once the game is over, the totals."""
        if self.sheet is None:
            return tuple(0 for _ in self.seats)
        standing = self.sheet.standing
        return tuple(standing.totals if self.ended else standing.hand_points)

    @property
    def version(self) -> int:
        """Grows with everything stored at this table, so that a client can drop the older view.

        Every verb but a move counts one, every deal more than a hand can have plies.
        """
        return self.changes + self.ply + self.bonuses_written

    def seat_of(self, user_id: int | None) -> int | None:
        """The seat this person holds in the game, if any."""
        for chair in self.seats:
            if user_id is not None and chair.user_id == user_id:
                return chair.seat
        return None

    @property
    def bot_to_act(self) -> int | None:
        """The seat at which the computer keeps the table waiting, if it does."""
        if self.state != "playing" or self.adjourned or self.position is None:
            return None
        seat = self.position.to_act
        return seat if seat is not None and self.seats[seat].bot else None

    def waits_for(self, seat: int) -> bool:
        """Whether the table waits for something this seat alone can do."""
        if self.adjourned:
            return False
        if self.state == "between":
            return self.seats[seat].ready_after < self.hand_number
        return self.position is not None and self.position.to_act == seat
