"""The Textual app: a screen over Orca's events."""

import os

FRAMES_A_SECOND = "80"
"""Textual draws 60: a word of an answer waits up to 17 ms for its frame, and up to 12 so. Chosen by hand;
`benchmarks/app_speed.py` measures it."""

os.environ.setdefault("TEXTUAL_FPS", FRAMES_A_SECOND)  # it is read once, when Textual is imported
