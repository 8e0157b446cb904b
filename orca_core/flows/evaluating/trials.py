"""Throw-away stores, in which an evaluation asks what it likes."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import AbstractAsyncContextManager
from datetime import datetime

from orca_core.domain.dataclass import dataclass
from orca_core.domain.stores import Stores
from orca_core.flows.jobs.embedding import Embedding
from orca_core.flows.shared.search import MemorySearch


@dataclass(frozen=True, slots=True)
class Trial:
    """One such store, with the search that chats use."""

    stores: Stores
    search: MemorySearch
    embedding: Embedding


OpenTrial = Callable[[datetime], AbstractAsyncContextManager[Trial]]
"""Opens one whose time of day stands still: empty, or a copy of a person's own."""
