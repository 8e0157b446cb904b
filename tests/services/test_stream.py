"""One stream tells of turns, of learning, of changes by hand and of what other processes do."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator, AsyncIterator, Callable
from contextlib import aclosing, asynccontextmanager

from fakes.patience import PATIENCE_S
from fakes.scripted_model import ScriptedModel, says
from fakes.slices import cut_before, slices_of
from fakes.turns import turn
from msgspec.structs import replace

from orca_core.model.errors import StoreBusy
from orca_core.model.events import ChangedElsewhere, Delta, Done, Failed, Missed, OperationMade, StreamNotice
from orca_core.model.llm import Source, Span
from orca_core.model.sessions import NewSession, TurnRequest
from orca_core.operations.stores import Stores
from orca_core.services.shared import event_stream


class Ticks:
    """Time between two looks that passes when the test says so."""

    def __init__(self) -> None:
        self._passed = asyncio.Event()

    async def sleep(self, _seconds: float) -> None:
        await self._passed.wait()
        self._passed.clear()

    def tick(self) -> None:
        self._passed.set()


@asynccontextmanager
async def listening(events: AsyncGenerator[StreamNotice, None]) -> AsyncIterator[Callable[[int], object]]:
    """`await heard(n)`: the next `n` notices. The listener listens from the start, in a task of its own."""
    queue: asyncio.Queue[StreamNotice] = asyncio.Queue()

    async def listen() -> None:
        async with aclosing(events):
            async for notice in events:
                queue.put_nowait(notice)

    async def heard(count: int) -> list[StreamNotice]:
        return [await asyncio.wait_for(queue.get(), PATIENCE_S) for _ in range(count)]

    task = asyncio.ensure_future(listen())
    await asyncio.sleep(0)
    try:
        yield heard
    finally:
        task.cancel()
        await asyncio.gather(task, return_exceptions=True)


def actions(notices: list[StreamNotice]) -> list[str]:
    return [each.event.operation.header.action for each in notices if isinstance(each.event, OperationMade)]


async def test_two_orcas_on_one_file_hear_of_each_other(open_orca) -> None:
    ticks = Ticks()
    async with (
        open_orca(sleep=ticks.sleep) as mine,
        open_orca(sleep=Ticks().sleep) as theirs,
        listening(mine.events(0)) as heard,
    ):
        await mine.memories.add("用户用 neovim")
        assert actions(await heard(1)) == ["add"]
        added = await theirs.memories.add("用户住在上海")
        ticks.tick()
        elsewhere, operation = await heard(2)
        assert isinstance(elsewhere.event, ChangedElsewhere)
        assert (operation.event.operation.id, operation.cursor) == (added.operation, added.operation)
        await theirs.sessions.rename((await turn(theirs, "hi"))[-1].session_id, "another name")
        ticks.tick()
        assert isinstance((await heard(1))[0].event, ChangedElsewhere)


async def test_an_undo_of_much_is_heard_of_as_it_begins_and_once_it_is_done(open_orca) -> None:
    ticks = Ticks()
    async with open_orca(sleep=ticks.sleep) as orca, listening(orca.events(0)) as heard:
        added = [await orca.memories.add(text) for text in ("用户用 neovim", "用户住在上海")]
        await orca.memories.archive([each.memory.id for each in added])
        await heard(3)
        with slices_of(1), cut_before(2):
            await orca.history.undo()
        ticks.tick()
        [begun] = await heard(1)
        assert begun.event.operation.under_way is not None
        assert len(begun.event.changes) == 1

        await orca.worker.tidy()
        ticks.tick()
        [done] = await heard(1)
        assert (done.event.operation.id, done.event.operation.under_way) == (begun.event.operation.id, None)
        assert len(done.event.changes) == 2


async def test_a_listener_goes_on_where_it_stopped(open_orca) -> None:
    async with open_orca(sleep=Ticks().sleep) as orca:
        for text in ("用户用 neovim", "用户住在上海", "用户养了一只猫"):
            await orca.memories.add(text)
        async with listening(orca.events(0)) as heard:
            first, *rest = await heard(3)
        async with listening(orca.events(first.cursor)) as heard:
            assert await heard(2) == rest
    async with open_orca(sleep=Ticks().sleep) as orca, listening(orca.events(first.cursor)) as heard:
        assert await heard(2) == rest


async def test_a_turn_is_heard_with_its_chat_and_its_operations(open_orca) -> None:
    answering = ScriptedModel(says("好的"))
    async with open_orca(answering, sleep=Ticks().sleep) as orca, listening(orca.events(0)) as heard:
        own = await turn(orca, "记住：我用 neovim")
        told = await heard(len(own) + 1)
        assert [each.event for each in told if not isinstance(each.event, OperationMade)] == own
        assert actions(told) == ["remember"]
        assert {each.session_id for each in told} == {own[-1].session_id}


async def test_of_a_private_turn_nobody_else_hears(open_orca) -> None:
    answering = ScriptedModel(says("好的"))
    async with open_orca(answering, sleep=Ticks().sleep) as orca, listening(orca.events()) as heard:
        request = TurnRequest((Span("secret", Source.TYPED),), NewSession(), is_private=True)
        assert isinstance([event async for event in orca.chat.turn(request)][-1], Done)
        own = await turn(orca, "hi")
        assert [each.event for each in await heard(len(own))] == own


async def test_who_does_not_listen_is_told_how_much_was_dropped(open_orca, monkeypatch) -> None:
    async with open_orca(sleep=Ticks().sleep) as orca:
        monkeypatch.setattr(event_stream, "MOST_WAITING", 3)
        async with aclosing(orca.events(0)) as events:
            await orca.memories.add("用户用 neovim")
            assert actions([await anext(events)]) == ["add"]
            for number in range(5):
                orca.stream.tell(Delta(str(number)), "s")
            waiting = [(await anext(events)).event for _ in range(4)]
            assert waiting == [Delta("0"), Delta("1"), Delta("2"), Missed(2)]


async def test_a_database_that_cannot_be_read_is_told_of_once(open_orca) -> None:
    class Busy:
        is_busy = True

        def __init__(self, feed: object) -> None:
            self._feed = feed

        def __getattr__(self, name: str) -> object:
            if self.is_busy and name in ("last_operation", "operations_after", "foreign_writes"):
                raise StoreBusy(path="orca.db")
            return getattr(self._feed, name)

    ticks, busy = Ticks(), []

    def behind(stores: Stores) -> Stores:
        busy.append(Busy(stores.history))
        return replace(stores, history=busy[0])

    async with open_orca(sleep=ticks.sleep, behind=behind) as orca, listening(orca.events(0)) as heard:
        [failure] = await heard(1)
        assert isinstance(failure.event, Failed)
        assert failure.event.kind == StoreBusy.kind
        await orca.memories.add("用户用 neovim")  # heard of when the database can be read
        busy[0].is_busy = False
        ticks.tick()
        assert actions(await heard(1)) == ["add"]
