"""Doors of sheets and replays: who may read one gets it, for everybody else there is none.

A share link opens the same pages; what it opens is kept out of search engines.
"""

from __future__ import annotations

from http import HTTPStatus
from typing import Any

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.gzip import gzip_page
from django.views.decorators.http import require_POST, require_safe

from games import coach, paper, readers
from games import replay as replays
from games.fair import page as fair
from games.views import asker, origin_for_friends, refusals_are_answered, said
from scoring import ledger, shares

NO_INDEX = "noindex, nofollow"
MOVES_WRITTEN = 6  # figures of a ply in an address
ID_WRITTEN = 18  # figures of a sheet's number; longer ones name none


@require_safe
def sheet(request: HttpRequest, sheet_id: int) -> HttpResponse:
    """The score sheet of a game."""
    return _sheet(request, sheet_id)


@require_safe
def shared_sheet(request: HttpRequest, token: str) -> HttpResponse:
    """The same to whoever holds a link to it."""
    return unlisted(_sheet(request, edition_of(request, token), token))


# Compressed, since a long hand has many moves. What is secret there is safe from being guessed by
# its size: other sites cannot ask with the reader's cookie, and Django pads each answer at random.
@gzip_page
@require_safe
def replay(request: HttpRequest, sheet_id: int, number: int) -> HttpResponse:
    """A hand that is over, told again, at the move named in the address."""
    return _replay(request, sheet_id, number)


@gzip_page
@require_safe
def shared_replay(request: HttpRequest, token: str, number: int) -> HttpResponse:
    """The same to whoever holds a link to its sheet."""
    return unlisted(_replay(request, _opened(token), number, token))


@login_required
@require_POST
@refusals_are_answered
def share(request: HttpRequest, sheet_id: int) -> HttpResponse:
    """Make the sheet's link, or let it lead nowhere; back to the page one came from."""
    if request.POST.get("do") == "revoke":
        shares.revoke(sheet_id, asker(request))
        messages.success(request, _("The link is revoked: it opens nothing any more."))
    else:
        shares.share(sheet_id, asker(request))
        messages.success(request, _("The link is ready: whoever holds it reads this sheet."))
    number = request.POST.get("hand", "")
    if number.isdecimal() and len(number) <= MOVES_WRITTEN:
        return redirect("games:replay", sheet_id, int(number))
    return redirect("games:sheet", sheet_id)


def _sheet(request: HttpRequest, sheet_id: int, token: str | None = None) -> HttpResponse:
    user_id = reader(request, sheet_id, token)
    page = paper.laid_out(sheet_id, user_id)
    if page is None:
        raise Http404("no such sheet")
    page |= {**_ways(page, token), **_sharing(request, sheet_id, user_id)}
    return render(request, "games/sheet.html", page)


def _ways(page: dict[str, Any], token: str | None) -> dict[str, str]:
    """Where the files and the other editions of a sheet are for this reader."""
    sheet = page["sheet"]

    def way(name: str, edition: int | None) -> str:
        if edition is None:
            return ""
        if token is None:
            return reverse(f"games:{name}", args=[edition])
        return reverse(f"games:shared_{name}", args=[token]) + f"?edition={edition}"

    return {
        "json": way("sheet_json", sheet.id),
        "csv": way("sheet_csv", sheet.id),
        "newer": way("sheet", page["latest"]),
        "older": way("sheet", sheet.replaces_id),
    }


def _replay(
    request: HttpRequest, sheet_id: int, number: int, token: str | None = None
) -> HttpResponse:
    user_id = reader(request, sheet_id, token)
    try:
        hand = replays.replayed(sheet_id, number)
    except replays.NotOver as refusal:
        shown = {"why": said(refusal)}
        return render(request, "games/no_replay.html", shown, status=HTTPStatus.NOT_FOUND)
    if hand is None:
        raise Http404("no such hand")
    page = replays.laid_out(hand, _ply(request), user_id)
    sharing = _sharing(request, sheet_id, user_id)
    opener = token or sharing["share_token"]
    here = reverse("games:shared_replay", args=[opener, number]) if opener else request.path
    link = f"{origin_for_friends(request)}{here}?ply={page['ply']}"
    page |= {**sharing, "link": link, "for_holders": opener is not None}
    page["fair"], page["proof_link"] = fair.laid_out(hand), f"{request.path}proof.json"
    # Its player's alone, on the page at its own address.
    page["coach"] = None if token else coach.laid_out(hand, sheet_id, user_id, page["ply"])
    return render(request, "games/replay.html", page)


def reader(request: HttpRequest, sheet_id: int, token: str | None) -> int | None:
    """Who reads, None for a visitor; 404 for whoever may not."""
    user_id = asker(request) or None
    if not readers.may_read_sheet(user_id, sheet_id, token):
        raise Http404("no such sheet")
    return user_id


def _opened(token: str) -> int:
    """The sheet a link opens: its latest edition."""
    sheet_id = shares.sheet_of(token)
    if sheet_id is None:
        raise Http404("no such link")
    return ledger.current_of(sheet_id)


def edition_of(request: HttpRequest, token: str) -> int:
    """The edition asked for of the sheet a link opens; the latest where none is."""
    latest, asked = _opened(token), request.GET.get("edition", "")
    if not asked:
        return latest
    known = asked.isdecimal() and len(asked) <= ID_WRITTEN
    if not known or shares.first_edition(int(asked)) != shares.sheet_of(token):
        raise Http404("no such edition")
    return int(asked)


def _sharing(request: HttpRequest, sheet_id: int, user_id: int | None) -> dict[str, Any]:
    """What stands on the page of the sheet's link, for those who may make and revoke it."""
    may = shares.may_share(user_id, sheet_id)
    token = shares.token_of(sheet_id) if may else None
    link = reverse("games:shared_sheet", args=[token]) if token else ""
    return {
        "may_share": may,
        "share_token": token,
        "share_link": link and origin_for_friends(request) + link,
    }


def _ply(request: HttpRequest) -> int:
    """The move asked for; the deal where none is, or none can be read."""
    asked = request.GET.get("ply", "")
    return int(asked) if asked.isdecimal() and len(asked) <= MOVES_WRITTEN else 0


def unlisted(response: HttpResponse) -> HttpResponse:
    response.headers["X-Robots-Tag"] = NO_INDEX
    return response
