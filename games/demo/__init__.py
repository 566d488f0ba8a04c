"""A site to look at: friends who do not exist, and the year they spent at cards."""
