"""The old place of `provenance.judging`."""

from __future__ import annotations

from orca_core.rules.learning.provenance.judging import Held, Verdict

__all__ = ["Held", "Verdict"]
