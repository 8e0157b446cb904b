"""The keys of the list of memories."""

from __future__ import annotations

from orca_tui.app.records.keys import record_keys

MEMORIES = record_keys("memories")
