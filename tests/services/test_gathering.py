"""What a question finds: by words, by vectors where they tell more, and what stands beside it in a conversation."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest
from fakes.looks import WatchedSearch
from fakes.scripted_model import ScriptedModel, says
from fakes.turns import only, turn
from msgspec.structs import replace

import orca_core
from orca_core.llm.local_embedder import LocalEmbedder
from orca_core.model.events import Injected
from orca_core.model.memories import NewMemory, Origin, OriginKind
from orca_core.model.operations import Actor, OperationHeader
from orca_core.operations.stores import Stores
from orca_core.serialize.work import context_json
from orca_core.settings import InjectSettings, MemorySettings, Settings
from orca_core.store.sqlite.index import vector_cache, vector_index
from orca_core.store.sqlite.index.vector_cache import VectorCache

AT_ONCE = Settings(memory=MemorySettings(inject=InjectSettings(first_round_empty=False)))
AT = datetime(2026, 11, 20, tzinfo=UTC)


class Worthy(LocalEmbedder):
    trust = 1.0


async def nominations(open_engine, embedder: LocalEmbedder, question: str) -> int:
    nominated: list[None] = []

    def behind(stores: Stores) -> Stores:
        return replace(stores, search=WatchedSearch(stores, "vectors", "by_vector", lambda: nominated.append(None)))

    async with open_engine(embedder=embedder, behind=behind) as engine:
        for number in range(12):
            await engine.memories.add(f"docker memory number {number}")
        await engine.worker.tidy()
        nominated.clear()
        await engine.search.look(question)
    return len(nominated)


async def test_hashed_letters_nominate_only_where_words_find_little(open_engine) -> None:
    assert await nominations(open_engine, LocalEmbedder(), "docker?") == 0
    assert await nominations(open_engine, LocalEmbedder(), "quokkas?") == 1


async def test_an_embedder_of_worth_always_nominates(open_engine) -> None:
    assert await nominations(open_engine, Worthy(), "docker?") == 1


async def test_the_answer_beside_its_question_is_found_where_a_person_asks(open_engine) -> None:
    """It shares no word with what is asked, and comes from the same conversation; others are as far away."""
    said = [("Which cat did you take home?", "s", 1), ("A tabby named Miso.", "s", 2), ("Rain since Monday.", "t", 1)]
    kept: list[Stores] = []

    def behind(stores: Stores) -> Stores:
        kept.append(stores)
        return stores

    async with open_engine(behind=behind) as engine:
        for text, session, number in said:
            origin = Origin(OriginKind.EXTRACTION, session, (number,))
            header = OperationHeader(Actor.IMPORT, "add", AT)
            await kept[0].memories.add(NewMemory(text, origin=origin), header)
        await engine.worker.tidy()
        found = [hit.memory.content for hit in (await engine.search.find("which cat did she take home", 5)).hits]
        unasked = (await engine.search.look("which cat did she take home")).found

    assert found == ["Which cat did you take home?", "A tabby named Miso."]
    assert unasked[0].memory.content == "Which cat did you take home?"
    assert all(each.parts.text == 0 for each in unasked[1:])


async def test_a_search_and_a_turn_say_that_only_the_newest_were_compared(
    open_engine, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(vector_cache, "MOST_COMPARED", 1)
    monkeypatch.setattr(VectorCache, "nearest", lambda *_asked: None)  # the first search would have them read
    async with open_engine(ScriptedModel(says("ok")), embedder=Worthy(), settings=AT_ONCE) as engine:
        for text in ("The giraffe lives in the garden", "The zebra lives in the attic"):
            await engine.memories.add(text)
        await engine.worker.tidy()
        monkeypatch.setattr(vector_index, "is_stale", lambda *_asked: True)
        found = await engine.search.find("who lives in the garden", 5)
        context = await engine.work.context.build(None, "who lives in the garden")
        tools = {schema["name"]: function for schema, function in orca_core.agent_tools(engine, "s")}
        answer = await tools["retrieve_from_memory"](keywords=["garden"])
        near = await engine.search.meant("the giraffe in the garden")
        injected = only(await turn(engine, "who lives in the garden?"), Injected).injection

    assert found.rules == context.rules == ("newest_alone",)
    assert context_json(context)["rules"] == ["newest_alone"]
    assert answer["note"] == "only the newest memories were compared by meaning, for the index is being made"
    assert near == [1]
    assert injected.rules.count("newest_alone") == 1
