"""Addresses of rooms, tables and score sheets."""

from django.urls import path, register_converter
from django.urls.converters import IntConverter

from games import (
    chip_doors,
    coach_doors,
    computer_doors,
    fair_doors,
    file_doors,
    friend_doors,
    joining_doors,
    pad_doors,
    person_doors,
    room_doors,
    sheet_doors,
    talk_doors,
    views,
)


class Id(IntConverter):
    """The number of a row. Longer ones name none, and no database could be asked for them."""

    regex = "[0-9]{1,18}"


register_converter(Id, "id")

app_name = "games"

urlpatterns = [
    path("rooms/", views.rooms_page, name="rooms"),
    path("rooms/new/", views.new_room, name="new_room"),
    path("rooms/<id:room_id>/", views.room, name="room"),
    path("rooms/<id:room_id>/tables/", views.tables, name="tables"),
    path("rooms/<id:room_id>/say/", talk_doors.say, name="say"),
    path("rooms/<id:room_id>/hide/", talk_doors.hide, name="hide"),
    path("rooms/<id:room_id>/report/<id:message_id>/", talk_doors.report, name="report"),
    path("rooms/<id:room_id>/invitation/", views.new_invitation, name="new_invitation"),
    path("rooms/<id:room_id>/join/", room_doors.enter, name="enter"),
    path("rooms/<id:room_id>/settings/", room_doors.settings, name="settings"),
    path("rooms/<id:room_id>/leave/", room_doors.leave, name="leave"),
    path("rooms/<id:room_id>/members/", views.members, name="members"),
    path("rooms/<id:room_id>/members/<id:member_id>/", room_doors.member, name="member"),
    path("rooms/<id:room_id>/members/<id:member_id>/host/", room_doors.pass_on, name="pass_on"),
    path("rooms/<id:room_id>/members/<id:member_id>/remove/", room_doors.remove, name="remove"),
    path("join/", joining_doors.join_code, name="join_code"),
    path("j/<str:token>/", joining_doors.join, name="join"),
    path("tables/<id:table_id>/", views.table_page, name="table"),
    path("tables/<id:table_id>/sit/", views.sit, name="sit"),
    path("tables/<id:table_id>/line/", views.line, name="line"),
    path("tables/<id:table_id>/computer/", computer_doors.bring, name="bring_computer"),
    path("computer/", computer_doors.play, name="computer"),
    path("sheets/<id:sheet_id>/", sheet_doors.sheet, name="sheet"),
    path("sheets/<id:sheet_id>.json", file_doors.sheet_json, name="sheet_json"),
    path("sheets/<id:sheet_id>.csv", file_doors.sheet_csv, name="sheet_csv"),
    path("sheets/<id:sheet_id>/brought/", file_doors.brought, name="brought"),
    path("sheets/<id:sheet_id>/share/", sheet_doors.share, name="share"),
    path("sheets/<id:sheet_id>/hands/<id:number>/", sheet_doors.replay, name="replay"),
    path("sheets/<id:sheet_id>/hands/<id:number>/coach/", coach_doors.analysis, name="coach"),
    path("s/<str:token>/", sheet_doors.shared_sheet, name="shared_sheet"),
    path("s/<str:token>.json", file_doors.shared_json, name="shared_sheet_json"),
    path("s/<str:token>.csv", file_doors.shared_csv, name="shared_sheet_csv"),
    path("s/<str:token>/hands/<id:number>/", sheet_doors.shared_replay, name="shared_replay"),
    path("sheets/<id:sheet_id>/hands/<id:number>/proof.json", fair_doors.proof, name="proof"),
    path(
        "s/<str:token>/hands/<id:number>/proof.json", fair_doors.shared_proof, name="shared_proof"
    ),
    path("pad/", pad_doors.pads_page, name="pads"),
    path("pad/sw.js", pad_doors.worker, name="pad_worker"),
    path("pad/<id:sheet_id>/", pad_doors.pad_page, name="pad"),
    path("pad/<id:sheet_id>/state/", pad_doors.state, name="pad_state"),
    path("pad/<id:sheet_id>/hand/", pad_doors.hand, name="pad_hand"),
    path("pad/<id:sheet_id>/hands/<id:number>/", pad_doors.hand, name="pad_correct"),
    path("pad/<id:sheet_id>/change/", pad_doors.change, name="pad_change"),
    path("pad/<id:sheet_id>/invite/", pad_doors.invite, name="pad_invite"),
    path("pad/invitations/<id:invitation_id>/", pad_doors.invitation, name="pad_invitation"),
    path("friends/", friend_doors.page, name="friends"),
    path("f/<str:token>/", friend_doors.link, name="friend_link"),
    path("friends/invitations/<id:invitation_id>/", friend_doors.answer, name="answer_invitation"),
    path("account/delete/", person_doors.delete_account, name="delete_account"),
    path("chips/", chip_doors.own, name="chips"),
    path("chips/unit/", chip_doors.unit, name="chip_unit"),
    path("chips/rooms/<id:room_id>/", chip_doors.tab, name="tab"),
    path("history/import/", file_doors.bring, name="bring_sheet"),
]
