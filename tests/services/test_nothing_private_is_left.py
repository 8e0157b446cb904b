"""What is private, or was deleted, stands in no byte of the database and its journal: nor does its vector."""

from __future__ import annotations

from pathlib import Path

import pytest
from fakes.facts import fact, finds, learn, pasted
from fakes.scripted_model import ScriptedModel, says
from fakes.turns import of, turn

from orca_core.llm.local_embedder import LocalEmbedder
from orca_core.model.events import ForgetProposed
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
        found = (await engine.memories.page(ListQuery("all"))).memories
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
