"""One database file: its threads, connections, pragmas and failures."""
