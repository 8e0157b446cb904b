"""One turn, from the question to its record."""
