"""The old place of `provenance.details`."""

from __future__ import annotations

from orca_core.rules.learning.provenance.details import is_common, is_small

__all__ = ["is_common", "is_small"]
