"""Measures retrieval, and replays stored turns under other settings. Only `orca eval` imports it; nothing of
what a person has stored is changed."""
