"""What is private or was deleted stands in no byte of the files, nor does its vector; with its messages, every word goes."""

from __future__ import annotations

from pathlib import Path

import pytest
from fakes.clocks import StillClock
from fakes.facts import fact, finds, learn, pasted
from fakes.scripted_model import ScriptedModel, says
from fakes.turns import of, only, turn

from orca_core.llm.local_embedder import LocalEmbedder
from orca_core.model.events import ForgetProposed, Injected
from orca_core.model.llm import Span
from orca_core.model.views import ListQuery
from orca_core.orca import Orca
from orca_core.settings import InjectSettings, MemorySettings, Settings
from orca_core.store.sqlite.index import vector_index

# Looked up also in a chat's first round.
SETTINGS = Settings(memory=MemorySettings(inject=InjectSettings(first_round_empty=False)))
SECRET = "长颈鹿的银行密码是四十二吗"
LONG = f"{SECRET}，" + "这是很长的一段话，没有别的意思。" * 200
PASTE = pasted("2026-11-20 ERROR docker: connection to postgres refused on port 5433, giving up\n" * 3)


def places(database: Path, *needles: bytes) -> list[str]:
    """The files that hold any of these, beside the database."""
    return sorted(
        path.name
        for path in database.parent.rglob("*")
        if path.is_file() and any(needle in path.read_bytes() for needle in needles)
    )


async def vector_of(text: str) -> bytes:
    """The text's vector as the cache would hold it."""
    [vector] = await LocalEmbedder().embed([text])
    return vector_index.to_exact(vector)


async def quiet(engine: Orca) -> None:
    await engine.worker.drain()
    await engine.worker.tidy()


@pytest.mark.parametrize(
    "said",
    [
        [Span(f"docker 报错：{SECRET}")],
        [Span(f"docker 报错：{SECRET}\n"), PASTE],
        [Span(f"docker 报错：{LONG}")],
        [Span(f"你知道{SECRET}")],
        [Span(f"忘掉{SECRET}")],
        [Span(f"记住：{SECRET.removesuffix('吗')}")],
    ],
    ids=["technical", "beside a paste", "over 2,000 characters", "recall question", "forget", "remember"],
)
async def test_a_private_turn_leaves_nothing(open_engine, database: Path, said: list[Span]) -> None:
    async with open_engine(ScriptedModel(says(f"我不说{SECRET}。")), settings=SETTINGS) as engine:
        await engine.memories.add("用户的 docker 跑在 5433 端口")
        await quiet(engine)
        await turn(engine, *said, is_private=True)
        await quiet(engine)
    vector = await vector_of("".join(span.text for span in said))
    assert places(database, "长颈鹿".encode(), vector) == []


async def test_a_turn_that_is_not_private_is_cached_without_its_words(open_engine, database: Path) -> None:
    async with open_engine(settings=SETTINGS) as engine:
        await engine.memories.add("用户的 docker 跑在 5433 端口")
        await turn(engine, f"docker 报错：{SECRET}", session_id="s")
        await quiet(engine)
    assert places(database, await vector_of(f"docker 报错：{SECRET}")) != []


@pytest.mark.parametrize(
    "said",
    [
        [Span(f"docker 报错：{SECRET}")],
        [Span(f"docker 报错：{SECRET}\n"), PASTE],
        [Span(f"docker 报错：{LONG}")],
    ],
    ids=["short", "beside a paste", "over 2,000 characters"],
)
async def test_a_deleted_chat_leaves_nothing(open_engine, database: Path, said: list[Span]) -> None:
    """Also after it was learnt from, folded, recalled from in other chats, and answered twice."""

    agent = ScriptedModel(finds(fact(f"用户问{SECRET}", "", type="none"), fact("短", "")))
    async with open_engine(ScriptedModel(says(f"关于{SECRET}我不知道。")), settings=SETTINGS, agent=agent) as engine:
        await turn(engine, *said, session_id="s")
        await turn(engine, *said, session_id="s", replaces=1)
        await turn(engine, f"docker 又报错：{SECRET}", session_id="s")
        await learn(engine)
        await quiet(engine)
        await turn(engine, "docker 的银行密码，长颈鹿", session_id="other")
        await engine.sessions.delete("other")
        assert places(database, SECRET.encode()) != []

        assert await engine.sessions.delete("s")
        await quiet(engine)

        needles = ("长颈鹿".encode(), await vector_of("".join(span.text for span in said)))
        assert places(database, *needles) == []


async def test_deleting_with_messages_leaves_nothing(open_engine, database: Path) -> None:
    agent = ScriptedModel(
        finds(fact(f"用户说{SECRET}", "长颈鹿的银行密码是四十二"), fact(f"{SECRET}被拒", "", type="x"))
    )
    model = ScriptedModel(says(f"关于{SECRET}我知道了。"), says("好的。"))
    async with open_engine(model, settings=SETTINGS, agent=agent) as engine:
        await turn(engine, f"docker：{SECRET}\n", PASTE, session_id="s")
        await turn(engine, "一个无关的问题，只是为了第二条", session_id="s")
        await learn(engine)
        await quiet(engine)
        await turn(engine, f"docker 里{SECRET}", session_id="t")
        await engine.sessions.delete("t")
        found = [view.memory for view in (await engine.memories.page(ListQuery("all"))).records]
        assert found

        await engine.memories.delete([memory.id for memory in found], with_messages=True)
        await quiet(engine)

        assert places(database, "长颈鹿".encode(), await vector_of(f"docker：{SECRET}\n{PASTE.text}")) == []
        assert [each.title for each in await engine.sessions.list()] == ["一个无关的问题，只是为了第二条"]


async def test_what_was_learnt_in_batches_is_in_no_cache(open_engine, database: Path) -> None:
    said = "我的猫叫长颈鹿"
    async with open_engine(settings=SETTINGS, agent=ScriptedModel(finds(fact("用户的猫叫长颈鹿", said)))) as engine:
        await turn(engine, said, session_id="s")
        await turn(engine, "它很高", session_id="s")
        await learn(engine)
        await quiet(engine)
    assert places(database, await vector_of(f"{said}\n它很高"), await vector_of("用户的猫叫长颈鹿")) == []


async def test_forgetting_asks_without_keeping_what_was_asked(open_engine, database: Path) -> None:
    async with open_engine(settings=SETTINGS) as engine:
        await engine.memories.add("用户的猫叫长颈鹿")
        events = await turn(engine, "忘掉我的猫叫长颈鹿", session_id="s")
        await quiet(engine)
        assert of(events, ForgetProposed)
    assert places(database, await vector_of("我的猫叫长颈鹿")) == []


SAID = "我养了一只长颈鹿"
LEARNT = "用户养着一只长颈鹿当宠物"


def places_of_learnt(database: Path, text: str) -> int:
    return sum(each.read_bytes().count(text.encode()) for each in database.parent.iterdir() if each.is_file())


async def test_the_fact_leaves_the_files_with_the_exchange_that_found_it(open_engine, database: Path) -> None:
    async with open_engine(agent=ScriptedModel(finds(fact(LEARNT, SAID)))) as engine:
        await turn(engine, SAID, session_id="s")
        await learn(engine)
        await engine.worker.tidy()
        assert places_of_learnt(database, LEARNT) > 3

        deletion = await engine.memories.delete([1])

        assert deletion.messages == (("s", 1),)
        assert (await engine.runs.show(1)).exchange == ()
    assert places_of_learnt(database, LEARNT) == 0
    assert places_of_learnt(database, SAID) > 0


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
    assert places_of_learnt(database, "长颈鹿") == 0


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
        assert places_of_learnt(database, "长颈鹿") > 0

        await engine.memories.delete([kept[0].id], with_messages=True)

        for session in await engine.sessions.list():
            assert [each.user for each in (await engine.sessions.show(session.id))[1]] == ["你好，第一句话"]
        assert other.id in {session.id for session in await engine.sessions.list()}
    assert places_of_learnt(database, "长颈鹿") == 0


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
