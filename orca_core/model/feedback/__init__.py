"""Feedback: what acts show of the user, and what speaks for it."""
