"""Commands as data: their names, words and handlers, and what offers and carries them out."""
