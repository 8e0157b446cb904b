"""Reads typed text clause by clause: who says what of whom, when, and how seriously."""
