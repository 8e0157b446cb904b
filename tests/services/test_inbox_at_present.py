"""A candidate is judged anew when it is shown, and what is accepted fits what is there by then."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from pathlib import Path

import apsw
import pytest
from fakes.clocks import StillClock
from fakes.facts import fact, finds, learn, written
from fakes.scripted_model import ScriptedModel, answers
from fakes.turns import turn

from orca_core.model.memories import Memory, State
from orca_core.model.views import Case, Since
from orca_core.orca import Orca

MOVED = fact("用户住在杭州", "", replace="用户住在上海")
WEAK = fact("用户喜欢骑自行车上班", "")
PHONE = fact("用户的电话是 13912345678", "我的电话是 13912345678")
TABLES_OF_CACHES = frozenset({"embedding_cache"})


async def waits_to_replace(engine: Orca) -> tuple[Memory, Memory]:
    """What is remembered, and a candidate that would take its place."""
    old = (await engine.memories.add("用户住在上海")).memory
    await turn(engine, "我住在杭州", session_id="s")
    await learn(engine)
    [waiting] = await engine.inbox.inbox()
    assert waiting.would_replace == old.id
    return old, waiting


async def archive(engine: Orca, old: int) -> object:
    return await engine.memories.archive([old])


async def pin(engine: Orca, old: int) -> object:
    return await engine.memories.pin([old])


async def reword(engine: Orca, old: int) -> object:
    return await engine.memories.edit(old, content="用户住在上海浦东")


async def delete(engine: Orca, old: int) -> object:
    return await engine.memories.delete([old])


@pytest.mark.parametrize(
    ("meanwhile", "since", "replaces", "after"),
    [
        (archive, Since.TARGET_ARCHIVED, False, State.ARCHIVED),
        (pin, Since.TARGET_PINNED, False, State.LIVE),
        (reword, Since.TARGET_CHANGED, True, State.ARCHIVED),
        (delete, Since.TARGET_GONE, False, None),
    ],
)
async def test_what_it_would_replace_is_as_it_is_by_now(
    open_engine,
    clock: StillClock,
    meanwhile: Callable[[Orca, int], Awaitable[object]],
    since: Since,
    replaces: bool,
    after: State | None,
) -> None:
    async with open_engine(agent=ScriptedModel(finds(MOVED))) as engine:
        old, waiting = await waits_to_replace(engine)
        assert (await engine.inbox.case(waiting.id)).standing.replaces == old.id
        clock.advance(60)
        await meanwhile(engine, old.id)

        standing = (await engine.inbox.case(waiting.id)).standing

        assert (standing.since, standing.replaces) == ((since,), old.id if replaces else None)
        await engine.inbox.accept([waiting.id])
        [now] = await engine.memories.get([waiting.id])
        assert now.state is State.LIVE
        if after is not None:
            [old_now] = await engine.memories.get([old.id])
            assert (old_now.state, old_now.superseded_by) == (after, waiting.id if replaces else None)


async def test_what_is_remembered_by_now_is_confirmed_by_accepting(open_engine) -> None:
    async with open_engine(agent=ScriptedModel(finds(WEAK), verifier=[answers(False)])) as engine:
        await turn(engine, "今天天气不错", session_id="s")
        await learn(engine)
        [waiting] = await engine.inbox.inbox()
        known = await written(engine, "用户喜欢骑自行车上班。")

        case = await engine.inbox.case(waiting.id)
        assert (case.standing.same, case.nearest) == (known, known)
        await engine.inbox.accept([waiting.id])

        [left, gone] = await engine.memories.get([known.id, waiting.id])
        assert (left.state, left.seen) == (State.LIVE, known.seen + waiting.seen)
        assert (gone.state, gone.superseded_by) == (State.ARCHIVED, known.id)
        await engine.history.undo()
        [left, back] = await engine.memories.get([known.id, waiting.id])
        assert (left.seen, back.state, back.held_because) == (known.seen, State.CANDIDATE, waiting.held_because)


async def test_looking_at_the_inbox_writes_nothing(open_engine, database: Path) -> None:
    def everything() -> dict[str, list[object]]:
        connection = apsw.Connection(str(database))
        names = [str(row[0]) for row in connection.execute("SELECT name FROM sqlite_schema WHERE type = 'table'")]
        plain = [name for name in names if name not in TABLES_OF_CACHES and not name.startswith(("vec_", "sqlite_"))]
        return {name: list(connection.execute(f"SELECT * FROM {name}")) for name in plain}

    async with open_engine(agent=ScriptedModel(finds(MOVED))) as engine:
        old, waiting = await waits_to_replace(engine)
        await engine.worker.tidy()
        await engine.memories.archive([old.id])
        before = everything()
        for _ in range(2):
            case = await engine.inbox.case(waiting.id)
        assert case.standing.replaces is None
        assert (await engine.inbox.waiting()).count == 1
        assert everything() == before


async def test_the_nearest_is_what_is_remembered_of_the_same_matter_or_nothing(open_engine) -> None:
    async with open_engine(agent=ScriptedModel(finds(WEAK))) as engine:
        await turn(engine, "今天天气不错", session_id="s")
        await learn(engine)
        far = (await engine.memories.add("the staging server is called heron")).memory
        assert (await engine.inbox.case(1)).nearest is None
        near = (await engine.memories.add("用户骑自行车去公园")).memory
        assert (await engine.inbox.case(1)).nearest == near
        await engine.memories.archive([near.id, far.id])
        assert (await engine.inbox.case(1)).nearest is None


async def test_its_rounds_may_be_gone(open_engine) -> None:
    async with open_engine(agent=ScriptedModel(finds(PHONE))) as engine:
        await turn(engine, "我的电话是 13912345678", session_id="s")
        await learn(engine)
        [waiting] = await engine.inbox.inbox()
        await engine.sessions.delete("s")

        case: Case = await engine.inbox.case(waiting.id)

        assert (case.rounds, case.standing.held_because, case.standing.since) == (
            (),
            "account_number",
            (Since.ROUNDS_GONE,),
        )
