"""A kind of record that the library has never heard of, and a home with it."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from datetime import datetime
from pathlib import Path
from typing import Any

from fakes.clocks import StillClock
from fakes.scripted_model import ScriptedModel
from msgspec import Struct

from orca_core.llm.cached_embedder import CachedEmbedder
from orca_core.llm.local_embedder import LocalEmbedder
from orca_core.model.record_types import Changeable, Kind, RecordType
from orca_core.operations.stores import Stores
from orca_core.orca import Orca
from orca_core.settings import Settings
from orca_core.store.sqlite.store import open_stores


class Recipe(Struct, frozen=True):
    id: int
    text: Changeable[str]
    minutes: Changeable[int]
    created_at: datetime
    shelf: Changeable[str] = "kitchen"


RECIPE = Kind("recipe", "r")
RECIPES = RecordType(RECIPE, Recipe, "recipes", text="text", live=("shelf", ("kitchen",)), unmade={"shelf": "cellar"})

STEW = "quokka stew simmers for two hours"


@asynccontextmanager
async def kitchen_of(
    database: Path, clock: StillClock, model: ScriptedModel, agent: ScriptedModel, settings: Settings, **more: Any
) -> AsyncIterator[tuple[Orca, Stores]]:
    """An Orca whose store holds recipes, and its stores."""
    stores = await open_stores(database, scope="me", must_exist=False, kinds=(RECIPES,))
    orca = Orca(
        settings,
        stores,
        model=lambda: model,
        agent=lambda: agent,
        embedder=lambda: CachedEmbedder(LocalEmbedder(), stores.vectors),
        clock=clock,
        **more,
    )
    try:
        yield orca, stores
    finally:
        await orca.aclose()
