"""A kind of learning that the library has never heard of: one file, which says what is due, shown, read, judged and
settled."""

from __future__ import annotations

import json
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from datetime import datetime
from pathlib import Path
from typing import Any

import msgspec
import pytest
from fakes.clocks import StillClock
from fakes.patience import until
from fakes.recipes import RECIPE, RECIPES, STEW, Recipe, kitchen_of
from fakes.scripted_model import ScriptedModel, Step, hang, says
from fakes.turns import turn
from msgspec import Struct
from msgspec.structs import replace

from orca_core.model.errors import ModelUnavailable
from orca_core.model.events import TaggedEvent
from orca_core.model.learning import Batch, RunResult, RunState
from orca_core.model.operations import Actor, OperationHeader
from orca_core.operations.queue import Writing
from orca_core.operations.stores import Stores
from orca_core.orca import Orca
from orca_core.pipelines.attempt import Attempt
from orca_core.pipelines.memory_agent import language_in
from orca_core.pipelines.pipeline import Material, Pass, Pipeline
from orca_core.rules.learning import transcripts
from orca_core.rules.learning.model_json import values_in
from orca_core.rules.learning.run_schedule import MAX_TRIES
from orca_core.rules.learning.typed_sources import verified_quote
from orca_core.settings import Settings


class Told(Struct, frozen=True):
    recipe: str
    minutes: int


class RecipesRead(TaggedEvent, frozen=True, tag="recipes"):
    state: str
    run: int
    error: str = ""
    next_at: datetime | None = None


class RecipePipeline(Pipeline[Batch, Told, Told | None, RecipesRead]):
    """Two rounds of a chat are read for a recipe."""

    name = "recipes"
    kind = "recipes"
    prompt = "recipe_reader"
    schema = Told
    problem = 'no object with "recipe" and "minutes"'

    async def due(self, so_far: Pass[Batch]) -> Batch | None:
        return await self.learning.take(self.kind, self.clock.now(), 2, so_far.tried)

    async def material(self, batch: Batch) -> Material:
        return Material("\n".join(each.user for each in batch.rounds), language_in(batch.rounds))

    def read(self, answer: str) -> Told | None:
        try:
            return msgspec.convert(next((each.value for each in values_in(answer)), None), Told, strict=False)
        except msgspec.ValidationError:
            return None

    async def judge(self, attempt: Attempt, batch: Batch, answer: Told) -> Told | None:
        return answer if verified_quote(answer.recipe, transcripts.testimony(batch.rounds)) else None

    async def settle(self, attempt: Attempt, batch: Batch, judged: Told | None, running: RecipesRead) -> RecipesRead:
        at = self.clock.now()

        def write(operation: Writing) -> RunResult:
            if judged is not None:
                operation.create(RECIPES, Recipe(0, judged.recipe, judged.minutes, at))
            return RunResult()

        header = OperationHeader(Actor.EXTRACTION, "recipes", at, batch.session_id)
        done = await self.learning.settle(batch, header, write, attempt.ended(at))
        return replace(running, state="none" if done is None or judged is None else "done")

    def running(self, batch: Batch) -> RecipesRead:
        return RecipesRead("running", batch.run)


OpenKitchen = Callable[..., Any]


def tells(recipe: str = STEW) -> list[Step]:
    return says(json.dumps({"recipe": recipe, "minutes": 120}))


@pytest.fixture
def kitchen(database: Path, clock: StillClock, tmp_path: Path) -> OpenKitchen:
    """An Orca that reads chats for recipes, again and again on the same file."""
    (tmp_path / "recipe_reader.md").write_text("Which recipe is told?", encoding="utf-8")

    @asynccontextmanager
    async def opened(*answers: list[Step]) -> AsyncIterator[tuple[Orca, Stores, list[RecipesRead], ScriptedModel]]:
        agent = ScriptedModel(*answers)
        more = {"agents_folder": tmp_path, "pipelines": (RecipePipeline,)}
        async with kitchen_of(database, clock, ScriptedModel(), agent, Settings(), **more) as (orca, stores):
            heard: list[RecipesRead] = []
            orca.worker.subscribe(lambda event: heard.append(event) if isinstance(event, RecipesRead) else None)
            yield orca, stores, heard, agent

    return opened


async def chat(orca: Orca, *said: str) -> None:
    for each in said:
        await turn(orca, each, session_id="s")
    await orca.worker.drain(30)


async def recipe(stores: Stores) -> Recipe:
    [only] = await stores.records[RECIPE].get([1])
    return only


async def looked_at(orca: Orca) -> None:
    orca.worker.wake()
    await orca.worker.drain(30)


async def test_a_kind_of_learning_is_one_file(kitchen: OpenKitchen) -> None:
    async with kitchen(tells()) as (orca, stores, heard, agent):
        await chat(orca, f"My {STEW}.", "Good, is it not?")

        assert [each.state for each in heard] == ["running", "done"]
        stew = await recipe(stores)
        assert (stew.text, stew.minutes) == (STEW, 120)
        assert agent.requests[-1].schema is not None
        assert agent.requests[-1].schema.shape["required"] == ["recipe", "minutes"]
        [run] = [each for each in await orca.runs.runs(9) if each.kind == "recipes"]
        assert (run.state, run.rounds) == (RunState.DONE, (1, 2))
        lesson = await orca.runs.show(run.id)
        assert [each.role for each in lesson.exchange] == ["system", "user", "assistant"]
        assert {each.job for each in await orca.runs.spent()} >= {"recipes"}


async def test_what_was_read_is_read_once_also_where_it_is_undone(kitchen: OpenKitchen) -> None:
    async with kitchen(tells()) as (orca, stores, heard, _agent):
        await chat(orca, f"My {STEW}.", "Good, is it not?")
        [run] = [each for each in await orca.runs.runs(9) if each.kind == "recipes"]
        await orca.history.undo(run.operation)
        heard.clear()
        await looked_at(orca)

        assert heard == []
        assert (await recipe(stores)).shelf == "cellar"


async def test_what_nobody_typed_is_not_kept(kitchen: OpenKitchen) -> None:
    async with kitchen(tells("a cake of carrots bakes")) as (orca, _stores, heard, _agent):
        await chat(orca, f"My {STEW}.", "Good, is it not?")

        assert [each.state for each in heard] == ["running", "none"]


async def test_a_failure_backs_off_and_is_parked_in_the_end(kitchen: OpenKitchen, clock: StillClock) -> None:
    async with kitchen([ModelUnavailable(provider="p", detail="down")]) as (orca, _stores, heard, _agent):
        await chat(orca, f"My {STEW}.", "Good, is it not?")
        for _ in range(MAX_TRIES + 2):
            await looked_at(orca)
            clock.advance(4000)

        assert [each.state for each in heard] == ["running", "failed"] * MAX_TRIES
        assert (heard[1].error, heard[1].next_at is None, heard[-1].next_at) == ("p: down", False, None)
        [run] = [each for each in await orca.runs.runs(9) if each.kind == "recipes"]
        assert run.is_parked


async def test_one_that_is_cut_off_goes_on_with_the_next_start(kitchen: OpenKitchen) -> None:
    async with kitchen([hang]) as (orca, _stores, _heard, agent):
        await turn(orca, f"My {STEW}.", session_id="s")
        await turn(orca, "Good, is it not?", session_id="s")
        await until(lambda: bool(agent.requests))
    async with kitchen(tells()) as (orca, stores, heard, _agent):
        await looked_at(orca)

        [run] = [each for each in await orca.runs.runs(9) if each.kind == "recipes"]
        assert run.tries == 1

        assert [each.state for each in heard] == ["running", "done"]
        assert (await recipe(stores)).text == STEW


async def test_an_answer_that_can_not_be_read_is_asked_for_once_more(kitchen: OpenKitchen) -> None:
    async with kitchen(says("a stew"), tells()) as (orca, _stores, heard, agent):
        await chat(orca, f"My {STEW}.", "Good, is it not?")

        assert [each.state for each in heard] == ["running", "done"]
        assert 'no object with "recipe" and "minutes"' in agent.requests[-1].messages[-1].content


async def test_a_round_that_is_deleted_meanwhile_voids_the_batch(kitchen: OpenKitchen) -> None:
    async with kitchen(tells()) as (orca, stores, _heard, _agent):
        await turn(orca, f"My {STEW}.", session_id="s")
        await turn(orca, "Good, is it not?", session_id="s")
        await orca.worker.aclose()
        batch = await stores.learning.take("recipes", orca.clock.now(), 2)
        if batch is None:  # the worker had read them
            pytest.fail("nothing was left to claim")
        await orca.sessions.delete("s")
        header = OperationHeader(Actor.EXTRACTION, "recipes", orca.clock.now(), "s")
        attempt = Attempt(batch, stores.learning, orca.clock)

        def write(_operation: Writing) -> RunResult:
            raise AssertionError("nothing is written of what is gone")

        assert await stores.learning.settle(batch, header, write, attempt.ended(orca.clock.now())) is None
