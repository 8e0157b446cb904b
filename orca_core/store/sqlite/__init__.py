"""The SQLite store: the only place with SQL."""
