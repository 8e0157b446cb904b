"""What keeps apart who typed what: whether a fact stands on words that the user typed."""
