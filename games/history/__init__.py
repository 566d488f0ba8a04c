"""Looking back, in words: lists of finished games, what they come to, all of them to take along."""
