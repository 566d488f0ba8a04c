"""What is stored of rooms and tables: facts, once each. Positions are replayed, never stored.

Each "never" and "once" is a named constraint here, or a trigger in the migrations where no
constraint can say it. Only the verb rooms write.
"""

from games.models.coach import Analysis, Weighing
from games.models.fair import Seed, Shuffle
from games.models.friends import Block, FriendLink, Friendship, RoomInvitation
from games.models.places import Member, Pace, Room, Rotation, Table, Waiting
from games.models.play import DECK_LENGTH, CallOff, Game, GameSeat, Hand, Move, OwnOrder
from games.models.talk import Message, Mute, Report, Silence
from games.models.time import Clock, Heartbeat, SeatTime, TurnNotice

__all__ = [
    "DECK_LENGTH",
    "Analysis",
    "Block",
    "CallOff",
    "Clock",
    "FriendLink",
    "Friendship",
    "Game",
    "GameSeat",
    "Hand",
    "Heartbeat",
    "Member",
    "Message",
    "Move",
    "Mute",
    "OwnOrder",
    "Pace",
    "Report",
    "Room",
    "RoomInvitation",
    "Rotation",
    "SeatTime",
    "Seed",
    "Shuffle",
    "Silence",
    "Table",
    "TurnNotice",
    "Waiting",
    "Weighing",
]
