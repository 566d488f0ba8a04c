"""Rooms: opened, joined, changed and left, and what their pages and the lobby show.

The only writer of rooms and members. Lock order: Room, Member, then Game.
"""

from games.rooms.handing import hand_over
from games.rooms.joining import (
    come_in,
    enter_public,
    free_table,
    invitation,
    invitation_of,
    join_by_code,
    join_room,
    room_of_table,
)
from games.rooms.leaving import hold_all, leave, pass_on, remove_member, why_not_gone
from games.rooms.lobby import at_home, last_sheets, my_rooms
from games.rooms.opening import (
    CODE_LENGTH,
    TABLES_AT_MOST,
    change_room,
    open_room,
    open_table,
    renew_invitation,
)
from games.rooms.pages import member_page, room_page, settings_page, tables_of
from games.rooms.past import open_past_room, open_past_table
from games.rooms.practice import (
    against_computer,
    bring_computer,
    go_on_with_computer,
    practice_of,
    practice_room_of,
    practise,
)
from games.rooms.rights import may_enter, require_entry
from games.rooms.watching import Watched, watch_home, watch_room

__all__ = [
    "CODE_LENGTH",
    "TABLES_AT_MOST",
    "Watched",
    "against_computer",
    "at_home",
    "bring_computer",
    "change_room",
    "come_in",
    "enter_public",
    "free_table",
    "go_on_with_computer",
    "hand_over",
    "hold_all",
    "invitation",
    "invitation_of",
    "join_by_code",
    "join_room",
    "last_sheets",
    "leave",
    "may_enter",
    "member_page",
    "my_rooms",
    "open_past_room",
    "open_past_table",
    "open_room",
    "open_table",
    "pass_on",
    "practice_of",
    "practice_room_of",
    "practise",
    "remove_member",
    "renew_invitation",
    "require_entry",
    "room_of_table",
    "room_page",
    "settings_page",
    "tables_of",
    "watch_home",
    "watch_room",
    "why_not_gone",
]
