"""What somebody is called where names are read."""

from __future__ import annotations

import pytest
from django.utils import translation

from accounts.called import called
from accounts.names import GONE


@pytest.mark.parametrize(
    ("name", "kind", "french", "english"),
    [("Camille", "", "Camille", "Camille"),
     ("Camille", "person", "Camille", "Camille"),
     ("Camille", "guest", "Camille (invité)", "Camille (guest)"),
     (GONE, "", "joueur supprimé", "deleted player"),
     (f"{GONE} 12", "person", "joueur supprimé", "deleted player"),
     (GONE, "guest", "joueur supprimé", "deleted player"),
     ("Fort", "bot", "Fort (ordinateur)", "Strong (computer)")],
)  # fmt: skip
def test_who_is_gone_a_guest_and_the_computer_are_told(name, kind, french, english):
    for language, shown in (("fr", french), ("en", english)):
        with translation.override(language):
            assert called(name, kind) == shown
