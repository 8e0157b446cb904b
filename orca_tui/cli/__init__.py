"""The commands: one module a group; output.py holds the only print."""

from __future__ import annotations

COMPLETION_VARIABLE = "_ORCA_COMPLETE"
"""What the script of `orca completion` sets where tab is pressed."""
