"""Which records an answer used."""
