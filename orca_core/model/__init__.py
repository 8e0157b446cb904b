"""Frozen types, events, errors and ports. Knows the standard library and msgspec only."""
