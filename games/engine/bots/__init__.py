"""Players that see what a person in their seat sees, and nothing else."""

from games.engine.bots.baseline import Chance, habitue

__all__ = ["Chance", "habitue"]
