"""What a room or a game is played for, as people see it: words.py says it, form.py asks for it."""

from games.stakes.words import in_brief, in_words, money

__all__ = ["in_brief", "in_words", "money"]
