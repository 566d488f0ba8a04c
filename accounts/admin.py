"""Door for the administrator: people, and who may touch whom.

A member of staff who is not a superuser helps players, never other staff: they cannot raise
anyone's rights, nor reach an account that has some, be it by its page, its password or its link.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

# Imported so that allauth's own registrations have happened before they are taken back.
import allauth.account.admin
import allauth.mfa.admin
import allauth.usersessions.admin  # noqa: F401
from allauth.account.models import EmailAddress
from allauth.mfa.models import Authenticator
from allauth.usersessions.models import UserSession
from django import forms
from django.conf import settings
from django.contrib import admin, messages
from django.contrib.auth import admin as auth_admin
from django.contrib.auth import forms as auth_forms
from django.contrib.auth.models import Group
from django.core.exceptions import PermissionDenied
from django.db.models import Q, QuerySet
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseRedirect
from django.template.response import TemplateResponse
from django.urls import URLPattern, path, reverse
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from accounts import (
    forgotten,
    forgotten_admin,  # noqa: F401 - its page
    journal,
    names,
    people,
    second_factor,
    suspensions,
)
from accounts.asking import WhyForm, WithDeeds, ask, page_of, the_one
from accounts.forms import LANGUAGES, NameField, free_name
from accounts.granting import GivesRights
from accounts.models import User
from accounts.rights import may_free_of_steps, may_touch
from accounts.suspending import SignInInline, Suspending, SuspensionInline

admin.site.site_header = admin.site.site_title = "Gin Rami"
admin.site.index_title = _("Administration")
admin.site.unregister(EmailAddress)  # addresses stand on the user alone
# Secrets of somebody's second step, and what opens their sessions: nobody's to read or change.
admin.site.unregister((Authenticator, UserSession))
admin.site.unregister(Group)

RIGHTS = ("is_staff", "is_superuser", "groups", "user_permissions")


class NewPersonForm(auth_forms.BaseUserCreationForm):
    """A new person: a name and a password, no rights yet."""

    class Meta:
        model = User
        fields = ("username",)
        field_classes = {"username": NameField}

    def clean_username(self) -> str:
        return free_name(self.cleaned_data["username"], self.instance)


class PersonForm(forms.ModelForm):
    """A person as the administrator sees them."""

    language = forms.ChoiceField(
        label=_("Language"),
        required=False,
        choices=[("", _("Not chosen")), *LANGUAGES],
    )

    class Meta:
        model = User
        fields = ("username", "email", "language", *RIGHTS)
        field_classes = {"username": NameField}

    def clean_username(self) -> str:
        return free_name(self.cleaned_data["username"], self.instance)


class NewPasswordForm(auth_forms.AdminPasswordChangeForm):
    """A password chosen by the administrator; taking it away altogether is what suspending is."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.fields.pop("usable_password", None)

    def save(self, commit: bool = True) -> User:
        people.set_password(self.user, self.cleaned_data["password1"])
        return self.user


@admin.register(User)
class PersonAdmin(GivesRights, WithDeeds, Suspending, auth_admin.UserAdmin):
    """People: search, suspend, help back in. Nobody is deleted: sheets keep their players."""

    form = PersonForm
    add_form = NewPersonForm
    change_password_form = NewPasswordForm
    change_user_password_template = "admin/accounts/user/password.html"  # noqa: S105 - a page
    list_display = (
        "username", "email", "is_guest", "is_active", "is_staff", "last_login",
    )  # fmt: skip
    list_filter = ("is_active", "is_guest", "is_staff", "is_superuser", "last_login")
    search_fields = ("username", "email")
    search_help_text = _("A name or an e-mail address, in any case")
    ordering = ("name_key",)
    actions = ("suspend", "reinstate")
    filter_horizontal = ("groups", "user_permissions")
    # Shutting out asks for a reason, so it has a page of its own.
    readonly_fields = ("state", "is_guest", "last_login", "date_joined")
    inlines = (SuspensionInline, SignInInline)
    fieldsets = (
        (None, {"fields": ("username", "email", "language", "state", "is_guest")}),
        (_("Rights"), {"fields": RIGHTS}),
        (_("Dates"), {"fields": ("last_login", "date_joined")}),
    )
    add_fieldsets = ((None, {"fields": ("username", "password1", "password2")}),)

    # --- who may touch whom

    def get_queryset(self, request: HttpRequest) -> QuerySet[User]:
        """People: the computer's accounts are nobody's to look after."""
        return super().get_queryset(request).filter(bot="")

    def has_change_permission(self, request: HttpRequest, obj: User | None = None) -> bool:
        return super().has_change_permission(request, obj) and may_touch(request.user, obj)

    def has_delete_permission(self, request: HttpRequest, obj: User | None = None) -> bool:
        return False

    def get_readonly_fields(self, request: HttpRequest, obj: User | None = None) -> Any:
        """Rights are the superusers' to give, and nobody shuts themselves out."""
        fixed = tuple(super().get_readonly_fields(request, obj))
        if not request.user.is_superuser:
            fixed += RIGHTS
        elif obj is not None and obj.pk == request.user.pk:
            fixed += ("is_staff", "is_superuser")
        return fixed

    def get_search_results(
        self, request: HttpRequest, queryset: QuerySet[User], search_term: str
    ) -> tuple[QuerySet[User], bool]:
        for word in search_term.split():
            queryset = queryset.filter(
                Q(name_key__contains=names.key(word)) | Q(email__contains=word.lower())
            )
        return queryset, False

    def get_inlines(self, request: HttpRequest, obj: User | None) -> Any:
        return () if obj is None else super().get_inlines(request, obj)

    @admin.display(description=_("state"))
    def state(self, person: User) -> str:
        if person.is_active:
            return gettext("Active")
        standing = suspensions.of(person.pk)
        return gettext("Deleted") if standing is None else gettext("Suspended: %(reason)s") % {
            "reason": standing.reason
        }

    # --- a second step that is lost

    def lost_step_page(self, request: HttpRequest, user_id: int) -> HttpResponse:
        """Let somebody in by their password alone, who lost what makes their codes."""
        person = User.objects.filter(pk=user_id).first()
        allowed = person is None or may_free_of_steps(request.user, person)
        person = the_one(self, request, user_id, allowed)
        form = WhyForm(request.POST or None)
        title = gettext("Remove the second step")
        if form.is_valid():
            second_factor.remove(person.pk)
            deed = gettext("Second step removed")
            journal.write(request, [person], deed, form.cleaned_data["reason"])
            messages.success(request, f"{deed}.")
            return HttpResponseRedirect(page_of(person))
        sentence = gettext(
            "%(name)s lost the phone, the keys and the recovery codes: from now on the password "
            "alone lets them in. Be sure who asks. Staff set a new second step up before the "
            "administration opens."
        )
        return ask(request, self, form, title, sentence % {"name": person.username}, title, person)

    # --- what they do

    def deeds(self, request: HttpRequest, thing: User) -> Iterator[tuple[Any, str]]:
        """The buttons above a person's page; floors above have more."""
        yield from self.suspension_deeds(request, thing)
        if self.has_change_permission(request, thing):
            link = reverse("admin:accounts_user_reset_link", args=[thing.pk])
            yield _("Make a reset link"), link
            password = reverse("admin:auth_user_password_change", args=[thing.pk])
            yield _("Choose a password"), password
        if may_free_of_steps(request.user, thing) and second_factor.has_one(thing.pk):
            lost = reverse("admin:accounts_user_lost_step", args=[thing.pk])
            yield _("Remove the second step"), lost

    def save_model(self, request: HttpRequest, obj: User, form: Any, change: bool) -> None:
        people.keep(obj)

    # --- the link that lets someone choose a new password

    def get_urls(self) -> list[URLPattern]:
        reset = self.admin_site.admin_view(self.reset_link)
        lost = self.admin_site.admin_view(self.lost_step_page)
        return [
            path("<int:user_id>/lost-step/", lost, name="accounts_user_lost_step"),
            path("<int:user_id>/reset-link/", reset, name="accounts_user_reset_link"),
            *super().get_urls(),
        ]

    def reset_link(self, request: HttpRequest, user_id: int) -> HttpResponse:
        """Show once, to be handed over, the link where this person chooses a new password.

        Made only when asked for by a button: a link followed by mistake opens nothing.
        """
        user = self.get_object(request, str(user_id))
        if user is None:
            raise Http404
        if not self.has_change_permission(request, user):
            raise PermissionDenied
        if not user.is_active:
            messages.error(request, gettext("Reinstate this person first."))
            return HttpResponseRedirect(reverse("admin:accounts_user_change", args=[user.pk]))
        link = ""
        if request.method == "POST":
            where = people.reset_path(user)
            link = (
                settings.SITE_URL + where
                if settings.SITE_URL
                else (request.build_absolute_uri(where))
            )
            forgotten.settle(user.pk)
            journal.write(request, [user], gettext("Link to choose a new password shown"))
        context = {
            **self.admin_site.each_context(request),
            "title": gettext("A link to choose a new password"),
            "opts": self.opts,
            "original": user,
            "link": link,
        }
        answer = TemplateResponse(request, "admin/accounts/user/reset_link.html", context)
        answer["Cache-Control"] = "no-store"
        return answer


@admin.register(Group)
class GroupOfRightsAdmin(GivesRights, auth_admin.GroupAdmin):
    """Groups give rights, so only superusers make and change them."""

    def has_module_permission(self, request: HttpRequest) -> bool:
        return bool(request.user.is_superuser)

    def has_add_permission(self, request: HttpRequest) -> bool:
        return bool(request.user.is_superuser)

    def has_change_permission(self, request: HttpRequest, obj: Group | None = None) -> bool:
        return bool(request.user.is_superuser)

    def has_delete_permission(self, request: HttpRequest, obj: Group | None = None) -> bool:
        return bool(request.user.is_superuser)
