"""The fair deal: what is published, what is shown when a hand is over, and how it is checked."""
