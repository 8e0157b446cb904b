"""The old place of `text.sentences`."""

from __future__ import annotations

from orca_core.rules.text.sentences import MASK, Piece, all_masked, masked, quotations, sentences

__all__ = ["MASK", "Piece", "all_masked", "masked", "quotations", "sentences"]
