"""What is deleted is gone from every byte, also of a backup that is restored."""

from __future__ import annotations

import json
import shutil
from collections.abc import AsyncIterator
from contextlib import aclosing, asynccontextmanager
from pathlib import Path

import apsw
import pytest
from fakes.clocks import StillClock
from fakes.deleting import opened, say
from fakes.facts import fact, finds, learn, pasted
from fakes.records import AT, header, later, remember
from fakes.scripted_model import ScriptedModel, says
from fakes.teaching import an_episode
from fakes.turns import only, turn

from orca_core.config.config_file import LoadedSettings
from orca_core.database_files import Restore, back_up
from orca_core.llm.local_embedder import LocalEmbedder
from orca_core.model.backups import BackupMade
from orca_core.model.events import Injected
from orca_core.model.feedback import Action, ActionType
from orca_core.model.knowledge import Knowledge
from orca_core.model.llm import Span
from orca_core.model.memories import Origin, OriginKind
from orca_core.model.record_types import ACTION, EPISODE, GUIDE, KNOWLEDGE
from orca_core.model.tasks import Task
from orca_core.model.tools import Guide
from orca_core.model.views import ListQuery
from orca_core.operations.stores import Stores
from orca_core.orca import Orca
from orca_core.rules.work.reported_calls import checked_call
from orca_core.settings import InjectSettings, MemorySettings, Settings
from orca_core.store.sqlite.index import vector_format

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
    return vector_format.to_exact(vector)


async def quiet(orca: Orca) -> None:
    await orca.worker.drain()
    await orca.worker.tidy()


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
async def test_a_private_turn_leaves_nothing(open_orca, database: Path, said: list[Span]) -> None:
    async with open_orca(ScriptedModel(says(f"我不说{SECRET}。")), settings=SETTINGS) as orca:
        await orca.memories.add("用户的 docker 跑在 5433 端口")
        await quiet(orca)
        await turn(orca, *said, is_private=True)
        await quiet(orca)
    vector = await vector_of("".join(span.text for span in said))
    assert places(database, "长颈鹿".encode(), vector) == []


async def test_a_turn_that_is_not_private_is_cached_without_its_words(open_orca, database: Path) -> None:
    async with open_orca(settings=SETTINGS) as orca:
        await orca.memories.add("用户的 docker 跑在 5433 端口")
        await turn(orca, f"docker 报错：{SECRET}", session_id="s")
        await quiet(orca)
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
async def test_a_deleted_chat_leaves_nothing(open_orca, database: Path, said: list[Span]) -> None:
    """Also after it was learnt from, folded, recalled from in other chats, and answered twice."""

    agent = ScriptedModel(finds(fact(f"用户问{SECRET}", "", type="none"), fact("短", "")))
    async with open_orca(ScriptedModel(says(f"关于{SECRET}我不知道。")), settings=SETTINGS, agent=agent) as orca:
        await turn(orca, *said, session_id="s")
        await turn(orca, *said, session_id="s", replaces=1)
        await turn(orca, f"docker 又报错：{SECRET}", session_id="s")
        await learn(orca)
        await quiet(orca)
        await turn(orca, "docker 的银行密码，长颈鹿", session_id="other")
        await orca.sessions.delete("other")
        assert places(database, SECRET.encode()) != []

        assert await orca.sessions.delete("s")
        await quiet(orca)

        needles = ("长颈鹿".encode(), await vector_of("".join(span.text for span in said)))
        assert places(database, *needles) == []


async def test_deleting_with_messages_leaves_nothing(open_orca, database: Path) -> None:
    agent = ScriptedModel(
        finds(fact(f"用户说{SECRET}", "长颈鹿的银行密码是四十二"), fact(f"{SECRET}被拒", "", type="x"))
    )
    model = ScriptedModel(says(f"关于{SECRET}我知道了。"), says("好的。"))
    async with open_orca(model, settings=SETTINGS, agent=agent) as orca:
        await turn(orca, f"docker：{SECRET}\n", PASTE, session_id="s")
        await turn(orca, "一个无关的问题，只是为了第二条", session_id="s")
        await learn(orca)
        await quiet(orca)
        await turn(orca, f"docker 里{SECRET}", session_id="t")
        await orca.sessions.delete("t")
        found = [view.memory for view in (await orca.memories.page(ListQuery("all"))).records]
        assert found

        await orca.memories.delete([memory.id for memory in found], with_messages=True)
        await quiet(orca)

        assert places(database, "长颈鹿".encode(), await vector_of(f"docker：{SECRET}\n{PASTE.text}")) == []
        assert [each.title for each in await orca.sessions.list()] == ["一个无关的问题，只是为了第二条"]


SAID = "我养了一只长颈鹿"
LEARNT = "用户养着一只长颈鹿当宠物"


def places_of_learnt(database: Path, text: str) -> int:
    return sum(each.read_bytes().count(text.encode()) for each in database.parent.iterdir() if each.is_file())


async def test_the_fact_leaves_the_files_with_the_exchange_that_found_it(open_orca, database: Path) -> None:
    async with open_orca(agent=ScriptedModel(finds(fact(LEARNT, SAID)))) as orca:
        await turn(orca, SAID, session_id="s")
        await learn(orca)
        await orca.worker.tidy()
        assert places_of_learnt(database, LEARNT) > 3

        deletion = await orca.memories.delete([1])

        assert deletion.messages == (("s", 1),)
        assert (await orca.runs.show(1)).exchange == ()
    assert places_of_learnt(database, LEARNT) == 0
    assert places_of_learnt(database, SAID) > 0


async def test_recall_brings_it_into_no_other_chat_by_a_summary_of_its_round(open_orca) -> None:
    asked, twin = "你还记得我养了什么吗？院子里有什么？", "我在院子里种了一棵石榴"
    model = ScriptedModel(says("好的。"))
    async with open_orca(model, agent=ScriptedModel(finds(fact(LEARNT, SAID)))) as orca:
        for said in (SAID, twin):
            await turn(orca, said, session_id="s")
        await learn(orca)
        assert "长颈鹿" in only(await turn(orca, asked, session_id="t"), Injected).injection.block

        await orca.memories.delete([1])

        for session_id, again in (("u", asked), ("v", f"你好！{LEARNT}。"), ("w", asked)):
            block = only(await turn(orca, again, session_id=session_id), Injected).injection.block
            assert "长颈鹿" not in block
        assert "石榴" in block
        assert [each.user for each in (await orca.sessions.show("s"))[1]] == [SAID, twin]


@pytest.mark.parametrize("is_there", [True, False], ids=["beside its chat", "after its chat was deleted"])
async def test_its_messages_go_from_forks_too(open_orca, database: Path, is_there: bool) -> None:
    async with open_orca(agent=ScriptedModel(finds(fact(LEARNT, SAID)))) as orca:
        await turn(orca, "你好，第一句话", session_id="s")
        await turn(orca, SAID, session_id="s")
        fork = await orca.sessions.fork("s", 2)
        other = await orca.sessions.fork(fork.id, 2)
        await learn(orca)
        await orca.worker.tidy()
        if not is_there:
            await orca.sessions.delete("s")
        kept = await orca.memories.get([1])
        assert places_of_learnt(database, "长颈鹿") > 0

        await orca.memories.delete([kept[0].id], with_messages=True)

        for session in await orca.sessions.list():
            assert [each.user for each in (await orca.sessions.show(session.id))[1]] == ["你好，第一句话"]
        assert other.id in {session.id for session in await orca.sessions.list()}
    assert places_of_learnt(database, "长颈鹿") == 0


async def test_a_new_chat_by_the_name_of_a_deleted_one_keeps_what_was_said_in_it(open_orca, clock: StillClock) -> None:
    async with open_orca(agent=ScriptedModel(finds(fact(LEARNT, SAID)))) as orca:
        await turn(orca, SAID, session_id="s")
        await turn(orca, "你好，第一句话", session_id="s")
        await learn(orca)
        await orca.sessions.delete("s")
        clock.advance(60)
        await turn(orca, "别的事情，和宠物无关", session_id="s")

        await orca.memories.delete([1], with_messages=True)

        assert [each.user for each in (await orca.sessions.show("s"))[1]] == ["别的事情，和宠物无关"]


GONE, TWIN = "quokkas by the sea", "wombats in the hills"


def settings(home: Path) -> LoadedSettings:
    return LoadedSettings(Settings(), None, home)


async def backed_up(home: Path) -> Path:
    async with aclosing(back_up(settings(home))) as steps:
        [made] = [step async for step in steps if isinstance(step, BackupMade)]
    return made.backup.path


async def restored(home: Path, backup: Path) -> dict[str, int]:
    """What stays deleted, by kind."""
    work = Restore(settings(home), str(backup))
    try:
        for steps in (work.prepare(), work.carry_out()):
            async with aclosing(steps):
                async for _ in steps:
                    pass
        return dict(work.plan.stays_deleted)
    finally:
        await work.aclose()


@asynccontextmanager
async def stores_of(home: Path, scope: str = "me") -> AsyncIterator[Stores]:
    stores = await opened(home, scope)
    try:
        yield stores
    finally:
        await stores.upkeep.aclose()


def a_guide(tool: str) -> Guide:
    return Guide(0, f"guide of {tool}", f"how to use {tool}", tool, AT, AT)


def knowledge(text: str, *sources: int) -> Knowledge:
    return Knowledge(0, f"known {text}", text, text, text, AT, AT, target=text, source_episodes=sources)


async def live_through(stores: Stores, word: str) -> None:
    """One of each kind that a person can delete."""
    await remember(stores, f"User likes {word}")
    await say(stores, f"chat about {word}", f"tell me of {word}")
    [episode] = [await stores.records[EPISODE].add(an_episode(f"{word} ran away", target=word), header())]
    await stores.records[KNOWLEDGE].add(knowledge(f"{word} bite", episode.id), header())
    await stores.records[GUIDE].add(a_guide(word), header())
    await stores.tasks.start(Task(0, "", "other chat", f"feed {word}", AT, AT), header())
    await stores.records[ACTION].add(Action(0, f"liked {word}", ActionType.LIKE, "other chat", AT), header())
    await stores.tools.record([checked_call({"tool": word, "output": "ok"}, later())])


async def delete_first_of_each(stores: Stores) -> None:
    """What was lived through first."""
    await stores.memories.delete([1], header("delete"))
    await stores.sessions.delete(f"chat about {GONE}", header("delete"))
    await stores.records[KNOWLEDGE].delete([1], header("delete"))
    for kind in (EPISODE, GUIDE, ACTION):
        await stores.records[kind].delete([1], header("delete"))
    await stores.tasks.delete([1], header("delete"))
    await stores.tools.delete(GONE, header("delete"))


async def test_of_every_kind(tmp_path: Path) -> None:
    async with stores_of(tmp_path) as stores:
        await live_through(stores, GONE)
        await live_through(stores, TWIN)
    backup = await backed_up(tmp_path)
    async with stores_of(tmp_path) as stores:
        await delete_first_of_each(stores)

    left_out = await restored(tmp_path, backup)

    expected = ("memory", "episode", "knowledge", "task", "guide", "action", "session", "tool")
    assert left_out == dict.fromkeys(expected, 1)
    everything = b"".join(path.read_bytes() for path in tmp_path.glob("orca.db*"))
    assert GONE.encode() not in everything
    async with stores_of(tmp_path) as stores:
        assert [each.content for each in await stores.memories.get([2])] == [f"User likes {TWIN}"]
        assert [each.id for each in await stores.sessions.sessions()] == [f"chat about {TWIN}"]
        for kind in (EPISODE, KNOWLEDGE, GUIDE, ACTION):
            assert [each.id async for each in stores.records[kind].all()] == [2]
        assert [each.task.id for each in await stores.tasks.get([2])] == [2]
        assert [each.tool for each in await stores.tools.figures()] == [TWIN]
        assert await stores.history.deleted([f"user likes {GONE}!"])


async def test_rounds_that_went_with_a_memory(tmp_path: Path) -> None:
    async with stores_of(tmp_path) as stores:
        for text in (GONE, TWIN):
            number = await say(stores, "s", f"I like {text}")
            await remember(stores, text, origin=Origin(OriginKind.EXTRACTION, "s", (number,)))
    backup = await backed_up(tmp_path)
    async with stores_of(tmp_path) as stores:
        await stores.memories.delete([1], header("delete"), with_messages=True)

    assert await restored(tmp_path, backup) == {"memory": 1, "round": 1}

    async with stores_of(tmp_path) as stores:
        assert [each.user for each in await stores.sessions.rounds("s")] == [f"I like {TWIN}"]


async def test_what_was_edited_before_it_was_deleted(tmp_path: Path) -> None:
    async with stores_of(tmp_path) as stores:
        await remember(stores, GONE)
    backup = await backed_up(tmp_path)
    async with stores_of(tmp_path) as stores:
        await stores.memories.change_all([1], header("edit"), lambda rows: {1: {"content": "something else"}})
        await stores.memories.delete([1], header("delete"))

    assert await restored(tmp_path, backup) == {"memory": 1}


async def test_what_a_person_said_again_comes_back(tmp_path: Path) -> None:
    async with stores_of(tmp_path) as stores:
        await remember(stores, "deleted before, and said again")
        await stores.memories.delete([1], header("delete"))
        await remember(stores, "deleted before, and said again", "deleted after, and said again", TWIN)
    backup = await backed_up(tmp_path)
    async with stores_of(tmp_path) as stores:
        await stores.memories.delete([3], header("delete"))
        await remember(stores, "Deleted after, and said again.")

    assert await restored(tmp_path, backup) == {}

    async with stores_of(tmp_path) as stores:
        assert [each.id for each in await stores.memories.get([2, 3, 4])] == [2, 3, 4]


async def test_a_backup_of_another_home_brings_back_nothing_that_was_deleted_here(tmp_path: Path) -> None:
    here, there = tmp_path / "here", tmp_path / "there"
    async with stores_of(there) as stores:
        await remember(stores, GONE, TWIN, "deleted there")
        await stores.memories.delete([3], header("delete"))
    async with stores_of(here) as stores:
        await remember(stores, GONE, "deleted here")
        await stores.memories.delete([1, 2], header("delete"))

    assert await restored(here, await backed_up(there)) == {"memory": 1}

    known = ["deleted here", "deleted there", GONE]
    async with stores_of(here) as stores:
        assert await stores.history.deleted([*known, TWIN]) == {*known}
        await remember(stores, *known)
        assert await stores.history.deleted(known) == frozenset()
        await stores.memories.delete([5], header("delete"))
    assert await restored(here, await backed_up(there)) == {}
    connection = apsw.Connection(str(here / "orca.db"))
    [secrets] = connection.execute("SELECT value FROM meta WHERE key = 'further_secrets'").fetchone() or ("[]",)
    assert len(json.loads(str(secrets))) == 1


async def test_what_is_deleted_and_not_yet_wiped_when_the_process_dies(tmp_path: Path) -> None:
    async with stores_of(tmp_path) as stores:
        await remember(stores, GONE, TWIN)
    backup = await backed_up(tmp_path)
    async with stores_of(tmp_path) as stores:
        await stores.memories.delete([1], header("delete"))
    shutil.copy(backup, tmp_path / "mine.db")

    await restored(tmp_path, tmp_path / "mine.db")

    assert GONE.encode() not in (tmp_path / "orca.db").read_bytes()
    assert GONE.encode() in (tmp_path / "mine.db").read_bytes()
