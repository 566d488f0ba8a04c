"""What is stored of people: each "never" and "once" is a named constraint here."""

from accounts.models.office import FirstAdminLink, ResetRequest, SignIn, Suspension
from accounts.models.people import People, User, validate_name, validate_zone
from accounts.models.wishes import LetterWish, TableSettings

__all__ = [
    "FirstAdminLink",
    "LetterWish",
    "People",
    "ResetRequest",
    "SignIn",
    "Suspension",
    "TableSettings",
    "User",
    "validate_name",
    "validate_zone",
]
