"""Who may do what, written down: the answer to everybody, address by address and word by word.

A new address needs one line in PAGES, a new word of a socket one in each part of WORDS; without it
tests/test_permissions.py fails. A line: the method, an address with what fills it in braces (see
tests/world.py), what a form sends, and what each of the nine gets, in the order of WHO:

    N nobody, signed out          D dora, a member of both rooms
    C camille, a guest, member    X charlie, no member: may watch in the public room
    A alice, host and player      E eve, a suspended member, still with her cookie
    B bob, the other player, who  S staff with every right
      keeps the paper             U superuser

Write any nine words first: the test says what the line would be. Then judge it.

    ok   opened           no    forbidden                       in    sign in first
    --   is not there     why   back, told why not              keep  choose a password first
    go   led on: done     422   the form again, what is wrong   405   not so
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, NamedTuple

from tests.world import WHO


class Row(NamedTuple):
    """One line of a table."""

    text: str
    method: str
    address: str
    pairs: tuple[tuple[str, str], ...]
    answers: tuple[str, ...]

    @property
    def bare(self) -> str:
        return self.address.partition("?")[0]

    @property
    def sent(self) -> dict[str, str]:
        return dict(self.pairs)


def rows_of(text: str) -> Iterator[Row]:
    for line in text.splitlines():
        words = line.split()
        if words and not line.startswith("#"):
            (method, address, *sent), answers = words[: -len(WHO)], tuple(words[-len(WHO) :])
            pairs = tuple((pair.partition("=")[0], pair.partition("=")[2]) for pair in sent)
            yield Row(line, method, address, pairs, answers)


def words_of(text: str) -> list[Row]:
    """The same of words: what is said, and the answers."""
    lines = (line for line in text.splitlines() if line.strip())
    return [row._replace(text=row.text[4:]) for line in lines for row in rows_of(f"say {line}")]


def message(row: Row, numbers: Mapping[str, Any]) -> dict[str, Any]:
    """A word as a browser sends it."""
    if row.address == "move":
        return {"move": "pass", "at": [1, int(row.sent["ply"])]}
    typed = {name: _typed(value.format(**numbers)) for name, value in row.pairs}
    return {"verb": row.address, **typed}


def _typed(value: str) -> Any:
    return int(value) if value.isdecimal() else {"true": True}.get(value, value)


PAGES = list(rows_of("""
# --- the site
GET /                                               ok   ok   ok   ok   ok   ok   ok   ok   ok
GET /rules/                                         ok   ok   ok   ok   ok   ok   ok   ok   ok
GET /help/                                          ok   ok   ok   ok   ok   ok   ok   ok   ok
GET /help/rules/                                    ok   ok   ok   ok   ok   ok   ok   ok   ok
GET /help/shuffle/                                  ok   ok   ok   ok   ok   ok   ok   ok   ok
GET /help/nothing/                                  --   --   --   --   --   --   --   --   --
GET /healthz/                                       ok   ok   ok   ok   ok   ok   ok   ok   ok
GET /healthz/live/                                  ok   ok   ok   ok   ok   ok   ok   ok   ok
GET /healthz/ready/                                 ok   ok   ok   ok   ok   ok   ok   ok   ok
GET /metrics                                        --   --   --   --   --   --   --   --   --
GET /favicon.ico                                    go   go   go   go   go   go   go   go   go
GET /jsi18n/                                        ok   ok   ok   ok   ok   ok   ok   ok   ok
GET /i18n/setlang/                                  go   go   go   go   go   go   go   go   go
POST /                                              405  405  405  405  405  405  405  405  405
POST /i18n/setlang/ language=fr                     go   go   go   go   go   go   go   go   go

# --- rooms
GET /rooms/                                         in   ok   ok   ok   ok   ok   in   ok   ok
GET /rooms/new/                                     in   ok   ok   ok   ok   ok   in   ok   ok
GET /lobby/                                         in   ok   ok   ok   ok   ok   in   ok   ok
GET /join/                                          ok   ok   ok   ok   ok   ok   ok   ok   ok
GET /j/{link}/                                      ok   ok   ok   ok   ok   ok   ok   ok   ok
GET /j/{open_link}/                                 ok   ok   ok   ok   ok   ok   ok   ok   ok
GET /rooms/{room}/                                  in   ok   ok   ok   ok   --   in   --   --
GET /rooms/{room}/tables/                           in   ok   ok   ok   ok   --   in   --   --
GET /rooms/{room}/members/                          in   ok   ok   ok   ok   --   in   --   --
GET /rooms/{room}/settings/                         in   --   ok   --   --   --   in   --   --
GET /rooms/{room}/members/{dora}/                   in   --   ok   --   ok   --   in   --   --
GET /rooms/{room}/members/{charlie}/                in   --   --   --   --   --   in   --   --
GET /rooms/{room}/report/{line}/                    in   ok   ok   --   ok   --   in   --   --
GET /rooms/{open_room}/                             in   ok   ok   ok   ok   ok   in   ok   ok
GET /rooms/{open_room}/tables/                      in   ok   ok   ok   ok   ok   in   ok   ok
GET /rooms/{open_room}/members/                     in   ok   ok   ok   ok   ok   in   ok   ok
GET /rooms/{open_room}/settings/                    in   --   ok   --   --   --   in   --   --
GET /rooms/{open_room}/members/{dora}/              in   --   ok   --   ok   --   in   --   --
GET /rooms/{open_room}/report/{open_line}/          in   ok   ok   --   ok   --   in   --   --
POST /rooms/new/                                    in   422  422  422  422  422  in   422  422
POST /rooms/new/ name=x preset=complete public=no   in   go   go   go   go   go   in   go   go
POST /rooms/new/ name=x preset=complete public=yes  in   422  go   go   go   go   in   go   go
POST /join/                                         422  422  422  422  422  422  422  422  422
POST /j/no-such-link/                               --   why  why  why  why  why  --   why  why
POST /j/{link}/ username=Zoe                        go   go   go   go   go   go   go   go   go
POST /rooms/{room}/tables/                          in   go   go   go   go   --   in   --   --
POST /rooms/{room}/invitation/                      in   --   go   --   --   --   in   --   --
POST /rooms/{room}/settings/                        in   --   422  --   --   --   in   --   --
POST /rooms/{room}/settings/ \
                                                    in   --   422  --   --   --   in   --   --
POST /rooms/{room}/say/ text=x                      in   go   go   go   go   --   in   --   --
POST /rooms/{room}/hide/ user={bob}                 in   go   go   why  go   --   in   --   --
POST /rooms/{room}/report/{line}/ reason=x          in   go   go   --   go   --   in   --   --
POST /rooms/{room}/report/{open_line}/ reason=x     in   --   --   --   --   --   in   --   --
POST /rooms/{room}/join/                            in   --   --   --   --   --   in   --   --
POST /rooms/{room}/leave/                           in   go   go   go   go   --   in   --   --
POST /rooms/{room}/members/{dora}/host/             in   --   go   --   --   --   in   --   --
POST /rooms/{room}/members/{dora}/remove/           in   --   go   --   --   --   in   --   --
POST /rooms/{open_room}/tables/                     in   go   go   go   go   --   in   --   --
POST /rooms/{open_room}/invitation/                 in   --   go   --   --   --   in   --   --
POST /rooms/{open_room}/settings/ name=x preset=complete public=no \
                                                    in   --   go   --   --   --   in   --   --
POST /rooms/{open_room}/say/ text=x                 in   go   go   go   go   why  in   why  why
POST /rooms/{open_room}/hide/ user={bob}            in   go   go   why  go   --   in   --   --
POST /rooms/{open_room}/report/{open_line}/ reason=x in   go   go   --   go   --   in   --   --
POST /rooms/{open_room}/join/                       in   go   go   go   go   go   in   go   go
POST /rooms/{open_room}/leave/                      in   go   go   go   go   --   in   --   --
POST /rooms/{open_room}/members/{dora}/host/        in   --   go   --   --   --   in   --   --
POST /rooms/{open_room}/members/{dora}/remove/      in   --   go   --   --   --   in   --   --

# --- tables
GET /tables/{table}/                                in   ok   ok   ok   ok   --   in   --   --
GET /tables/{open_table}/                           in   ok   ok   ok   ok   ok   in   ok   ok
POST /tables/{table}/sit/                           in   why  go   go   why  --   in   --   --
POST /tables/{table}/line/                          in   why  why  why  why  --   in   --   --
POST /tables/{open_table}/sit/                      in   why  go   go   why  why  in   why  why
POST /tables/{open_table}/line/                     in   why  why  why  why  why  in   why  why
POST /computer/ level=regular                       go   go   go   go   go   go   go   go   go
POST /tables/{table}/computer/ level=regular        in   --   why  why  --   --   in   --   --
POST /tables/{open_table}/computer/ level=regular   in   --   why  why  --   --   in   --   --

# --- sheets, replays, links to them
GET /sheets/{sheet}/                                --   ok   ok   ok   ok   --   --   --   --
GET /sheets/{sheet}.json                            --   ok   ok   ok   ok   --   --   --   --
GET /sheets/{sheet}.csv                             --   ok   ok   ok   ok   --   --   --   --
GET /sheets/{sheet}/hands/1/                        --   ok   ok   ok   ok   --   --   --   --
GET /sheets/{sheet}/hands/1/proof.json              --   ok   ok   ok   ok   --   --   --   --
GET /sheets/{open_sheet}/                           ok   ok   ok   ok   ok   ok   ok   ok   ok
GET /sheets/{open_sheet}.json                       ok   ok   ok   ok   ok   ok   ok   ok   ok
GET /sheets/{open_sheet}.csv                        ok   ok   ok   ok   ok   ok   ok   ok   ok
GET /sheets/{open_sheet}/hands/1/                   ok   ok   ok   ok   ok   ok   ok   ok   ok
GET /sheets/{open_sheet}/hands/1/proof.json         ok   ok   ok   ok   ok   ok   ok   ok   ok
GET /sheets/{paper}/                                --   --   ok   ok   --   --   --   --   --
GET /sheets/{paper}.json                            --   --   ok   ok   --   --   --   --   --
GET /sheets/{paper}.csv                             --   --   ok   ok   --   --   --   --   --
GET /sheets/{paper}/hands/1/                        --   --   --   --   --   --   --   --   --
GET /sheets/{paper}/hands/1/proof.json              --   --   --   --   --   --   --   --   --
GET /sheets/{sheet}/hands/1/coach/                  in   --   ok   ok   --   --   in   --   --
GET /sheets/{open_sheet}/hands/1/coach/             in   --   ok   ok   --   --   in   --   --
GET /sheets/{paper}/hands/1/coach/                  in   --   --   --   --   --   in   --   --
GET /s/{token}/                                     ok   ok   ok   ok   ok   ok   ok   ok   ok
GET /s/{token}.json                                 ok   ok   ok   ok   ok   ok   ok   ok   ok
GET /s/{token}.csv                                  ok   ok   ok   ok   ok   ok   ok   ok   ok
GET /s/{token}/hands/1/                             ok   ok   ok   ok   ok   ok   ok   ok   ok
GET /s/{token}/hands/1/proof.json                   ok   ok   ok   ok   ok   ok   ok   ok   ok
GET /s/{paper_token}/                               ok   ok   ok   ok   ok   ok   ok   ok   ok
GET /s/{paper_token}/hands/1/                       --   --   --   --   --   --   --   --   --
GET /s/{paper_token}/hands/1/proof.json             --   --   --   --   --   --   --   --   --
GET /s/{token}/?edition={open_sheet}                --   --   --   --   --   --   --   --   --
POST /sheets/{sheet}/                               405  405  405  405  405  405  405  405  405
POST /sheets/{sheet}/share/                         in   --   go   go   --   --   in   --   --
POST /sheets/{sheet}/share/ do=revoke               in   --   go   go   --   --   in   --   --
POST /sheets/{sheet}/hands/1/coach/                 in   --   go   go   --   --   in   --   --
POST /sheets/{open_sheet}/hands/1/coach/            in   --   go   go   --   --   in   --   --
POST /sheets/{open_sheet}/share/ do=revoke          in   --   go   go   --   --   in   --   --
POST /sheets/{paper}/share/ do=revoke               in   --   go   go   --   --   in   --   --
POST /sheets/{sheet}/brought/ do=end                in   --   --   --   --   --   in   --   --
POST /sheets/{paper}/brought/ do=remove             in   --   --   --   --   --   in   --   --

# --- history, players, archives
GET /history/                                       in   ok   ok   ok   ok   ok   in   ok   ok
GET /history/import/                                in   keep ok   ok   ok   ok   in   ok   ok
GET /history/export/                                in   keep ok   ok   ok   ok   in   ok   ok
GET /history/export/progress/                       in   keep ok   ok   ok   ok   in   ok   ok
GET /history/export/{export}/                       in   keep ok   --   --   --   in   --   --
GET /chips/                                         in   ok   ok   ok   ok   ok   in   ok   ok
POST /chips/unit/ unit=EUR                           in   go   go   go   go   go   in   go   go
GET /chips/rooms/{room}/                            in   --   --   --   --   --   in   --   --
GET /players/{alice}/                               --   --   ok   ok   --   --   --   --   --
GET /players/{alice}/with-me/                       in   --   go   ok   --   --   in   --   --
GET /players/{bob}/with-me/                         in   --   ok   go   --   --   in   --   --
POST /history/import/                               in   keep 422  422  422  422  in   422  422
POST /history/export/                               in   keep go   go   go   go   in   go   go

# --- pads
GET /pad/                                           in   keep ok   ok   ok   ok   in   ok   ok
GET /pad/sw.js                                      ok   ok   ok   ok   ok   ok   ok   ok   ok
GET /pad/{paper}/                                   in   keep ok   ok   --   --   in   --   --
GET /pad/{paper}/state/                             401  keep ok   ok   --   --   401  --   --
GET /pad/{paper}/hand/                              in   keep --   ok   --   --   in   --   --
GET /pad/{paper}/hands/1/                           in   keep --   ok   --   --   in   --   --
GET /pad/{sheet}/                                   in   keep --   --   --   --   in   --   --
GET /pad/{sheet}/state/                             401  keep --   --   --   --   401  --   --
GET /pad/{open_sheet}/                              in   keep --   --   --   --   in   --   --
POST /pad/                                          in   keep 422  422  422  422  in   422  422
POST /pad/{paper}/state/                            401  keep 400  400  400  400  401  400  400
POST /pad/{paper}/hand/                             in   keep --   422  --   --   in   --   --
POST /pad/{paper}/hands/1/                          in   keep --   422  --   --   in   --   --
POST /pad/{paper}/change/ do=undo sheet={paper}     in   keep --   go   --   --   in   --   --
POST /pad/{paper}/change/ do=end sheet={paper}      in   keep --   go   --   --   in   --   --
POST /pad/{paper}/invite/ name=charlie seat=1       in   keep --   go   --   --   in   --   --
POST /pad/{sheet}/change/ do=undo sheet={sheet}     in   keep --   --   --   --   in   --   --
POST /pad/{open_sheet}/change/ do=undo sheet={open_sheet} in   keep --   --   --   --   in   --   --
POST /pad/invitations/{invitation}/ do=accept       in   keep --   --   go   --   in   --   --
POST /pad/invitations/{invitation}/ do=decline      in   keep --   --   go   --   in   --   --

# --- friends
GET /friends/                                       in   keep ok   ok   ok   ok   in   ok   ok
GET /f/none/                                        --   --   --   --   --   --   --   --   --
POST /f/none/                                       in   why  why  why  why  why  in   why  why
POST /friends/ do=ask name=bob                      in   keep go   why  go   go   in   go   go
POST /friends/ do=end who={alice}                   in   keep go   go   go   go   in   go   go
POST /friends/invitations/{asked}/ come=1           in   why  why  why  why  go   in   why  why

# --- one's own account
GET /account/                                       in   keep ok   ok   ok   ok   in   ok   ok
GET /account/delete/                                in   ok   ok   ok   ok   ok   in   ok   ok
GET /account/keep/                                  in   ok   go   go   go   go   in   go   go
GET /account/letters/stop/{stopping}/               ok   ok   ok   ok   ok   ok   ok   ok   ok
GET /account/address/{confirming}/                  ok   ok   ok   ok   ok   ok   ok   ok   ok
GET /account/devices/                               in   ok   ok   ok   ok   ok   in   ok   ok
GET /account/signup/                                ok   go   go   go   go   go   ok   go   go
GET /account/login/                                 ok   go   go   go   go   go   ok   go   go
GET /account/logout/                                go   ok   ok   ok   ok   ok   go   ok   ok
GET /account/inactive/                              ok   ok   ok   ok   ok   ok   ok   ok   ok
GET /account/password/change/                       in   keep ok   ok   ok   ok   in   ok   ok
GET /account/password/set/                          in   keep go   go   go   go   in   go   go
GET /account/password/reset/                        ok   ok   ok   ok   ok   ok   ok   ok   ok
GET /account/password/reset/done/                   ok   ok   ok   ok   ok   ok   ok   ok   ok
GET /account/password/reset/key/{resetting}/        go   go   go   go   go   go   go   go   go
GET /account/password/reset/key/1-bent/             ok   ok   ok   ok   ok   ok   ok   ok   ok
GET /account/password/reset/key/done/               ok   ok   ok   ok   ok   ok   ok   ok   ok
GET /account/confirm/                               in   keep ok   ok   ok   ok   in   ok   ok
GET /account/two-steps/                             in   keep ok   ok   ok   ok   in   ok   ok
GET /account/two-steps/sign-in/                     in   keep go   go   go   go   in   go   go
GET /account/two-steps/confirm/                     in   keep go   go   go   go   in   ok   ok
GET /account/two-steps/app/                         in   keep go   go   go   go   in   go   go
GET /account/two-steps/app/remove/                  in   keep --   --   --   --   in   go   go
GET /account/two-steps/codes/                       in   keep --   --   --   --   in   --   --
GET /account/two-steps/codes/new/                   in   keep go   go   go   go   in   go   go
GET /account/two-steps/codes/download/              in   keep --   --   --   --   in   --   --
GET /account/two-steps/keys/                        in   keep ok   ok   ok   ok   in   ok   ok
GET /account/two-steps/keys/add/                    in   keep go   go   go   go   in   go   go
GET /account/two-steps/keys/confirm/                in   keep go   go   go   go   in   go   go
GET /account/two-steps/keys/sign-in/                in   keep go   go   go   go   in   go   go
GET /account/two-steps/keys/1/remove/               in   keep go   go   go   go   in   go   go
GET /first-admin/{dead}/                            --   --   --   --   --   --   --   --   --
POST /account/                                      in   keep ok   ok   ok   ok   in   ok   ok
POST /account/delete/                               in   ok   ok   ok   ok   ok   in   ok   ok
POST /account/keep/                                 in   ok   go   go   go   go   in   go   go
POST /account/table/                                in   go   go   go   go   go   in   go   go
POST /account/zone/ zone=Europe/Paris               in   go   go   go   go   go   in   go   go
POST /account/letters/                              in   keep go   go   go   go   in   go   go
POST /account/address/                              in   go   go   go   go   go   in   go   go
POST /account/devices/ close=others                 in   go   go   go   go   go   in   go   go
POST /account/password/change/                      in   keep ok   ok   ok   ok   in   ok   ok
POST /account/two-steps/app/remove/                 in   keep --   --   --   --   in   go   go
POST /account/two-steps/codes/new/                  in   keep go   go   go   go   in   go   go
POST /account/two-steps/keys/1/remove/              in   keep go   go   go   go   in   go   go
POST /account/logout/                               go   go   go   go   go   go   go   go   go
POST /first-admin/{dead}/ username=Zoe              --   --   --   --   --   --   --   --   --

# --- the administration: its own pages
GET /admin/                                         in   keep in   in   in   in   in   ok   ok
GET /admin/login/                                   in   no   no   no   no   no   in   go   go
GET /admin/logout/                                  go   ok   ok   ok   ok   ok   go   ok   ok
GET /admin/password_change/                         go   go   go   go   go   go   go   go   go
GET /admin/password_change/done/                    in   keep in   in   in   in   in   ok   ok
GET /admin/autocomplete/                            in   keep in   in   in   in   in   no   no
GET /admin/jsi18n/                                  in   keep in   in   in   in   in   ok   ok
GET /admin/r/1/1/                                   in   keep in   in   in   in   in   --   --
GET /admin/games/                                   in   keep in   in   in   in   in   ok   ok
GET /admin/nothing/                                 in   keep in   in   in   in   in   --   --

# --- the administration: what it looks after
GET /admin/accounts/user/                           in   keep in   in   in   in   in   ok   ok
GET /admin/accounts/user/add/                       in   keep in   in   in   in   in   ok   ok
GET /admin/accounts/user/{alice}/                   in   keep in   in   in   in   in   go   go
GET /admin/accounts/user/{alice}/change/            in   keep in   in   in   in   in   ok   ok
GET /admin/accounts/user/{alice}/history/           in   keep in   in   in   in   in   ok   ok
GET /admin/accounts/user/{alice}/delete/            in   keep in   in   in   in   in   no   no
GET /admin/accounts/user/{alice}/password/          in   keep in   in   in   in   in   ok   ok
GET /admin/accounts/user/{alice}/reset-link/        in   keep in   in   in   in   in   ok   ok
GET /admin/accounts/user/{alice}/suspend/           in   keep in   in   in   in   in   ok   ok
GET /admin/accounts/user/{eve}/reinstate/           in   keep in   in   in   in   in   ok   ok
GET /admin/accounts/user/{alice}/forget/            in   keep in   in   in   in   in   ok   ok
GET /admin/accounts/user/{alice}/lost-step/         in   keep in   in   in   in   in   ok   ok
GET /admin/accounts/user/{staff}/lost-step/         in   keep in   in   in   in   in   no   ok
GET /admin/accounts/user/{chief}/lost-step/         in   keep in   in   in   in   in   no   no
GET /admin/accounts/user/{camille}/merge/           in   keep in   in   in   in   in   ok   ok
GET /admin/accounts/user/{chief}/change/            in   keep in   in   in   in   in   ok   ok
GET /admin/accounts/user/{chief}/password/          in   keep in   in   in   in   in   no   ok
GET /admin/accounts/user/{chief}/reset-link/        in   keep in   in   in   in   in   no   ok
GET /admin/accounts/user/{chief}/suspend/           in   keep in   in   in   in   in   no   no
GET /admin/accounts/user/{chief}/forget/            in   keep in   in   in   in   in   no   no
GET /admin/accounts/resetrequest/                   in   keep in   in   in   in   in   ok   ok
GET /admin/accounts/resetrequest/add/               in   keep in   in   in   in   in   no   no
GET /admin/accounts/resetrequest/1/                 in   keep in   in   in   in   in   go   go
GET /admin/accounts/resetrequest/1/change/          in   keep in   in   in   in   in   go   go
GET /admin/accounts/resetrequest/1/history/         in   keep in   in   in   in   in   go   go
GET /admin/accounts/resetrequest/1/delete/          in   keep in   in   in   in   in   no   no
POST /admin/accounts/resetrequest/{alice}/dismiss/  in   keep in   in   in   in   in   --   --
GET /admin/auth/group/                              in   keep in   in   in   in   in   ok   ok
GET /admin/auth/group/add/                          in   keep in   in   in   in   in   no   ok
GET /admin/auth/group/1/                            in   keep in   in   in   in   in   go   go
GET /admin/auth/group/1/change/                     in   keep in   in   in   in   in   go   go
GET /admin/auth/group/1/history/                    in   keep in   in   in   in   in   go   go
GET /admin/auth/group/1/delete/                     in   keep in   in   in   in   in   no   go
GET /admin/scoring/chipaccount/                     in   keep in   in   in   in   in   ok   ok
GET /admin/scoring/chipaccount/add/                 in   keep in   in   in   in   in   no   no
GET /admin/scoring/chipaccount/1/                   in   keep in   in   in   in   in   go   go
GET /admin/scoring/chipaccount/1/change/            in   keep in   in   in   in   in   go   go
GET /admin/scoring/chipaccount/1/history/           in   keep in   in   in   in   in   go   go
GET /admin/scoring/chipaccount/1/delete/            in   keep in   in   in   in   in   no   no
GET /admin/scoring/chipposting/                     in   keep in   in   in   in   in   ok   ok
GET /admin/scoring/chipposting/add/                 in   keep in   in   in   in   in   no   no
GET /admin/scoring/chipposting/1/                   in   keep in   in   in   in   in   go   go
GET /admin/scoring/chipposting/1/change/            in   keep in   in   in   in   in   go   go
GET /admin/scoring/chipposting/1/history/           in   keep in   in   in   in   in   go   go
GET /admin/scoring/chipposting/1/delete/            in   keep in   in   in   in   in   no   no
GET /admin/scoring/startinggrant/                   in   keep in   in   in   in   in   ok   ok
GET /admin/scoring/startinggrant/add/               in   keep in   in   in   in   in   ok   ok
GET /admin/scoring/startinggrant/1/                 in   keep in   in   in   in   in   go   go
GET /admin/scoring/startinggrant/1/change/          in   keep in   in   in   in   in   go   go
GET /admin/scoring/startinggrant/1/history/         in   keep in   in   in   in   in   go   go
GET /admin/scoring/startinggrant/1/delete/          in   keep in   in   in   in   in   no   no
GET /admin/scoring/unitrate/                        in   keep in   in   in   in   in   ok   ok
GET /admin/scoring/unitrate/add/                    in   keep in   in   in   in   in   ok   ok
GET /admin/scoring/unitrate/1/                      in   keep in   in   in   in   in   go   go
GET /admin/scoring/unitrate/1/change/               in   keep in   in   in   in   in   go   go
GET /admin/scoring/unitrate/1/history/              in   keep in   in   in   in   in   go   go
GET /admin/scoring/unitrate/1/delete/               in   keep in   in   in   in   in   no   no
GET /admin/scoring/chipaccount/{alice}/grant/       in   keep in   in   in   in   in   ok   ok
GET /admin/scoring/chipaccount/1/collect/           in   keep in   in   in   in   in   --   --
GET /admin/scoring/chipentry/                       in   keep in   in   in   in   in   --   --
GET /admin/games/room/                              in   keep in   in   in   in   in   ok   ok
GET /admin/games/room/add/                          in   keep in   in   in   in   in   no   no
GET /admin/games/room/{room}/                       in   keep in   in   in   in   in   go   go
GET /admin/games/room/{room}/change/                in   keep in   in   in   in   in   ok   ok
GET /admin/games/room/{room}/history/               in   keep in   in   in   in   in   ok   ok
GET /admin/games/room/{room}/delete/                in   keep in   in   in   in   in   no   no
GET /admin/games/game/                              in   keep in   in   in   in   in   ok   ok
GET /admin/games/game/add/                          in   keep in   in   in   in   in   no   no
GET /admin/games/game/{game}/                       in   keep in   in   in   in   in   go   go
GET /admin/games/game/{game}/change/                in   keep in   in   in   in   in   ok   ok
GET /admin/games/game/{game}/history/               in   keep in   in   in   in   in   ok   ok
GET /admin/games/game/{game}/delete/                in   keep in   in   in   in   in   no   no
GET /admin/games/game/{game}/void/                  in   keep in   in   in   in   in   ok   ok
GET /admin/games/report/                            in   keep in   in   in   in   in   ok   ok
GET /admin/games/report/add/                        in   keep in   in   in   in   in   no   no
GET /admin/games/report/{report}/                   in   keep in   in   in   in   in   go   go
GET /admin/games/report/{report}/change/            in   keep in   in   in   in   in   ok   ok
GET /admin/games/report/{report}/history/           in   keep in   in   in   in   in   ok   ok
GET /admin/games/report/{report}/delete/            in   keep in   in   in   in   in   no   no
GET /admin/games/report/{report}/act/               in   keep in   in   in   in   in   405  405
GET /admin/games/message/                           in   keep in   in   in   in   in   --   --
GET /admin/games/hand/                              in   keep in   in   in   in   in   --   --
GET /admin/games/move/                              in   keep in   in   in   in   in   --   --
GET /admin/games/member/                            in   keep in   in   in   in   in   --   --
GET /admin/games/table/                             in   keep in   in   in   in   in   --   --
GET /admin/games/mute/                              in   keep in   in   in   in   in   --   --
GET /admin/accounts/firstadminlink/                 in   keep in   in   in   in   in   --   --
GET /admin/sessions/session/                        in   keep in   in   in   in   in   --   --
GET /admin/account/emailaddress/                    in   keep in   in   in   in   in   --   --
GET /admin/mfa/authenticator/                       in   keep in   in   in   in   in   --   --
GET /admin/usersessions/usersession/                in   keep in   in   in   in   in   --   --
GET /admin/games/silence/                           in   keep in   in   in   in   in   ok   ok
GET /admin/games/silence/add/                       in   keep in   in   in   in   in   no   no
GET /admin/games/silence/1/                         in   keep in   in   in   in   in   go   go
GET /admin/games/silence/1/change/                  in   keep in   in   in   in   in   go   go
GET /admin/games/silence/1/history/                 in   keep in   in   in   in   in   go   go
GET /admin/games/silence/1/delete/                  in   keep in   in   in   in   in   no   no
GET /admin/scoring/scoresheet/                      in   keep in   in   in   in   in   ok   ok
GET /admin/scoring/scoresheet/add/                  in   keep in   in   in   in   in   no   no
GET /admin/scoring/scoresheet/{sheet}/              in   keep in   in   in   in   in   go   go
GET /admin/scoring/scoresheet/{sheet}/change/       in   keep in   in   in   in   in   ok   ok
GET /admin/scoring/scoresheet/{sheet}/history/      in   keep in   in   in   in   in   ok   ok
GET /admin/scoring/scoresheet/{sheet}/delete/       in   keep in   in   in   in   in   no   no
GET /admin/scoring/scoresheet/{sheet}/line/         in   keep in   in   in   in   in   ok   ok
GET /admin/scoring/scoresheet/{sheet}/hands/1/      in   keep in   in   in   in   in   ok   ok
GET /admin/scoring/scoresheet/{sheet}/void/         in   keep in   in   in   in   in   --   --
GET /admin/scoring/scoresheet/{paper}/void/         in   keep in   in   in   in   in   --   --
GET /admin/admin/logentry/                          in   keep in   in   in   in   in   ok   ok
GET /admin/admin/logentry/add/                      in   keep in   in   in   in   in   no   no
GET /admin/admin/logentry/1/                        in   keep in   in   in   in   in   go   go
GET /admin/admin/logentry/1/change/                 in   keep in   in   in   in   in   go   go
GET /admin/admin/logentry/1/history/                in   keep in   in   in   in   in   go   go
GET /admin/admin/logentry/1/delete/                 in   keep in   in   in   in   in   no   no
POST /admin/accounts/user/{alice}/reset-link/       in   keep in   in   in   in   in   ok   ok
POST /admin/accounts/user/{chief}/reset-link/       in   keep in   in   in   in   in   no   ok
POST /admin/accounts/user/{alice}/suspend/ reason=x in   keep in   in   in   in   in   go   go
POST /admin/accounts/user/{chief}/suspend/ reason=x in   keep in   in   in   in   in   no   no
POST /admin/accounts/user/{eve}/reinstate/ reason=x in   keep in   in   in   in   in   go   go
POST /admin/accounts/user/{alice}/password/         in   keep in   in   in   in   in   ok   ok
POST /admin/accounts/user/{chief}/password/         in   keep in   in   in   in   in   no   ok
POST /admin/accounts/user/{chief}/change/ username=chief in   keep in   in   in   in   in   no   ok
POST /admin/accounts/user/{dora}/forget/ reason=x   in   keep in   in   in   in   in   go   go
POST /admin/accounts/user/{chief}/forget/ reason=x  in   keep in   in   in   in   in   no   no
POST /admin/accounts/user/{camille}/merge/ reason=x name=dora \
                                                    in   keep in   in   in   in   in   go   go
POST /admin/accounts/user/{staff}/lost-step/ reason=x in   keep in   in   in   in   in   no   go
POST /admin/scoring/scoresheet/{paper}/void/ reason=x in   keep in   in   in   in   in   --   --
POST /admin/auth/group/add/ name=x                  in   keep in   in   in   in   in   no   go
POST /admin/games/game/{game}/void/ reason=x        in   keep in   in   in   in   in   go   go
POST /admin/games/report/{report}/act/ do=dismiss reason=x \
                                                    in   keep in   in   in   in   in   go   go
POST /admin/scoring/scoresheet/{sheet}/line/ seat=0 points=5 reason=x \
                                                    in   keep in   in   in   in   in   go   go
"""))

# The codes of refusals, shortened.
CODES = {
    "done": "ok",
    "not_a_player": "seat",
    "only_watching": "eyes",
    "your_turn": "turn",
    "still_here": "here",
    "not_your_turn": "wait",
    "not_adjourned": "on",
    "not_over": "on",
    "no_rotation": "two",
    "no_game": "over",
    "no_offer": "none",
    "members_only": "talk",
    "no_such_message": "none",
    "malformed": "what",
    "no_hints": "bot",
    "reported": "twice",
    "stale": "late",
    "seed_late": "dealt",
}

# At a table Alice is to move against Bob. Everything is said in this order.
WORDS = {
    "tables/{table}": words_of("""
seed hash=abababababababababababababababababababababababababababababababab \
                             in    seat  dealt dealt seat  --    in    --    --
look                         in    ok    ok    ok    ok    --    in    --    --
ping                         in    ok    ok    ok    ok    --    in    --    --
sort sort=rank               in    seat  ok    ok    seat  --    in    --    --
chat text=Bonsoir            in    ok    ok    ok    ok    --    in    --    --
mute user={eve} on=true      in    ok    ok    ok    ok    --    in    --    --
report message={line}        in    ok    ok    ok    ok    --    in    --    --
hint                         in    seat  bot   bot   seat  --    in    --    --
wait                         in    seat  turn  here  seat  --    in    --    --
claim                        in    seat  turn  here  seat  --    in    --    --
adjourn                      in    seat  turn  here  seat  --    in    --    --
resume                       in    seat  on    on    seat  --    in    --    --
ready                        in    seat  ok    ok    seat  --    in    --    --
rematch                      in    seat  on    on    seat  --    in    --    --
line_up                      in    two   two   two   two   --    in    --    --
step_out                     in    ok    ok    ok    ok    --    in    --    --
move ply=0                   in    seat  ok    late  seat  --    in    --    --
move ply=1                   in    seat  wait  ok    seat  --    in    --    --
call_off answer=refuse       in    seat  ok    ok    seat  --    in    --    --
call_off answer=accept       in    seat  none  none  seat  --    in    --    --
call_off answer=offer        in    seat  ok    ok    seat  --    in    --    --
resign                       in    seat  over  over  seat  --    in    --    --
"""),
    "tables/{open_table}": words_of("""
seed hash=abababababababababababababababababababababababababababababababab \
                             in    seat  dealt dealt seat  eyes  in    eyes  eyes
look                         in    ok    ok    ok    ok    ok    in    ok    ok
ping                         in    ok    ok    ok    ok    ok    in    ok    ok
sort sort=rank               in    seat  ok    ok    seat  eyes  in    eyes  eyes
chat text=Bonsoir            in    ok    ok    ok    ok    talk  in    talk  talk
mute user={eve} on=true      in    ok    ok    ok    ok    ok    in    ok    ok
report message={open_line}   in    ok    ok    ok    ok    none  in    none  none
hint                         in    seat  bot   bot   seat  eyes  in    eyes  eyes
wait                         in    seat  turn  here  seat  eyes  in    eyes  eyes
claim                        in    seat  turn  here  seat  eyes  in    eyes  eyes
adjourn                      in    seat  turn  here  seat  eyes  in    eyes  eyes
resume                       in    seat  on    on    seat  eyes  in    eyes  eyes
ready                        in    seat  ok    ok    seat  eyes  in    eyes  eyes
rematch                      in    seat  on    on    seat  eyes  in    eyes  eyes
line_up                      in    two   two   two   two   eyes  in    eyes  eyes
step_out                     in    ok    ok    ok    ok    eyes  in    eyes  eyes
move ply=0                   in    seat  ok    late  seat  eyes  in    eyes  eyes
move ply=1                   in    seat  wait  ok    seat  eyes  in    eyes  eyes
call_off answer=refuse       in    seat  ok    ok    seat  eyes  in    eyes  eyes
call_off answer=accept       in    seat  none  none  seat  eyes  in    eyes  eyes
call_off answer=offer        in    seat  ok    ok    seat  eyes  in    eyes  eyes
resign                       in    seat  over  over  seat  eyes  in    eyes  eyes
"""),
    "rooms/{room}": words_of("""
seed hash=abababababababababababababababababababababababababababababababab \
                             in    what  what  what  what  --    in    --    --
look                         in    what  what  what  what  --    in    --    --
ping                         in    ok    ok    ok    ok    --    in    --    --
sort sort=rank               in    what  what  what  what  --    in    --    --
chat text=Bonsoir            in    ok    ok    ok    ok    --    in    --    --
mute user={eve} on=true      in    ok    ok    ok    ok    --    in    --    --
report message={line}        in    twice twice twice twice --    in    --    --
hint                         in    what  what  what  what  --    in    --    --
wait                         in    what  what  what  what  --    in    --    --
claim                        in    what  what  what  what  --    in    --    --
adjourn                      in    what  what  what  what  --    in    --    --
resume                       in    what  what  what  what  --    in    --    --
ready                        in    what  what  what  what  --    in    --    --
rematch                      in    what  what  what  what  --    in    --    --
line_up                      in    what  what  what  what  --    in    --    --
step_out                     in    what  what  what  what  --    in    --    --
move ply=0                   in    what  what  what  what  --    in    --    --
move ply=1                   in    what  what  what  what  --    in    --    --
call_off answer=refuse       in    what  what  what  what  --    in    --    --
call_off answer=accept       in    what  what  what  what  --    in    --    --
call_off answer=offer        in    what  what  what  what  --    in    --    --
resign                       in    what  what  what  what  --    in    --    --
"""),
    "rooms/{open_room}": words_of("""
seed hash=abababababababababababababababababababababababababababababababab \
                             in    what  what  what  what  --    in    --    --
look                         in    what  what  what  what  --    in    --    --
ping                         in    ok    ok    ok    ok    --    in    --    --
sort sort=rank               in    what  what  what  what  --    in    --    --
chat text=Bonsoir            in    ok    ok    ok    ok    --    in    --    --
mute user={eve} on=true      in    ok    ok    ok    ok    --    in    --    --
report message={open_line}   in    twice twice twice twice --    in    --    --
hint                         in    what  what  what  what  --    in    --    --
wait                         in    what  what  what  what  --    in    --    --
claim                        in    what  what  what  what  --    in    --    --
adjourn                      in    what  what  what  what  --    in    --    --
resume                       in    what  what  what  what  --    in    --    --
ready                        in    what  what  what  what  --    in    --    --
rematch                      in    what  what  what  what  --    in    --    --
line_up                      in    what  what  what  what  --    in    --    --
step_out                     in    what  what  what  what  --    in    --    --
move ply=0                   in    what  what  what  what  --    in    --    --
move ply=1                   in    what  what  what  what  --    in    --    --
call_off answer=refuse       in    what  what  what  what  --    in    --    --
call_off answer=accept       in    what  what  what  what  --    in    --    --
call_off answer=offer        in    what  what  what  what  --    in    --    --
resign                       in    what  what  what  what  --    in    --    --
"""),
    "pads/{paper}": words_of("""
ping                         in    --    ok    ok    --    --    in    --    --
"""),
    "lobby": words_of("""
ping                         in    ok    ok    ok    ok    ok    in    ok    ok
"""),
}
