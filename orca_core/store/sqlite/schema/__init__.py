"""The tables, how older databases come to them, and what Orca v1 left."""
