"""Players that see what a person in their seat sees, and nothing else.

``seen`` makes the views a seat has had of a hand, ``choose`` a level's move of them, and ``weigh``
says what each alternative is worth. All is pure: chance and the budget of playouts are passed in.
"""

from games.engine.bots.baseline import Chance, habitue
from games.engine.bots.levels import LEVELS, choose
from games.engine.bots.memory import seen
from games.engine.bots.score import Score
from games.engine.bots.weighing import Weighed, weigh

__all__ = ["LEVELS", "Chance", "Score", "Weighed", "choose", "habitue", "seen", "weigh"]
