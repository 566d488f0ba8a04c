"""The one exception for an expected "no": a stable code and a sentence fit for the player.

Pure: no framework here, since the engine and the score rules refuse too. The sentence is an
English message; the door that answers the player translates it (``ginrami`` has gettext, the
rules do not).
"""

from __future__ import annotations


def N_(sentence: str) -> str:
    """Mark a sentence for translation without translating it."""
    return sentence


class Refusal(Exception):
    """Something a player asked for and may not have. Nothing has changed.

    ``sentence`` holds ``%(name)s`` places filled from ``params``.
    """

    def __init__(self, code: str, sentence: str, **params: object) -> None:
        super().__init__(code, sentence, params)
        self.code = code
        self.sentence = sentence
        self.params = params

    def __str__(self) -> str:
        return self.sentence % self.params
