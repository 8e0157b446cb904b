"""A kind of record that the library has never heard of: a type, its table, a source, a view, and nothing else."""

from __future__ import annotations

import json
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest
from fakes import recipes
from fakes.asking import asked
from fakes.clocks import StillClock
from fakes.recipes import RECIPE, RECIPES, Recipe
from fakes.scripted_model import ScriptedModel, says
from fakes.turns import only, turn

from orca_core.model.errors import NotFound
from orca_core.model.events import Injected, Referenced, Reply
from orca_core.model.operations import Actor, OperationHeader
from orca_core.model.record_types import Ref, memory_ref
from orca_core.model.views import RecordView
from orca_core.operations.stores import Stores
from orca_core.orca import Orca
from orca_core.serialize.memory_json import receipt_json
from orca_core.services.chat.recall import KindOfRecord
from orca_core.settings import InjectSettings, MemorySettings, Settings
from orca_tui.marks import UNICODE_MARKS
from orca_tui.words.receipt_words import receipt_text

AT = datetime(2026, 11, 20, 12, 0, tzinfo=UTC)
ASKED = "How long does the quokka stew simmer?"


KINDS = (
    KindOfRecord(RECIPES, RecordView(lambda recipe: RECIPES.plain(recipe, RECIPES.names), lambda recipe: recipe.text)),
)
STEW = Recipe(0, recipes.STEW, 120, AT)
FIRST = Ref(RECIPE, 1)

OpenKitchen = Callable[..., Any]


def by_hand(action: str) -> OperationHeader:
    return OperationHeader(Actor.USER, action, AT)


@pytest.fixture
def kitchen(database: Path, clock: StillClock) -> OpenKitchen:
    """An Orca that knows recipes, and its stores."""

    @asynccontextmanager
    async def opened(*answers: Any) -> AsyncIterator[tuple[Orca, Stores]]:
        settings = Settings(
            memory=MemorySettings(inject=InjectSettings(long_term_trigger="always", first_round_empty=False))
        )
        model = ScriptedModel(*answers)
        async with recipes.kitchen_of(database, clock, model, ScriptedModel(), settings, kinds=KINDS) as opened_kitchen:
            yield opened_kitchen

    return opened


async def test_a_recipe_is_found_injected_cited_and_shown(kitchen: OpenKitchen) -> None:
    async with kitchen(says("It simmers for two hours [r1].")) as (orca, stores):
        stew = await stores.records[RECIPE].add(STEW, by_hand("add"))
        await stores.records[RECIPE].add(Recipe(0, "a cake of carrots", 50, AT), by_hand("add"))
        assert RECIPES.ref(stew) == FIRST
        await orca.worker.tidy()

        events = await turn(orca, ASKED)

        injection = only(events, Injected).injection
        assert [(str(item.ref), item.content, item.type) for item in injection.injected] == [
            ("r1", STEW.text, "recipe")
        ]
        assert '{"id": "r1", "type": "recipe", "date": "2026-11-20", "text": "quokka stew' in injection.block
        reply = only(events, Reply)
        assert reply.text == "It simmers for two hours."
        assert [citation.ref for citation in reply.citations] == [FIRST]
        assert only(events, Referenced).references.used == (FIRST,)

        receipt = await orca.sessions.receipt("s", 1)
        assert (receipt.injection.block, receipt.references.used) == (injection.block, (FIRST,))
        assert f"r1 {STEW.text}  used" in receipt_text(receipt, UNICODE_MARKS)
        told = json.loads(json.dumps(receipt_json(receipt)))
        assert (told["used"], told["unused"], told["unknown"]) == (["r1"], [], [])
        assert [(item["id"], item["kind"]) for item in told["injected"]] == [("r1", "recipe")]
        assert [each.citations for each in await stores.sessions.rounds("s")] == [reply.citations]
        [shown] = await stores.sessions.appearances(FIRST, 9)
        assert (shown.round, shown.use, shown.before, shown.after) == (1, "used", None, None)
        assert shown.reason == receipt.injection.injected[0].reason
        assert await stores.sessions.appearances(memory_ref(1), 9) == []


async def test_a_recipe_is_changed_taken_back_and_changed_again(kitchen: OpenKitchen) -> None:
    async with kitchen() as (orca, stores):
        recipes = stores.records[RECIPE]
        await recipes.add(STEW, by_hand("add"))
        changed = await recipes.change(1, {"text": "giraffe stew simmers for an hour", "minutes": 60}, by_hand("edit"))
        assert (
            changed.minutes,
            [hit.ref.id for hit in await asked(stores).by_tokens(["giraff"], 5, kind=RECIPE)],
        ) == (60, [1])

        await orca.history.undo()
        [undone] = await recipes.get([1])
        assert (undone.text, undone.minutes) == (STEW.text, 120)
        assert await asked(stores).by_tokens(["giraff"], 5, kind=RECIPE) == []

        await orca.history.redo()
        [redone] = await recipes.get([1])
        assert redone == changed

        made, *changes = await recipes.history(1)
        assert (made.before, made.after["minutes"]) == (None, 120)
        assert [(change.ref, change.action, change.after["minutes"]) for change in changes] == [
            (FIRST, "edit", 60),
            (FIRST, "undo", 120),
            (FIRST, "redo", 60),
        ]


async def test_a_deleted_recipe_is_gone_from_every_byte(kitchen: OpenKitchen, database: Path) -> None:
    async with kitchen(says("Two hours [r1].")) as (orca, stores):
        await stores.records[RECIPE].add(STEW, by_hand("add"))
        await stores.records[RECIPE].change(1, {"minutes": 90}, by_hand("edit"))
        await orca.worker.tidy()
        await turn(orca, "How long does it take? stew hours simmers")
        assert STEW.text in (await orca.sessions.receipt("s", 1)).injection.block

        assert await stores.records[RECIPE].delete([1], by_hand("delete"))

        shown = (await orca.sessions.receipt("s", 1)).injection
        assert ([item.content for item in shown.injected], "[deleted]" in shown.block) == ([""], True)
        with pytest.raises(NotFound):
            await stores.records[RECIPE].get([1])
        with pytest.raises(NotFound):
            await stores.records[RECIPE].history(1)
        assert await asked(stores).by_tokens(["quokka"], 5, kind=RECIPE) == []
    assert b"quokka" not in b"".join(path.read_bytes() for path in database.parent.iterdir() if path.is_file())


async def test_what_was_kept_of_a_kind_that_is_no_longer_known_can_be_read(kitchen: OpenKitchen, open_orca) -> None:
    async with kitchen(says("Two hours [r1].")) as (orca, stores):
        await stores.records[RECIPE].add(STEW, by_hand("add"))
        await turn(orca, ASKED)
    async with open_orca() as orca:
        receipt = await orca.sessions.receipt("s", 1)
        assert [str(item.ref) for item in receipt.injection.injected] == ["r1"]
        assert len(await orca.history.activity(5)) >= 1
