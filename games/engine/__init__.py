"""The rules of the cards: hands dealt, moved and laid out. Pure: no framework, clock or dice."""
