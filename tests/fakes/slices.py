"""Undo and redo in slices, however little they change."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager, suppress
from itertools import count
from typing import Any
from unittest.mock import patch

from hypothesis import strategies as st

from orca_core.journal import taking_back
from orca_core.storage.sqlite.engine import pacing

WHOLE = 0
SLICES = st.sampled_from((WHOLE, 1, 2, 3))


class CutError(Exception):
    pass


@contextmanager
def slices_of(size: int) -> Iterator[None]:
    """So many records a transaction, without a pause between two; all in one where it is `WHOLE`."""
    with (
        patch.object(taking_back, "AT_ONCE", 0 if size else taking_back.AT_ONCE),
        patch.object(pacing, "FIRST", size),
        patch.object(pacing, "next_size", lambda _size, _worked_s: size),
        patch.object(pacing, "PAUSE_S", 0.0),
    ):
        yield


@contextmanager
def cut_before(last: int) -> Iterator[None]:
    """What is taken back in it breaks off before this slice."""
    slices = count(1)
    take_slice = taking_back.TakingBack._slice

    def counted(*given: Any) -> Any:
        if next(slices) == last:
            raise CutError
        return take_slice(*given)

    with patch.object(taking_back.TakingBack, "_slice", counted), suppress(CutError):
        yield
