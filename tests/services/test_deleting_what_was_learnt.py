"""A fact that was learnt leaves the files when it is deleted; with its messages, every word of it does."""

from __future__ import annotations

from pathlib import Path

import pytest
from fakes.clocks import StillClock
from fakes.facts import fact, finds, learn
from fakes.scripted_model import ScriptedModel, says
from fakes.turns import only, turn

from orca_core.model.events import Injected

SAID = "我养了一只长颈鹿"
LEARNT = "用户养着一只长颈鹿当宠物"


def places(database: Path, text: str) -> int:
    return sum(each.read_bytes().count(text.encode()) for each in database.parent.iterdir() if each.is_file())


async def test_the_fact_leaves_the_files_with_the_exchange_that_found_it(open_engine, database: Path) -> None:
    async with open_engine(agent=ScriptedModel(finds(fact(LEARNT, SAID)))) as engine:
        await turn(engine, SAID, session_id="s")
        await learn(engine)
        await engine.worker.tidy()
        assert places(database, LEARNT) > 3

        deletion = await engine.memories.delete([1])

        assert deletion.messages == (("s", 1),)
        assert (await engine.runs.show(1)).exchange == ()
    assert places(database, LEARNT) == 0
    assert places(database, SAID) > 0


async def test_recall_brings_it_into_no_other_chat_by_a_summary_of_its_round(open_engine) -> None:
    asked, twin = "你还记得我养了什么吗？院子里有什么？", "我在院子里种了一棵石榴"
    model = ScriptedModel(says("好的。"))
    async with open_engine(model, agent=ScriptedModel(finds(fact(LEARNT, SAID)))) as engine:
        for said in (SAID, twin):
            await turn(engine, said, session_id="s")
        await learn(engine)
        assert "长颈鹿" in only(await turn(engine, asked, session_id="t"), Injected).injection.block

        await engine.memories.delete([1])

        for session_id, again in (("u", asked), ("v", f"你好！{LEARNT}。"), ("w", asked)):
            block = only(await turn(engine, again, session_id=session_id), Injected).injection.block
            assert "长颈鹿" not in block
        assert "石榴" in block
        assert [each.user for each in (await engine.sessions.show("s"))[1]] == [SAID, twin]


async def test_with_its_messages_every_word_of_it_is_gone(open_engine, database: Path) -> None:
    model = ScriptedModel(says("你好。"), says("一只长颈鹿？真特别。"), says("好的。"))
    async with open_engine(model, agent=ScriptedModel(finds(fact(LEARNT, SAID)))) as engine:
        await turn(engine, "你好，第一句话", session_id="s")
        await turn(engine, SAID, session_id="s")
        await learn(engine)
        await engine.worker.tidy()
        receipt = only(await turn(engine, "我养了什么宠物？真特别的那只", session_id="s"), Injected).injection
        assert "长颈鹿" in receipt.block

        await engine.memories.delete([1], with_messages=True)

        assert (await engine.runs.show(1)).exchange == ()
    assert places(database, "长颈鹿") == 0


@pytest.mark.parametrize("is_there", [True, False], ids=["beside its chat", "after its chat was deleted"])
async def test_its_messages_go_from_forks_too(open_engine, database: Path, is_there: bool) -> None:
    async with open_engine(agent=ScriptedModel(finds(fact(LEARNT, SAID)))) as engine:
        await turn(engine, "你好，第一句话", session_id="s")
        await turn(engine, SAID, session_id="s")
        fork = await engine.sessions.fork("s", 2)
        other = await engine.sessions.fork(fork.id, 2)
        await learn(engine)
        await engine.worker.tidy()
        if not is_there:
            await engine.sessions.delete("s")
        kept = await engine.memories.get([1])
        assert places(database, "长颈鹿") > 0

        await engine.memories.delete([kept[0].id], with_messages=True)

        for session in await engine.sessions.list():
            assert [each.user for each in (await engine.sessions.show(session.id))[1]] == ["你好，第一句话"]
        assert other.id in {session.id for session in await engine.sessions.list()}
    assert places(database, "长颈鹿") == 0


async def test_a_new_chat_by_the_name_of_a_deleted_one_keeps_what_was_said_in_it(
    open_engine, clock: StillClock
) -> None:
    async with open_engine(agent=ScriptedModel(finds(fact(LEARNT, SAID)))) as engine:
        await turn(engine, SAID, session_id="s")
        await turn(engine, "你好，第一句话", session_id="s")
        await learn(engine)
        await engine.sessions.delete("s")
        clock.advance(60)
        await turn(engine, "别的事情，和宠物无关", session_id="s")

        await engine.memories.delete([1], with_messages=True)

        assert [each.user for each in (await engine.sessions.show("s"))[1]] == ["别的事情，和宠物无关"]


async def test_the_messages_that_stay_are_listed_in_forks_too(open_engine) -> None:
    async with open_engine(agent=ScriptedModel(finds(fact(LEARNT, SAID)))) as engine:
        await turn(engine, "你好，第一句话", session_id="s")
        await turn(engine, SAID, session_id="s")
        fork = await engine.sessions.fork("s", 2)
        await learn(engine)

        deletion = await engine.memories.delete([1])

        assert set(deletion.messages) == {("s", 2), (fork.id, 2)}


async def test_the_inbox_loses_a_deleted_candidate_and_what_it_would_replace_stays(open_engine) -> None:
    moved = fact("用户住在杭州", "", replace="用户住在上海")
    async with open_engine(agent=ScriptedModel(finds(moved))) as engine:
        old = (await engine.memories.add("用户住在上海")).memory
        await turn(engine, "今天天气不错", session_id="s")
        await learn(engine)
        [waiting] = await engine.inbox.inbox()

        await engine.memories.delete([old.id])
        assert (await engine.memories.get([waiting.id]))[0].would_replace is None
        await engine.memories.delete([waiting.id])
        assert await engine.inbox.inbox() == []
