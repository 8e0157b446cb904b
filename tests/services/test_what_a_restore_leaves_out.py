"""What was deleted since a backup was made stays deleted when it is restored, of every kind; its twin comes back."""

from __future__ import annotations

import json
import shutil
from collections.abc import AsyncIterator
from contextlib import aclosing, asynccontextmanager
from pathlib import Path

import apsw
from fakes.deleting import opened, say
from fakes.records import AT, header, later, remember
from fakes.teaching import an_episode

from orca_core.config.config_file import LoadedSettings
from orca_core.database_files import Restore, back_up
from orca_core.model.backups import BackedUp
from orca_core.model.feedback import Action, ActionType
from orca_core.model.knowledge import Knowledge
from orca_core.model.memories import ArchivedBecause, Origin, OriginKind, State
from orca_core.model.records import ACTION, EPISODE, GUIDE, KNOWLEDGE
from orca_core.model.tasks import Task
from orca_core.model.tools import Guide
from orca_core.operations.stores import Stores
from orca_core.rules.work.reported_calls import checked
from orca_core.settings import Settings

GONE, TWIN = "quokkas by the sea", "wombats in the hills"


def settings(home: Path) -> LoadedSettings:
    return LoadedSettings(Settings(), None, home)


async def backed_up(home: Path) -> Path:
    async with aclosing(back_up(settings(home))) as steps:
        [made] = [step async for step in steps if isinstance(step, BackedUp)]
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
        await stores.housekeeping.aclose()


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
    await stores.tools.record([checked({"tool": word, "output": "ok"}, later())])


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
        await stores.memories.change([1], header("edit"), lambda rows: {1: {"content": "something else"}})
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


async def test_what_faded_meanwhile_holds_nothing_back(tmp_path: Path) -> None:
    async with stores_of(tmp_path) as stores:
        for word in (GONE, TWIN):
            await stores.records[EPISODE].add(an_episode(word, target="t"), header())
        await stores.records[KNOWLEDGE].add(knowledge("both", 1, 2), header())
    backup = await backed_up(tmp_path)
    async with stores_of(tmp_path) as stores:
        faded = {"state": State.ARCHIVED.value, "archived_because": ArchivedBecause.FADED.value}
        await stores.records[EPISODE].change(1, faded, header("fade"))
        assert await stores.fading.delete_faded([1], header("fade")) == [1]

    assert await restored(tmp_path, backup) == {"episode": 1}

    async with stores_of(tmp_path) as stores:
        [known] = await stores.records[KNOWLEDGE].get([1])
        assert (known.state, known.held_because) == (State.LIVE, None)
        assert [each.id async for each in stores.records[EPISODE].all()] == [2]


async def test_each_profile_for_itself(tmp_path: Path) -> None:
    for scope in ("me", "work"):
        async with stores_of(tmp_path, scope) as stores:
            await remember(stores, GONE)
    backup = await backed_up(tmp_path)
    async with stores_of(tmp_path) as stores:
        await stores.memories.delete([1], header("delete"))

    assert await restored(tmp_path, backup) == {"memory": 1}

    async with stores_of(tmp_path, "work") as stores:
        assert [each.content for each in await stores.memories.get([2])] == [GONE]


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
