"""Episodes and knowledge in a turn: found, put before the model in one line each, cited, judged, counted."""

from __future__ import annotations

import json
from collections.abc import AsyncIterator, Callable
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from pathlib import Path

import pytest
from fakes.past_work import BY_HAND, an_episode, some_knowledge
from fakes.scripted_model import ScriptedModel, says
from fakes.turns import of, only, turn

from orca_core.demo.model import DemoModel
from orca_core.model.events import Delta, Injected, LookedUp, Referenced, Reply
from orca_core.model.llm import ChatModel, Completed, Finish, TextDelta, ToolCall, ToolsCalled
from orca_core.model.recall import Item
from orca_core.model.records import EPISODE, KNOWLEDGE, MEMORY, SUMMARY, Ref
from orca_core.model.sessions import RoundState
from orca_core.orca import Orca
from orca_core.rules.retrieval.ranking import MOST_OF_WORK
from orca_core.rules.text import token_count
from orca_core.serialize.export import ExportedList, export_document
from orca_core.services.chat.recall import KINDS
from orca_core.settings import InjectSettings, MemorySettings, Settings
from orca_core.store.protocols import Stores

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


async def test_a_question_about_former_work_gets_episodes(open_work: OpenWork) -> None:
    async with open_work(ScriptedModel(says("A warmer corner."), says("预热"))) as (engine, _):
        injection = only(await turn(engine, "How did we fix the sourdough last time?"), Injected).injection
        assert (injection.rules, of_work(injection.injected)) == (("recall",), [Ref(EPISODE, 3)])
        chinese = only(await turn(engine, "上次 nginx 502 是怎么解决的？"), Injected).injection
        assert {FIRST, SECOND, LESSON} == {*of_work(chinese.injected)}


async def test_the_settings_say_how_many(open_work: OpenWork) -> None:
    async with open_work(ScriptedModel(says("no idea")), settings_with(episodes=1, knowledge=0)) as (engine, _):
        injection = only(await turn(engine, ASKED), Injected).injection
        assert of_work(injection.injected) == [SECOND]
        assert [(item.ref, item.reason) for item in injection.dropped if item.ref == FIRST] == [(FIRST, "over_limit")]


async def test_none_come_where_the_settings_want_none(open_work: OpenWork) -> None:
    async with open_work(ScriptedModel(says("no"), says("no")), settings_with(episodes=0, knowledge=0)) as (engine, _):
        for text in (ASKED, "How did we fix the 502 last time?"):
            assert of_work(only(await turn(engine, text), Injected).injection.considered) == []


async def test_what_was_archived_or_is_a_candidate_stays_out(open_work: OpenWork) -> None:
    async with open_work(ScriptedModel(says("no idea"))) as (engine, stores):
        await stores.records[EPISODE].change(1, {"state": "archived"}, BY_HAND)
        await stores.records[EPISODE].change(2, {"state": "candidate"}, BY_HAND)
        await stores.records[KNOWLEDGE].change(1, {"state": "candidate"}, BY_HAND)
        assert of_work(only(await turn(engine, ASKED), Injected).injection.injected) == []


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


async def test_an_answer_that_only_says_that_it_worked_used_nothing(open_work: OpenWork) -> None:
    async with open_work(ScriptedModel(says("Good that it worked; tell me more about the weather there."))) as (
        engine,
        _,
    ):
        judged = only(await turn(engine, ASKED), Referenced).references
        assert judged.used == ()


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


async def test_a_stopped_answer_counts_none(open_work: OpenWork) -> None:
    async with open_work(ScriptedModel([TextDelta("It is ")])) as (engine, stores):
        await turn(engine, ASKED)
        _, rounds = await engine.sessions.show("s")
        assert rounds[0].state is not RoundState.DONE
        assert await counts(stores) == [0, 0, 0, 0]


async def test_a_line_is_all_that_a_long_episode_costs(open_work: OpenWork) -> None:
    async with open_work(ScriptedModel(says("ok"))) as (engine, stores):
        steps = tuple(f"looked at log number {number} of the deploy" for number in range(40))
        trigger = "nginx gives 502 again after today's deploy " * 9
        await stores.records[EPISODE].add(an_episode(trigger, steps=steps), BY_HAND)
        injection = only(await turn(engine, ASKED), Injected).injection
        [long] = [item for item in injection.injected if item.ref == Ref(EPISODE, 4)]
        assert token_count.estimate(long.content) <= 60


async def test_every_kind_that_orca_knows_is_exported_and_told_in_a_line(open_work: OpenWork) -> None:
    async with open_work(ScriptedModel()) as (_, stores):
        lists = [ExportedList(kind.type.table, stores.records[kind.type.kind].all(), kind.view.json) for kind in KINDS]
        document = json.loads("".join([piece async for piece in export_document(lists)]))

        assert [row["outcome"] for row in document["episodes"]] == ["success"] * 3
        assert document["episodes"][0]["steps"] == ["read the error log", "raised proxy_read_timeout to 120 s"]
        assert document["knowledge"][0]["key_points"][0] == "look at the upstream first"
        [lesson] = await stores.records[KNOWLEDGE].get([1])
        assert KINDS[0].view.line(lesson).startswith("502 of the nginx gateway: look at the upstream first; ")


async def test_a_deleted_episode_is_gone_from_every_byte(open_work: OpenWork, database: Path) -> None:
    async with open_work(ScriptedModel(says("Drain it."))) as (engine, stores):
        steps = ("wombat patrol drained the pool", "quokka step " * 30, "restarted the gateway")
        await stores.records[EPISODE].add(
            an_episode("nginx gives 502 again after today's deploy", steps=steps), BY_HAND
        )
        await engine.worker.tidy()
        injection = only(await turn(engine, ASKED), Injected).injection
        assert Ref(EPISODE, 4) in of_work(injection.injected)
        await engine.memory.build_context("s", ASKED)

        assert await stores.records[EPISODE].delete([4], BY_HAND)

        shown = (await engine.sessions.receipt("s", 1)).injection
        assert "[deleted]" in shown.block
        assert [item.content for item in shown.injected if item.ref == Ref(EPISODE, 4)] == [""]
    kept = b"".join(path.read_bytes() for path in database.parent.iterdir() if path.is_file())
    assert b"wombat" not in kept
    assert b"quokka" not in kept


async def test_the_demo_answers_by_what_was_done_before(open_work: OpenWork) -> None:
    async with open_work(DemoModel(no_pause)) as (engine, _):
        events = await turn(engine, "how did we fix the 502 of nginx?")
        reply = only(events, Reply)
        assert "raised proxy_read_timeout to 120 s (2026-11-20)" in reply.text
        assert {each.ref for each in reply.citations} == {FIRST, SECOND, LESSON}
        assert set(only(events, Referenced).references.used) == {FIRST, SECOND, LESSON}


async def no_pause(_seconds: float) -> None:
    """The demo speaks at once."""
