"""What the flows of an engine stand on, made once for all of them."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

from msgspec import Struct

from orca_core.domain.ports import ChatModel, Clock, Embedder
from orca_core.domain.stores import Stores
from orca_core.flows.shared.lazy import Lazy
from orca_core.flows.shared.levels import Levels
from orca_core.flows.shared.reranking import Reranking
from orca_core.flows.shared.saves import Saves
from orca_core.flows.shared.search import MemorySearch
from orca_core.flows.shared.spending import Spending
from orca_core.flows.shared.stream import Stream
from orca_core.flows.shared.views import Views
from orca_core.flows.turn.kinds import KindOfRecord
from orca_core.settings import Settings


class Ground(Struct, frozen=True):
    """Settings, ports, and what several flows share. `kinds` are all but memories and summaries."""

    settings: Settings
    stores: Stores
    clock: Clock
    agent: Lazy[ChatModel]
    embedder: Lazy[Embedder]
    agents_folder: Path | None
    kinds: Sequence[KindOfRecord[Any]]
    levels: Levels
    views: Views
    reranking: Reranking
    search: MemorySearch
    spending: Spending
    saves: Saves
    stream: Stream
