"""Commands of the game (none here: see commands)."""
