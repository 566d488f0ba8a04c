"""What a room or a game is played for, as people see it: words.py says it, form.py asks for it,
account.py tells what came of it."""

from games.stakes.account import Account, account_of, sentences
from games.stakes.words import agreed, in_brief, in_words, money, offered, readable

__all__ = [
    "Account",
    "account_of",
    "agreed",
    "in_brief",
    "in_words",
    "money",
    "offered",
    "readable",
    "sentences",
]
