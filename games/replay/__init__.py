"""Hands that are over, told again move by move with every hand open.

finding.py says which may be: the only place that opens hands. page.py lays one out; frames.py packs
its moments for the script; hands.py, words.py and chart.py draw the moment asked for on the server.
"""

from games.replay.finding import NotOver, Replayed, replayed
from games.replay.page import laid_out

__all__ = ["NotOver", "Replayed", "laid_out", "replayed"]
