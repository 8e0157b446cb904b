"""What leaves a home: all of one scope as of one moment; brought into an empty home it is the same document."""

from __future__ import annotations

import asyncio
from contextlib import suppress
from functools import partial
from typing import Any

from fakes.acts_read import claimed, everything, finish, recorded, shown
from fakes.documents import brought, exported
from fakes.past_work import an_episode, some_knowledge
from fakes.records import chat, header, later, remember
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from msgspec.structs import replace

from orca_core.model.errors import OrcaError
from orca_core.model.import_export import Arrival
from orca_core.model.memories import Use
from orca_core.model.record_types import ACTION, EPISODE, GUIDE, KNOWLEDGE, Kind
from orca_core.model.tasks import StepStatus
from orca_core.model.tools import Guide
from orca_core.model.views import RecordQuery
from orca_core.operations.stores import Stores
from orca_core.rules.work import task_changes
from orca_core.rules.work.reported_calls import checked_call

WHAT = (
    "remember remember remember live_in keep_both edit edit_all pin archive supersede candidate use like cancel start step end_step end end"
    " episode teach guide call call untimed undo undo redo delete delete_episode delete_act"
)
NUMBERS = iter(range(10**9))
"""Each life has scopes of its own."""
STEPS = st.lists(st.tuples(st.sampled_from(WHAT.split()), st.integers(0, 9)), max_size=30)


class Life:
    """What is done to a store, one thing after the other; what can't be done changes nothing."""

    def __init__(self, stores: Stores) -> None:
        self.stores = stores
        self.minutes = 0

    async def live(self, what: str, which: int) -> None:
        self.minutes += 1
        with suppress(OrcaError, AssertionError, ZeroDivisionError):
            await getattr(self, what)(which)

    async def _memory(self, which: int) -> int:
        there = await everything(self.stores)
        return there[which % len(there)].id

    async def _task(self, which: int) -> int:
        there = (await self.stores.tasks.listed(RecordQuery(order=("id",)))).records
        return there[which % len(there)].task.id

    async def _delete(self, kind: Kind, which: int) -> None:
        there = [each.id async for each in self.stores.records[kind].all()]
        await self.stores.records[kind].delete([there[which % len(there)]], header("delete", later(self.minutes)))

    async def _change(self, which: int, fields: dict[str, object]) -> None:
        memory = await self._memory(which)
        await self.stores.memories.change_all([memory], header("edit", later(self.minutes)), lambda _: {memory: fields})

    async def remember(self, which: int) -> None:
        await remember(self.stores, f"我在用 tool {which}", tags=("工作", f"t{which}"))

    async def live_in(self, which: int) -> None:
        await remember(self.stores, f"I live in {('Berlin', 'Munich', 'Oslo')[which % 3]}")

    async def keep_both(self, which: int) -> None:
        open_pairs = await self.stores.memories.undecided()
        pair = open_pairs[which % len(open_pairs)]
        await self.stores.memories.keep_both(pair.newer.id, pair.older.id)

    async def edit(self, which: int) -> None:
        await self._change(which, {"content": f"otherwise {self.minutes}"})

    async def pin(self, which: int) -> None:
        await self._change(which, {"pinned": True})

    async def archive(self, which: int) -> None:
        await self._change(which, {"state": "archived", "archived_because": "hand"})

    async def edit_all(self, which: int) -> None:
        there = [each.id for each in await everything(self.stores)]
        less = {key: {"confidence": 0.5 + which / 100} for key in there}
        await self.stores.memories.change_all(there, header("edit", later(self.minutes)), lambda _: less)

    async def supersede(self, which: int) -> None:
        other = await self._memory(which + 1)
        await self._change(which, {"state": "archived", "archived_because": "superseded", "superseded_by": other})

    async def candidate(self, which: int) -> None:
        other = await self._memory(which + 1)
        await self._change(which, {"state": "candidate", "held_because": "unread", "would_replace": other})

    async def use(self, which: int) -> None:
        await chat(self.stores, f"s{which % 2}", uses={await self._memory(which): Use.USED})

    async def like(self, which: int) -> None:
        await recorded(self.stores, "LIKE", 1 + which % 3, days=which)
        batch = await claimed(self.stores)
        found = [shown(each.id, content=f"The user likes dish {which % 2}") for each in batch.actions]
        await finish(self.stores, batch, *found)

    async def cancel(self, which: int) -> None:
        await recorded(self.stores, "CANCEL_LIKE", 1 + which % 3)

    async def start(self, which: int) -> None:
        task = task_changes.new_task(f"s{which % 2}", f"the build is red {which}", later(self.minutes), target="ci")
        await self.stores.tasks.start(task, header("start_task", later(self.minutes)))

    async def step(self, which: int) -> None:
        decide = partial(
            task_changes.add_step, description="read the log", at=later(self.minutes), tool="shell", args={"n": which}
        )
        await self.stores.tasks.change(await self._task(which), header("add_step", later(self.minutes)), decide)

    async def end_step(self, which: int) -> None:
        decide = partial(
            task_changes.change_step,
            number=1,
            at=later(self.minutes),
            status=StepStatus.COMPLETED.value,
            result="ok",
        )
        await self.stores.tasks.change(await self._task(which), header("change_step", later(self.minutes)), decide)

    async def end(self, which: int) -> None:
        decide = partial(task_changes.end_task, outcome="success", summary="green", at=later(self.minutes))
        await self.stores.tasks.change(await self._task(which), header("end_task", later(self.minutes)), decide)

    async def episode(self, which: int) -> None:
        await self.stores.records[EPISODE].add(an_episode(f"502 again {self.minutes}"), header())

    async def teach(self, which: int) -> None:
        there = [each.id async for each in self.stores.records[EPISODE].all()]
        known = some_knowledge(f"topic {which}", target=f"target {which}", source_episodes=tuple(there[:3]))
        await self.stores.records[KNOWLEDGE].add(replace(known, uid=f"k{self.minutes}"), header())

    async def guide(self, which: int) -> None:
        made = Guide(0, f"g{self.minutes}", "Keep it short.", f"tool{which}", later(), later(), through=which)
        await self.stores.records[GUIDE].add(made, header())

    async def call(self, which: int) -> None:
        given = {"tool": "Shell", "input": {"n": which}, "output": "ok", "session_id": "s0", "call_id": f"c{which}"}
        await self.stores.tools.record([checked_call(given, later(self.minutes))])

    async def untimed(self, which: int) -> None:
        given = {"tool": "web", "output": f"no {which}", "success": False}
        await self.stores.tools.record([checked_call(given, later(0))])

    async def undo(self, _which: int) -> None:
        await self.stores.history.undo(None, later(self.minutes))

    async def redo(self, _which: int) -> None:
        await self.stores.history.redo(None, later(self.minutes))

    async def delete(self, which: int) -> None:
        await self.stores.memories.delete([await self._memory(which)], header("delete", later(self.minutes)))

    async def delete_episode(self, which: int) -> None:
        await self._delete(EPISODE, which)

    async def delete_act(self, which: int) -> None:
        await self._delete(ACTION, which)


async def there_and_back(engine: Any, steps: list[tuple[str, int]]) -> Any:
    database, number = await engine(), next(NUMBERS)
    stores, empty = database.scope(f"lived {number}"), database.scope(f"empty {number}")
    try:
        life = Life(stores)
        for what, which in steps:
            await life.live(what, which)
        told = await exported(stores)
        first = await brought(empty, told)

        assert await exported(empty) == told
        assert (await brought(stores, told)).operation is None
        again = await brought(empty, told)
        assert again.operation is None
        assert again.count(Arrival.KNOWN) == first.count(Arrival.NEW)
        # Calls are counts, and stay: of an import of nothing else there is nothing to take back.
        if any(counts.get(Arrival.NEW) for name, counts in first.counts.items() if name != "tool_calls"):
            undone = await empty.history.undo(None, later(1000))
            assert (undone.undid.id, undone.conflicts) == (first.operation, ())
        return told
    finally:
        for each in (stores, empty):
            await each.upkeep.aclose()
        await database.aclose()


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow], deadline=None)
@given(STEPS)
def test_an_export_is_the_same_wherever_it_is_brought(engine: Any, steps: list[tuple[str, int]]) -> None:
    asyncio.run(there_and_back(engine, steps))


def test_a_life_in_which_everything_happened(engine: Any) -> None:
    kept = [each for each in dict.fromkeys(WHAT.split()) if not each.startswith("delete")]
    lived = [("remember", 5), ("remember", 6), *((what, which) for which in range(3) for what in kept)]

    told = asyncio.run(there_and_back(engine, [*lived, ("remember", 7), ("delete", 0), ("like", 7)]))

    assert [name for name, records in told.items() if not records] == []
    assert {each["status"] for each in told["memories"]} >= {"active", "candidate", "archived"}
    assert any(each["superseded_by"] for each in told["memories"])
    assert any(each["act"] for each in told["supports"])
    assert any(each["consolidated_into"] for each in told["episodes"])
    assert any(each["undone_by"] for each in told["operations"])
    assert {pair["settled"] for each in told["memories"] for pair in each["pairs"]} == {None, "both"}
