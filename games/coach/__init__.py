"""The coach: what each decision of a hand that is over was worth, told to its player alone.

asking.py says who may ask, and how often; building.py works decision by decision, in pieces;
decisions.py weighs one with what the player knew then; verdicts.py says what may be said of it,
page.py in words. Nothing here sees a card its player could not.
"""

from games.coach.asking import Unasked, ask, forget
from games.coach.building import build, failed, take_up
from games.coach.page import laid_out, progress_of

__all__ = ["Unasked", "ask", "build", "failed", "forget", "laid_out", "progress_of", "take_up"]
