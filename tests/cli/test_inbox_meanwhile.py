"""`orca memory inbox` while another Orca decides."""

from __future__ import annotations

from asyncio import run
from types import SimpleNamespace

from fakes.memories import memory

from orca_core.model.errors import NotFound
from orca_core.model.memories import State, Status, Waits
from orca_core.model.records import memory_ref
from orca_core.model.views import Case, Forecast, MemoryView
from orca_tui.cli.inbox import inbox_of

CANDIDATES = [memory(id=number, state=State.CANDIDATE) for number in (1, 2, 3)]


class InboxThatLoses:
    """Three candidates, of which the second is deleted once they are listed."""

    async def waits(self, limit: int | None = None) -> list[Waits]:
        assert limit is None
        return [
            Waits(memory_ref(each.id), each.content, each.updated_at, None, None, each.origin, each)
            for each in CANDIDATES
        ]

    async def case(self, memory_id: int) -> Case:
        if memory_id == 2:
            raise NotFound(what="memory", id=memory_id)
        return Case(MemoryView(CANDIDATES[memory_id - 1], Status.CANDIDATE, Forecast(None, None), 0.0), (), None)


def test_a_candidate_deleted_meanwhile_is_left_out() -> None:
    inbox = InboxThatLoses()
    engine = SimpleNamespace(inbox=inbox, work=SimpleNamespace(candidates=inbox))

    found, total = run(inbox_of(engine))  # type: ignore[arg-type]

    assert [case.memory.id for case in found if isinstance(case, Case)] == [1, 3]
    assert total == 2
