"""Finding by words and by meaning."""
