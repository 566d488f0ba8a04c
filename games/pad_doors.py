"""Doors of the pad: pages and forms for its keeper, and what its page asks while it is open.

Whoever may not read a pad gets 404, whoever does not keep it may only look.
"""

from __future__ import annotations

from http import HTTPStatus
from typing import Any

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import Http404, HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from accounts.refusal import Refusal
from games import pads, presets
from games.pads import offline
from games.pads.forms import HandForm, PadForm, account_named
from games.views import HIDDEN, asker, refusals_lead_to, said
from scoring import pad
from scoring.ledger import SheetReading


def _pad(kwargs: dict[str, Any]) -> str:
    """The pad a request was about, else the list of pads."""
    if "sheet_id" in kwargs:
        return reverse("games:pad", args=[kwargs["sheet_id"]])
    return reverse("games:pads")


answered = refusals_lead_to(_pad)


# --- pages


@login_required
@require_http_methods(["GET", "HEAD", "POST"])
def pads_page(request: HttpRequest) -> HttpResponse:
    """My pads, and the form that begins one."""
    form = PadForm(request.POST if request.method == "POST" else None)
    if form.is_bound and form.is_valid():
        rules = presets.rule_set(form.cleaned_data["options"]).as_dict()
        try:
            return redirect("games:pad", pad.open_pad(asker(request), rules, **form.wanted()))
        except Refusal as refusal:
            form.add_error(None, said(refusal))
    kept = pad.pads_of(asker(request))
    shown = {
        "form": form,
        "presets": presets.PRESETS.values(),
        "open": [one for one in kept if one.ended is None],
        "ended": [one for one in kept if one.ended is not None],
        "invitations": pad.invitations_for(asker(request)),
    }
    status = HTTPStatus.UNPROCESSABLE_ENTITY if form.errors else HTTPStatus.OK
    return render(request, "games/pads.html", shown, status=status)


@login_required
@require_safe
@answered
def pad_page(request: HttpRequest, sheet_id: int) -> HttpResponse:
    """A pad. Its address is its first edition's, so that it stays the same through corrections."""
    sheet = pads.pad_of(sheet_id, asker(request))
    if sheet_id != sheet.original_id:
        return redirect("games:pad", sheet.original_id)
    rules = presets.RuleSet.from_dict(sheet.rules)
    state = pads.state_of(sheet, asker(request))
    keeps = sheet.keeper_id == asker(request)
    invitations = pad.invitations_at(sheet.original_id)
    asked = {one.seat for one in invitations if one.state != "declined"}
    shown = {
        "sheet": sheet, "state": state, "keeps": keeps, "running": sheet.ended is None,
        "form": HandForm(sheet) if keeps and sheet.ended is None else None,
        "preset": presets.PRESETS[rules.preset].name, "words": presets.in_words(rules),
        "invitations": invitations,
        "askable": [
            one for one in sheet.seats if one.user_id is None and one.seat not in asked
        ] if keeps else [],
    }  # fmt: skip
    answer = render(request, "games/pad.html", shown)
    if keeps:
        answer.headers[offline.KEPT] = "yes"
    return answer


@login_required
@require_http_methods(["GET", "HEAD", "POST"])
@answered
def hand(request: HttpRequest, sheet_id: int, number: int | None = None) -> HttpResponse:
    """A hand entered or corrected by form: first its arithmetic is shown, then it is written."""
    sheet = _kept(request, sheet_id)
    old = next((one for one in sheet.hands if one.number == number), None)
    if number is not None and old is None:
        raise Http404("no such hand")
    form = HandForm(sheet, request.POST if request.method == "POST" else None, old)
    sums = ""
    if form.is_bound and form.is_valid():
        if request.POST.get("sure"):
            return _write(request, form, sheet_id, number)
        sums = pads.sum_of(sheet.rules, sheet.names, form.result)
    shown = {"sheet": sheet, "form": form, "hand": old, "number": number, "sums": sums}
    status = HTTPStatus.UNPROCESSABLE_ENTITY if form.errors else HTTPStatus.OK
    return render(request, "games/pad_hand.html", shown, status=status)


def _write(
    request: HttpRequest, form: HandForm, sheet_id: int, number: int | None
) -> HttpResponse:
    seen = form.cleaned_data["sheet"]
    if pad.kept(seen, asker(request)).original_id != sheet_id:
        raise Http404("another pad")
    if number is None:
        pad.enter(seen, asker(request), form.cleaned_data["number"], form.result, form.mark)
    else:
        pad.correct(seen, asker(request), number, form.result)
        messages.success(request, _("Corrected. The sheet as it was stays readable."))
    return redirect("games:pad", sheet_id)


def _kept(request: HttpRequest, sheet_id: int) -> SheetReading:
    """The pad as it is now, for its keeper, at the address of its first edition."""
    if pad.kept(sheet_id, asker(request)).original_id != sheet_id:
        raise Http404("not the first edition")
    return pads.pad_of(sheet_id, asker(request))


# --- forms of one button


@login_required
@require_POST
@answered
def change(request: HttpRequest, sheet_id: int) -> HttpResponse:
    """Take a hand back or out, end, go on, play again: for the edition that was seen."""
    user_id, do = asker(request), request.POST.get("do", "")
    seen = _number(request.POST.get("sheet"))
    if pads.pad_of(seen, user_id).original_id != sheet_id:
        raise Http404("another pad")
    if do == "rematch":
        return redirect("games:pad", pad.rematch(seen, user_id))
    if do == "remove":
        pad.correct(seen, user_id, _number(request.POST.get("number")), None)
        messages.success(request, _("The hand is out. The sheet as it was stays readable."))
    elif do == "undo":
        pad.undo(seen, user_id)
        messages.success(request, _("The last hand is taken back."))
    elif do in ("end", "reopen"):
        {"end": pad.end, "reopen": pad.reopen}[do](seen, user_id)
    else:
        raise Http404("no such change")
    return redirect("games:pad", sheet_id)


@login_required
@require_POST
@answered
def invite(request: HttpRequest, sheet_id: int) -> HttpResponse:
    """Invite the account of this name to a seat of the pad."""
    current = _kept(request, sheet_id)
    found = account_named(request.POST.get("name", ""))
    if found is None:
        messages.error(request, _("Nobody here has this name."))
    else:
        pad.invite(current.id, asker(request), _number(request.POST.get("seat")), found.pk)
        messages.success(request, _("Invited. The game is theirs once they have accepted."))
    return redirect(reverse("games:pad", args=[sheet_id]) + "#more")


@login_required
@require_POST
@answered
def invitation(request: HttpRequest, invitation_id: int) -> HttpResponse:
    """Answer an invitation, and go back to where one came from."""
    if request.POST.get("do") == "accept":
        sheet_id = pad.accept(invitation_id, asker(request))
        messages.success(request, _("Accepted: this game is in your history."))
        return redirect("games:pad", sheet_id)
    pad.decline(invitation_id, asker(request))
    messages.success(request, _("Declined: you stay out of this sheet."))
    return redirect("games:pads")


def _number(text: str | None) -> int:
    """A number of a form; anything else names no row."""
    return int(text) if text and text.isascii() and text.isdecimal() and len(text) <= 18 else 0


# --- what the open page asks


@require_http_methods(["GET", "HEAD", "POST"])
def state(request: HttpRequest, sheet_id: int) -> JsonResponse:
    """The pad as it is; a POST writes hands first, and says which were, and why one was not."""
    if not request.user.is_authenticated:
        sentence = _("You are signed out. Your hands are kept on this device.")
        return _refused("signed_out", sentence, HTTPStatus.UNAUTHORIZED)
    answer: dict[str, Any] = {}
    try:
        if request.method == "POST":
            answer = _written(_sent(request), sheet_id, asker(request))
        sheet = pads.pad_of(sheet_id, asker(request))
    except Refusal as refusal:
        status = HTTPStatus.NOT_FOUND if refusal.code in HIDDEN else HTTPStatus.BAD_REQUEST
        return _refused(refusal.code, said(refusal), status)
    return JsonResponse({**answer, "state": pads.state_of(sheet, asker(request))})


def _sent(request: HttpRequest) -> pads.Sending:
    """What an open page sends. A form was read on its way here, and is none."""
    if request.content_type != "application/json":
        raise pads.BadEntry
    return pads.read_sending(request.body)


def _written(sending: pads.Sending, sheet_id: int, user_id: int) -> dict[str, Any]:
    if pad.kept(sending.sheet, user_id).original_id != sheet_id:
        raise pads.BadEntry
    done = pads.write(sending, user_id)
    told: dict[str, Any] = {"written": [str(one) for one in done.entries]}
    if done.why is not None:
        told["refused"] = {
            "entry": str(done.refused), "code": done.why.code, "sentence": said(done.why),
        }  # fmt: skip
    return told


def _refused(code: str, sentence: str, status: int) -> JsonResponse:
    return JsonResponse({"code": code, "sentence": sentence}, status=status)


@require_safe
def worker(_request: HttpRequest) -> HttpResponse:
    """The service worker of the pads: it stands in their folder, so it reaches nothing else."""
    answer = HttpResponse(offline.worker(), content_type="text/javascript; charset=utf-8")
    answer.headers["Cache-Control"] = "no-cache"
    return answer
