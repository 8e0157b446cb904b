"""A memory that is added is compared with the others before its transaction, and comes to the very same pairs as if it
were compared in it, whatever others write meanwhile."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Sequence
from datetime import timedelta
from itertools import count
from typing import Any

import pytest
from fakes.looks import meanwhile
from fakes.records import AT, header, later
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from orca_core.model.memories import MEMORIES, ConfirmedBy, NewMemory, State
from orca_core.model.views import MemoryQuery, StatusCriteria
from orca_core.operations.memory_pairs import NEAR, find, look_beside
from orca_core.operations.operations import OpenOperation
from orca_core.operations.records import RecordTypes, memories_there
from orca_core.operations.stores import Stores
from orca_core.rules.memory import memory_curation, said_again, undo_rules
from orca_core.rules.retrieval.evidence import telling_of_a_record
from orca_core.settings import MemorySettings
from orca_core.store.ports import Coming, Rows

SCOPES = count()
COMING = 1 << 62
FRAMES = ("I live in {}", "My flat in {} has a garden", "The shop runs on {}", "The shop now runs on {}", "我在{}上班")
VALUES = ("Berlin", "Munich", "Oslo", "Postgres 14", "Postgres 15", "上海", "北京", "ſtraße")
TEXTS = [frame.format(value) for frame in FRAMES for value in VALUES]
texts = st.lists(st.sampled_from(TEXTS), max_size=len(TEXTS), unique=True)
fewer = settings(max_examples=25, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])


async def told(stores: Stores, said: Sequence[str]) -> None:
    for number, text in enumerate(said):
        await stores.memories.add(NewMemory(text), header(at=AT + timedelta(minutes=number // 3)))


@pytest.mark.long
@fewer
@given(said=texts, text=st.sampled_from(TEXTS), minutes=st.integers(-2, 20))
def test_what_is_seen_before_is_what_is_found_after(
    opened: Any, run: Any, said: list[str], text: str, minutes: int
) -> None:
    new, at = NewMemory(text), later(minutes)

    def both(rows: Rows) -> None:
        operation = OpenOperation(rows, RecordTypes(), MemorySettings(), header(at=at))
        seen = look_beside(rows, operation, new)
        assert seen is not None
        coming = Coming(COMING, seen.drafted.kept)
        others = memories_there(rows, list(range(1, len(TEXTS) * 100)))
        ahead = {each.id: near(rows, each, coming) for each in others}
        memory = operation.add(new, seen.drafted).memory

        assert ahead == {each.id: near(rows, each, None, {memory.id: COMING}) for each in others}
        found = find(rows, memory)
        assert [(each.other, each.why) for each in seen.found] == [(each.other, each.why) for each in found]

    async def act() -> None:
        async with opened(f"scope {next(SCOPES)}") as stores:
            await told(stores, [each for each in said if each != text])
            await stores.memories._transactions.write(both)

    run(act())


def near(rows: Rows, memory: Any, coming: Coming | None, called: Any = None) -> list[int]:
    limit, telling = NEAR + 1, telling_of_a_record
    found = rows.words.live_near(MEMORIES, memory.content, memory.created_at, limit, telling, coming)
    return [(called or {}).get(each, each) for each in found]


async def everything(stores: Stores) -> list[Any]:
    page = await stores.memories.page(MemoryQuery(StatusCriteria(tuple(State))))
    return sorted(page.memories, key=lambda each: each.id)


async def adds(stores: Stores) -> None:
    await stores.memories.add(NewMemory("I live in Lisbon"), header(at=later(3)))


async def adds_the_same(stores: Stores) -> None:
    await stores.memories.add(NewMemory(TEXTS[0]), header(at=later(3)))


async def changes(stores: Stores, fields: dict[str, Any]) -> None:
    first = (await everything(stores))[:1]
    await stores.memories.change(
        [each.id for each in first], header("edit", later(4)), memory_curation.each(lambda _: fields)
    )


async def archives(stores: Stores) -> None:
    await changes(stores, {"state": "archived", "archived_because": "hand"})


async def rewords(stores: Stores) -> None:
    await changes(stores, {"content": "I live in Madrid"})


async def deletes(stores: Stores) -> None:
    for each in (await everything(stores))[:1]:
        await stores.memories.delete([each.id], header("delete", later(4)))


async def undoes(stores: Stores) -> None:
    if await stores.history.operations(1):
        await stores.history.undo(None, later(5), undo_rules.plan)


async def rests(_stores: Stores) -> None:
    return


RIVALS: tuple[Callable[[Stores], Awaitable[None]], ...] = (
    adds,
    adds_the_same,
    archives,
    rewords,
    deletes,
    undoes,
    rests,
)


@pytest.mark.long
@fewer
@given(said=texts, text=st.sampled_from(TEXTS), rival=st.sampled_from(RIVALS))
def test_what_a_rival_writes_meanwhile_counts_as_if_it_came_first(
    engine: Any,
    opened: Any,
    run: Any,
    monkeypatch: pytest.MonkeyPatch,
    said: list[str],
    text: str,
    rival: Callable[[Stores], Awaitable[None]],
) -> None:
    decided = said_again.born_by

    async def outcome(is_meanwhile: bool) -> list[Any]:
        scope, to_do = f"scope {next(SCOPES)}", [rival]

        def born_by(new: NewMemory) -> ConfirmedBy | None:
            if is_meanwhile and to_do and new.content == text:
                to_do.pop()
                say()
            return decided(new)

        monkeypatch.setattr(said_again, "born_by", born_by)
        async with opened(scope) as other:
            await told(other, [each for each in said if each != text])
            database = await engine()
            stores = database.scope(scope)
            say = meanwhile(lambda: rival(other))
            if not is_meanwhile:
                await rival(other)
            addition = await stores.memories.add(NewMemory(text), header(at=later(9)))
            assert len(to_do) != is_meanwhile
            listed = [(each.newer.content, each.older.content, each.why) for each in await stores.memories.undecided()]
            there = [(each.content, each.state, each.seen) for each in await everything(stores)]
            await stores.housekeeping.aclose()
            await database.aclose()
        return [addition.outcome, sorted(listed), there]

    try:
        assert run(outcome(True)) == run(outcome(False))
    finally:
        monkeypatch.undo()


async def test_what_is_asked_for_later_comes_later(opened: Any) -> None:
    async with opened() as stores:
        await told(stores, TEXTS[:3])
        add = stores.memories.add(NewMemory("I keep bees"), header(at=later(1)))
        await asyncio.gather(add, stores.history.undo(None, later(2), undo_rules.plan))

        assert [each.content for each in await everything(stores) if each.state is State.LIVE] == TEXTS[:3]


async def test_who_closes_waits_for_what_is_still_compared(opened: Any) -> None:
    async with opened() as stores, opened() as other:
        await told(stores, TEXTS[:3])
        adding = asyncio.ensure_future(stores.memories.add(NewMemory("I keep bees"), header(at=later(1))))
        await asyncio.sleep(0)
        await stores.housekeeping.aclose()
        await adding

        assert [each.content for each in await everything(other)][-1] == "I keep bees"


async def test_an_operation_tells_what_it_changed_in_its_order(opened: Any) -> None:
    async with opened() as stores:
        await told(stores, TEXTS[:4])
        ids = [each.id for each in await everything(stores)]
        fields: dict[int, dict[str, Any]] = {each: {"weight": 3.0} for each in ids}
        fields[ids[1]] = {"content": "I keep bees"}
        done = await stores.memories.change(ids, header("edit", later(1)), lambda _: fields)
        undone = await stores.history.undo(done.operation, later(2), undo_rules.plan)

        assert [each.id for each in done.memories] == ids
        assert [each.id for each in undone.memories] == ids
