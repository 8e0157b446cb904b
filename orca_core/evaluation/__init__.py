"""Measures retrieval. Only `orca eval` imports it; nothing of what a person has stored is changed."""
