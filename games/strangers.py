"""Whom somebody could ask to be a friend: asked wherever a page offers it."""

from __future__ import annotations

from collections.abc import Collection

from django.contrib.auth.hashers import UNUSABLE_PASSWORD_PREFIX

from accounts import hot

# Raw, since both players of every game are asked at its end. Guests, the computer and who is gone
# have no password.
_STRANGERS = """
SELECT u.id, u.username
  FROM {asked} JOIN accounts_user u ON u.id = a.id AND u.is_active AND u.password NOT LIKE %s
 WHERE EXISTS (SELECT 1 FROM accounts_user w WHERE w.id = %s AND NOT w.is_guest)
   AND NOT EXISTS (SELECT 1 FROM games_friendship f WHERE f.asker_id = %s AND f.asked_id = u.id)
   AND NOT EXISTS (SELECT 1 FROM games_friendship f
                    WHERE f.asked_id = %s AND f.asker_id = u.id AND f.accepted_at IS NOT NULL)
   AND NOT EXISTS (SELECT 1 FROM games_block b WHERE b.user_id = %s AND b.blocked_id = u.id)
"""


def strangers(user_id: int | None, others: Collection[int]) -> dict[int, str]:
    """Those of these people with an account who are no friends yet, nor asked; by number, names.

    Who asked this person is among them: asking back accepts. Whom they blocked is not; who blocked
    them is, since a block is never told. Nobody may be asked by a guest.
    """
    wanted = set(others) - {user_id}
    if user_id is None or not wanted:
        return {}
    text = _STRANGERS.format(asked=hot.given(id=int))
    nobody = f"{UNUSABLE_PASSWORD_PREFIX}%"
    (found,) = hot.rows((text, [hot.numbers(sorted(wanted)), nobody, *[user_id] * 4]))
    return dict(found)
