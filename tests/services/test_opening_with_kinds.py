"""Whatever opens Orca, the kinds that it is given are stored, found and put before the model."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest
from fakes.turns import only, turn
from msgspec import Struct

from orca_core.config.config_file import DATABASE_NAME, LoadedSettings
from orca_core.model.events import Injected
from orca_core.model.operations import Actor, OperationHeader
from orca_core.model.record_types import Changeable, Kind, RecordType
from orca_core.model.views import RecordView
from orca_core.open import open_orca, open_story
from orca_core.orca import Orca
from orca_core.services.chat.recall import KindOfRecord
from orca_core.settings import InjectSettings, MemorySettings, Settings
from orca_core.store.sqlite.store import open_stores

AT = datetime(2026, 11, 20, 12, 0, tzinfo=UTC)


class Recipe(Struct, frozen=True):
    id: int
    text: Changeable[str]
    created_at: datetime = AT


RECIPES = RecordType(Kind("recipe", "r"), Recipe, "recipes", text="text", unmade=None)
KINDS = (
    KindOfRecord(RECIPES, RecordView(lambda recipe: RECIPES.plain(recipe, RECIPES.names), lambda recipe: recipe.text)),
)

Open = Callable[[LoadedSettings, Sequence[KindOfRecord[Any]]], Awaitable[Orca]]


@pytest.mark.parametrize(
    "open_it",
    [
        lambda loaded, kinds: open_orca(loaded, environ={}, will_talk=True, kinds=kinds),
        lambda loaded, kinds: open_orca(loaded, environ={}, kinds=kinds),
        lambda loaded, kinds: open_story(loaded, "en", hurries=True, kinds=kinds),
    ],
    ids=["with its store", "with or without a store", "the story"],
)
async def test_a_further_kind_is_there_however_orca_is_opened(tmp_path: Path, open_it: Open) -> None:
    inject = InjectSettings(long_term_trigger="always", first_round_empty=False)
    loaded = LoadedSettings(Settings(memory=MemorySettings(inject=inject)), None, tmp_path)

    orca = await open_it(loaded, KINDS)
    stores = await open_stores(
        tmp_path / DATABASE_NAME,
        scope=loaded.settings.profile,
        must_exist=True,
        kinds=(RECIPES,),
    )
    stew = Recipe(0, "quokka stew simmers for two hours")
    await stores.records[RECIPES.kind].add(stew, OperationHeader(Actor.USER, "add", AT))
    await stores.upkeep.aclose()
    try:
        events = await turn(orca, "How long does the quokka stew simmer?")
    finally:
        await orca.aclose()
    assert "r1" in [str(item.ref) for item in only(events, Injected).injection.injected]
