"""Play chips, kept twice over: accounts, and entries whose postings add up to nothing.

An account's balance is changed by its postings alone, which a trigger carries over; entries and
postings are only ever added. What the chips are worth to anybody is no matter of this site.
"""

from __future__ import annotations

from decimal import Decimal
from typing import TYPE_CHECKING, Any

from django.conf import settings
from django.db import models
from django.db.models import F, Q
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from scoring.models.sheets import ScoreSheet
from scoring.models.wagers import Wager
from scoring.rules.stakes import PLACES

PARTS = 10_000  # of a chip: four places, kept as whole numbers, which both databases add exactly


if TYPE_CHECKING:
    _Exact = models.DecimalField[Decimal, Decimal]
else:
    _Exact = models.Field


class ChipsField(_Exact):
    """An exact amount of four places, stored as a whole number of ten-thousandths."""

    def get_internal_type(self) -> str:
        return "BigIntegerField"

    def to_python(self, value: Any) -> Decimal | None:
        return None if value is None else Decimal(value).quantize(PLACES)

    def from_db_value(self, value: Any, *_args: object) -> Decimal | None:
        return None if value is None else (Decimal(value) / PARTS).quantize(PLACES)

    def get_prep_value(self, value: Any) -> Any:
        value = super().get_prep_value(value)
        if value is None or hasattr(value, "resolve_expression"):
            return value
        parts = Decimal(value) * PARTS
        if parts != int(parts):
            raise ValueError("more than four places")
        return int(parts)


class ChipAccount(models.Model):
    """Whose chips: a person's wallet or tab, a game's pot, the house, what somebody fell short of.

    ``floor``: how far below zero a tab may go.
    """

    class Kind(models.TextChoices):
        WALLET = "wallet", _("Wallet")
        TAB = "tab", _("Tab")
        POT = "pot", _("Pot")
        HOUSE = "house", _("House")
        RECEIVABLE = "receivable", _("Shortfall")

    kind = models.CharField(_("kind"), max_length=10, choices=Kind)
    user = models.ForeignKey(
        settings.AUTH_USER_MODEL,
        on_delete=models.PROTECT,
        null=True,
        blank=True,
        related_name="chip_accounts",
        verbose_name=_("user"),
    )
    room = models.PositiveBigIntegerField(_("room"), null=True, blank=True)
    wager = models.ForeignKey(
        Wager,
        on_delete=models.PROTECT,
        null=True,
        blank=True,
        related_name="pots",
        verbose_name=_("wager"),
    )
    balance = ChipsField(_("balance"), default=Decimal(0))
    floor = ChipsField(_("floor"), default=Decimal(0))
    # How many postings it has had: the number of the last one.
    postings_made = models.PositiveBigIntegerField(_("postings"), default=0)

    class Meta:
        verbose_name = _("chip account")
        verbose_name_plural = _("chip accounts")
        constraints = [
            models.CheckConstraint(
                name="an_account_is_of_its_kind",
                condition=Q(kind="wallet", user__isnull=False, room=None, wager=None)
                | Q(kind="tab", user__isnull=False, room__isnull=False, wager=None)
                | Q(kind="pot", user=None, room=None, wager__isnull=False)
                | Q(kind="house", user=None, room=None, wager=None)
                | Q(kind="receivable", user__isnull=False, room=None, wager=None),
            ),
            models.UniqueConstraint(
                name="one_wallet_a_person", fields=["user"], condition=Q(kind="wallet")
            ),
            models.UniqueConstraint(
                name="one_tab_a_member_and_room", fields=["user", "room"], condition=Q(kind="tab")
            ),
            models.UniqueConstraint(
                name="one_pot_a_wager", fields=["wager"], condition=Q(kind="pot")
            ),
            models.UniqueConstraint(
                name="one_house", fields=["kind"], condition=Q(kind="house")
            ),
            models.UniqueConstraint(
                name="one_shortfall_a_person", fields=["user"], condition=Q(kind="receivable")
            ),
            models.CheckConstraint(
                name="no_wallet_below_zero", condition=~Q(kind="wallet") | Q(balance__gte=0)
            ),
            models.CheckConstraint(
                name="no_pot_below_zero", condition=~Q(kind="pot") | Q(balance__gte=0)
            ),
            models.CheckConstraint(
                name="no_tab_below_its_limit",
                condition=~Q(kind="tab") | Q(balance__gte=F("floor")),
            ),
            models.CheckConstraint(
                name="a_shortfall_is_owed", condition=~Q(kind="receivable") | Q(balance__lte=0)
            ),
        ]
        indexes = [models.Index(name="tabs_of_a_room", fields=["room"], condition=Q(kind="tab"))]

    def __str__(self) -> str:
        return f"{self.get_kind_display()} {self.pk}"


class ChipEntry(models.Model):
    """One thing that happened: its postings add up to nothing. Only ever added."""

    class Kind(models.TextChoices):
        START = "start", _("Starting chips")
        GRANT = "grant", _("Granted")
        PUT_UP = "put_up", _("Put up")
        SETTLED = "settled", _("Paid out")
        SETTLED_AGAIN = "again", _("Paid out again")
        COLLECTED = "collected", _("Shortfall made good")
        CLOSED = "closed", _("Account closed")

    kind = models.CharField(_("kind"), max_length=10, choices=Kind)
    wager = models.ForeignKey(
        Wager,
        on_delete=models.PROTECT,
        null=True,
        blank=True,
        related_name="entries",
        verbose_name=_("wager"),
    )
    # The edition it was settled by.
    sheet = models.ForeignKey(
        ScoreSheet,
        on_delete=models.PROTECT,
        null=True,
        blank=True,
        related_name="+",
        verbose_name=_("score sheet"),
    )
    # Whose starting chips: they come once.
    user = models.ForeignKey(
        settings.AUTH_USER_MODEL,
        on_delete=models.PROTECT,
        null=True,
        blank=True,
        related_name="+",
        verbose_name=_("user"),
    )
    reason = models.CharField(_("reason"), max_length=200, default="", blank=True)
    author = models.CharField(_("author"), max_length=150, default="", blank=True)
    made_at = models.DateTimeField(_("made"), default=timezone.now)

    class Meta:
        verbose_name = _("chip entry")
        verbose_name_plural = _("chip entries")
        constraints = [
            models.CheckConstraint(
                name="an_entry_is_of_its_kind",
                condition=Q(kind="start", wager=None, sheet=None, user__isnull=False)
                | Q(kind__in=("grant", "collected", "closed"), wager=None, sheet=None, user=None)
                | Q(kind="put_up", wager__isnull=False, sheet=None, user=None)
                | Q(kind__in=("settled", "again"), wager__isnull=False, sheet__isnull=False,
                    user=None),
            ),
            models.CheckConstraint(
                name="a_grant_has_reason_and_author",
                condition=~Q(kind="grant") | (~Q(reason="") & ~Q(author="")),
            ),
            models.UniqueConstraint(
                name="starting_chips_once_a_person", fields=["user"], condition=Q(kind="start")
            ),
            models.UniqueConstraint(
                name="put_up_once", fields=["wager"], condition=Q(kind="put_up")
            ),
            models.UniqueConstraint(
                name="settled_once", fields=["wager"], condition=Q(kind="settled")
            ),
            models.UniqueConstraint(
                name="an_edition_settles_once",
                fields=["sheet"],
                condition=Q(kind__in=("settled", "again")),
            ),
        ]

    def __str__(self) -> str:
        return f"{self.get_kind_display()} {self.pk}"


class ChipPosting(models.Model):
    """One account's part in an entry. ``number`` and ``balance``: its how many-th, and after it.

    So a history has its running balance in every row, and none can be slipped in between.
    """

    entry = models.ForeignKey(
        ChipEntry,
        on_delete=models.PROTECT,
        db_index=False,  # a constraint begins with it
        related_name="postings",
        verbose_name=_("chip entry"),
    )
    account = models.ForeignKey(
        ChipAccount,
        on_delete=models.PROTECT,
        db_index=False,  # so does it with this
        related_name="postings",
        verbose_name=_("account"),
    )
    number = models.PositiveBigIntegerField(_("number"))
    amount = ChipsField(_("amount"))
    balance = ChipsField(_("balance"))

    class Meta:
        verbose_name = _("chip posting")
        verbose_name_plural = _("chip postings")
        constraints = [
            models.UniqueConstraint(name="postings_are_numbered", fields=["account", "number"]),
            models.UniqueConstraint(
                name="one_posting_an_account_and_entry", fields=["entry", "account"]
            ),
            models.CheckConstraint(name="a_posting_moves_something", condition=~Q(amount=0)),
        ]

    def __str__(self) -> str:
        return f"{self._meta.verbose_name} {self.pk}"


class StartingGrant(models.Model):
    """What every account is given once, by the administrator's rule; the latest row holds."""

    amount = ChipsField(_("amount"))
    reason = models.CharField(_("reason"), max_length=200)
    author = models.CharField(_("author"), max_length=150)
    made_at = models.DateTimeField(_("made"), default=timezone.now)

    class Meta:
        verbose_name = _("starting grant")
        verbose_name_plural = _("starting grants")
        constraints = [
            models.CheckConstraint(
                name="a_starting_grant_takes_nothing", condition=Q(amount__gte=0)
            ),
        ]

    def __str__(self) -> str:
        return f"{self._meta.verbose_name} {self.pk}"
