"""Decisions: pure, synchronous, without clock, randomness or I/O."""
