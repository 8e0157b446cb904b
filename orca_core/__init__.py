"""Orca remembers: the library under the terminal."""
