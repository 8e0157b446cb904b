"""How near a question is to a memory's cues."""

from __future__ import annotations

CUES_FROM_TRUST = 0.5
"""From this worth of an embedder on, cues get vectors: hashed letters (0.25) know of them what their words tell.
Chosen by hand."""
