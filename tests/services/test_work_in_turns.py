"""Episodes and knowledge in a turn: found, put before the model in one line each, cited, judged, counted."""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable
from contextlib import AbstractAsyncContextManager, asynccontextmanager

import pytest
from fakes.past_work import BY_HAND, an_episode, some_knowledge
from fakes.scripted_model import ScriptedModel, says
from fakes.turns import of, only, turn

from orca_core.model.events import Delta, Injected, LookedUp, Referenced, Reply
from orca_core.model.llm import ChatModel, Completed, Finish, TextDelta, ToolCall, ToolsCalled
from orca_core.model.recall import Item
from orca_core.model.records import EPISODE, KNOWLEDGE, MEMORY, SUMMARY, Ref
from orca_core.operations.stores import Stores
from orca_core.orca import Orca
from orca_core.rules.retrieval.ranking import MOST_OF_WORK
from orca_core.settings import InjectSettings, MemorySettings, Settings

DONE = Completed(Finish.STOP)
ASKED = "nginx gives 502 again after today's deploy, what is it?"
FIRST, SECOND, LESSON = Ref(EPISODE, 1), Ref(EPISODE, 2), Ref(KNOWLEDGE, 1)

OpenWork = Callable[..., AbstractAsyncContextManager[tuple[Orca, Stores]]]


def settings_with(**inject: object) -> Settings:
    return Settings(memory=MemorySettings(inject=InjectSettings(first_round_empty=False, **inject)))  # type: ignore[arg-type]


@pytest.fixture
def open_work(open_engine) -> OpenWork:
    """An engine with three episodes and some knowledge, and its stores."""

    @asynccontextmanager
    async def opened(model: ChatModel, settings: Settings | None = None) -> AsyncIterator[tuple[Orca, Stores]]:
        kept: list[Stores] = []

        def keep(stores: Stores) -> Stores:
            kept.append(stores)
            return stores

        async with open_engine(model, settings=settings or settings_with(), behind=keep) as engine:
            [stores] = kept
            for episode in (
                an_episode(),
                an_episode("nginx answers 502 after a deploy on Friday", steps=("drained the gateway first",)),
                an_episode("the sourdough did not rise", target="bread", steps=("used a warmer corner",)),
            ):
                await stores.records[EPISODE].add(episode, BY_HAND)
            await stores.records[KNOWLEDGE].add(some_knowledge(), BY_HAND)
            await engine.worker.tidy()
            yield engine, stores

    return opened


def of_work(items: tuple[Item, ...]) -> list[Ref]:
    return [item.ref for item in items if item.ref.kind in (EPISODE, KNOWLEDGE)]


async def test_a_technical_turn_gets_knowledge_and_then_episodes(open_work: OpenWork) -> None:
    async with open_work(ScriptedModel(says("no idea"))) as (engine, _):
        await engine.memories.add("The gateway is nginx 1.27 in Docker.")
        injection = only(await turn(engine, ASKED), Injected).injection

        kinds = [item.ref.kind for item in injection.injected]
        assert kinds == sorted(kinds, key=[MEMORY, KNOWLEDGE, EPISODE, SUMMARY].index)
        assert of_work(injection.injected) == [LESSON, SECOND, FIRST]
        for item in injection.injected[1:]:
            assert item.reason == injection.rules[0]
            assert item.score > 0.5
        assert (
            '{"id": "e1", "type": "episode", "date": "2026-11-20", "text": "worked: nginx answers 502 after the deploy '
            '→ read the error log; raised proxy_read_timeout to 120 s (2026-11-20)"}'
        ) in injection.block
        assert '{"id": "k1", "type": "knowledge", ' in injection.block


async def test_an_everyday_turn_gets_none(open_work: OpenWork) -> None:
    async with open_work(ScriptedModel(says("Warmth."))) as (engine, _):
        injection = only(await turn(engine, "My sourdough did not rise today, the corner was cold"), Injected).injection
        assert of_work(injection.considered) == []


async def test_work_that_the_model_looks_up_is_cited_and_counted_as_used(open_work: OpenWork) -> None:
    looks = [ToolsCalled((ToolCall("a", "recall", '{"query": "sourdough did not rise, warmer corner"}'),)), DONE]
    model = ScriptedModel(looks, says("Use a warmer corner [e3]."))
    async with open_work(model) as (engine, stores):
        events = await turn(engine, "It is flat again, what now?")
        receipt = await engine.sessions.receipt("s", 1)
        [episode] = await stores.records[EPISODE].get([3])

    lookup = only(events, LookedUp).lookup
    assert Ref(EPISODE, 3) in [item.ref for item in lookup.items]
    assert only(events, Referenced).references.used == (Ref(EPISODE, 3),)
    assert receipt.injection.lookups == (lookup,)
    assert episode.access_count == 1


async def test_knowledge_and_episodes_share_the_room_of_a_look_up(open_work: OpenWork) -> None:
    looks = [ToolsCalled((ToolCall("a", "recall", '{"query": "nginx 502 deploy proxy_read_timeout"}'),)), DONE]
    async with open_work(ScriptedModel(looks, says("No idea."))) as (engine, _):
        lookup = only(await turn(engine, "It is slow again, what now?"), LookedUp).lookup

    assert [item.ref.kind for item in lookup.items].count(KNOWLEDGE) == 1
    assert len(of_work(lookup.items)) == MOST_OF_WORK


async def test_the_settings_say_how_many(open_work: OpenWork) -> None:
    async with open_work(ScriptedModel(says("no idea")), settings_with(episodes=1, knowledge=0)) as (engine, _):
        injection = only(await turn(engine, ASKED), Injected).injection
        assert of_work(injection.injected) == [SECOND]
        assert [(item.ref, item.reason) for item in injection.dropped if item.ref == FIRST] == [(FIRST, "over_limit")]


async def test_citations_across_pieces_are_taken_out_and_judged(open_work: OpenWork) -> None:
    pieces = [
        TextDelta(each) for each in ("Raise the timeout [", "e1", "] and look upstream 【k", "1】, then", " rest.")
    ]
    async with open_work(ScriptedModel([*pieces, Completed(Finish.STOP)])) as (engine, _stores):
        events = await turn(engine, ASKED)

        assert "".join(event.text for event in of(events, Delta)) == "Raise the timeout and look upstream, then rest."
        assert [citation.ref for citation in only(events, Reply).citations] == [FIRST, LESSON]
        judged = only(events, Referenced).references
        assert (judged.used, judged.unused) == ((LESSON, FIRST), (SECOND,))
        receipt = await engine.sessions.receipt("s", 1)
        assert (receipt.references, receipt.weights) == (judged, ())
        [shown] = await engine.sessions.appearances(FIRST)
        assert (shown.use, shown.before, shown.after) == ("used", None, None)


async def counts(stores: Stores) -> list[int]:
    episodes = await stores.records[EPISODE].get([1, 2, 3])
    [lesson] = await stores.records[KNOWLEDGE].get([1])
    return [each.access_count for each in (*episodes, lesson)]


async def test_a_turn_counts_each_once_in_its_own_operation(open_work: OpenWork, clock) -> None:
    async with open_work(ScriptedModel(says("It is [e1] and [e1]."), says("ok"))) as (engine, stores):
        await turn(engine, ASKED)
        assert await counts(stores) == [1, 1, 0, 1]
        [first] = await stores.records[EPISODE].get([1])
        assert first.last_accessed == clock.now()
        latest, changes = (await engine.history.activity(1))[0]
        assert (latest.header.action, latest.header.round, len(changes)) == ("weights", 1, 3)
        await turn(engine, "thanks, that is all for today then")
        assert await counts(stores) == [1, 1, 0, 1]


async def test_another_attempt_takes_back_what_it_counted(open_work: OpenWork) -> None:
    async with open_work(ScriptedModel(says("one"), says("two"))) as (engine, stores):
        await turn(engine, ASKED)
        await turn(engine, "My sourdough did not rise today, the corner was cold", replaces=1)
        assert await counts(stores) == [0, 0, 0, 0]
        [first] = await stores.records[EPISODE].get([1])
        assert first.last_accessed is None
