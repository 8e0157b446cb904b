"""Acts as programs give them: what is plainly wrong is refused in a sentence, and nothing is lost by it."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Any

import pytest

from orca_core.demo.agent import DemoAgent
from orca_core.domain.errors import InvalidInput
from orca_core.domain.learning import Wanted


async def test_a_time_before_all_acts_is_refused_and_the_rest_stays_readable(open_engine) -> None:
    async with open_engine(agent=DemoAgent()) as engine:
        record = engine.growth.actions.record
        for at in (datetime(1, 1, 1, tzinfo=UTC), datetime.fromisoformat("0001-01-01")):
            with pytest.raises(InvalidInput, match="no such time"):
                await record("LIKE", "s", round=1, at=at)
        made = await record("LIKE", "s", round=1, at=datetime.fromisoformat("2026-01-01"))

        assert made is not None
        assert made.action.at == datetime(2026, 1, 1, tzinfo=UTC)
        assert [each.id for each in (await engine.growth.actions.page()).records] == [made.action.id]
        assert [each async for each in engine.growth.reading.run(Wanted(everything=True))] == []
        await engine.history.undo(made.operation)
        assert await engine.growth.actions.marks("s") == []


async def test_a_time_that_is_unknown_costs_no_call(open_engine) -> None:
    def result(call_id: str, **times: Any) -> dict[str, Any]:
        content = [{"id": call_id, "output": call_id}]
        return {"type": "tool_result", "status": "finished", "tool_name": "t", "content": content, **times}

    content = [result("a"), result("b", update_time="0001-01-01T00:00:00"), result("c")]
    async with open_engine() as engine:
        recorded = await engine.growth.actions.record("TASK_STOP", "s", data={"session_content": content})

        assert recorded is not None
        assert recorded.calls is not None
        assert [each.call_id for each in recorded.calls.taken] == ["a", "b", "c"]
        taken = await engine.growth.tools.record(
            [{"tool": "t", "at": "0001-01-01T00:00:00"}, {"tool": "t", "output": "x"}]
        )
        assert taken is not None
        assert (len(taken.taken), [each.place for each in taken.refused]) == (1, [0])
