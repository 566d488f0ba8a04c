"""Doors of the pages of help: the same for everybody, signed in or not."""

from __future__ import annotations

from typing import Any

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils.translation import get_language
from django.views.decorators.gzip import gzip_page
from django.views.decorators.http import require_safe

from games import clocks
from games.help import figures, lesson, stakes
from games.help.pages import PAGES


# Compressed: long texts with nothing secret in them; the token of the forms is masked anew for
# every answer.
@gzip_page
@require_safe
def index(request: HttpRequest) -> HttpResponse:
    return render(request, "help/index.html", {"pages": PAGES.values()})


@gzip_page
@require_safe
def page(request: HttpRequest, slug: str) -> HttpResponse:
    """A page in the reader's language."""
    if slug not in PAGES:
        raise Http404(slug)
    here = PAGES[slug]
    shown = {
        "here": here,
        "pages": PAGES.values(),
        "urls": {one.slug.replace("-", "_"): one.address for one in PAGES.values()},
        "usual": figures.usual().as_dict(),
        "gone_after": int(clocks.GONE_AFTER.total_seconds() // 60),
        **_more(slug),
    }
    return render(request, here.template(get_language() or ""), shown)


def _more(slug: str) -> dict[str, Any]:
    """What one page needs beside its prose."""
    if slug == "first-hand":
        return lesson.drawn_up()
    if slug == "rules":
        return {
            "columns": figures.preset_columns(),
            "presets": figures.preset_rows(),
            "options": figures.option_groups(),
            "game": figures.whole_game(figures.usual()),
            "same": figures.same_game(),
            "turned": figures.turned_game(),
        }
    if slug == "chips":
        return {"chips": stakes.chip_figures()}
    if slug == "computer":
        return {"measured": figures.MEASURED}
    return {}
