"""Chips in the administration: accounts and movements to read; chips granted, the starting grant
set and shortfalls made good by the verbs alone, each with a reason."""

from __future__ import annotations

from collections.abc import Iterator
from decimal import Decimal
from typing import Any

from django import forms
from django.contrib import admin, messages
from django.core.exceptions import PermissionDenied
from django.db.models import QuerySet
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseRedirect
from django.urls import URLPattern, path, reverse
from django.utils.formats import number_format
from django.utils.html import format_html
from django.utils.translation import gettext, pgettext_lazy
from django.utils.translation import gettext_lazy as _

from accounts import journal
from accounts.asking import WhyForm, WithDeeds, ask, page_of, the_one
from accounts.models import User
from accounts.played import ID_DIGITS, OfAPerson
from accounts.readonly import ReadOnly
from accounts.refusal import Refusal
from scoring import chips
from scoring.models import ChipAccount, ChipPosting, StartingGrant
from scoring.rules.stakes import MOST, shown

MOVEMENTS = "admin:scoring_chipposting_changelist"
REASON_LENGTH = 200  # as entries keep it


def may_grant(request: HttpRequest) -> bool:
    """Whether this member of staff may move chips."""
    return bool(request.user.has_perm("scoring.change_chipaccount"))


def signed(amount: Decimal) -> str:
    """An amount given or taken back."""
    return ("+" if amount > 0 else "−") + number_format(abs(amount))


class AmountForm(WhyForm):
    """How many chips, and why: the reason stands in the history of whoever gets them."""

    amount = forms.DecimalField(label=_("Chips"), max_digits=9, decimal_places=2, localize=True)
    field_order = ("amount", "reason")

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.fields["reason"].max_length = REASON_LENGTH  # type: ignore[attr-defined]
        self.fields["reason"].widget.attrs["maxlength"] = REASON_LENGTH

    def clean_reason(self) -> str:
        reason: str = self.cleaned_data["reason"]
        if len(reason) > REASON_LENGTH:
            raise forms.ValidationError(
                gettext("At most %(most)d characters.") % {"most": REASON_LENGTH}
            )
        return reason


class ShortFilter(admin.SimpleListFilter):
    """What somebody could not give back when a settled game was undone."""

    title = _("shortfalls")
    parameter_name = "short"

    def lookups(self, request: HttpRequest, model_admin: Any) -> list[tuple[str, Any]]:
        return [("yes", pgettext_lazy("shortfalls", "Still owed"))]

    def queryset(self, request: HttpRequest, queryset: QuerySet[Any]) -> QuerySet[Any]:
        owing = {"kind": ChipAccount.Kind.RECEIVABLE, "balance__lt": 0}
        return queryset.filter(**owing) if self.value() == "yes" else queryset


class OfAnAccount(admin.SimpleListFilter):
    """``?account=`` and a number: the movements of that account."""

    title = _("account")
    parameter_name = "account"

    def lookups(self, request: HttpRequest, model_admin: Any) -> list[tuple[str, Any]]:
        found = ChipAccount.objects.select_related("user").filter(pk=self._number()).first()
        return [] if found is None else [(str(found.pk), whose(found))]

    def queryset(self, request: HttpRequest, queryset: QuerySet[Any]) -> QuerySet[Any]:
        return queryset.filter(account=self._number()) if self.value() else queryset

    def _number(self) -> int:
        asked = self.value() or ""
        return int(asked) if asked.isascii() and asked.isdigit() and len(asked) <= ID_DIGITS else 0


class MovementsOfAPerson(OfAPerson):
    path = "account__user_id"


def whose(account: ChipAccount) -> str:
    """An account in words."""
    kind = account.get_kind_display()
    return f"{kind} · {account.user.username}" if account.user else kind


@admin.register(ChipAccount)
class ChipAccountAdmin(ReadOnly, WithDeeds, admin.ModelAdmin):
    list_display = ("whose", "room", "balance", "floor", "wager")
    list_filter = (OfAPerson, "kind", ShortFilter)
    list_select_related = ("user", "wager")
    search_fields = ("user__username",)
    search_help_text = _("The name of whoever has the account")
    fields = ("kind", "user", "room", "wager", "balance", "floor", "postings_made")
    show_full_result_count = False
    ordering = ("-id",)

    def get_urls(self) -> list[URLPattern]:
        view = self.admin_site.admin_view
        return [
            path("<int:user_id>/grant/", view(self.grant_page), name="scoring_chips_grant"),
            path("<int:number>/collect/", view(self.collect_page), name="scoring_chips_collect"),
            *super().get_urls(),
        ]

    @admin.display(description=_("account"), ordering="user__username")
    def whose(self, account: ChipAccount) -> str:
        return whose(account)

    def deeds(self, request: HttpRequest, thing: ChipAccount) -> Iterator[tuple[Any, str]]:
        yield _("Movements"), f"{reverse(MOVEMENTS)}?account={thing.pk}"
        if not may_grant(request):
            return
        if thing.kind == ChipAccount.Kind.WALLET and thing.user and not thing.user.deleted_at:
            yield _("Give chips"), reverse("admin:scoring_chips_grant", args=[thing.user_id])
        if thing.kind == ChipAccount.Kind.RECEIVABLE and thing.balance < 0:
            yield _("Make it good"), reverse("admin:scoring_chips_collect", args=[thing.pk])

    def grant_page(self, request: HttpRequest, user_id: int) -> HttpResponse:
        """Give somebody chips, or take some back."""
        if not may_grant(request):
            raise PermissionDenied
        person = User.objects.filter(pk=user_id, deleted_at=None, is_guest=False, bot="").first()
        if person is None:
            raise Http404  # nobody, or nobody who has chips
        form = AmountForm(request.POST or None)
        if form.is_valid():
            amount, why = form.cleaned_data["amount"], form.cleaned_data["reason"]
            try:
                chips.grant(person.pk, amount, why, request.user.get_username())
            except Refusal as refusal:
                form.refuse(refusal)
            else:
                deed = gettext("%(amount)s chips") % {"amount": signed(amount)}
                journal.write(request, [person], deed, why)
                messages.success(request, f"{deed}.")
                return HttpResponseRedirect(f"{reverse(MOVEMENTS)}?player={person.pk}")
        sentence = gettext(
            "%(name)s has %(amount)s chips. With a minus sign some are taken back, never more "
            "than there are. %(name)s reads the reason in their history."
        ) % {"name": person.username, "amount": number_format(shown(chips.wallet(person.pk)))}
        title = gettext("Give chips")
        return ask(request, self, form, title, sentence, title, person)

    def collect_page(self, request: HttpRequest, number: int) -> HttpResponse:
        """Make a shortfall good out of what its owner has by now."""
        owed: ChipAccount = the_one(self, request, number, may_grant(request))
        if owed.kind != ChipAccount.Kind.RECEIVABLE or owed.user_id is None:
            raise Http404
        form = WhyForm(request.POST or None)
        if form.is_valid():
            try:
                taken = chips.collect(owed.user_id)
            except Refusal as refusal:
                form.refuse(refusal)
            else:
                told = {"amount": number_format(shown(taken))}
                deed = gettext("Shortfall made good: %(amount)s chips") % told
                journal.write(request, [owed], deed, form.cleaned_data["reason"])
                messages.success(request, f"{deed}.")
                return HttpResponseRedirect(page_of(owed))
        sentence = gettext(
            "A game was undone after its chips had been spent: %(amount)s are owed to the house. "
            "They are taken out of the wallet, as far as it goes."
        ) % {"amount": number_format(shown(-owed.balance))}
        title = gettext("Make it good")
        return ask(request, self, form, title, sentence, title, owed)


@admin.register(ChipPosting)
class ChipPostingAdmin(ReadOnly, admin.ModelAdmin):
    """Every movement, newest first."""

    list_display = ("made_at", "what", "account_of", "amount", "balance", "sheet", "reason", "by")
    list_filter = (OfAnAccount, MovementsOfAPerson, "entry__kind")
    list_select_related = ("entry__wager", "account__user")
    show_full_result_count = False
    ordering = ("-id",)

    @admin.display(description=_("made"))
    def made_at(self, posting: ChipPosting) -> Any:
        return posting.entry.made_at

    @admin.display(description=_("kind"))
    def what(self, posting: ChipPosting) -> str:
        return posting.entry.get_kind_display()

    @admin.display(description=_("account"))
    def account_of(self, posting: ChipPosting) -> str:
        return whose(posting.account)

    @admin.display(description=_("score sheet"))
    def sheet(self, posting: ChipPosting) -> Any:
        wager = posting.entry.wager
        if wager is None:
            return "–"
        where = reverse("admin:scoring_scoresheet_change", args=[wager.sheet_id])
        return format_html('<a href="{}">{}</a>', where, wager.sheet_id)

    @admin.display(description=_("reason"))
    def reason(self, posting: ChipPosting) -> str:
        return posting.entry.reason or "–"

    @admin.display(description=_("author"))
    def by(self, posting: ChipPosting) -> str:
        return posting.entry.author or "–"


@admin.register(StartingGrant)
class StartingGrantAdmin(ReadOnly, admin.ModelAdmin):
    """What every account starts with: the latest row holds, and none is ever changed."""

    list_display = ("made_at", "amount", "reason", "author")
    list_display_links = None
    ordering = ("-id",)

    def has_add_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return bool(request.user.has_perm("scoring.change_startinggrant"))

    def add_view(
        self, request: HttpRequest, form_url: str = "", extra_context: Any = None
    ) -> HttpResponse:
        """Say what new accounts start with from now on."""
        if not self.has_add_permission(request):
            raise PermissionDenied
        form = AmountForm(request.POST or None, initial={"amount": chips.starting_grant()})
        form.fields["amount"].widget.attrs["min"] = 0
        if form.is_valid():
            amount, why = form.cleaned_data["amount"], form.cleaned_data["reason"]
            try:
                chips.set_starting_grant(amount, why, request.user.get_username())
            except Refusal as refusal:
                form.refuse(refusal)
            else:
                latest = StartingGrant.objects.order_by("-pk")[:1]
                deed = gettext("Accounts start with %(amount)s chips") % {
                    "amount": number_format(amount)
                }
                journal.write(request, latest, deed, why)
                messages.success(request, f"{deed}.")
                return HttpResponseRedirect(reverse("admin:scoring_startinggrant_changelist"))
        sentence = gettext(
            "Everybody who plays for chips for the first time gets this many, once, at most "
            "%(most)s. Who has begun keeps what they had."
        ) % {"most": number_format(MOST)}
        title = gettext("What accounts start with")
        return ask(request, self, form, title, sentence, gettext("Keep this rule"))
