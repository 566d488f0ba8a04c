"""When people signed in, roughly from where and with what: the only writer of this.

An address is kept as its network alone, and of each person only the last few sign-ins.
"""

from __future__ import annotations

from ipaddress import ip_address, ip_network

from django.db import transaction
from django.utils import timezone

from accounts.models import SignIn

KEPT = 30  # of each person
AGENT_LENGTH = 200


def note(user_id: int, address: str, agent: str) -> None:
    """Write down that somebody signed in now, and forget what is older than their last few."""
    with transaction.atomic():
        SignIn.objects.create(
            user_id=user_id, at=timezone.now(), address=network_of(address), agent=_shown(agent)
        )
        kept = SignIn.objects.filter(user_id=user_id).order_by("-pk").values_list("pk", flat=True)
        SignIn.objects.filter(user_id=user_id, pk__lte=kept[KEPT:][:1]).delete()


def has_come_from(name_key: str, network: str) -> bool:
    """Whether whoever has this name has signed in from this network, as far as is remembered."""
    known = SignIn.objects.filter(user__name_key=name_key, address=network)
    return bool(network) and known.exists()


def network_of(address: str) -> str:
    """The network of an address, a /24 or a /48: enough to see that it is another place."""
    try:
        found = ip_address(address)
    except ValueError:
        return ""
    mapped = getattr(found, "ipv4_mapped", None) or found
    return str(ip_network((mapped, 24 if mapped.version == 4 else 48), strict=False))


def _shown(agent: str) -> str:
    return "".join(char for char in agent if char.isprintable())[:AGENT_LENGTH]
