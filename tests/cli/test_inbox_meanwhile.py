"""`orca memory inbox` while another Orca decides."""

from __future__ import annotations

from asyncio import run

from fakes.memories import memory

from orca_core.domain.errors import NotFound
from orca_core.domain.memories import Memory, State, Status
from orca_core.domain.views import Case, Forecast, MemoryView
from orca_tui.cli.memory_inbox import cases_of


class InboxThatLoses:
    """Three candidates, of which the second is deleted once they are listed."""

    def __init__(self) -> None:
        self._candidates = [memory(id=number, state=State.CANDIDATE) for number in (1, 2, 3)]

    async def inbox(self, limit: int | None = None) -> list[Memory]:
        return self._candidates[:limit]

    async def case(self, memory_id: int) -> Case:
        if memory_id == 2:
            raise NotFound(what="memory", id=memory_id)
        candidate = self._candidates[memory_id - 1]
        return Case(MemoryView(candidate, Status.CANDIDATE, Forecast(None, None), 0.0), (), None)


def test_a_candidate_deleted_meanwhile_is_left_out() -> None:
    cases = run(cases_of(InboxThatLoses()))  # type: ignore[arg-type]

    assert [case.memory.id for case in cases] == [1, 3]
